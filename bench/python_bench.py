"""What Python costs: a sweep on threads beside processes, time per point, memory over many runs.

    bench/python_bench.py [--rounds N] [--points N] [--runs N] [--check]

Needs the package `copysim` on its path. Threads and processes do the same points in turn, round after
round, so that they meet the same disturbances; medians over the rounds are compared. With --check the
exit status is 1 when a bound does not hold.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import time

import copysim

SCENARIO = "apc/vista-to-xp"
SHORT = {"workloads.single.size": "64 KiB", "run.replications": 1}
# Two threads reach this part of what two independent processes reach; Python's own time for a point;
# how much the memory of the process may grow over all runs.
LEAST_OF_PROCESSES = 0.95
MOST_US_PER_POINT = 50.0
MOST_GROWTH_KIB = 2048


class Ordered(copysim.CopyPolicy):
    """One read, then one write."""

    async def copy(self, job: copysim.CopyJob) -> None:
        async with await job.open_source() as source, await job.open_target() as target:
            data = await source.read(0, source.size)
            await target.write(0, data)


def round_trip_times(first, last):
    return {"link.rtt": [f"{100 + i} us" for i in range(first, last)]}


def sweep(first, last, workers):
    frame = copysim.sweep(SCENARIO, round_trip_times(first, last), set=SHORT, workers=workers, progress=False)
    assert len(frame) == last - first and frame["failure"].isna().all()


def child(first, last):
    """Sweeps when told to on standard input, and says when it is done."""
    sweep(first, first + 2, 1)
    print("ready", flush=True)
    sys.stdin.readline()
    sweep(first, last, 1)
    print("done", flush=True)


def seconds_of_processes(points):
    """From the signal to two processes until both have done their half."""
    half = points // 2
    processes = [subprocess.Popen([sys.executable, __file__, "--child", str(first), str(last)], text=True,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                 for first, last in ((0, half), (half, points))]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    started = time.perf_counter()
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        assert process.stdout.readline() == "done\n"
    elapsed = time.perf_counter() - started
    for process in processes:
        process.communicate()
    return elapsed


def seconds_of_threads(points):
    """The same on two threads, and the processor time that the thread with Python used."""
    started, used = time.perf_counter(), time.thread_time()
    sweep(0, points, 2)
    return time.perf_counter() - started, time.thread_time() - used


def resident_kib():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


def growth_kib(runs):
    """How much resident memory grows over many runs, with built-in engines and one in Python."""
    def some(count):
        for i in range(count):
            copysim.run(SCENARIO, policy=Ordered if i % 10 == 0 else "xp", set={**SHORT, "run.seed": i}, workers=1)

    some(runs // 10)
    before = resident_kib()
    some(runs)
    return resident_kib() - before


def report(holds, text):
    print(f"{'holds' if holds else 'MISSES':<8}{text}", flush=True)
    return holds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--points", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--check", action="store_true", help="exit 1 when a bound does not hold")
    parser.add_argument("--child", nargs=2, type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(*options.child)
        return 0

    sweep(0, 10, 2)
    threads, python, ratios = [], [], []
    for done in range(options.rounds):
        print(f"round {done + 1} of {options.rounds}", file=sys.stderr, flush=True)
        # In turn the first, so that what else the machine does meets both.
        alone = seconds_of_processes(options.points) if done % 2 else None
        elapsed, used = seconds_of_threads(options.points)
        ratios.append((alone or seconds_of_processes(options.points)) / elapsed)
        threads.append(elapsed)
        python.append(used / options.points * 1e6)
    ratio, added = statistics.median(ratios), statistics.median(python)
    print(f"\nPython: a sweep of {options.points} short runs, {statistics.median(threads):.2f} s on two threads")
    all_hold = report(ratio >= LEAST_OF_PROCESSES,
                      f"two threads reach {ratio:.2f} of two processes (rounds {min(ratios):.2f} to {max(ratios):.2f}) "
                      f">= {LEAST_OF_PROCESSES}")
    all_hold &= report(added < MOST_US_PER_POINT, f"Python adds {added:.0f} us per point < {MOST_US_PER_POINT:.0f} us")
    growth = growth_kib(options.runs)
    all_hold &= report(growth < MOST_GROWTH_KIB,
                       f"memory grows by {growth} KiB over {options.runs} runs < {MOST_GROWTH_KIB} KiB")
    return 1 if options.check and not all_hold else 0


if __name__ == "__main__":
    sys.exit(main())
