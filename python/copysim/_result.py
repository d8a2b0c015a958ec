"""What a run gave."""

from __future__ import annotations

import html
import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from copysim import _core
from copysim._rows import Row
from copysim._scenario import Setting


class DamagedCopy(UserWarning):
    """A copy ended without a failure, but the target does not hold what the source does.

    The engines of the catalogue copy every byte; an engine in Python has to take care of it.
    """


def warn_of_damage(policy: str, damaged: Sequence[str], points: str, stacklevel: int) -> None:
    """Warn that an engine left these files unlike their sources."""
    shown = ", ".join(damaged[:3]) + (", ..." if damaged[3:] else "")
    warnings.warn(f"the engine '{policy}' left files that differ from their sources{points}: {shown}; its times are "
                  "those of another task", DamagedCopy, stacklevel=stacklevel + 1)


@dataclass(frozen=True)
class Estimate:
    """A mean over replications, in the unit of what was averaged.

    Attributes
    ----------
    mean : float
        Seconds for times, bytes per second for throughput.
    ci95 : float
        Half width of the 95 % confidence interval (Student's t); 0 for a single replication.
    """

    mean: float
    ci95: float

    def to_dict(self) -> dict[str, float]:
        """Return ``{"mean": ..., "ci95": ...}``."""
        return {"mean": self.mean, "ci95": self.ci95}

    def __str__(self) -> str:
        return _plus_minus(self, 1.0)


def _estimate(samples: Sequence[float]) -> Estimate | None:
    return Estimate(*_core.estimate(list(samples))) if samples else None


def _plus_minus(estimate: Estimate, scale: float) -> str:
    text = f"{estimate.mean / scale:.4g}"
    return f"{text} +- {estimate.ci95 / scale:.2g}" if estimate.ci95 > 0 else text


@dataclass(frozen=True)
class Sample:
    """What one replication gave.

    Attributes
    ----------
    elapsed, durable : float
        Seconds until the dialog closes, and until all data is safe on the medium.
    first_estimate : float or None
        Seconds until the dialog shows its first estimate; None if it closed before.
    throughput : float
        Copied bytes per second of elapsed time.
    copied : int
        Bytes that the target took.
    files : int
        Files that were copied to their end.
    counters : dict of str to float
        What the models counted; a name that ends in _s is in seconds, in _bytes in bytes.
    failure : str or None
        The simulated failure that ended the copy, such as "disk full".
    damaged : tuple of str
        Files that the target's medium does not hold exactly as the source does.
    """

    elapsed: float
    durable: float
    first_estimate: float | None
    throughput: float
    copied: int
    files: int
    counters: dict[str, float] = field(hash=False)
    failure: str | None = None
    damaged: tuple[str, ...] = ()


