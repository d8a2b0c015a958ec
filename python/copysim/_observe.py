"""Looking into one copy: what it did, and why it took as long as it did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from copysim import _core
from copysim._run import prepared
from copysim._scenario import Policy, ScenarioLike, SettingMap

_SECTOR_BYTES = 512


@dataclass(frozen=True, eq=False)
class Trace:
    """What one replication of a scenario did.

    Attributes
    ----------
    scenario, policy : str
        Id of the scenario, and of the copy engine.
    seed, replication : int
        Seed of the random streams, and which replication it is.
    elapsed, durable : float
        Seconds from the click until the dialog closes, and until all data is safe on the medium.
    status : str
        "ok", or the failure that ended the copy.
    files : pandas.DataFrame
        The program's file operations: ``time_s`` (since the click), ``operation``, ``store``, ``file``,
        ``offset`` and ``length`` (bytes), ``duration_s``, ``status``.
    blocks : pandas.DataFrame
        The commands to devices: ``time_s``, ``device``, ``access``, ``sector`` and ``sectors`` (of 512
        bytes), ``duration_s``, ``status``.
    timeline : pandas.DataFrame
        After each operation that moved data: ``time_s`` and the bytes that the program had read and
        written, that were dirty in caches, and that devices had given and taken.
    estimates : pandas.DataFrame
        What the dialog showed: ``time_s`` and ``remaining_s``.
    """

    scenario: str
    policy: str
    seed: int
    replication: int
    elapsed: float
    durable: float
    status: str
    files: pd.DataFrame = field(repr=False)
    blocks: pd.DataFrame = field(repr=False)
    timeline: pd.DataFrame = field(repr=False)
    estimates: pd.DataFrame = field(repr=False)


@dataclass(frozen=True)
class Explanation:
    """The critical path of one copy, as sums by what was going on.

    At each instant one thing keeps the copy from being over: an arm that moves, a frame on the wire, a
    processor, a timer. The parts of a path sum exactly to its time.

    Attributes
    ----------
    scenario, policy : str
        Id of the scenario, and of the copy engine.
    seed, replication : int
        Seed of the random streams, and which replication was explained.
    elapsed, durable : float
        Seconds from the click until the dialog closes, and until all data is safe on the medium.
    rows, durable_rows : tuple of (component, activity, constraint, seconds)
        The path to each, the longest part first. The constraint is the one through which the copy
        waited, such as "credit"; empty if none.
    """

    scenario: str
    policy: str
    seed: int
    replication: int
    elapsed: float
    durable: float
    rows: tuple[tuple[str, str, str, float], ...] = field(repr=False)
    durable_rows: tuple[tuple[str, str, str, float], ...] = field(repr=False)

    def frame(self, until: str = "elapsed") -> pd.DataFrame:
        """Return a path as a frame.

        Parameters
        ----------
        until : str, default "elapsed"
            "elapsed", when the dialog closes, or "durable", when the data is safe on the medium.

        Returns
        -------
        pandas.DataFrame
            ``component``, ``activity``, ``constraint``, ``seconds``, ``share``; the longest part first.
        """
        if until not in ("elapsed", "durable"):
            raise ValueError(f"frame: until must be one of elapsed, durable, got {until!r}")
        rows, whole = (self.rows, self.elapsed) if until == "elapsed" else (self.durable_rows, self.durable)
        frame: pd.DataFrame = pd.DataFrame(list(rows), columns=["component", "activity", "constraint", "seconds"])
        frame["share"] = frame["seconds"] / whole if whole > 0 else 0.0
        return frame


def explain(scenario: ScenarioLike, policy: Policy | None = None, set: SettingMap | None = None,
            seed: int | None = None, replication: int = 0) -> Explanation:
    """Simulate one replication and follow its critical path.

    Parameters
    ----------
    scenario, policy, set, seed
        As in `copysim.run`.
    replication : int, default 0
        Which replication to explain.

    Returns
    -------
    Explanation

    Examples
    --------
    >>> import copysim
    >>> path = copysim.explain("apc/vista-to-xp", policy="xp", set={"workloads.single.size": "8 MiB"})
    >>> bool(abs(path.frame()["seconds"].sum() - path.elapsed) < 1e-6)
    True
    """
    chosen = prepared(scenario, policy, set, seed, None)
    found = _core.explain(chosen.core, _checked(replication), list(chosen.engines))
    return Explanation(chosen.id, found["policy"], found["seed"], replication, found["elapsed_ns"] / 1e9,
                       found["durable_ns"] / 1e9, _rows(found["elapsed"]), _rows(found["durable"]))


def trace(scenario: ScenarioLike, policy: Policy | None = None, set: SettingMap | None = None,
          seed: int | None = None, replication: int = 0) -> Trace:
    """Simulate one replication and record what it did.

    Recording changes no result. It takes some hundred bytes per operation of the copy.

    Parameters
    ----------
    scenario, policy, set, seed
        As in `copysim.run`.
    replication : int, default 0
        Which replication to record.

    Returns
    -------
    Trace

    Examples
    --------
    >>> import copysim
    >>> seen = copysim.trace("apc/vista-to-xp", policy="xp", set={"workloads.single.size": "8 MiB"})
    >>> bool(seen.timeline["written_bytes"].iloc[-1] == 8 * copysim.MiB)
    True
    """
    chosen = prepared(scenario, policy, set, seed, None)
    found = _core.trace(chosen.core, _checked(replication), list(chosen.engines))
    return Trace(chosen.id, found["policy"], found["seed"], replication, found["elapsed_ns"] / 1e9,
                 found["durable_ns"] / 1e9, found["status"], _files(found["files"]), _blocks(found["blocks"]),
                 _in_seconds(found["timeline"]), _in_seconds(found["estimates"]))


def _checked(replication: int) -> int:
    if replication < 0:
        raise ValueError(f"replication must be 0 or more, got {replication}")
    return replication


def _rows(path: list[tuple[str, str, str, int]]) -> tuple[tuple[str, str, str, float], ...]:
    rows = [(component, activity, constraint, ns / 1e9) for component, activity, constraint, ns in path]
    return tuple(sorted(rows, key=lambda row: -row[3]))


def _in_seconds(columns: Mapping[str, Any]) -> pd.DataFrame:
    """Columns that end in _ns become seconds, the others stay."""
    converted = {f"{name[:-3]}_s" if name.endswith("_ns") else name: values / 1e9 if name.endswith("_ns") else values
                 for name, values in columns.items()}
    frame: pd.DataFrame = pd.DataFrame(converted)
    return frame


def _files(events: Mapping[str, Any]) -> pd.DataFrame:
    frame: pd.DataFrame = pd.DataFrame({
        "time_s": events["begin_ns"] / 1e9, "operation": events["operation"],
        "store": events["where"], "file": events["file"], "offset": events["offset"],
        "length": events["length"], "duration_s": events["took_ns"] / 1e9,
        "status": events["status"]})
    return frame


def _blocks(events: Mapping[str, Any]) -> pd.DataFrame:
    frame: pd.DataFrame = pd.DataFrame({
        "time_s": events["begin_ns"] / 1e9, "device": events["where"],
        "access": events["operation"], "sector": events["offset"] // _SECTOR_BYTES,
        "sectors": events["length"] // _SECTOR_BYTES, "duration_s": events["took_ns"] / 1e9,
        "status": events["status"]})
    return frame
