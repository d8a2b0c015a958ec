"""What single simulations gave, from the core to Python."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from copysim import _core
from copysim._engine import CopyPolicy


class Row(NamedTuple):
    """One replication of one point, as the core gives it."""

    point: int
    replication: int
    replications: int
    policy: str
    seed: int
    elapsed_ns: int
    durable_ns: int
    first_estimate_ns: int | None
    copied_bytes: int
    files: int
    status: str
    names: tuple[str, ...]
    values: npt.NDArray[np.float64]
    damaged: tuple[str, ...]
    error: BaseException | str | None

    @property
    def elapsed_s(self) -> float:
        """Seconds until the dialog closes, the same double as in C++."""
        return self.elapsed_ns / 1e9

    @property
    def throughput_bytes_per_s(self) -> float:
        """Copied bytes per second of elapsed time; 0 if no time passed."""
        return self.copied_bytes / self.elapsed_s if self.elapsed_ns > 0 else 0.0

    @property
    def failure(self) -> str | None:
        """The simulated failure or the error, as text."""
        if self.error is not None:
            return self.error if isinstance(self.error, str) else f"{type(self.error).__name__}: {self.error}"
        return None if self.status == "ok" else self.status


def threads(workers: int | None) -> int:
    """The wanted number of threads; unless given, the number of processors that this process may use."""
    if workers is not None:
        if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
            raise ValueError(f"workers must be a whole number of at least 1, got {workers!r}")
        return workers
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


def stream(scenario: _core.Scenario, points: Sequence[list[str]], engines: Sequence[CopyPolicy], workers: int,
           heartbeat: Callable[[], None] | None = None) -> Generator[Row, None, None]:
    """Run all points on ``workers`` threads of C++ and yield the rows as they are done.

    When the generator is closed, or Ctrl-C arrives, the simulations that run are given up at once.
    """
    batch = _core.Batch(scenario, list(points), list(engines), workers)
    with contextlib.closing(batch):
        started = time.monotonic()
        over = False
        while not over:
            # Short at first: most sweeps of short runs are soon over.
            over = batch.wait(0.005 if time.monotonic() - started < 0.1 else 0.05)
            for row in batch.take():
                yield Row(*row)
            if heartbeat is not None:
                heartbeat()
