"""Pictures of copies, one function each; they need matplotlib (``pip install copysim[plot]``).

Each function draws with colours that people with any colour vision tell apart, and returns the axes,
so that titles, limits and files are yours to set. Where ``ax`` is not given, a new figure is made.

Examples
--------
>>> import copysim
>>> frame = copysim.sweep("apc/vista-to-xp", {"link.rtt": ["0.2 ms", "20 ms"], "policy": ["xp", "vista-sp1"]},
...                       replications=1, set={"workloads.single.size": "1 MiB"}, progress=False)
>>> copysim.plot.throughput_map(frame, "link.rtt", "policy").get_xlabel()
'link.rtt'
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["throughput_map"]


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as pyplot
    except ImportError as error:
        raise ImportError("copysim.plot needs the package matplotlib: pip install copysim[plot]") from error
    return pyplot


def _axes(ax: Axes | None, width: float = 7.0, height: float = 4.0) -> Axes:
    """The caller's axes, or those of a new figure of that size in inches."""
    if ax is not None:
        return ax
    axes: Axes = _pyplot().subplots(figsize=(width, height), layout="constrained")[1]
    return axes


def throughput_map(frame: pd.DataFrame, x: str, y: str, value: str = "throughput_bytes_per_s",
                   ax: Axes | None = None) -> Axes:
    """Draw a map of the throughput of a sweep over two of its parameters.

    Parameters
    ----------
    frame : pandas.DataFrame
        From `copysim.sweep`, over ``x`` and ``y``. Rows with equal values are averaged; filter the
        frame first where other keys vary.
    x, y : str
        The keys that vary, such as "link.rtt". Their values stand in the order of the sweep.
    value : str, default "throughput_bytes_per_s"
        What to show: any numeric column. Bytes per second are shown in MB/s (10^6 bytes per second).
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
        A field per pair of values, with its number.
    """
    for key in (x, y, value):
        if key not in frame.columns:
            raise ValueError(f"throughput_map: a column must be one of {', '.join(frame.columns)}, got {key!r}")
    table = frame.pivot_table(index=y, columns=x, values=value, aggfunc="mean", sort=False)
    order_x, order_y = (list(dict.fromkeys(frame[key])) for key in (x, y))
    table = table.reindex(index=order_y, columns=order_x)
    rate = value.endswith("_bytes_per_s")
    numbers: npt.NDArray[np.float64] = table.to_numpy(dtype=np.float64) / (1e6 if rate else 1.0)
    axes = _axes(ax, 2.2 + 0.85 * len(order_x), 1.6 + 0.55 * len(order_y))
    picture = axes.imshow(numbers, cmap="cividis", aspect="auto", origin="lower", vmin=0)
    highest = np.nanmax(numbers) if np.isfinite(numbers).any() else 1.0
    for row, column in itertools.product(range(len(order_y)), range(len(order_x))):
        number = numbers[row, column]
        text = f"{number:.3g}" if np.isfinite(number) else "failed"
        axes.text(column, row, text, ha="center", va="center", fontsize=9,
                  color="white" if not number > 0.55 * highest else "black")
    axes.set_xticks(range(len(order_x)), [str(each) for each in order_x])
    axes.set_yticks(range(len(order_y)), [str(each) for each in order_y])
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    name = {"throughput_bytes_per_s": "Throughput (MB/s)", "elapsed_s": "Dialog closes after (s)",
            "durable_s": "Safe on the medium after (s)"}.get(value, value)
    axes.figure.colorbar(picture, ax=axes, label=name)
    return axes
