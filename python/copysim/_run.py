"""Running one scenario."""

from __future__ import annotations

import contextlib
from copysim._result import Result, result_of, warn_of_damage
from copysim._rows import Row, stream, threads
from copysim._scenario import Policy, Scenario, ScenarioLike, SettingMap
from copysim._scenario import scenario as find_scenario
from copysim._units import checked_settings


def prepared(scenario: ScenarioLike, policy: Policy | None, settings: SettingMap | None, seed: int | None,
             replications: int | None) -> Scenario:
    """The scenario with everything on top that a call names."""
    wanted = checked_settings(settings)
    if seed is not None:
        wanted["run.seed"] = seed
    if replications is not None:
        wanted["run.replications"] = replications
    return find_scenario(scenario).with_settings(wanted, policy=policy)


def run(scenario: ScenarioLike, policy: Policy | None = None, set: SettingMap | None = None,
        seed: int | None = None, replications: int | None = None, workers: int | None = None) -> Result:
    """Simulate the copy of a scenario.

    Parameters
    ----------
    scenario : Scenario, str, path or mapping
        What `copysim.scenario` accepts.
    policy : str, CopyPolicy, optional
        The copy engine: an id, or a class or instance of your own.
    set : mapping, optional
        Settings on top of the scenario, by dotted key: ``{"link.rtt": "5 ms"}``.
    seed, replications : int, optional
        Short for the settings "run.seed" and "run.replications".
    workers : int, optional
        Threads; all processors unless given. The result does not depend on it.

    Returns
    -------
    Result

    Raises
    ------
    ValueError
        For a wrong input, with the text that the command line prints.
    EngineError
        If an engine in Python raised an exception.
    KeyboardInterrupt
        On Ctrl-C; the simulation is given up at once.

    Warns
    -----
    DamagedCopy
        If an engine ended without a failure and did not copy every byte.

    Examples
    --------
    >>> import copysim
    >>> result = copysim.run("apc/vista-to-xp", policy="xp", set={"workloads.single.size": "64 MiB"})
    >>> result.policy, result.replications, result.durable > result.elapsed > 1.0
    ('xp', 5, True)
    """
    chosen = prepared(scenario, policy, set, seed, replications)
    settings = chosen.settings()
    rows: list[Row] = []
    with contextlib.closing(stream(chosen.core, [[]], chosen.engines, threads(workers))) as running:
        for row in running:
            if isinstance(row.error, BaseException):
                raise row.error
            rows.append(row)
    result = result_of(chosen.id, rows, settings)
    if result.damaged and result.failure is None:
        warn_of_damage(result.policy, result.damaged, "", 2)
    return result
