"""Sweeps: the frame, where they run, what fails, and going on after an interruption."""

import concurrent.futures
import itertools
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pandas as pd
import pytest
from engines import (
    ComputesForEver,
    EndsOnceAllowed,
    FailsInOneWorker,
    KillsItsProcess,
    LeavesHalf,
    NeverEnds,
    SideBySide,
)

import copysim

SMALL = {"workloads.single.size": "2 MiB"}
VARY = {"policy": ["xp", SideBySide, SideBySide(depth=2)], "link.rtt": ["0.2 ms", "5 ms"]}


def small_sweep(**options):
    return copysim.sweep("apc/vista-to-xp", VARY, replications=2, set=SMALL, progress=False, **options)


def test_a_sweep_is_a_tidy_frame_with_a_row_per_point_and_replication():
    frame = small_sweep()

    # 3 engines x 2 round trip times x 2 replications, the last key fastest.
    assert list(frame[["policy", "link.rtt", "replication"]].itertuples(index=False, name=None)) == list(
        itertools.product(["xp", "side-by-side", "SideBySide(chunk=65536, depth=2)"], ["0.2 ms", "5 ms"], [0, 1]))
    assert frame["failure"].isna().all()
    for name in ("elapsed_s", "durable_s", "throughput_bytes_per_s", "link.wire_bytes"):
        assert frame[name].dtype == np.float64


def test_a_point_of_a_sweep_is_the_run_of_its_settings():
    frame = small_sweep()
    alone = copysim.run("apc/vista-to-xp", policy=SideBySide(depth=2), replications=2, set={**SMALL, "link.rtt": "5 ms"})

    point = frame[(frame["policy"] == "SideBySide(chunk=65536, depth=2)") & (frame["link.rtt"] == "5 ms")]
    assert list(point["elapsed_s"]) == [sample.elapsed for sample in alone.samples]


def test_the_number_of_threads_changes_no_bit():
    frames = [small_sweep(workers=workers) for workers in (1, 2, 7)]

    pd.testing.assert_frame_equal(frames[0], frames[1], check_exact=True)
    pd.testing.assert_frame_equal(frames[0], frames[2], check_exact=True)


def test_processes_that_were_spawned_give_the_same_bits():
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as executor:
        frame = small_sweep(executor=executor)

    pd.testing.assert_frame_equal(frame, small_sweep(), check_exact=True)


def test_a_pool_of_python_threads_gives_the_same_bits():
    with concurrent.futures.ThreadPoolExecutor(3) as executor:
        frame = small_sweep(executor=executor)

    pd.testing.assert_frame_equal(frame, small_sweep(), check_exact=True)


@pytest.mark.filterwarnings("default")
def test_a_dask_cluster_of_two_processes_gives_the_same_bits():
    distributed = pytest.importorskip("distributed")

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            assert len(client.scheduler_info()["workers"]) == 2
            frame = small_sweep(executor=client.get_executor())

    pd.testing.assert_frame_equal(frame, small_sweep(), check_exact=True)


def test_a_point_that_fails_is_told_in_its_row():
    frame = copysim.sweep("apc/vista-to-xp", {"policy": ["xp", FailsInOneWorker], "link.rtt": ["1 ms", "1", "2 ms"]},
                          replications=1, set=SMALL, progress=False)

    told = dict(zip(zip(frame["policy"], frame["link.rtt"]), frame["failure"]))
    assert told["xp", "1 ms"] is None and told["xp", "2 ms"] is None
    assert "link.rtt needs a unit" in told["xp", "1"]
    assert "ZeroDivisionError: of worker 2" in told["fails-in-one-worker", "2 ms"]
    assert frame.loc[frame["failure"].notna(), "elapsed_s"].isna().all()


def test_a_wrong_key_or_unit_shows_before_anything_runs():
    with pytest.raises(ValueError, match="command line: unknown key 'lnk.rtt'; did you mean 'link.rtt'"):
        copysim.sweep("apc/vista-to-xp", {"lnk.rtt": ["1 ms"]})
    with pytest.raises(ValueError, match="command line: link.rtt needs a unit"):
        copysim.sweep("apc/vista-to-xp", {"link.rtt": [1, 2]})
    with pytest.raises(ValueError, match="must have at least one value"):
        copysim.sweep("apc/vista-to-xp", {"link.rtt": []})


