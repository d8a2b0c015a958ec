"""Units: sizes are whole bytes, times seconds as float, rates bytes per second."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeAlias

KiB: int = 1 << 10
MiB: int = 1 << 20
GiB: int = 1 << 30

Bytes: TypeAlias = Annotated[int, "bytes"]
Seconds: TypeAlias = Annotated[float, "seconds"]
BytesPerSecond: TypeAlias = Annotated[float, "bytes_per_s"]

#: A value of a setting. Quantities are texts with their unit ("64 KiB", "5 ms", "1 Gbit/s") or, for
#: a time, a `datetime.timedelta`; counts are numbers.
SettingValue: TypeAlias = str | int | float | bool | datetime.timedelta | list[Any]


def setting_text(value: object) -> str:
    """Write a value as the command line takes it after ``key=``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime.timedelta):
        return f"{value // datetime.timedelta(microseconds=1)} us"
    if isinstance(value, (list, tuple)):
        return ",".join(setting_text(each) for each in value)
    if isinstance(value, (int, float, str)):
        return str(value)
    if hasattr(value, "item"):  # a number of NumPy
        return setting_text(value.item())
    raise TypeError(f"a setting must be a text, a number, a bool, a timedelta or a list, got {value!r}")


def checked_settings(settings: object) -> dict[str, Any]:
    """Settings as a new dictionary, refused if they are none."""
    if settings is None:
        return {}
    if not isinstance(settings, Mapping):
        raise TypeError(f"settings must be a mapping such as {{'link.rtt': '5 ms'}}, got {settings!r}")
    return dict(settings)


def key_of(label: Sequence[object]) -> tuple[str, ...]:
    """How the values of a point of a sweep are compared."""
    return tuple(setting_text(value) for value in label)
