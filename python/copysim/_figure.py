"""What the pictures of `copysim.plot` share: colours, axes and the check of what is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Okabe and Ito (2008), "Color universal design".
BLACK, ORANGE, SKY_BLUE, GREEN, YELLOW, BLUE, VERMILLION, PURPLE, GREY = (
    "#000000", "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#999999")


def pyplot_module() -> Any:
    try:
        import matplotlib.pyplot as pyplot
    except ImportError as error:
        raise ImportError("copysim.plot needs the package matplotlib: pip install copysim[plot]") from error
    return pyplot


def new_or_given_axes(ax: Axes | None, width: float = 7.0, height: float = 4.0) -> Axes:
    """The caller's axes, or those of a new figure of that size in inches."""
    if ax is not None:
        return ax
    axes: Axes = pyplot_module().subplots(figsize=(width, height), layout="constrained")[1]
    return axes


def without_frame(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)


def check_kind(function: str, what: object, kind: type, made_by: str) -> None:
    """Say what a picture is made of, where something else was given."""
    if not isinstance(what, kind):
        raise TypeError(f"{function}: it draws what {made_by} returned, got {type(what).__name__}")
