"""Published timings beside predictions, and fits to them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from copysim import _core
from copysim._rows import threads
from copysim._scenario import SettingMap
from copysim._units import SettingValue, checked_settings, setting_text

_COMPARED = ("id", "source", "what", "unit", "kind", "published", "lower", "upper", "predicted", "ci95", "error",
             "role", "verdict", "reason")
_NUMBERS = ("published", "lower", "upper", "predicted", "ci95", "error")


def _texts(settings: SettingMap | None, replications: int | None) -> dict[str, str]:
    wanted = checked_settings(settings)
    if replications is not None:
        wanted["run.replications"] = replications
    texts: dict[str, str] = {}
    for key, value in wanted.items():
        if not isinstance(value, (str, int, float, bool)):
            raise ValueError(f"{key}: published copies take settings only, no engine in Python, got {value!r}")
        texts[key] = setting_text(value)
    return texts


@dataclass(frozen=True, eq=False)
class Published:
    """A publication and its figures.

    Attributes
    ----------
    id, citation, date : str
        Its id in the catalogue, what it is, and when it appeared.
    address : tuple of str
        Where it stands.
    hardware, method, trust : str
        What was measured on, how, and how far it can be trusted (A, B, C).
    rows : pandas.DataFrame
        A row per figure: ``id``, ``what``, ``metric``, ``unit``, ``kind``, ``role`` ("fit" rows may set
        fitted parameters, "check" rows never do, "input" rows are shown and never counted),
        ``published`` or ``lower`` and ``upper`` (in ``unit``; NaN where open), ``tolerance``, ``note``.
    """

    id: str
    citation: str
    date: str
    address: tuple[str, ...]
    hardware: str = field(repr=False)
    method: str = field(repr=False)
    trust: str
    rows: pd.DataFrame = field(repr=False)
    _where: str = field(repr=False)

    def compare(self, rows: Sequence[str] | None = None, set: SettingMap | None = None,
                replications: int | None = None, workers: int | None = None) -> pd.DataFrame:
        """Simulate the published copies, and judge the model by them, as ``copysim reproduce`` does.

        Parameters
        ----------
        rows : sequence of str, optional
            The ids of rows; all unless given.
        set : mapping, optional
            Settings on top of each copy, to ask "what if".
        replications : int, optional
            Independent runs of each copy; what its scenario says unless given.
        workers : int, optional
            Threads; all processors unless given.

        Returns
        -------
        pandas.DataFrame
            ``id``, ``source``, ``what``, ``unit``, ``kind``, ``published``, ``lower``, ``upper``,
            ``predicted`` and ``ci95`` (in ``unit``), ``error`` (relative; 0 within bounds), ``role``,
            ``verdict`` ("holds", "misses", "not-modelled") and ``reason``. `copysim.plot.comparison`
            draws it.

        Notes
        -----
        What a verdict allows depends on the kind of the row, with its value v, bounds L and U and
        tolerance t: a value v (1 - t) to v (1 + t); bounds 0.9 L to 1.1 U; a difference its value or
        bounds and half of their middle on each side, with the same sign; a reduction by p percent 15 % of
        the ratio 1 - p/100; "faster by p percent" 0.05 of the ratio 1 / (1 + p/100); an ordering its bound
        alone.

        Examples
        --------
        >>> import copysim
        >>> frame = copysim.published("apc").compare(["APC-03"], replications=1)
        >>> frame["id"].tolist(), frame["unit"].tolist()
        (['APC-03'], ['s'])
        """
        found = _core.compare(self._where, None if rows is None else list(rows), _texts(set, replications),
                              threads(workers))
        return _frame(found, _COMPARED)


def _frame(rows: Sequence[Mapping[str, object]], columns: Sequence[str]) -> pd.DataFrame:
    frame = pd.DataFrame([dict(row) for row in rows], columns=list(columns))
    numbers = [name for name in _NUMBERS if name in columns]
    typed: pd.DataFrame = frame.astype(dict.fromkeys(numbers, np.float64))
    return typed


def published(source: str | os.PathLike[str]) -> Published:
    """Find published timings.

    Parameters
    ----------
    source : str or path
        An id of ``copysim.catalogue("published")``, or the path of a TOML file of your own.

    Returns
    -------
    Published

    Examples
    --------
    >>> import copysim
    >>> apc = copysim.published("apc")
    >>> apc.date, float(apc.rows.set_index("id").loc["APC-01", "published"])
    ('2008', 573.0)
    """
    where = os.fspath(source)
    found = _core.published(where)
    rows = _frame(found["rows"], ("id", "what", "metric", "unit", "kind", "role", "published", "lower", "upper",
                                  "tolerance", "note"))
    return Published(found["id"], found["citation"], found["date"], found["address"], found["hardware"],
                     found["method"], found["trust"], rows, where)


@dataclass(frozen=True, eq=False)
class Calibration:
    """The values that meet published figures best, and how well these determine them.

    Attributes
    ----------
    parameters : pandas.DataFrame
        By key: ``value``, ``standard_error`` (NaN where the figures do not determine it), ``lower``,
        ``upper``, ``unit``.
    correlations : pandas.DataFrame
        Between the errors of the parameters, -1 to 1; NaN where undetermined.
    targets : pandas.DataFrame
        By row: the ``target`` and its ``sigma`` that counts as one standard deviation, and the
        ``predicted`` figure, in the unit of the row.
    choices : dict of str to str
        The best candidates.
    chi_square : float
        Sum over the targets of ((predicted - target) / sigma)^2.
    others : pandas.DataFrame
        The other combinations of choices and their ``chi_square``, the best first.
    remarks : tuple of str
        What the figures cannot separate, and limits that were reached.
    """

    parameters: pd.DataFrame
    correlations: pd.DataFrame = field(repr=False)
    targets: pd.DataFrame = field(repr=False)
    choices: dict[str, str]
    chi_square: float
    others: pd.DataFrame = field(repr=False)
    remarks: tuple[str, ...]


def quantity(value: SettingValue) -> tuple[float, str]:
    """Split a setting such as "0.2 ms" into its number and its unit, empty if it has none."""
    text = setting_text(value).strip()
    end = next((i for i, c in enumerate(text) if not (c.isdigit() or c in "+-.")), len(text))
    try:
        return float(text[:end]), text[end:].strip()
    except ValueError:
        raise ValueError(f"a range needs numbers with their unit, got {text!r}") from None


def limits(key: str, values: Sequence[SettingValue]) -> tuple[list[float], str]:
    """The numbers of a range in its unit, which must rise."""
    parts = [quantity(value) for value in values]
    units = list(dict.fromkeys(unit for _, unit in parts))
    if len(units) != 1:
        raise ValueError(f"{key}: a range must have one unit, got {', '.join(map(repr, units))}")
    numbers = [number for number, _ in parts]
    if sorted(numbers) != numbers or numbers[0] == numbers[-1]:
        raise ValueError(f"{key}: the numbers of a range must rise, got {', '.join(map(str, values))}")
    return numbers, units[0]


def calibrate(parameters: Mapping[str, Sequence[SettingValue]] | str, source: str | os.PathLike[str] | None = None,
              rows: Sequence[str] | None = None, choices: Mapping[str, Sequence[str]] | None = None,
              set: SettingMap | None = None, replications: int | None = None,
              workers: int | None = None) -> Calibration:
    """Fit settings to published figures, by the method of Levenberg and Marquardt.

    The settings are those of all copies that the rows speak of. Only rows with the role "fit" can be
    fitted to: the others are kept for checking. Given the name of a sheet alone, what that marks as fitted
    is fitted once more, as ``copysim calibrate SHEET`` does.

    Parameters
    ----------
    parameters : mapping or str
        By dotted key ``(lower, upper)`` or ``(lower, start, upper)``: ``{"link.rtt": ("0.1 ms", "5 ms")}``.
        Or a sheet of the catalogue: ``"machines/xp-peer"``.
    source : str or path
        As in `copysim.published`; none for a sheet, which names its own rows.
    rows : sequence of str, optional
        The ids of the rows to fit to; all that have the role "fit" unless given.
    choices : mapping, optional
        By dotted key candidates that are all tried, such as drives of the catalogue.
    set, replications, workers
        As in `Published.compare`.

    Returns
    -------
    Calibration
        Values and standard errors in the unit of each parameter.

    Examples
    --------
    >>> import copysim
    >>> fit = copysim.calibrate({"link.rtt": ("0.1 ms", "0.2 ms", "2 ms")}, "apc", rows=["APC-01"],
    ...                         set={"workloads.single.size": "16 MiB"}, replications=1)
    >>> fit.parameters.loc["link.rtt", "unit"], bool(0.1 <= fit.parameters.loc["link.rtt", "value"] <= 2)
    ('ms', True)
    """
    if isinstance(parameters, str):
        if any(each is not None for each in (source, rows, choices, set, replications)):
            raise ValueError(f"calibrate: a sheet names its own rows, so only workers may be given with it, got {parameters!r}")
        return _calibration(_core.calibrate_sheet(parameters, threads(workers)))
    if source is None:
        raise ValueError("calibrate: source must be given with parameters, such as 'apc'")
    where = os.fspath(source)
    if rows is None:
        known = published(where).rows
        rows = known["id"][known["role"] == "fit"].tolist()
    wanted: list[tuple[str, float, float, float, str]] = []
    for key, values in parameters.items():
        if isinstance(values, str) or len(values) not in (2, 3):
            raise ValueError(f"{key}: a range must be (lower, upper) or (lower, start, upper), got {values!r}")
        numbers, unit = limits(key, values)
        start = numbers[1] if len(numbers) == 3 else (numbers[0] + numbers[1]) / 2
        wanted.append((key, start, numbers[0], numbers[-1], unit))
    return _calibration(_core.calibrate(where, list(rows), wanted, {key: list(each) for key, each in (choices or {}).items()},
                                        _texts(set, replications), threads(workers)))


def _calibration(found: Mapping[str, Any]) -> Calibration:
    wanted, chosen = found["parameters"], found["choices"]
    best = found["solutions"][0]
    keys = [each[0] for each in wanted]
    table = pd.DataFrame({"value": best["values"], "standard_error": best["standard_errors"],
                          "lower": [each[2] for each in wanted], "upper": [each[3] for each in wanted],
                          "unit": [each[4] for each in wanted]}, index=keys)
    correlations: npt.NDArray[np.float64] = np.array(best["correlations"], dtype=np.float64).reshape(len(keys), len(keys))
    targets = pd.DataFrame(found["targets"], columns=["id", "target", "sigma"]).set_index("id")
    targets["predicted"] = best["predictions"]
    others = pd.DataFrame([{**dict(zip(chosen, each["choices"])), "chi_square": each["chi_square"]}
                           for each in found["solutions"][1:]], columns=[*chosen, "chi_square"])
    return Calibration(table, pd.DataFrame(correlations, index=keys, columns=keys), targets,
                       dict(zip(chosen, best["choices"])), best["chi_square"], others,
                       (*best["remarks"], *found["remarks"]))
