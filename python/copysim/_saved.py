"""Keeping the finished points of a sweep, to go on with it later."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from copysim._frame import FIXED, LAST
from copysim._rows import Row
from copysim._units import key_of, setting_text

#: The rows of finished points by the values of their axes, as text.
Finished: TypeAlias = dict[tuple[str, ...], list[Row]]


def finished_in(frame: pd.DataFrame, mark: str) -> Finished:
    """The points of a frame that `copysim.sweep` returned, without those that could not be simulated."""
    if frame.attrs.get("fingerprint") != mark:
        raise ValueError("sweep: resume must be the frame of the same sweep: scenario, settings, keys, code of the engines, build of "
                         "copysim")
    axes = frame.attrs["axes"]
    skipped = {*axes, *FIXED, LAST}
    counters = [name for name in frame.columns if name not in skipped]
    values = frame[counters].to_numpy(dtype=np.float64)
    finished: Finished = {}
    failed = set()
    for i, record in enumerate(frame.to_dict("records")):
        point = key_of([record[key] for key in axes])
        if math.isnan(record["elapsed_s"]):
            failed.add(point)
            continue
        held = ~np.isnan(values[i])
        first = record["first_estimate_s"]
        row = Row(0, record["replication"], 0, record["policy"], record["seed"], _nanoseconds(record["elapsed_s"]),
                  _nanoseconds(record["durable_s"]), None if math.isnan(first) else _nanoseconds(first),
                  record["copied_bytes"], record["files"], record[LAST] if isinstance(record[LAST], str) else "ok",
                  tuple(name for name, there in zip(counters, held, strict=True) if there), values[i][held], (), None)
        finished.setdefault(point, []).append(row)
    return {point: rows for point, rows in finished.items() if point not in failed}


def _nanoseconds(time_s: float) -> int:
    return round(time_s * 1e9)


class Store:
    """A file with a line per finished point, after a line that tells which sweep it belongs to.

    A line that was cut off by a crash is left out, and so are points that failed: they are tried again.
    """

    def __init__(self, path: str | os.PathLike[str], mark: str, axes: Sequence[str]) -> None:
        self._path = Path(path)
        self._axes = list(axes)
        self.finished: Finished = {}
        head = {"copysim": "sweep", "fingerprint": mark, "axes": self._axes}
        lines = self._path.read_text().splitlines() if self._path.exists() else []
        records = [record for record in map(_parsed, lines) if record is not None]
        if lines and records[:1] != [head]:
            raise ValueError("sweep: save must be a new file or one of the same sweep (scenario, settings, keys, code of "
                             f"the engines, build of copysim), got {self._path}")
        for record in records[1:]:
            self.finished[tuple(record["point"])] = [_row_of(each) for each in record["rows"]]
        # Anew, so that the next line starts at the beginning of a line.
        self._path.write_text("".join(json.dumps(each) + "\n" for each in [head, *records[1:]]))

    def add(self, label: Sequence[object], rows: Sequence[Row]) -> None:
        """Append a finished point."""
        if any(row.error is not None for row in rows):
            return
        record = {"point": [setting_text(each) for each in label], "rows": [_record_of(row) for row in rows]}
        with self._path.open("a") as file:
            file.write(json.dumps(record) + "\n")


def _record_of(row: Row) -> dict[str, Any]:
    record = row._asdict()
    record["values"] = row.values.tolist()
    return record


def _row_of(record: dict[str, Any]) -> Row:
    changed = {"names": tuple(record["names"]), "values": np.array(record["values"], dtype=np.float64),
               "damaged": tuple(record["damaged"])}
    return Row(**{**record, **changed})


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError:
        return None
