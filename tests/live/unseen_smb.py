"""Copies between the real smbclient and smbd in combinations that smb-measured.csv does not have.

    unseen_smb.py COPYSIM [NAME...]

Dialects, delays, limits of the path and of the server that no fitted cost has seen: the model's
mechanisms must carry them. Each case is a line with its settings; it starts a server of its own, and
what is measured is compared with the prediction of the scenario smb/relay. First, four copies that
are in the file tell how fast this machine's processor is beside the one of the sheet; that factor,
`client.cpu.speed`, goes into all predictions and nothing else does (the rates of ciphers and
signatures were measured on a quiet core and are not scaled). Ends with 0 if nine in ten are within
10 %.
"""

import statistics
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import live_smb
from live_smb import KIB, TOLERANCE, copied, hurry, predicted
from relay import Relay, measured_round_trip
from samba import Server

MIB = 1024 * KIB
# Options of smb.conf(5) and the settings that are the same; sizes in bytes.
OPTIONS = {"max mux": "server.server.max_mpx", "max xmit": "server.server.max_buffer",
           "smb2 max credits": "server.server.credits_maximum"}
# Of the sheet samba-4.17, GB/s.
ALGORITHMS = {"md5": 0.88, "hmac_sha256": 1.95, "aes_128_cmac": 1.33, "aes_128_gmac": 5.72,
              "aes_128_ccm": 0.52, "aes_128_gcm": 5.72}


@dataclass(frozen=True)
class Case(live_smb.Case):
    """A copy with limits of the path, the server and the client."""

    mbit: int | None = None  # limit of the path, Mbit/s
    server: dict[str, str | int] = field(default_factory=dict)  # options of smb.conf(5)

    def __str__(self) -> str:
        size = f"{self.size // MIB} MiB" if self.size >= MIB else f"{self.size // KIB} KiB"
        limits = [f"{key} {value}" for key, value in self.server.items()]
        limits += [f"-b {self.window}"] if self.window else []
        limits += [f"{self.mbit} Mbit/s"] if self.mbit else []
        return (f"{self.protocol:8}{self.command:5}{self.files:3} x {size:9}{self.round_trip_ms:4} ms  "
                f"{', '.join(limits):46}")

ENCRYPTED: dict[str, str | int] = {"server smb encrypt": "required"}

CASES = (
    Case("NT1", "get", 1, 16 * MIB, 15, server={"max mux": 5}),
    Case("NT1", "put", 1, 16 * MIB, 35, server={"max mux": 20}),
    Case("NT1", "get", 1, 8 * MIB, 35, mbit=40),
    Case("NT1", "put", 1, 4 * MIB, 15, server={"large readwrite": "no", "max xmit": 8300}),
    Case("NT1", "put", 1, 8 * MIB, 3, mbit=20, window=200 * KIB),
    Case("NT1", "mget", 50, 24 * KIB, 15),
    Case("SMB2_02", "get", 1, 16 * MIB, 35, server={"smb2 max credits": 64}),
    Case("SMB2_02", "put", 1, 16 * MIB, 15, window=300 * KIB),
    Case("SMB2_02", "get", 1, 8 * MIB, 3, mbit=30),
    Case("SMB2_02", "mget", 30, 100 * KIB, 35, mbit=50),
    Case("SMB2_10", "get", 1, 16 * MIB, 35, server={"smb2 max read": 256 * KIB, "smb2 max credits": 32}),
    Case("SMB2_10", "put", 1, 16 * MIB, 15, window=MIB, server={"smb2 max write": 512 * KIB}),
    Case("SMB2_10", "get", 1, 16 * MIB, 35, server={"server signing": "mandatory"}),
    Case("SMB3_00", "get", 1, 32 * MIB, 35),
    Case("SMB3_00", "put", 1, 16 * MIB, 15, mbit=60),
    Case("SMB3_00", "mput", 50, 40 * KIB, 15),
    Case("SMB3_00", "mget", 20, 300 * KIB, 3, mbit=50),
    Case("SMB3_11", "get", 1, 8 * MIB, 35, mbit=20, server={"smb2 max read": 128 * KIB}),
    Case("SMB3_11", "put", 1, 32 * MIB, 35, server={"smb2 max credits": 100}),
    Case("SMB3_11", "get", 1, 16 * MIB, 15, window=512 * KIB, server={"smb2 max read": 128 * KIB}),
    Case("SMB3_00", "get", 1, 16 * MIB, 15, mbit=80, server=ENCRYPTED),
    Case("SMB3_00", "put", 1, 32 * MIB, 35, server=ENCRYPTED),
    Case("SMB3_11", "get", 1, 32 * MIB, 35, server=ENCRYPTED),
    Case("SMB3_11", "put", 1, 16 * MIB, 15, server={**ENCRYPTED, "smb2 max write": 128 * KIB}),
    Case("SMB3_11", "mput", 100, 4 * KIB, 3),
    Case("SMB3_11", "mput", 100, 1 * KIB, 3, mbit=2, server=ENCRYPTED),
    Case("SMB3_11", "mput", 100, 1 * KIB, 3, mbit=2),
    Case("SMB3_11", "put", 1, 8 * MIB, 15, mbit=30, server={"smb2 max write": 64 * KIB, "smb2 max credits": 16}),
)

