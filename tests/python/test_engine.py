"""Copy engines in Python."""

import gc
import threading
import traceback
from datetime import timedelta

import pytest
from engines import FailsInOneWorker, NeverEnds, SideBySide, XpRules

import copysim

SMALL = {"workloads.single.size": "8 MiB", "run.replications": 2}
# An engine in Python has no home system; xp's is the one of the same name.
XP = {"client.system": "xp"}


@pytest.mark.parametrize("scenario, settings", [
    ("apc/vista-to-xp", {}),
    ("apc/vista-to-xp", {"copy.direction": "write"}),
    ("apc/disk-to-disk", {}),
    ("apc/vista-to-usb", {"workloads.single.size": "32 MiB"}),
    ("rus/many-files", {}),
])
def test_the_rules_of_xp_in_python_take_as_long_as_in_cpp_to_the_nanosecond(scenario, settings):
    in_cpp = copysim.run(scenario, policy="xp", set={**XP, **settings}, replications=2)
    in_python = copysim.run(scenario, policy=XpRules, set={**XP, **settings}, replications=2)

    # Float seconds of up to 100 days tell every nanosecond apart; all counters agree too.
    assert in_python.samples == in_cpp.samples


def test_parameters_are_settings_with_units_and_keyword_arguments():
    by_argument = copysim.run("apc/vista-to-xp", policy=SideBySide(chunk=256 * copysim.KiB, depth=2), set=SMALL)
    by_setting = copysim.run("apc/vista-to-xp", policy=SideBySide,
                             set={**SMALL, "policy.chunk": "256 KiB", "policy.depth": 2})

    assert by_argument == by_setting
    assert by_argument.settings["policy.chunk"].value == "256 KiB"
    with pytest.raises(ValueError, match="policy.chunk needs a unit"):
        copysim.run("apc/vista-to-xp", policy=SideBySide, set={"policy.chunk": 4096})
    with pytest.raises(ValueError, match="unknown key 'policy.dept'; did you mean 'policy.depth'"):
        copysim.run("apc/vista-to-xp", policy=SideBySide, set={"policy.dept": 4})
    with pytest.raises(ValueError, match="unknown parameter 'dept'"):
        SideBySide(dept=4)


def test_arguments_of_engines_may_have_a_unit_and_parameters_need_a_default():
    assert SideBySide(chunk="256 KiB") == SideBySide(chunk=256 * copysim.KiB)

    class WithoutDefault(copysim.CopyPolicy):
        chunk: copysim.Bytes

    with pytest.raises(TypeError, match="WithoutDefault.chunk must have a default"):
        WithoutDefault()

    class TextAsDefault(copysim.CopyPolicy):
        chunk: copysim.Bytes = "64 KiB"  # type: ignore[assignment]

    with pytest.raises(TypeError, match="TextAsDefault.chunk must be a number in bytes"):
        TextAsDefault()


class WaitsAMoment(copysim.CopyPolicy):
    """Waits before it copies."""

    moment: str = "5 ms"

    async def copy(self, job: copysim.CopyJob) -> None:
        before = job.now()
        await job.delay(self.moment)
        await job.delay(timedelta(milliseconds=5))
        await job.delay(0.005)
        assert job.now() - before == pytest.approx(0.015)


@pytest.mark.filterwarnings("ignore::copysim.DamagedCopy")  # its engine copies nothing
def test_a_delay_is_seconds_or_a_timedelta_or_has_a_unit():
    copysim.run("apc/vista-to-xp", policy=WaitsAMoment, set=SMALL)
    with pytest.raises(copysim.EngineError, match="needs a unit"):
        copysim.run("apc/vista-to-xp", policy=WaitsAMoment(moment="5"), set=SMALL)


def test_work_side_by_side_is_faster_over_a_slow_link():
    slow = {**SMALL, "link.rtt": "20 ms", "run.replications": 1}
    one = copysim.run("apc/vista-to-xp", policy=SideBySide(depth=1), set=slow)
    four = copysim.run("apc/vista-to-xp", policy=SideBySide(depth=4), set=slow)

    assert four.counters["damaged_files"] == 0
    assert four.elapsed < one.elapsed


def test_an_error_has_its_own_traceback_and_the_simulated_time():
    with pytest.raises(copysim.EngineError) as error:
        copysim.run("apc/vista-to-xp", policy=FailsInOneWorker, set=SMALL)

    cause = error.value.__cause__
    assert isinstance(cause, ZeroDivisionError)
    frames = [frame.name for frame in traceback.extract_tb(cause.__traceback__)]
    assert "work" in frames and "copy" in frames
    # The workers wait for half a second after the files are open.
    assert 0.5 < error.value.simulated_time < 1
    assert str(error.value).startswith("fails-in-one-worker: copying file-1 failed at 0.5")
    assert str(error.value).endswith("ZeroDivisionError: of worker 2")


