"""Running all combinations of some settings."""

from __future__ import annotations

import concurrent.futures
import itertools
import os
import warnings
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import pandas as pd

from copysim._engine import CopyPolicy
from copysim._frame import frame_of
from copysim._identity import fingerprint
from copysim._progress import Progress
from copysim._result import warn_of_damage
from copysim._rows import Row, stream, threads
from copysim._run import prepared
from copysim._saved import Store, finished_in
from copysim._scenario import Policy, Scenario, ScenarioLike, SettingMap, split_policy
from copysim._units import SettingValue, key_of

#: A point to run: its index, and its settings.
_Point: TypeAlias = tuple[int, list[str]]

#: Tasks for an executor: enough to share out evenly, few enough that they cost little.
_MOST_TASKS = 256


class SweepInterrupted(UserWarning):
    """A sweep was interrupted by Ctrl-C and returned the points that were done."""


class _Plan:
    """The points of a sweep: the values that name them, their settings, and their engines."""

    def __init__(self, vary: Mapping[str, Iterable[object]], engines: Sequence[CopyPolicy]) -> None:
        if not isinstance(vary, Mapping) or not vary:
            raise ValueError("sweep: vary must be a mapping of keys to values such as {'link.rtt': ['1 ms', '5 ms']}, "
                             f"got {vary!r}")
        # A single value is a list of one; a text is no list of letters.
        axes = {key: list(values) if isinstance(values, Iterable) and not isinstance(values, (str, type)) else [values]
                for key, values in vary.items()}
        for key, values in axes.items():
            if not values:
                raise ValueError(f"sweep: {key} must have at least one value, got none")
        self.axes = list(axes)
        self.engines = {each.id: each for each in engines}
        self.labels = list(itertools.product(*[[_label(each) for each in values] for values in axes.values()]))
        options = [[self._assignments(key, each) for each in values] for key, values in axes.items()]
        # The engine first, so that settings of its parameters win.
        order = sorted(range(len(self.axes)), key=lambda i: self.axes[i] not in ("policy", "policy.id"))
        self.points = [[text for i in order for text in combination[i]] for combination in itertools.product(*options)]

    def _assignments(self, key: str, value: object) -> list[str]:
        assignments, engine = split_policy({key: value})
        if engine is not None and self.engines.setdefault(engine.id, engine).state() != engine.state():
            raise ValueError(f"sweep: two engines have the id '{engine.id}': give one another `id`")
        return assignments


def _label(value: object) -> object:
    """How a value of an axis stands in the frame: engines in Python as text, all else as given."""
    if isinstance(value, type) and issubclass(value, CopyPolicy):
        return value.id
    return repr(value) if isinstance(value, CopyPolicy) else value


def _on_threads(scenario: Scenario, points: Sequence[_Point], workers: int,
                heartbeat: Callable[[], None] | None = None) -> Generator[Row, None, None]:
    texts = [assignments for _, assignments in points]
    for row in stream(scenario.core, texts, scenario.engines, workers, heartbeat):
        # An error becomes text: it can be sent to another process then, and holds no frames.
        yield row._replace(point=points[row.point][0], error=None if row.error is None else row.failure)


def _run_task(scenario: Scenario, points: Sequence[_Point]) -> list[Row]:
    return list(_on_threads(scenario, points, 1))


