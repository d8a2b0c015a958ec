"""Which settings a result depends on."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from copysim._published import limits
from copysim._rows import stream, threads
from copysim._run import prepared
from copysim._scenario import Policy, ScenarioLike, SettingMap
from copysim._units import SettingValue

_OUTPUTS = ("elapsed_s", "durable_s", "throughput_bytes_per_s")
_SIZES = ("B", "KiB", "MiB", "GiB", "kB", "KB", "MB", "GB")


def _salib() -> list[Any]:
    try:
        found = [importlib.import_module(f"SALib.{name}") for name in
                 ("sample.sobol", "analyze.sobol", "sample.morris", "analyze.morris")]
    except ImportError as error:
        raise ImportError("sensitivity needs the package SALib: pip install copysim[sensitivity]") from error
    return found


def sensitivity(scenario: ScenarioLike, ranges: Mapping[str, Sequence[SettingValue]], method: str = "sobol",
                samples: int = 64, output: str = "elapsed_s", *, policy: Policy | None = None,
                set: SettingMap | None = None, seed: int = 1, replications: int = 1,
                workers: int | None = None) -> pd.DataFrame:
    """Measure how much a result depends on each of some settings.

    Needs the optional package SALib (``pip install copysim[sensitivity]``). Sobol's indices share out
    the variance of the result when the settings are uniform in their ranges (Saltelli et al. 2010);
    Morris's elementary effects rank settings with far fewer simulations (Campolongo et al. 2007).

    Parameters
    ----------
    scenario, policy, set, seed, replications, workers
        As in `copysim.run`. The seed also draws the sample. Replications are averaged.
    ranges : mapping
        By dotted key the lower and the upper end, in one unit: ``{"link.rtt": ("0.1 ms", "5 ms")}``.
        Whole numbers, and sizes in their unit, stay whole.
    method : str, default "sobol"
        "sobol": ``samples * (len(ranges) + 2)`` points; "morris": ``samples * (len(ranges) + 1)``.
    samples : int, default 64
        Sobol: a power of two. Morris: the number of trajectories.
    output : str, default "elapsed_s"
        "elapsed_s", "durable_s", "throughput_bytes_per_s", or the name of a counter.

    Returns
    -------
    pandas.DataFrame
        By key. Sobol: ``S1`` (share of the variance by the setting alone), ``ST`` (with all its
        interactions), and the half widths of their 95 % intervals ``S1_conf``, ``ST_conf``. Morris:
        ``mu_star`` (mean size of the effect of crossing the range, in the unit of the output),
        ``mu_star_conf``, ``mu``, ``sigma``.

    Examples
    --------
    >>> import copysim
    >>> effects = copysim.sensitivity(
    ...     "apc/vista-to-xp", {"link.rtt": ("0.1 ms", "20 ms"), "client.memory.size": ("2 GiB", "4 GiB")},
    ...     method="morris", samples=4, policy="xp", set={"workloads.single.size": "1 MiB"})
    >>> bool(effects.loc["link.rtt", "mu_star"] > effects.loc["client.memory.size", "mu_star"])
    True
    """
    if method not in ("sobol", "morris"):
        raise ValueError(f"sensitivity: method must be one of sobol, morris, got {method!r}")
    if samples < 2:
        raise ValueError(f"sensitivity: samples must be 2 or more, got {samples}")
    if not ranges:
        raise ValueError("sensitivity: ranges must have at least one key, got none")
    sample_sobol, analyze_sobol, sample_morris, analyze_morris = _salib()
    names, bounds, units, whole = list(ranges), [], [], []
    for key, ends in ranges.items():
        if isinstance(ends, str) or len(ends) != 2:
            raise ValueError(f"{key}: a range must be (lower, upper), got {ends!r}")
        numbers, unit = limits(key, ends)
        bounds.append([numbers[0], numbers[-1]])
        units.append(unit)
        whole.append(unit in _SIZES or all(isinstance(each, int) for each in ends))
    problem = {"num_vars": len(names), "names": names, "bounds": bounds}
    if method == "sobol":
        drawn = sample_sobol.sample(problem, samples, calc_second_order=False, seed=seed)
    else:
        drawn = sample_morris.sample(problem, samples, num_levels=4, seed=seed)

    points = [[f"{key}={_text(number, unit, integer)}"
               for key, number, unit, integer in zip(names, point, units, whole)] for point in drawn]
    base = prepared(scenario, policy, set, seed, replications)
    base.core.with_settings(points[0], list(base.engines))
    results: list[list[float]] = [[] for _ in points]
    with contextlib.closing(stream(base.core, points, base.engines, threads(workers))) as rows:
        for row in rows:
            if row.failure is not None:
                raise ValueError(f"sensitivity: {' '.join(points[row.point])}: {row.failure}")
            results[row.point].append(_output(row, output))
    values = np.array([np.mean(each) for each in results])
    if method == "sobol":
        found = analyze_sobol.analyze(problem, values, calc_second_order=False, seed=seed)
        columns = ("S1", "S1_conf", "ST", "ST_conf")
    else:
        found = analyze_morris.analyze(problem, drawn, values, num_levels=4, seed=seed)
        columns = ("mu_star", "mu_star_conf", "mu", "sigma")
    frame: pd.DataFrame = pd.DataFrame({name: np.asarray(found[name], dtype=np.float64) for name in columns}, index=names)
    return frame


def _text(number: float, unit: str, whole: bool) -> str:
    text = str(round(number)) if whole else f"{number:.9f}"
    return f"{text} {unit}" if unit else text


def _output(row: Any, output: str) -> float:
    if output == "elapsed_s":
        return float(row.elapsed_ns / 1e9)
    if output == "durable_s":
        return float(row.durable_ns / 1e9)
    if output == "throughput_bytes_per_s":
        return float(row.throughput_bytes_per_s)
    if output not in row.names:
        raise ValueError(f"sensitivity: output must be one of {', '.join((*_OUTPUTS, *row.names))}, got {output!r}")
    return float(row.values[row.names.index(output)])