class AsksForTooMuch(copysim.CopyPolicy):
    """Sets a size that no volume has."""

    async def copy(self, job: copysim.CopyJob) -> None:
        async with await job.open_source(), await job.open_target() as target:
            await target.set_size(1 << 60)


class RunsOn(AsksForTooMuch):
    """Catches the failure."""

    async def copy(self, job: copysim.CopyJob) -> None:
        with pytest.raises(copysim.IoFailure) as failure:
            await super().copy(job)
        assert failure.value.status == "disk full"


@pytest.mark.filterwarnings("ignore::copysim.DamagedCopy")  # its engine copies nothing
def test_a_simulated_failure_is_an_outcome_that_an_engine_may_catch():
    local = {**SMALL, "client.system": "xp"}
    failed = copysim.run("apc/disk-to-disk", policy=AsksForTooMuch, set=local, replications=1)
    caught = copysim.run("apc/disk-to-disk", policy=RunsOn, set=local, replications=1)

    assert failed.failure == "disk full"
    assert caught.failure is None
    assert caught.counters["damaged_files"] == 1  # it copied nothing


class AwaitsSomethingElse(copysim.CopyPolicy):
    """Awaits what is no operation."""

    async def copy(self, job: copysim.CopyJob) -> None:
        import asyncio

        await asyncio.sleep(0)


class LeavesOpen(copysim.CopyPolicy):
    """Forgets to close."""

    async def copy(self, job: copysim.CopyJob) -> None:
        await job.open_source()


class KeepsFile(copysim.CopyPolicy):
    """Reads from a file that is closed."""

    async def copy(self, job: copysim.CopyJob) -> None:
        async with await job.open_source() as source:
            pass
        await source.read(0, 1)


class NoCoroutine(copysim.CopyPolicy):
    """Is not async."""

    def copy(self, job):  # type: ignore[override]
        return 5


@pytest.mark.parametrize("engine, text", [
    (AwaitsSomethingElse, "may await only the operations of its job"),
    (LeavesOpen, "the source was left open"),
    (KeepsFile, "the source is closed"),
    (NoCoroutine, "works in coroutines"),
    (copysim.CopyPolicy, "must define"),
])
def test_a_misuse_is_told(engine, text):
    engine.id = engine.id or "nothing"
    with pytest.raises(copysim.EngineError, match=text):
        copysim.run("apc/vista-to-xp", policy=engine, set=SMALL, workers=1)


class Collects(SideBySide):
    """Runs the garbage collector wherever it can."""

    async def work(self, job: copysim.CopyJob, source: copysim.File, target: copysim.File, first: int) -> None:
        gc.collect()
        cycle = [job, source, target]
        cycle.append(cycle)
        await super().work(job, source, target, first)
        gc.collect()


def test_the_garbage_collector_may_run_while_an_engine_is_in_use():
    stop = threading.Event()

    def collect() -> None:
        while not stop.is_set():
            gc.collect()

    other = threading.Thread(target=collect)
    other.start()
    try:
        result = copysim.run("apc/vista-to-xp", policy=Collects(), set=SMALL)
    finally:
        stop.set()
        other.join()

    plain = copysim.run("apc/vista-to-xp", policy=SideBySide(), set=SMALL)
    assert result.samples == plain.samples


def test_several_threads_may_run_at_the_same_time():
    results: list[copysim.Result] = []

    def work(policy: str | type[copysim.CopyPolicy]) -> None:
        results.append(copysim.run("apc/vista-to-xp", policy=policy, set={**SMALL, **XP}, workers=2))

    threads = [threading.Thread(target=work, args=(policy,)) for policy in ("xp", XpRules, XpRules, "xp")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(results) == 4
    assert all(result.samples == results[0].samples for result in results)


def test_engines_are_values():
    assert SideBySide(depth=2) == SideBySide(depth=2)
    assert SideBySide(depth=2) != SideBySide(depth=3)
    assert hash(SideBySide(depth=2)) == hash(SideBySide(depth=2))
    assert repr(SideBySide(depth=2)) == "SideBySide(chunk=65536, depth=2)"
    assert SideBySide.id == "side-by-side"
    assert NeverEnds.id == "never-ends"
