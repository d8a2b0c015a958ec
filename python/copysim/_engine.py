"""Copy engines in Python: the class to derive from, and how their errors are told."""

from __future__ import annotations

import datetime
import re
import sys
import typing
from typing import Any, ClassVar

from copysim import _core, _units
from copysim._core import CopyJob, SimulationError


class IoFailure(OSError):
    """A simulated operation failed, such as a write on a full disk.

    It is raised where an engine awaits the operation. If it leaves the engine's ``copy``, the copy
    ends there and the result tells the failure, as with the built-in engines.

    Attributes
    ----------
    status : str
        "not found", "exists", "disk full", "file too large", "device error" or "link down".
    """

    def __init__(self, status: str) -> None:
        super().__init__(status)
        self.status = status


class EngineError(RuntimeError):
    """An engine in Python raised an exception; ``__cause__`` is that exception with its traceback.

    Attributes
    ----------
    engine : str
        Id of the engine.
    file : str
        Name of the file that it was copying.
    simulated_time : float
        When it happened, in seconds of simulated time.
    """

    def __init__(self, engine: str, file: str, simulated_time: float, problem: str) -> None:
        super().__init__(engine, file, simulated_time, problem)
        self.engine = engine
        self.file = file
        self.simulated_time = simulated_time
        self.problem = problem

    def __str__(self) -> str:
        return (f"{self.engine}: copying {self.file} failed at {self.simulated_time:.9g} s of simulated "
                f"time: {self.problem}")


def explained(error: BaseException, engine: str, file: str, simulated_time: float) -> BaseException:
    """Wrap what left an engine; called by the core."""
    if not isinstance(error, Exception):
        return error
    what = str(error)
    problem = f"{type(error).__name__}: {what}" if what else type(error).__name__
    wrapped = EngineError(engine, file, simulated_time, problem)
    wrapped.__cause__ = error
    return wrapped


_KINDS: dict[object, str] = {
    _units.Bytes: "bytes",
    _units.Seconds: "seconds",
    _units.BytesPerSecond: "bytes_per_s",
    bool: "bool",
    int: "int",
    float: "float",
    str: "str",
}


#: How a text with a unit becomes a number.
_PARSERS = {_units.Bytes: "parse_bytes", _units.Seconds: "parse_duration", _units.BytesPerSecond: "parse_bandwidth"}


def _number(value: object, kind: str) -> object:
    """A parameter as a number, where it is a text with a unit or a timedelta."""
    parser = next((name for hint, name in _PARSERS.items() if _KINDS[hint] == kind), None)
    if parser is None:
        return value
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    return getattr(_core, parser)(value) if isinstance(value, str) else value


