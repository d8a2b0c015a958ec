"""Engines for the tests, at the top level of a module so that other processes can import them."""

import os

import copysim


class XpRules(copysim.CopyPolicy):
    """The rules of Windows XP again: one read, then one write."""

    chunk: copysim.Bytes = 64 * copysim.KiB
    smb1_chunk: copysim.Bytes = 60 * copysim.KiB
    source_queries: int = 2

    async def copy(self, job: copysim.CopyJob) -> None:
        crosses_smb1 = "smb1" in (job.source_protocol, job.target_protocol)
        chunk = self.smb1_chunk if crosses_smb1 else self.chunk
        await job.query_target()
        async with await job.open_source(sequential=True) as source:
            for _ in range(self.source_queries):
                await job.query_source()
            async with await job.open_target(sequential=True) as target:
                await target.set_size(source.size)
                for offset in range(0, source.size, chunk):
                    data = await source.read(offset, min(chunk, source.size - offset))
                    await target.write(offset, data)
                    job.advanced(len(data))
                await target.set_times()


class SideBySide(copysim.CopyPolicy):
    """Several workers, each with every n-th chunk."""

    chunk: copysim.Bytes = 64 * copysim.KiB
    depth: int = 4

    async def work(self, job: copysim.CopyJob, source: copysim.File, target: copysim.File, first: int) -> None:
        for offset in range(first * self.chunk, source.size, self.depth * self.chunk):
            data = await source.read(offset, self.chunk)
            await target.write(offset, data)
            job.advanced(len(data))

    async def copy(self, job: copysim.CopyJob) -> None:
        async with await job.open_source() as source, await job.open_target() as target:
            await target.set_size(source.size)
            async with job.group() as group:
                for first in range(self.depth):
                    group.spawn(self.work(job, source, target, first))


class FailsInOneWorker(SideBySide):
    """One of its workers divides by zero."""

    async def work(self, job: copysim.CopyJob, source: copysim.File, target: copysim.File, first: int) -> None:
        await job.delay(0.5)
        if first == 2:
            raise ZeroDivisionError("of worker 2")
        await super().work(job, source, target, first)


class EndsOnceAllowed(XpRules):
    """Waits for a variable of the environment before it copies."""

    async def copy(self, job: copysim.CopyJob) -> None:
        while "COPYSIM_TEST_GO_ON" not in os.environ:
            await job.delay(1e-9)
        await super().copy(job)


class NeverEnds(copysim.CopyPolicy):
    """Waits for ever, a nanosecond at a time."""

    async def copy(self, job: copysim.CopyJob) -> None:
        while True:
            await job.delay(1e-9)


class ComputesForEver(copysim.CopyPolicy):
    """Never awaits anything."""

    async def copy(self, job: copysim.CopyJob) -> None:
        while True:
            pass


class KillsItsProcess(SideBySide):
    """The process that copies with a depth of 3 dies, as when memory runs out."""

    async def copy(self, job: copysim.CopyJob) -> None:
        if self.depth == 3:
            os._exit(1)
        await super().copy(job)


class LeavesHalf(copysim.CopyPolicy):
    """Copies the first half only, and says nothing."""

    async def copy(self, job: copysim.CopyJob) -> None:
        async with await job.open_source() as source, await job.open_target() as target:
            await target.write(0, await source.read(0, source.size // 2))
