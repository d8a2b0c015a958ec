"""Compares the kernel with bare queues and with SimPy in one run, and says whether the bounds hold.

    bench/run.py BINARY | --build-dir DIR   [--rounds N] [--events N] [--python EXE] [--check]
                 [--traces FOLDER]

The traffic of each scenario over a network is played back on its link in bursts and in packets.
With FOLDER (or COPYSIM_DRIVE_TRACES) a measured drive's model serves its trace over and over too.
Both programs run in turn, round after round, so that they meet the same disturbances; medians over
the rounds are compared. With --check the exit status is 1 when a bound does not hold.
"""

import argparse
import collections
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent

# A unit of work, and how often copysim must be faster than SimPy at it.
WORKLOADS = {
    "hold-10": ("event", 12),
    "hold-1000": ("event", 12),
    "mm1": ("customer", 50),
    "ping-pong": ("hand-off", 20),
}
SYSTEMS = ["bare-heap", "priority-queue", "copysim", "simpy"]
# copysim may take this many times the bare heap, and so many ns more for each of its events.
HEAP_FACTOR, HEAP_NS_PER_EVENT = 2.5, 10.0
# Requests per second of processor time that a drive's model must serve (DiskSim: about 72,000).
LEAST_REQUESTS = 1e6
# Packets must cost so many times what bursts do over the catalogue; with one scenario as often as a
# message has frames, if fewer.
TIMES_BURSTS = 10


def lines(command):
    """Runs a benchmark program and yields its CSV lines as (workload, system, value)."""
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    for line in output.splitlines():
        workload, system, value = line.split(",")
        yield workload, system, float(value)


def measure(binary, python, rounds, events):
    """Returns the median of each (workload, system)."""
    samples = collections.defaultdict(list)
    for done in range(rounds):
        print(f"round {done + 1} of {rounds}", file=sys.stderr, flush=True)
        programs = (
            [str(binary), str(events)],
            [python, str(HERE / "simpy_bench.py"), str(max(events // 20, 1000))],
        )
        for program in programs:
            for workload, system, value in lines(program):
                samples[workload, system].append(value)
    return {key: statistics.median(values) for key, values in samples.items()}


def report(medians):
    """Prints the table and the bounds; returns whether all bounds hold."""
    print(f"{'ns per unit of work':<22}" + "".join(f"{system:>16}" for system in SYSTEMS))
    for workload, (unit, _) in WORKLOADS.items():
        row = "".join(f"{medians[workload, system]:>16.1f}" for system in SYSTEMS)
        print(f"{workload + ' (' + unit + ')':<22}{row}")

    print("\nBounds")
    all_hold = True
    for workload, (unit, times_simpy) in WORKLOADS.items():
        ours = medians[workload, "copysim"]
        heap = medians[workload, "bare-heap"]
        events = medians[workload, "copysim-events"]
        most = HEAP_FACTOR * heap + HEAP_NS_PER_EVENT * events
        faster = medians[workload, "simpy"] / ours
        for holds, text in (
            (
                ours <= most,
                f"{ours:.1f} ns <= {HEAP_FACTOR} x {heap:.1f} + {HEAP_NS_PER_EVENT:.0f} x "
                f"{events:.1f} events = {most:.1f} ns  ({ours / heap:.1f} x the bare heap)",
            ),
            (faster >= times_simpy, f"{faster:.0f} x SimPy >= {times_simpy} x"),
        ):
            print(f"{'holds' if holds else 'MISSES':<8}{workload:<12}{text}")
            all_hold = all_hold and holds
    return all_hold


def report_drive(binary, traces, rounds):
    """Serves a drive's trace and prints requests per second; returns whether the bound holds."""
    if not traces:
        print("\nDrive: not measured, COPYSIM_DRIVE_TRACES names no folder with traces")
        return True
    samples = collections.defaultdict(list)
    for _ in range(rounds):
        for _workload, system, value in lines([str(binary), traces]):
            samples[system].append(value)
    timing, device = (statistics.median(samples[name]) for name in ("timing", "device"))
    print("\nRequests per second of one processor, trace of a Cheetah 9LP repeated (DiskSim: about 72,000)")
    print(f"{'request timing alone':<44}{timing:>12,.0f}")
    print(f"{'device with queue, events and counters':<44}{device:>12,.0f}")
    holds = device >= LEAST_REQUESTS
    print(f"{'holds' if holds else 'MISSES':<8}device      {device:,.0f} >= {LEAST_REQUESTS:,.0f}")
    return holds


def report_links(binary):
    """Plays each scenario's traffic back on its link; returns whether bursts are cheap enough."""
    found = collections.defaultdict(dict)
    for scenario, level, value in lines([str(binary)]):
        found[scenario][level] = value
    print("\nns per message of each scenario's traffic on its link alone, and in the whole copy")
    print(f"{'':<22}{'frames':>8}{'packets':>9}{'bursts':>9}{'ratio':>8}{'copy: packets':>16}{'bursts':>9}")
    all_hold = True
    whole = found.pop("all")
    for scenario, of in found.items():
        bound = min(TIMES_BURSTS, of["frames"])
        holds = of["ratio"] >= bound
        all_hold = all_hold and holds
        print(f"{scenario:<22}{of['frames']:>8.1f}{of['packet']:>9.0f}{of['burst']:>9.0f}{of['ratio']:>8.1f}"
              f"{of['run-packet']:>16.0f}{of['run-burst']:>9.0f}  {'holds' if holds else 'MISSES'} >= {bound:.1f}")
    holds = whole["ratio"] >= TIMES_BURSTS
    print(f"{'all':<22}{'':>8}{whole['packet']:>9.0f}{whole['burst']:>9.0f}{whole['ratio']:>8.1f}"
          f"{'':>25}  {'holds' if holds else 'MISSES'} >= {TIMES_BURSTS:.1f}")
    return all_hold and holds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", nargs="?", type=pathlib.Path, help="copysim_bench")
    parser.add_argument("--build-dir", type=pathlib.Path, help="instead: where it was built")
    parser.add_argument("--python", default=sys.executable, help="a Python that has SimPy")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--events", type=int, default=2_000_000, help="per workload and round")
    parser.add_argument("--traces", default=os.environ.get("COPYSIM_DRIVE_TRACES"),
                        help="folder with a Cheetah 9LP's DiskSim files and trace")
    parser.add_argument("--check", action="store_true", help="exit 1 when a bound does not hold")
    options = parser.parse_args()
    if (options.binary is None) == (options.build_dir is None):
        parser.error("give either the program or --build-dir")
    binary = options.binary or options.build_dir / "bin" / "copysim_bench"

    holds = report(measure(binary, options.python, options.rounds, options.events))
    holds = report_drive(binary.with_name("copysim_disk_bench"), options.traces, options.rounds) and holds
    holds = report_links(binary.with_name("copysim_link_bench")) and holds
    return 1 if options.check and not holds else 0


if __name__ == "__main__":
    sys.exit(main())