@dataclass(frozen=True)
class Result:
    """The replications of one scenario, and what they say together.

    Times are float seconds, sizes whole bytes, throughput bytes per second. Two results are equal if all
    that they hold is equal, bit for bit.

    Attributes
    ----------
    scenario : str
        Id of the scenario.
    policy : str
        Id of the copy engine.
    seed : int
        Seed of the random streams.
    samples : tuple of Sample
        What each replication gave, in their order.
    settings : dict of str to Setting
        Every value that the run used, and its source.
    """

    scenario: str
    policy: str
    seed: int
    samples: tuple[Sample, ...]
    settings: dict[str, Setting] = field(hash=False, repr=False)

    @property
    def replications(self) -> int:
        """The number of independent simulations."""
        return len(self.samples)

    @property
    def elapsed_estimate(self) -> Estimate:
        """Seconds from the click until the dialog closes, with the confidence interval."""
        return Estimate(*_core.estimate([s.elapsed for s in self.samples]))

    @property
    def durable_estimate(self) -> Estimate:
        """Seconds from the click until all data is safe on the medium, with the interval."""
        return Estimate(*_core.estimate([s.durable for s in self.samples]))

    @property
    def throughput_estimate(self) -> Estimate:
        """Copied bytes per second of elapsed time, with the confidence interval."""
        return Estimate(*_core.estimate([s.throughput for s in self.samples]))

    @property
    def first_estimate_estimate(self) -> Estimate | None:
        """Seconds until the dialog showed its first estimate, with the interval; None if it never did."""
        return _estimate([s.first_estimate for s in self.samples if s.first_estimate is not None])

    @property
    def elapsed(self) -> float:
        """Seconds from the click until the dialog closes, mean over the replications."""
        return self.elapsed_estimate.mean

    @property
    def durable(self) -> float:
        """Seconds from the click until all data is safe on the medium, mean over the replications."""
        return self.durable_estimate.mean

    @property
    def throughput(self) -> float:
        """Copied bytes per second of elapsed time, mean over the replications."""
        return self.throughput_estimate.mean

    @property
    def first_estimate(self) -> float | None:
        """Seconds until the dialog showed its first estimate of the time left; None if it never did."""
        estimate = self.first_estimate_estimate
        return None if estimate is None else estimate.mean

    @property
    def counters(self) -> dict[str, float]:
        """The mean of each counter of the models over the replications."""
        sums: dict[str, float] = {}
        for sample in self.samples:
            for name, value in sample.counters.items():
                sums[name] = sums[name] + value if name in sums else value
        return {name: value / len(self.samples) for name, value in sums.items()}

    @property
    def failure(self) -> str | None:
        """The first simulated failure, such as "disk full"; None if all replications succeeded."""
        return next((s.failure for s in self.samples if s.failure is not None), None)

    @property
    def damaged(self) -> tuple[str, ...]:
        """Files that the target's medium did not hold exactly as the source does, in any replication."""
        return tuple(dict.fromkeys(name for s in self.samples for name in s.damaged))

    def to_dict(self) -> dict[str, Any]:
        """Return what ``copysim run --format json`` prints, as dictionaries.

        Examples
        --------
        >>> import copysim
        >>> small = {"workloads.single.size": "8 MiB", "run.replications": 1}
        >>> result = copysim.run("apc/vista-to-xp", set=small)
        >>> list(result.to_dict())[:5]
        ['scenario', 'policy', 'seed', 'replications', 'settings']
        """
        first = self.first_estimate_estimate
        settings: dict[str, dict[str, Any]] = {}
        for key, setting in self.settings.items():
            settings[key] = {"value": setting.value, "from": setting.origin}
            if setting.mark:
                settings[key]["mark"] = setting.mark
            if setting.source:
                settings[key]["source"] = setting.source
        all_of_it: dict[str, Any] = {
            "scenario": self.scenario,
            "policy": self.policy,
            "seed": self.seed,
            "replications": self.replications,
            "settings": settings,
            "elapsed_s": self.elapsed_estimate.to_dict(),
            "durable_s": self.durable_estimate.to_dict(),
            "first_estimate_s": None if first is None else first.to_dict(),
            "throughput_bytes_per_s": self.throughput_estimate.to_dict(),
            "counters": self.counters,
        }
        if self.failure is not None:
            all_of_it["failure"] = self.failure
        return all_of_it

    def to_frame(self) -> pd.DataFrame:
        """Return one row per replication: times in seconds, sizes in bytes, and all counters."""
        frame: pd.DataFrame = pd.DataFrame([{
            "replication": i,
            "elapsed_s": s.elapsed,
            "durable_s": s.durable,
            "first_estimate_s": math.nan if s.first_estimate is None else s.first_estimate,
            "throughput_bytes_per_s": s.throughput,
            "copied_bytes": s.copied,
            "files": s.files,
            **s.counters,
            "failure": s.failure,
        } for i, s in enumerate(self.samples)])
        return frame

    def _lines(self) -> list[tuple[str, str]]:
        first = self.first_estimate_estimate
        lines = [
            ("scenario", self.scenario),
            ("policy", self.policy),
            ("seed, replications", f"{self.seed}, {self.replications}"),
            ("dialog closes after (s)", _plus_minus(self.elapsed_estimate, 1.0)),
            ("safe on the medium after (s)", _plus_minus(self.durable_estimate, 1.0)),
            ("first estimate after (s)", "-" if first is None else _plus_minus(first, 1.0)),
            ("throughput (MB/s)", _plus_minus(self.throughput_estimate, 1e6)),
        ]
        if self.failure is not None:
            lines.insert(3, ("failure", self.failure))
        if self.damaged:
            lines.insert(3, ("damaged files", ", ".join(self.damaged[:3]) + (", ..." if self.damaged[3:] else "")))
        return lines

    def __repr__(self) -> str:
        shown = [f"{name:<30}{value}" for name, value in self._lines()]
        return "\n".join([*shown, f"{len(self.counters)} counters in .counters, "
                                  f"{len(self.settings)} settings in .settings"])

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
                       f"<td style='text-align:left'>{html.escape(value)}</td></tr>" for name, value in self._lines())
        counters = "".join(f"<tr><td style='text-align:left'>{html.escape(name)}</td><td>{value:.6g}</td></tr>"
                           for name, value in self.counters.items())
        return (f"<table>{rows}</table><details><summary>{len(self.counters)} counters</summary>"
                f"<table>{counters}</table></details>")


def result_of(scenario: str, rows: Sequence[Row], settings: dict[str, Setting]) -> Result:
    """Put the rows of one point together."""
    samples = tuple(
        Sample(row.elapsed_s, row.durable_ns / 1e9,
               None if row.first_estimate_ns is None else row.first_estimate_ns / 1e9,
               row.throughput_bytes_per_s, row.copied_bytes, row.files,
               dict(zip(row.names, row.values.tolist(), strict=True)), row.failure, row.damaged)
        for row in sorted(rows, key=lambda each: each.replication))
    return Result(scenario, rows[0].policy, rows[0].seed, samples, settings)
