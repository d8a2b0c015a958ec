"""Where on a device each command was, against time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from copysim._figure import BLUE, GREY, VERMILLION, check_kind, new_or_given_axes, without_frame
from copysim._observe import Trace

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: An axis of positions leaves out one command in fifty if the others need less than this part of it.
_CLOSE = 0.25


def positions(trace: Trace, device: str | None = None, ax: Axes | None = None) -> Axes:
    """Draw where on a device each command was, against time: how far the head of a disk moves.

    Parameters
    ----------
    trace : Trace
        From `copysim.trace`.
    device : str, optional
        A device of ``trace.blocks``; unless given, the one with the most commands.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
        The start of each command in gigabytes (10^9 bytes) from the start of the device against seconds
        since the click: reads as circles, writes as crosses; a thin line is the way between them. Where
        nearly all commands lie close together, the axis shows these; a triangle at its edge stands
        for each of the others, with a word on where they are.
    """
    check_kind("positions", trace, Trace, "copysim.trace")
    known = trace.blocks["device"].value_counts()
    if device is None:
        if known.empty:
            raise ValueError("positions: the trace must have a command to a device, got none")
        device = str(known.index[0])
    if device not in known.index:
        raise ValueError(f"positions: device must be one of {', '.join(sorted(known.index))}, got {device!r}")
    axes = new_or_given_axes(ax)
    all_commands = trace.blocks[trace.blocks["device"] == device]
    commands = all_commands[all_commands["access"].isin(["read", "write"])].sort_values("time_s", kind="stable")
    gigabytes = commands["sector"] * 512 / 1e9
    axes.plot(commands["time_s"], gigabytes, color=GREY, linewidth=0.5, alpha=0.6, zorder=1, label="_way")
    lowest, highest = _close_together(gigabytes.to_numpy(dtype=np.float64))
    if lowest < highest:
        axes.set_ylim(lowest, highest)
    for access, colour, marker in (("read", BLUE, "o"), ("write", VERMILLION, "x")):
        some = commands[commands["access"] == access]
        if not len(some):
            continue
        places = gigabytes[some.index]
        axes.plot(some["time_s"], places, marker, color=colour, markersize=3.5 if len(some) < 1000 else 1.5,
                  label=f"{access} ({len(some)})", zorder=2, fillstyle="none")
        for beyond, edge, arrow in ((places > highest, highest, "^"), (places < lowest, lowest, "v")):
            if beyond.any():
                axes.plot(some["time_s"][beyond], [edge] * int(beyond.sum()), arrow, color=colour, markersize=6,
                          label=f"{access}: {_whereabouts(places[beyond])}", zorder=3, clip_on=False)
    axes.ticklabel_format(axis="y", useOffset=False)
    axes.set_xlabel("Time since the click (s)")
    axes.set_ylabel("Position on the device (GB)")
    axes.set_title(f"{device}: {trace.scenario}, engine {trace.policy}", loc="left", pad=12)
    # Beside the picture: commands may be anywhere in it.
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8)
    without_frame(axes)
    return axes


def _close_together(places: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Where to let an axis begin and end: around all, or around 98 % if these are far closer together."""
    lowest, highest = float(places.min()), float(places.max())
    low = float(np.quantile(places, 0.01, method="higher"))
    high = float(np.quantile(places, 0.99, method="lower"))
    if high - low < _CLOSE * (highest - lowest):
        lowest, highest = low, high
    margin = 0.06 * (highest - lowest)
    return lowest - margin, highest + margin


def _whereabouts(places: pd.Series[float]) -> str:
    first, last = f"{places.min():.1f}", f"{places.max():.1f}"
    return f"{len(places)} at {first} GB" if first == last else f"{len(places)} at {first} to {last} GB"