# In smb-measured.csv (M089, M090, M093, M094), and bound by the processor.
KNOWN = (
    Case("NT1", "get", 1, 64 * MIB, 5), Case("NT1", "put", 1, 64 * MIB, 5),
    Case("SMB2_10", "get", 1, 64 * MIB, 5), Case("SMB2_10", "put", 1, 64 * MIB, 5),
)


def server_settings(case: Case) -> list[str]:
    settings = []
    for option, value in case.server.items():
        if option in OPTIONS:
            unit = " B" if option == "max xmit" else ""
            settings.append(f"{OPTIONS[option]}={value}{unit}")
            if option == "smb2 max credits":
                settings.append(f"server.server.credits_initial={value}")
        elif option in ("smb2 max read", "smb2 max write"):
            settings.append(f"server.server.max_io={value} B")
        elif option == "large readwrite":
            settings += ["server.server.large_reads=false", "server.server.large_writes=false"]
        elif option == "server signing":
            settings.append("server.server.signing=true")
        elif option == "server smb encrypt":
            settings.append("server.server.encryption=true")
        else:
            raise RuntimeError(f"no setting for {option}")
    return settings


def path_and_processor(case: Case, speed: float) -> list[str]:
    """The rates of ciphers and signatures are the sheet's: they were measured on a quiet core."""
    settings = [f"client.cpu.speed={speed:.3f}", *server_settings(case)]
    settings += [f"{end}.smb.algorithms.{name}={rate / speed:.5f} GB/s"
                 for end in ("client", "server") for name, rate in ALGORITHMS.items()]
    if case.mbit:
        settings.append(f"link.rate={case.mbit} Mbit/s")
    return settings


def measured(case: Case, folder: Path) -> tuple[float, list[float]]:
    """The round trip, and the seconds of each run, sorted."""
    nominal = case.round_trip_ms / 1e3
    limit = case.mbit * 1e6 / 8 if case.mbit else None
    options = tuple(f"{key} = {value}" for key, value in case.server.items())
    with tempfile.TemporaryDirectory(prefix="copysim-live-", dir=folder) as name:
        place = Path(name)
        place.chmod(0o755)
        local = place / "local"
        local.mkdir()
        with Server(place, options) as server:
            relay = Relay(server.port, nominal, limit)
            trips = [measured_round_trip(nominal, bytes_per_s=limit)]
            times = [copied(case, server, local, relay.port, server.login) for _ in range(live_smb.RUNS)]
            trips.append(measured_round_trip(nominal, bytes_per_s=limit))
            relay.close()
    return statistics.mean(trips), sorted(times)


def processor_speed(copysim: str, folder: Path) -> float:
    """How many times faster this machine works than the sheet's, from what is left beside the waiting."""
    speeds = []
    for case in KNOWN:
        round_trip, times = measured(case, folder)
        slow, free = (predicted(copysim, case, round_trip, *path_and_processor(case, speed)) for speed in (1.0, 100.0))
        speeds.append((slow - free) / max(statistics.median(times) - free, 0.01 * free))
    return statistics.median(speeds)


def judge(copysim: str, case: Case, folder: Path, speed: float) -> bool:
    round_trip, times = measured(case, folder)
    foreseen = predicted(copysim, case, round_trip, *path_and_processor(case, speed))
    error = foreseen / statistics.median(times) - 1
    holds = abs(error) <= TOLERANCE
    spread = f"{times[0]:.3f} .. {times[-1]:.3f}"
    print(f"{case}{round_trip * 1e3:8.2f} ms{statistics.median(times):9.3f} s  {spread:17}{foreseen:9.3f} s"
          f"{error:+8.1%}  {'holds' if holds else 'misses'}", flush=True)
    return holds


def main(copysim: str, names: list[str]) -> int:
    hurry()
    shm = Path("/dev/shm")
    folder = shm if shm.is_dir() else Path(tempfile.gettempdir())
    cases = [case for case in CASES if not names or any(name in str(case) for name in names)]
    if not cases:
        print(f"unseen-smb: no case has one of {', '.join(names)} in its name", file=sys.stderr)
        return 2
    try:
        speed = processor_speed(copysim, folder)
        print(f"processor: {speed:.1f} times that of the sheet epyc-vm", flush=True)
        holds = [judge(copysim, case, folder, speed) for case in cases]
    except RuntimeError as problem:
        print(f"unseen-smb: {problem}", file=sys.stderr)
        return 1
    print(f"{sum(holds)} of {len(holds)} predictions within {TOLERANCE:.0%}")
    return 0 if sum(holds) >= 0.9 * len(holds) else 1


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: unseen_smb.py COPYSIM [NAME...]")
    sys.exit(main(sys.argv[1], sys.argv[2:]))
