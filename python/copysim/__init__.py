"""Predicts how long an operating system takes to copy files, and why.

Examples
--------
>>> import copysim
>>> result = copysim.run("apc/vista-to-xp", policy="vista-sp1", replications=1)
>>> 60 < result.elapsed < 100  # seconds for 2.5 GiB
True

Notes
-----
Simulate: `scenario` finds or builds a `Scenario` (`catalogue` lists those that ship), `run` gives a
`Result` with a `Sample` per replication, an `Estimate` of each time and the `Setting` behind each value.
`sweep` varies settings and gives a pandas frame, `to_xarray` an array; `SweepInterrupted` warns after Ctrl-C.

Understand: `explain` gives an `Explanation`, why a copy took so long; `trace` a `Trace`, what it did;
`sensitivity` ranks settings; `plot` draws all of these.

Judge: `published` gives a `Published` source, whose timings are compared with predictions; `calibrate`
fits settings to them and gives a `Calibration`.

Invent: derive from `CopyPolicy`; its coroutine gets a `CopyJob`, awaits each `Operation`, reads and writes
`Data` of a `File`, and works side by side in a `TaskGroup`. Its mistakes are an `EngineError`, simulated
failures an `IoFailure`, misuse of the simulation a `SimulationError`; `DamagedCopy` warns of bytes left out.

Units: times are float seconds, sizes whole bytes, rates bytes per second: the types `Seconds`, `Bytes` and
`BytesPerSecond` of an engine's parameters. `KiB`, `MiB` and `GiB` are 2^10, 2^20 and 2^30 bytes. In settings
quantities are texts with their unit: "5 ms", "64 KiB", "1 Gbit/s".
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
from copysim._result import DamagedCopy, Estimate, Result, Sample
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
    "DamagedCopy",
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
