"""Compares the JSON of copysim from three builds, byte for byte: g++ -O0 (with sanitizers), g++ -O2
and clang++ -O2. A run is a function of scenario and seed alone, whatever compiled it.

The builds of the presets `dev`, `release` and `clang` must exist.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BUILD = Path(__file__).resolve().parents[2] / "build"
PROGRAMS = {"g++ -O2": BUILD / "release", "clang++ -O2": BUILD / "clang", "g++ -O0": BUILD / "dev"}
# Between them: both engines that write most differently, every medium and both dialects, random
# starts of the rotation, one file and many.
RUNS = (
    ("apc/vista-to-xp", "--policy", "vista-rtm"),
    ("apc/vista-to-xp", "--policy", "vista-sp1", "--set", "copy.direction=write"),
    ("apc/vista-to-vista", "--policy", "vista-sp1", "--set", "workload=multi"),
    ("apc/disk-to-disk", "--policy", "xp", "--seed", "7"),
    ("apc/vista-to-usb", "--policy", "vista-rtm", "--replications", "2"),
)


def output(program: Path, run: tuple[str, ...]) -> bytes:
    finished = subprocess.run([program / "bin" / "copysim", "run", *run, "--format", "json"],
                              check=False, capture_output=True)
    if finished.returncode != 0 or not finished.stdout:
        raise SystemExit(f"{program.name}: copysim run {' '.join(run)} ended with status "
                         f"{finished.returncode}: {finished.stderr.decode(errors='replace')}")
    return finished.stdout


def main() -> int:
    differ = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        started = [{name: pool.submit(output, program, run) for name, program in PROGRAMS.items()}
                   for run in RUNS]
    for run, running in zip(RUNS, started):
        outputs = {name: each.result() for name, each in running.items()}
        first = next(iter(outputs))
        others = [name for name, text in outputs.items() if text != outputs[first]]
        differ += bool(others)
        verdict = f"differs between {first} and {', '.join(others)}" if others else "identical"
        print(f"copysim run {' '.join(run)}: {verdict}")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