def test_progress_counts_the_points():
    seen = []
    copysim.sweep("apc/vista-to-xp", VARY, replications=1, set=SMALL,
                  progress=lambda done, total: seen.append((done, total)))

    assert seen[0] == (0, 6) and seen[-1] == (6, 6)
    assert seen == sorted(seen)


def test_parameters_of_an_engine_in_python_can_be_varied():
    frame = copysim.sweep("apc/vista-to-xp", {"policy.depth": [1, 2, 4], "policy": [SideBySide]}, replications=1,
                          set={**SMALL, "link.rtt": "20 ms"}, progress=False)

    alone = [copysim.run("apc/vista-to-xp", policy=SideBySide(depth=depth), replications=1,
                         set={**SMALL, "link.rtt": "20 ms"}).elapsed for depth in (1, 2, 4)]
    assert list(frame["elapsed_s"]) == alone


def test_a_sweep_becomes_an_array():
    pytest.importorskip("xarray")
    frame = small_sweep()

    array = copysim.to_xarray(frame)

    assert dict(array.sizes) == {"policy": 3, "link.rtt": 2, "replication": 2}
    value = array["elapsed_s"].sel({"policy": "xp", "link.rtt": "5 ms", "replication": 1}).item()
    assert value == frame[(frame.policy == "xp") & (frame["link.rtt"] == "5 ms")]["elapsed_s"].iloc[1]


def interrupt_in(seconds):
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()


@pytest.mark.parametrize("endless", [NeverEnds, ComputesForEver])
def test_ctrl_c_ends_a_sweep_within_a_second_and_returns_what_is_finished(endless):
    interrupt_in(3)
    started = time.monotonic()
    with pytest.warns(copysim.SweepInterrupted, match="1 of 2 points"):
        frame = copysim.sweep("apc/vista-to-xp", {"policy": ["xp", endless]}, replications=1, set=SMALL, workers=2)

    assert 3 <= time.monotonic() - started < 4
    assert list(frame["policy"]) == ["xp"]


def test_ctrl_c_ends_a_long_single_simulation_within_a_second():
    # 126 million requests of 512 bytes take minutes to simulate.
    program = ("import copysim, os, signal, threading, time\n"
               "threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
               "started = time.monotonic()\n"
               "try:\n"
               "    copysim.run('apc/vista-to-xp', policy='xp', replications=1, set={'link.rtt': '1 us',\n"
               "        'workloads.single.size': '60 GiB', 'policy.smb1_chunk': '512 B'})\n"
               "except KeyboardInterrupt:\n"
               "    print(time.monotonic() - started)\n")
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)

    assert 1.0 <= float(done.stdout) < 2.0


def test_a_sweep_goes_on_from_its_saved_part(tmp_path, monkeypatch):
    saved = tmp_path / "sweep.jsonl"
    vary = {"policy": ["xp", EndsOnceAllowed]}
    counts = []
    interrupt_in(3)
    with pytest.warns(copysim.SweepInterrupted):
        copysim.sweep("apc/vista-to-xp", vary, replications=2, set=SMALL, workers=3, save=saved)  # two never end
    monkeypatch.setenv("COPYSIM_TEST_GO_ON", "1")
    frame = copysim.sweep("apc/vista-to-xp", vary, replications=2, set=SMALL, save=saved,
                          progress=lambda done, total: counts.append(done))

    assert counts[0] == 1  # xp was there already
    assert list(frame["policy"]) == ["xp", "xp", "ends-once-allowed", "ends-once-allowed"]
    fresh = copysim.sweep("apc/vista-to-xp", {"policy": ["xp"]}, replications=2, set=SMALL, progress=False)
    np.testing.assert_array_equal(frame["elapsed_s"][:2], fresh["elapsed_s"])


