"""Pictures of copies, one function each; they need matplotlib (``pip install copysim[plot]``).

Each function draws with the colours of Okabe and Ito (2008), which people with any colour vision tell
apart, and returns the axes, so that titles, limits and files are yours to set. Where ``ax`` is not
given, a new figure is made.

Examples
--------
>>> import copysim
>>> seen = copysim.trace("apc/vista-to-xp", policy="xp", set={"workloads.single.size": "8 MiB"})
>>> bytes_axes, estimate_axes = copysim.plot.timeline(seen)
>>> bytes_axes.get_ylabel()
'Data (MB)'
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from copysim._figure import (
    BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY_BLUE, VERMILLION, YELLOW, check_kind, new_or_given_axes,
    pyplot_module, without_frame)
from copysim._observe import Explanation, Trace
from copysim._position_plot import positions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["comparison", "paths", "positions", "throughput_map", "timeline"]

#: How verdicts look, in colour and form.
_VERDICTS = (("holds", BLUE, "o"), ("misses", VERMILLION, "X"), ("input", GREY, "s"))
#: A comparison shows predictions up to this multiple of the published figure.
_WIDEST = 2.5
#: Parts of a critical path below this share of every bar have no colour of their own.
_VISIBLE = 0.005


def __dir__() -> list[str]:
    return list(__all__)


def timeline(trace: Trace, axes: tuple[Axes, Axes] | None = None) -> tuple[Axes, Axes]:
    """Draw how a copy went: its data above, the dialog's estimate below.

    Parameters
    ----------
    trace : Trace
        From `copysim.trace`.
    axes : pair of matplotlib axes, optional
        Where to draw.

    Returns
    -------
    pair of matplotlib axes
        Above: megabytes (10^6 bytes) that the program had read and written, that caches held dirty and
        that devices had taken, against seconds since the click; a dotted line where the dialog closes.
        Below: the remaining seconds that the dialog showed, and those that there really were.
    """
    check_kind("timeline", trace, Trace, "copysim.trace")
    if axes is None:
        _, (upper, lower) = pyplot_module().subplots(2, 1, figsize=(7, 5), sharex=True, layout="constrained",
                                               height_ratios=(3, 2))
    else:
        upper, lower = axes
    points = trace.timeline
    for name, label, colour, style in (
        ("read_bytes", "read by the program", BLUE, "-"),
        ("written_bytes", "written by the program", ORANGE, "--"),
        ("device_written_bytes", "written to devices", GREEN, "-."),
        ("dirty_bytes", "dirty in caches", VERMILLION, ":"),
    ):
        upper.plot([0.0, *points["time_s"]], [0.0, *(points[name] / 1e6)], style, color=colour, label=label,
                   drawstyle="steps-post", linewidth=1.8)
    for each in (upper, lower):
        each.axvline(trace.elapsed, color=GREY, linewidth=1, linestyle=(0, (1, 2)), zorder=0)
        without_frame(each)
    upper.set_ylabel("Data (MB)")
    upper.set_ylim(bottom=0)
    upper.set_title(f"{trace.scenario}, engine {trace.policy}", loc="left")
    upper.legend(frameon=False, loc="upper left")

    lower.plot([0.0, trace.elapsed], [trace.elapsed, 0.0], color=GREY, linewidth=1.5, label="really remaining")
    shown = trace.estimates
    # The dialog keeps a figure until the next one.
    lower.plot([*shown["time_s"], *([trace.elapsed] if len(shown) else [])],
               [*shown["remaining_s"], *shown["remaining_s"].iloc[-1:]], color=PURPLE, drawstyle="steps-post",
               linewidth=1.8, label="shown by the dialog" if len(shown) else "shown by the dialog: nothing")
    lower.set_xlim(0, max(trace.durable, trace.elapsed) or None)
    lower.set_ylim(bottom=0)
    lower.set_ylabel("Remaining (s)")
    lower.set_xlabel("Time since the click (s); the dialog closes at the dotted line")
    lower.legend(frameon=False, loc="upper right")
    return upper, lower


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
    check_kind("throughput_map", frame, pd.DataFrame, "copysim.sweep")
    for key in (x, y, value):
        if key not in frame.columns:
            raise ValueError(f"throughput_map: a column must be one of {', '.join(frame.columns)}, got {key!r}")
    table = frame.pivot_table(index=y, columns=x, values=value, aggfunc="mean", sort=False)
    order_x, order_y = (list(dict.fromkeys(frame[key])) for key in (x, y))
    table = table.reindex(index=order_y, columns=order_x)
    rate = value.endswith("_bytes_per_s")
    numbers: npt.NDArray[np.float64] = table.to_numpy(dtype=np.float64) / (1e6 if rate else 1.0)
    axes = new_or_given_axes(ax, 2.2 + 0.85 * len(order_x), 1.6 + 0.55 * len(order_y))
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


def comparison(frame: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw published figures beside predictions.

    Parameters
    ----------
    frame : pandas.DataFrame
        From `copysim.Published.compare`.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
        A line per row. All is in multiples of the published value (if it has none, of the middle of its
        bounds, or of its one bound): the black line is 1, grey is what published bounds allow, the
        marker with its 95 % interval is the prediction. A prediction beyond the picture is an arrow at
        its edge with its number.
    """
    check_kind("comparison", frame, pd.DataFrame, "copysim.Published.compare")
    axes = new_or_given_axes(ax, 7.5, 1.4 + 0.24 * len(frame))
    axes.axvline(1.0, color=BLACK, linewidth=1, zorder=1)
    seen: set[str] = set()
    for place, row in enumerate(frame.to_dict("records")):
        reference = _reference(row["published"], row["lower"], row["upper"])
        if not np.isfinite(reference) or reference == 0:
            axes.text(0.02, place, "no published figure to be a multiple of", va="center", fontsize=7, color="#555555")
            continue
        # A missing bound is open, so all on its side is allowed.
        lowest = 0.0 if np.isnan(row["lower"]) else row["lower"] / reference
        highest = _WIDEST if np.isnan(row["upper"]) else row["upper"] / reference
        if not (np.isnan(row["lower"]) and np.isnan(row["upper"])):
            axes.barh(place, highest - lowest, left=lowest, height=0.6, color="#D0D0D0", zorder=0)
        mean, ci95 = row["predicted"] / reference, abs(row["ci95"] / reference)
        verdict = "input" if row["role"] == "input" else row["verdict"]
        style = next((each for each in _VERDICTS if each[0] == verdict), None)
        if style is None or not np.isfinite(mean):
            axes.text(0.02, place, "not modelled", va="center", fontsize=7, color="#555555")
            continue
        name, colour, marker = style
        label = name if name not in seen else f"_{name}"
        seen.add(name)
        if 0 <= mean <= _WIDEST:
            axes.errorbar([mean], [place], xerr=[ci95] if ci95 > 0 else None, fmt=marker, color=colour, markersize=6,
                          capsize=2, label=label, zorder=3, clip_on=False)
        else:
            edge, arrow, side = (_WIDEST, ">", "right") if mean > _WIDEST else (0.0, "<", "left")
            axes.errorbar([edge], [place], fmt=arrow, color=colour, markersize=6, label=label, zorder=3, clip_on=False)
            axes.annotate(f"{mean:.3g}", (edge, place), xytext=(-7 if side == "right" else 7, 0),
                          textcoords="offset points", ha=side, va="center", fontsize=7, color=colour)
    axes.set_yticks(range(len(frame)), [str(each) for each in frame["id"]], fontsize=8)
    axes.set_ylim(len(frame) - 0.4, -0.6)
    axes.set_xlim(0, _WIDEST)
    axes.set_xlabel("Predicted / published (grey: published bounds; verdicts allow more: Published.compare)")
    if seen:
        axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, 1.0 + 0.45 / (1 + 0.24 * len(frame))), ncols=3)
    without_frame(axes)
    return axes