def _on_executor(scenario: Scenario, points: Sequence[_Point], executor: concurrent.futures.Executor,
                 heartbeat: Callable[[], None]) -> Generator[Row, None, None]:
    size = -(-len(points) // _MOST_TASKS) or 1
    tasks = [points[i:i + size] for i in range(0, len(points), size)]
    waiting = {executor.submit(_run_task, scenario, task): task for task in tasks}
    some_ran = False
    try:
        while waiting:
            done, _ = concurrent.futures.wait(waiting, timeout=0.1, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                task = waiting.pop(future)
                problem = future.exception()
                if problem is None:
                    some_ran = True
                    yield from future.result()
                elif not some_ran and not waiting:
                    raise problem  # nothing ran, so there is nothing to save
                else:
                    yield from _lost(task, problem)
            heartbeat()
    finally:
        for future in waiting:
            future.cancel()


def _lost(task: Sequence[_Point], problem: BaseException) -> Generator[Row, None, None]:
    """A row for each point of a task whose worker died or could not run it."""
    for index, _ in task:
        yield Row(index, 0, 1, "", 0, 0, 0, None, 0, 0, "ok", (), np.empty(0), (),
                  f"{type(problem).__name__}: {problem}")


def _warn_of_damage(rows: Sequence[Row]) -> None:
    damaged = [row for row in rows if row.damaged and row.failure is None]
    for policy in dict.fromkeys(row.policy for row in damaged):
        of_engine = [row for row in damaged if row.policy == policy]
        names = list(dict.fromkeys(name for row in of_engine for name in row.damaged))
        warn_of_damage(policy, names, f" in {len(of_engine)} of {len(rows)} runs", 3)


def sweep(scenario: ScenarioLike, vary: Mapping[str, Iterable[SettingValue | Policy]],
          replications: int | None = None, executor: concurrent.futures.Executor | None = None,
          progress: bool | Callable[[int, int], None] = True, *, policy: Policy | None = None,
          set: SettingMap | None = None, seed: int | None = None, workers: int | None = None,
          save: str | os.PathLike[str] | None = None, resume: pd.DataFrame | None = None) -> pd.DataFrame:
    """Simulate all combinations of some settings.

    The last key varies fastest. Points with equal seeds draw from equal random streams, so differences
    between them are those of the settings. The frame is the same for any number of workers and any
    executor.

    Parameters
    ----------
    scenario : Scenario, str, path or mapping
        What `copysim.scenario` accepts.
    vary : mapping
        The values of each key: ``{"policy": ["xp", MyEngine], "link.rtt": ["0.2 ms", "20 ms"]}``.
    replications : int, optional
        Independent runs of each point; what the scenario says unless given.
    executor : concurrent.futures.Executor, optional
        Runs the points instead of this process: ``ProcessPoolExecutor``, ``client.get_executor()`` of
        Dask, ``MPIPoolExecutor``, Loky.
    progress : bool or callable, default True
        Show points done on a terminal or in a notebook; or call ``progress(done, total)``.
    policy, set, seed
        What all points share, as in `copysim.run`.
    workers : int, optional
        Threads, without an executor; all processors unless given.
    save : path, optional
        A file (JSON lines) that takes each point when it is done. Points that it already has are not
        run again, so the same call goes on where it was stopped. A file of another sweep is refused,
        also where the code of an engine's class or the build of copysim changed since.
    resume : pandas.DataFrame, optional
        The frame of an interrupted sweep, whose points are not run again.

    Returns
    -------
    pandas.DataFrame
        One row per point and replication: the values of ``vary``, ``replication``, ``scenario``,
        ``policy``, ``seed``, times in seconds (``elapsed_s``, ``durable_s``, ``first_estimate_s``),
        ``throughput_bytes_per_s``, ``copied_bytes``, ``files``, the counters, and ``failure``: the
        reason, where a point could not be simulated or its copy failed. `copysim.to_xarray` turns it
        into an array.

    Raises
    ------
    ValueError
        If the first point is wrong, before anything runs, with the text of the command line. A later
        wrong point is reported in its row.

    Warns
    -----
    SweepInterrupted
        After Ctrl-C, when the frame has only the points that were done.
    DamagedCopy
        If an engine ended without a failure and did not copy every byte: ``damaged_files`` in its rows.

    Examples
    --------
    >>> import copysim
    >>> frame = copysim.sweep(
    ...     "apc/vista-to-xp",
    ...     {"policy": ["xp", "vista-sp1"], "link.rtt": ["0.2 ms", "20 ms"]},
    ...     replications=2, set={"workloads.single.size": "8 MiB"}, progress=False)
    >>> frame.shape[0], list(frame.columns[:3])
    (8, ['policy', 'link.rtt', 'replication'])
    >>> mean = frame.groupby(["policy", "link.rtt"])["elapsed_s"].mean()
    >>> bool(mean["xp", "20 ms"] > mean["xp", "0.2 ms"])
    True
    """
    if executor is not None and not hasattr(executor, "submit"):
        raise TypeError("sweep: executor must be a concurrent.futures.Executor, or None to use threads "
                        f"(workers= is their number), got {executor!r}")
    base = prepared(scenario, policy, set, seed, replications)
    plan = _Plan(vary, base.engines)
    base = Scenario(base.core, plan.engines.values())
    # Wrong keys and units show before anything runs.
    base.core.with_settings(plan.points[0], list(base.engines))

    mark = fingerprint(base, plan.axes)
    store = None if save is None else Store(save, mark, plan.axes)
    finished = {} if resume is None else finished_in(resume, mark)
    finished.update({} if store is None else store.finished)
    done: dict[int, list[Row]] = {}
    todo: list[_Point] = []
    for index, assignments in enumerate(plan.points):
        known = finished.get(key_of(plan.labels[index]))
        if known is None:
            todo.append((index, assignments))
        else:
            done[index] = known

    shown = Progress(progress, len(plan.points))
    shown.show(len(done))

    def heartbeat() -> None:
        shown.show(len(done))

    if executor is None:
        rows = _on_threads(base, todo, threads(workers), heartbeat)
    else:
        rows = _on_executor(base, todo, executor, heartbeat)
    partial: dict[int, list[Row]] = {}
    try:
        for row in rows:
            got = partial.setdefault(row.point, [])
            got.append(row)
            if len(got) == row.replications:
                done[row.point] = sorted(partial.pop(row.point), key=lambda each: each.replication)
                if store is not None:
                    store.add(plan.labels[row.point], done[row.point])
    except KeyboardInterrupt:
        warnings.warn(f"sweep: interrupted with {len(done)} of {len(plan.points)} points done; pass the frame as "
                      "resume=, or the same save=, to go on", SweepInterrupted, stacklevel=2)
    finally:
        rows.close()

    _warn_of_damage([row for rows_of_point in done.values() for row in rows_of_point])
    ordered = [(plan.labels[index], row) for index in sorted(done) for row in done[index]]
    frame = frame_of(base.id, plan.axes, [label for label, _ in ordered], [row for _, row in ordered])
    frame.attrs.update(axes=plan.axes, fingerprint=mark)
    return frame