def test_a_saved_sweep_is_read_back_to_the_same_bits(tmp_path):
    saved = tmp_path / "sweep.jsonl"
    first = small_sweep(save=saved)
    saved.write_text(saved.read_text() + '{"point": ["xp", "9')  # cut off by a crash
    counts = []

    again = copysim.sweep("apc/vista-to-xp", VARY, replications=2, set=SMALL, save=saved,
                          progress=lambda done, total: counts.append(done))

    assert counts == [6]
    pd.testing.assert_frame_equal(again, first, check_exact=True)


def edited(reads):
    class Edited(copysim.CopyPolicy):
        """One engine, whose author changes how it reads."""

        async def copy(self, job):
            async with await job.open_source() as source, await job.open_target() as target:
                for offset in range(0, source.size, reads):
                    await target.write(offset, await source.read(offset, reads))

    return Edited


@pytest.mark.parametrize("how", ["save", "resume"])
def test_points_of_an_engine_that_was_edited_since_are_not_taken_for_new_ones(tmp_path, how):
    saved = tmp_path / "sweep.jsonl"

    def mine(engine, **options):
        return copysim.sweep("apc/disk-to-disk", {"policy": [engine]}, replications=1, set=SMALL, progress=False,
                             **options)

    first = mine(edited(64 * copysim.KiB), save=saved)
    options = {"save": saved} if how == "save" else {"resume": first}
    # The same code, made anew as when a notebook is run again, goes on.
    pd.testing.assert_frame_equal(mine(edited(64 * copysim.KiB), **options), first, check_exact=True)
    with pytest.raises(ValueError, match=f"{how} must be .* of the same sweep.* code of the engines"):
        mine(edited(1 * copysim.MiB), **options)


def test_a_worker_process_that_dies_is_told_in_the_rows_of_its_points():
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as executor:
        frame = copysim.sweep("apc/disk-to-disk", {"policy": ["xp", KillsItsProcess(depth=3)]}, replications=2,
                              set=SMALL, progress=False, executor=executor)

    # A dead process ends the whole pool, but what was done before is kept.
    assert frame["failure"][0] is None and frame["elapsed_s"][0] > 0
    assert frame["failure"].iloc[-1].startswith("BrokenProcessPool: ")
    assert np.isnan(frame["elapsed_s"].iloc[-1])


def test_a_sweep_of_which_no_point_could_run_raises_what_its_workers_raised():
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as executor:
        with pytest.raises(concurrent.futures.process.BrokenProcessPool):
            copysim.sweep("apc/disk-to-disk", {"policy": [KillsItsProcess(depth=3)]}, set=SMALL, progress=False,
                          executor=executor)


def test_an_engine_that_leaves_bytes_out_is_warned_of():
    with pytest.warns(copysim.DamagedCopy, match="'leaves-half' left files .* in 2 of 4 runs: file-1"):
        frame = copysim.sweep("apc/disk-to-disk", {"policy": [LeavesHalf, "xp"]}, replications=2, set=SMALL,
                              progress=False)
    assert frame["damaged_files"].tolist() == [1, 1, 0, 0]
    with pytest.warns(copysim.DamagedCopy, match="'leaves-half' left files that differ from their sources: file-1"):
        result = copysim.run("apc/disk-to-disk", policy=LeavesHalf, set=SMALL)
    assert result.damaged == ("file-1",)
    assert "damaged files                 file-1" in repr(result)


def test_a_frame_can_be_passed_to_go_on():
    part = copysim.sweep("apc/vista-to-xp", {**VARY, "link.rtt": ["5 ms"]}, replications=2, set=SMALL, progress=False)
    counts = []

    frame = copysim.sweep("apc/vista-to-xp", VARY, replications=2, set=SMALL, resume=part,
                          progress=lambda done, total: counts.append(done))

    assert counts[0] == 3
    pd.testing.assert_frame_equal(frame, small_sweep(), check_exact=True)


def test_a_file_or_frame_of_another_sweep_is_refused(tmp_path):
    saved = tmp_path / "sweep.jsonl"
    part = small_sweep(save=saved)

    with pytest.raises(ValueError, match="save must be a new file or one of the same sweep"):
        small_sweep(save=saved, seed=5)
    with pytest.raises(ValueError, match="resume must be the frame of the same sweep"):
        small_sweep(resume=part, seed=5)
