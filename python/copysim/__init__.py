"""Predicts how long an operating system takes to copy files, and why.

Examples
--------
>>> import copysim
>>> result = copysim.run("apc/vista-to-xp", policy="vista-sp1", replications=1)
>>> 60 < result.elapsed < 100  # seconds for 2.5 GiB
True
"""

from __future__ import annotations

try:
    from copysim import _core
except ImportError as _problem:
    raise ImportError(
        "copysim._core is not built for this Python: run `pip install .` in the sources, or "
        "`./dev build python` and put build/python/python on PYTHONPATH") from _problem

from copysim import plot
from copysim._core import CopyJob, Data, File, Operation, SimulationError, TaskGroup
from copysim._engine import CopyPolicy, EngineError, IoFailure
from copysim._frame import to_xarray
from copysim._observe import Explanation, Trace, explain, trace
from copysim._published import Calibration, Published, calibrate, published
from copysim._result import Estimate, Result, Sample
from copysim._run import run
from copysim._scenario import Scenario, Setting, catalogue, scenario
from copysim._sensitivity import sensitivity
from copysim._sweep import SweepInterrupted, sweep
from copysim._units import Bytes, BytesPerSecond, GiB, KiB, MiB, Seconds

__version__: str = _core.__version__

__all__ = [
    "Bytes",
    "BytesPerSecond",
    "Calibration",
    "CopyJob",
    "CopyPolicy",
    "Data",
    "EngineError",
    "Estimate",
    "Explanation",
    "File",
    "GiB",
    "IoFailure",
    "KiB",
    "MiB",
    "Operation",
    "Published",
    "Result",
    "Sample",
    "Scenario",
    "Seconds",
    "Setting",
    "SimulationError",
    "SweepInterrupted",
    "TaskGroup",
    "Trace",
    "calibrate",
    "catalogue",
    "explain",
    "plot",
    "published",
    "run",
    "scenario",
    "sensitivity",
    "sweep",
    "to_xarray",
    "trace",
]


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