class CopyPolicy:
    """Decides how one file is copied: which reads and writes are issued, how large, how many at once.

    Derive from it and write ``copy``. Annotated attributes with a default are the engine's parameters:
    they are keyword arguments of the constructor and the settings ``policy.<name>`` of a scenario.
    Their types are ``copysim.Bytes``, ``copysim.Seconds``, ``copysim.BytesPerSecond`` (numbers in
    these units, and texts with a unit in settings and as arguments), ``int``, ``float``, ``bool`` and
    ``str``.

    An engine may be used for many files and replications, also at the same time on several threads, so
    it must keep no state between them. To send it to other processes, define its class at the top level
    of a module.

    Attributes
    ----------
    id : str
        How settings and results call it; the name of the class in kebab-case unless given.

    Examples
    --------
    >>> import copysim
    >>> class Plain(copysim.CopyPolicy):
    ...     \"\"\"One read, then one write.\"\"\"
    ...     chunk: copysim.Bytes = 1 * copysim.MiB
    ...
    ...     async def copy(self, job: copysim.CopyJob) -> None:
    ...         async with await job.open_source(sequential=True) as source:
    ...             async with await job.open_target(sequential=True) as target:
    ...                 for offset in range(0, source.size, self.chunk):
    ...                     data = await source.read(offset, self.chunk)
    ...                     await target.write(offset, data)
    ...                     job.advanced(len(data))
    >>> small = {"workloads.single.size": "8 MiB", "run.replications": 1}
    >>> result = copysim.run("apc/vista-to-xp", policy=Plain(chunk=256 * copysim.KiB), set=small)
    >>> result.policy, result.settings["policy.chunk"].value, result.counters["damaged_files"]
    ('plain', '256 KiB', 0.0)
    """

    id: ClassVar[str] = ""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "id" not in cls.__dict__:
            cls.id = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", "-", cls.__name__).lower().strip("-")

    def __init__(self, **parameters: Any) -> None:
        declared = {name: kind for name, kind, _ in self._declared()}
        for name, value in parameters.items():
            if name not in declared:
                raise ValueError(f"{self.id}: unknown parameter '{name}' (allowed: {', '.join(sorted(declared)) or 'none'})")
            setattr(self, name, _number(value, declared[name]))

    async def copy(self, job: CopyJob) -> None:
        """Copy one file: open, copy, set metadata and close, through the operations of ``job``.

        It must transfer every byte exactly once, and call ``job.advanced`` after each piece that its
        real counterpart would report.

        Parameters
        ----------
        job : CopyJob
            The file, and the only door to the simulated machine.
        """
        raise NotImplementedError(f"{type(self).__name__} must define `async def copy(self, job)`")

    @property
    def text(self) -> str:
        """What it is, in one line: the first line of the docstring of its class."""
        return (type(self).__doc__ or self.id).strip().splitlines()[0]

    @classmethod
    def _declared(cls) -> list[tuple[str, str, str]]:
        """The parameters as (name, kind, text), in the order of their declaration."""
        found = []
        hints = typing.get_type_hints(cls, localns={"copysim": sys.modules["copysim"]}, include_extras=True)
        for name, hint in hints.items():
            if name.startswith("_") or typing.get_origin(hint) is ClassVar:
                continue
            if not hasattr(cls, name):
                raise TypeError(f"{cls.__name__}.{name} must have a default to be a parameter; what is none is a ClassVar or "
                                "begins with an underscore")
            if hint in _PARSERS and isinstance(getattr(cls, name), str):
                raise TypeError(f"{cls.__name__}.{name} must be a number in {_KINDS[hint].replace('_per_s', ' per second')}, "
                                f"such as 4 * copysim.MiB for bytes, got {getattr(cls, name)!r}")
            if hint not in _KINDS:
                raise TypeError(f"{cls.__name__}.{name} must be annotated as copysim.Bytes, copysim.Seconds, "
                                f"copysim.BytesPerSecond, int, float, bool or str, got {hint!r}")
            found.append((name, _KINDS[hint], f"of {cls.__name__}"))
        return found

    def as_settings(self) -> dict[str, str]:
        """Return its parameters as settings: ``{"policy.chunk": "1 MiB"}``."""
        texts = {"bytes": _core.bytes_text, "seconds": _core.duration_text, "bytes_per_s": _core.bandwidth_text}
        return {f"policy.{name}": texts.get(kind, _units.setting_text)(getattr(self, name))
                for name, kind, _ in self._declared()}

    def state(self) -> tuple[object, ...]:
        """Return what it holds besides its parameters; engines of one id must agree in it."""
        declared = {name for name, _, _ in self._declared()}
        return type(self), {name: value for name, value in vars(self).items() if name not in declared}

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, CopyPolicy) and (
            self.state() == other.state() and self.as_settings() == other.as_settings())

    def __hash__(self) -> int:
        return hash((type(self), tuple(self.as_settings().items())))

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name, _, _ in self._declared())
        return f"{type(self).__name__}({values})"


__all__ = ["CopyPolicy", "EngineError", "IoFailure", "SimulationError"]
