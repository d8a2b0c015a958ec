"""Compares an engine of one's own with those of Windows, at two round-trip times."""

import copysim


class Ordered(copysim.CopyPolicy):
    """One read, then one write, in large pieces."""

    chunk: copysim.Bytes = 1 * copysim.MiB

    async def copy(self, job: copysim.CopyJob) -> None:
        async with await job.open_source(sequential=True) as source:
            async with await job.open_target(sequential=True) as target:
                await target.set_size(source.size)
                for offset in range(0, source.size, self.chunk):
                    data = await source.read(offset, self.chunk)
                    await target.write(offset, data)
                    job.advanced(len(data))


def main() -> None:
    frame = copysim.sweep(
        "apc/vista-to-xp",
        {"policy": ["xp", "vista-sp1", Ordered, Ordered(chunk=4 * copysim.MiB)], "link.rtt": ["0.2 ms", "20 ms"]},
        replications=2,
        set={"workloads.single.size": "64 MiB"},
    )
    print(frame.groupby(["policy", "link.rtt"])["elapsed_s"].mean())


if __name__ == "__main__":
    main()
