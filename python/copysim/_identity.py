"""What makes the points of two sweeps the same: scenario, engines with their code, and this build."""

from __future__ import annotations

import hashlib
import inspect
import json
import types
from collections.abc import Sequence
from pathlib import Path

from copysim import _core
from copysim._engine import CopyPolicy
from copysim._scenario import Scenario


def fingerprint(base: Scenario, axes: Sequence[str]) -> str:
    """Differs for sweeps whose points cannot be mixed.

    That an engine calls code outside its class is not seen.
    """
    engines = sorted(f"{each!r} {_told(each.state()[1])} {code_of(type(each))}" for each in base.engines)
    text = json.dumps([_build(), base.id, base.to_toml(), engines, list(axes)])
    return hashlib.sha256(text.encode()).hexdigest()


def _build() -> str:
    """Differs for two builds of the models."""
    return hashlib.sha256(Path(_core.__file__).read_bytes()).hexdigest()


def code_of(engine: type) -> str:
    """A digest of what an engine's class and its bases do; comments and line numbers do not count."""
    told = [f"{name} {_told(member)}" for each in engine.__mro__ if each not in (CopyPolicy, object)
            for name, member in sorted(vars(each).items()) if not _is_of_python(name, member)]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


def _is_of_python(name: str, member: object) -> bool:
    """What Python itself puts into a class, some of it only when the class is first pickled or looked into."""
    return name.startswith("__") and not isinstance(member, types.FunctionType)


def _told(member: object) -> str:
    """A text that is the same in every process, unlike `repr` of functions and of sets."""
    if isinstance(member, property):
        return " ".join(_told(each) for each in (member.fget, member.fset))
    member = getattr(member, "__func__", member)  # of class and static methods
    if isinstance(member, types.FunctionType):
        caught = inspect.getclosurevars(member).nonlocals
        return " ".join(map(_told, (member.__code__, member.__defaults__, member.__kwdefaults__, caught)))
    if isinstance(member, types.CodeType):
        return f"{member.co_code.hex()} {member.co_names} {member.co_varnames} {_told(member.co_consts)}"
    if isinstance(member, (tuple, list)):
        return f"[{', '.join(map(_told, member))}]"
    if isinstance(member, (set, frozenset)):
        return f"{{{', '.join(sorted(map(_told, member)))}}}"
    if isinstance(member, dict):
        return f"{{{', '.join(f'{key!r}: {_told(value)}' for key, value in member.items())}}}"
    if isinstance(member, type):
        return f"{member.__module__}.{member.__qualname__}"
    return repr(member) if isinstance(member, (str, bytes, int, float, complex, bool, type(None), type(...))) else (
        type(member).__qualname__)
