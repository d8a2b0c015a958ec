"""Copies with the real smbclient from and to the real smbd, and predicts the same copies.

    live_smb.py COPYSIM

Both run on this machine, with a relay between them that delays. The cases are bound by round trips,
so that the machine's own speed hardly counts; the round trip is measured with a byte before and
after each case. Ends with 0 if every prediction is within 10 % of the median of its runs.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from relay import Relay, measured_round_trip
from samba import GUEST, Server, Session

TOLERANCE = 0.10
RUNS = 3
KIB = 1024
VERSIONS = {"NT1": "nt-lm-0.12", "SMB2_02": "smb2-2.002", "SMB2_10": "smb2-2.1", "SMB3_00": "smb3-3.0",
            "SMB3_11": "smb3-3.1.1"}


@dataclass(frozen=True)
class Case:
    """One command of smbclient: one file with get or put, several with mget or mput."""

    protocol: str
    command: str
    files: int
    size: int  # bytes of each file
    round_trip_ms: int
    window: int | None = None  # option -b

    def __str__(self) -> str:
        what = f"{self.files} x {self.size // KIB} KiB"
        option = f" -b {self.window}" if self.window else ""
        return f"{self.protocol:8}{self.command + option:16}{what:14}"


CASES = (
    Case("NT1", "get", 1, 4096 * KIB, 60),
    Case("SMB2_02", "put", 1, 2048 * KIB, 60, 128 * KIB),
    Case("SMB2_10", "get", 1, 2048 * KIB, 120),
    Case("SMB3_11", "put", 1, 2048 * KIB, 120),
    Case("NT1", "put", 1, 2048 * KIB, 60, 16 * KIB),
    Case("SMB2_02", "get", 1, 1024 * KIB, 60, 64 * KIB),
    Case("SMB2_10", "mget", 10, 16 * KIB, 30),
    Case("NT1", "mput", 10, 16 * KIB, 30),
)


def fill(folder: Path, case: Case) -> None:
    """Puts the files of `case` into `folder`, as `one` or in the folder `many`."""
    data = bytes(range(256)) * (case.size // 256)
    if case.files == 1:
        (folder / "one").write_bytes(data)
        return
    (folder / "many").mkdir()
    (folder / "many").chmod(0o777)
    for i in range(case.files):
        (folder / "many" / f"f{i:03}").write_bytes(data)


def empty(folder: Path) -> None:
    for entry in folder.iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


def same(a: Path, b: Path, case: Case) -> bool:
    names = ["one"] if case.files == 1 else [f"many/f{i:03}" for i in range(case.files)]
    return all((a / name).read_bytes() == (b / name).read_bytes() for name in names)


def copied(case: Case, server: Server, local: Path, port: int, login: str = GUEST) -> float:
    """Seconds that one copy took, in a session of its own."""
    gets = "get" in case.command
    source, target = (server.share, local) if gets else (local, server.share)
    for folder in (server.share, local):
        empty(folder)
    fill(source, case)
    session = Session(port, case.protocol, local, case.window, login)
    try:
        if case.files > 1:
            session.say("recurse")
            session.say("prompt")
        took = session.copy(f"{case.command} {'one' if case.files == 1 else 'many'}", case.files)
    finally:
        session.close()
    if not same(source, target, case):
        raise RuntimeError(f"{case}: the copy differs from its source")
    return took


def predicted(copysim: str, case: Case, round_trip_s: float, *more: str) -> float:
    """Seconds that the scenario smb/relay predicts, with the settings `more` on top."""
    settings = [f"client.redirector.version={VERSIONS[case.protocol]}",
                f"copy.direction={'read' if 'get' in case.command else 'write'}",
                f"link.rtt={round_trip_s * 1e3:.4f} ms", *more]
    if case.files == 1:
        settings.append(f"workloads.single.size={case.size} B")
    else:
        settings += ["copy.workload=many", f"workloads.many.files={case.files}",
                     f"workloads.many.size={case.files * case.size} B"]
    if case.window:
        settings.append(f"policy.iosize={case.window} B")
    answer = subprocess.run([copysim, "run", "smb/relay", "--format", "json", "--set", *settings],
                            check=True, capture_output=True, text=True)
    return float(json.loads(answer.stdout)["elapsed_s"]["mean"])


def judge(copysim: str, case: Case, server: Server, local: Path) -> bool:
    nominal = case.round_trip_ms / 1e3
    relay = Relay(server.port, nominal)
    trips = [measured_round_trip(nominal)]
    times = [copied(case, server, local, relay.port) for _ in range(RUNS)]
    trips.append(measured_round_trip(nominal))
    relay.close()
    round_trip = statistics.mean(trips)
    measured = statistics.median(times)
    foreseen = predicted(copysim, case, round_trip)
    error = foreseen / measured - 1
    holds = abs(error) <= TOLERANCE
    print(f"{case}{round_trip * 1e3:8.2f} ms{measured:10.4f} s{foreseen:10.4f} s{error:+8.1%}  "
          f"{'holds' if holds else 'misses'}", flush=True)
    return holds


def hurry() -> None:
    """Goes before the machine's other work, with all that is started from here, where that is allowed.

    Threads that wait for a processor make round trips longer than the relay's. Root may ask for it.
    """
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    except PermissionError:
        pass


def main(copysim: str) -> int:
    hurry()
    # In memory, where the machine has such a folder: no disk in the way.
    shm = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="copysim-live-", dir=shm if shm.is_dir() else None) as name:
        folder = Path(name)
        local = folder / "local"
        local.mkdir()
        try:
            with Server(folder) as server:
                print(f"{'dialect':8}{'command':16}{'files':14}{'round trip':>11}{'measured':>12}"
                      f"{'predicted':>12}{'error':>8}  verdict")
                holds = [judge(copysim, case, server, local) for case in CASES]
        except RuntimeError as problem:
            print(f"live-smb: {problem}", file=sys.stderr)
            return 1
    print(f"{sum(holds)} of {len(holds)} predictions within {TOLERANCE:.0%}")
    return 0 if all(holds) else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: live_smb.py COPYSIM")
    sys.exit(main(sys.argv[1]))