def _reference(value: float, lower: float, upper: float) -> float:
    """The value, else the middle of the bounds, else the one bound."""
    if np.isfinite(value):
        return value
    both = [each for each in (lower, upper) if np.isfinite(each)]
    return sum(both) / len(both) if both else float("nan")


def paths(explanations: Explanation | Sequence[Explanation], until: str = "elapsed", parts: int = 7,
          ax: Axes | None = None) -> Axes:
    """Draw critical paths as stacked bars: why each copy took as long as it did.

    Parameters
    ----------
    explanations : Explanation or sequence of them
        From `copysim.explain`.
    until : str, default "elapsed"
        "elapsed" or "durable", as in `Explanation.frame`.
    parts : int, default 7
        The longest parts over all bars get a colour each, at most eight; the others, and those that
        would be too short to see, are one grey part.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
        A horizontal bar per explanation, as long as its time in seconds.
    """
    bars = [explanations] if isinstance(explanations, Explanation) else list(explanations)
    if not bars:
        raise ValueError("paths: explanations must hold at least one, got none")
    for each in bars:
        check_kind("paths", each, Explanation, "copysim.explain")
    if not 1 <= parts <= 8:
        raise ValueError(f"paths: parts must be 1 to 8, got {parts}")
    sums: list[pd.Series[float]] = []
    for each in bars:
        frame = each.frame(until)
        sums.append(frame.groupby(frame["component"] + ": " + frame["activity"])["seconds"].sum())
    total = pd.concat(sums).groupby(level=0).max().sort_values(ascending=False, kind="stable")
    seen = pd.concat([each / each.sum() for each in sums]).groupby(level=0).max() >= _VISIBLE
    named = [name for name in total.index if seen[name]][:parts]
    axes = new_or_given_axes(ax, 8.0, 1.5 + 0.45 * len(bars) + 0.1 * len(named))
    left = np.zeros(len(bars))
    places = range(len(bars))
    colours = (BLUE, ORANGE, GREEN, VERMILLION, SKY_BLUE, PURPLE, YELLOW, BLACK)
    for name, colour in zip(named, colours):
        widths = np.array([float(each.get(name, 0.0)) for each in sums])
        axes.barh(places, widths, left=left, color=colour, label=name, height=0.65, edgecolor="white", linewidth=0.5)
        left += widths
    rest = np.array([float(each.sum()) for each in sums]) - left
    if len(total) > len(named):
        axes.barh(places, rest, left=left, color="#BBBBBB", label="all else", height=0.65, edgecolor="white",
                  linewidth=0.5)
    wholes = [each.elapsed if until == "elapsed" else each.durable for each in bars]
    for place, whole in enumerate(wholes):
        axes.text(whole, place, f" {whole:.0f} s" if whole >= 100 else f" {whole:.3g} s", va="center", fontsize=9)
    several = len({each.scenario for each in bars}) > 1
    axes.set_yticks(places, [f"{each.policy}\n{each.scenario}" if several else each.policy for each in bars])
    axes.invert_yaxis()
    axes.set_xlim(0, max(wholes) * 1.12 or None)
    axes.set_xlabel("Time on the critical path (s)")
    if not several:
        axes.set_title(bars[0].scenario, loc="left")
    if ax is None:
        axes.figure.legend(frameon=False, fontsize=8, loc="outside lower center", ncols=2)
    else:
        axes.legend(frameon=False, fontsize=8, loc="best")
    without_frame(axes)
    return axes
