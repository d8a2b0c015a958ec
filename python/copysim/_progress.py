"""Showing how far a sweep is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable


class Progress:
    """Prints points done on standard error if that is a terminal or a notebook, or calls a function."""

    def __init__(self, wanted: bool | Callable[[int, int], None], total: int) -> None:
        self._call = wanted if callable(wanted) else None
        self._print = wanted is True and (sys.stderr.isatty() or "ipykernel" in sys.modules)
        self._total = total
        self._done = -1
        self._started = self._printed = time.monotonic()

    def show(self, done: int) -> None:
        """Say that so many points are done."""
        if done == self._done:
            return
        self._done = done
        if self._call is not None:
            self._call(done, self._total)
        now = time.monotonic()
        if self._print and (now - self._printed > 0.2 or done == self._total):
            self._printed = now
            end = "\n" if done == self._total else ""
            print(f"\r{done}/{self._total} points, {now - self._started:.0f} s", end=end, file=sys.stderr, flush=True)
