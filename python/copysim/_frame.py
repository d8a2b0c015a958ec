"""Rows of a sweep as a tidy frame, and as an array."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from copysim._rows import Row

if TYPE_CHECKING:
    import xarray

#: Columns between the values of the axes and the counters, then the last one.
FIXED = ("replication", "scenario", "policy", "seed", "elapsed_s", "durable_s", "first_estimate_s",
         "throughput_bytes_per_s", "copied_bytes", "files")
LAST = "failure"


def _times(values: Sequence[int | None]) -> npt.NDArray[np.float64]:
    return np.array([math.nan if v is None else v / 1e9 for v in values], dtype=np.float64)


def frame_of(scenario: str, axes: Sequence[str], labels: Sequence[tuple[object, ...]],
             rows: Sequence[Row]) -> pd.DataFrame:
    """Build the frame; ``labels`` are the values of the axes of each row."""
    count = len(rows)
    columns: dict[str, Any] = {key: [label[i] for label in labels] for i, key in enumerate(axes)}
    # A point that could not be simulated has no results.
    ran = np.array([row.names != () for row in rows], dtype=bool)
    columns["replication"] = np.array([row.replication for row in rows], dtype=np.int64)
    columns["scenario"] = [scenario] * count
    if "policy" not in columns:
        columns["policy"] = [row.policy for row in rows]
    columns["seed"] = np.array([row.seed for row in rows], dtype=np.int64)
    for name, values in (
        ("elapsed_s", _times([row.elapsed_ns for row in rows])),
        ("durable_s", _times([row.durable_ns for row in rows])),
        ("first_estimate_s", _times([row.first_estimate_ns for row in rows])),
        ("throughput_bytes_per_s", np.array([row.throughput_bytes_per_s for row in rows], dtype=np.float64)),
    ):
        columns[name] = np.where(ran, values, math.nan)
    columns["copied_bytes"] = np.array([row.copied_bytes for row in rows], dtype=np.int64)
    columns["files"] = np.array([row.files for row in rows], dtype=np.int64)
    columns.update(_counters(rows))
    columns[LAST] = pd.Series([row.failure for row in rows], dtype="object")
    frame: pd.DataFrame = pd.DataFrame(columns)
    return frame


def _counters(rows: Sequence[Row]) -> dict[str, npt.NDArray[np.float64]]:
    """A column per counter, in the order of first appearance; NaN where a run did not count it."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for i, row in enumerate(rows):
        groups.setdefault(row.names, []).append(i)
    columns: dict[str, npt.NDArray[np.float64]] = {}
    for names, members in groups.items():
        if not names:
            continue
        values = np.vstack([rows[i].values for i in members])
        for j, name in enumerate(names):
            if name not in columns:
                columns[name] = np.full(len(rows), math.nan)
            columns[name][members] = values[:, j]
    return columns


def to_xarray(frame: pd.DataFrame) -> xarray.Dataset:
    """Turn the frame of a sweep into an array with a dimension per key and one for the replications.

    Needs the optional package xarray (``pip install copysim[xarray]``).

    Parameters
    ----------
    frame : pandas.DataFrame
        What `copysim.sweep` returned.

    Returns
    -------
    xarray.Dataset
        A variable per column: times in seconds, sizes in bytes.

    Examples
    --------
    >>> import copysim
    >>> frame = copysim.sweep("apc/vista-to-xp", {"policy": ["xp", "vista-sp1"], "link.rtt": ["1 ms", "5 ms"]},
    ...                       replications=2, set={"workloads.single.size": "1 MiB"}, progress=False)
    >>> dict(copysim.to_xarray(frame)["elapsed_s"].sizes)
    {'policy': 2, 'link.rtt': 2, 'replication': 2}
    """
    try:
        import xarray  # noqa: F401
    except ImportError as error:
        raise ImportError("to_xarray needs the package xarray: pip install copysim[xarray]") from error
    axes = frame.attrs.get("axes")
    if axes is None:
        raise ValueError("to_xarray: frame must be one that copysim.sweep returned, with its attrs")
    indexed = frame.set_index([*axes, "replication"])
    # In the order of the sweep, not sorted.
    order = {key: list(dict.fromkeys(frame[key])) for key in [*axes, "replication"]}
    dataset: xarray.Dataset = indexed.to_xarray().reindex(order)
    return dataset
