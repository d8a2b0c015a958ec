"""The workloads of kernel_bench.cpp in SimPy; prints the same CSV (workload,system,ns)."""

import random
import sys
import time

import simpy

TABLE = 65_536


def increments(mean):
    """Yields exponential increments from a table, so that drawing them is not measured."""
    source = random.Random(1)
    table = [source.expovariate(1 / mean) for _ in range(TABLE)]
    at = 0
    while True:
        yield table[at]
        at = (at + 1) % TABLE


def measured(count, work):
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1e9 / count


def hold(pending, events):
    env = simpy.Environment()
    step = increments(1.0)
    left = [events // 10]
    done = [env.event()]

    def process():
        while True:
            yield env.timeout(next(step))
            left[0] -= 1
            if left[0] == 0:
                done[0].succeed()

    for _ in range(pending):
        env.process(process())
    env.run(until=done[0])
    left[0], done[0] = events, env.event()
    return measured(events, lambda: env.run(until=done[0]))


def mm1(customers):
    env = simpy.Environment()
    server = simpy.Resource(env, capacity=1)

    def customer(service):
        with server.request() as request:
            yield request
            yield env.timeout(service)

    def arrivals(count):
        gaps, services = increments(1 / 0.8), increments(1.0)
        for _ in range(count):
            yield env.timeout(next(gaps))
            env.process(customer(next(services)))

    env.run(until=env.process(arrivals(customers // 10)))
    return measured(customers, lambda: env.run(until=env.process(arrivals(customers))))


def ping_pong(turns):
    env = simpy.Environment()
    turn = [env.event(), env.event()]

    def player(own):
        for _ in range(turns // 2):
            yield turn[own]
            turn[own] = env.event()
            yield env.timeout(1)
            turn[1 - own].succeed()

    env.process(player(0))
    last = env.process(player(1))
    turn[0].succeed()
    return measured(turns, lambda: env.run(until=last))


def main():
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    for pending in (10, 1000):
        print(f"hold-{pending},simpy,{hold(pending, events):.2f}", flush=True)
    print(f"mm1,simpy,{mm1(events):.2f}", flush=True)
    print(f"ping-pong,simpy,{ping_pong(events):.2f}", flush=True)


if __name__ == "__main__":
    main()
