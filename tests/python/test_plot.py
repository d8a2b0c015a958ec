"""Traces, explanations, and what the pictures of them draw."""

import subprocess
import sys

import matplotlib
import numpy as np
import pandas as pd
import pytest

import copysim

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

SMALL = {"workloads.single.size": "8 MiB"}


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def seen():
    return copysim.trace("apc/vista-to-xp", policy="xp", set=SMALL)


def line(axes, label):
    [found] = [each for each in axes.get_lines() if each.get_label() == label]
    return found


def test_a_trace_is_of_the_run_that_it_records(seen):
    result = copysim.run("apc/vista-to-xp", policy="xp", set=SMALL, replications=1)

    assert (seen.elapsed, seen.durable) == (result.elapsed, result.durable)
    writes = seen.files[(seen.files["operation"] == "write") & (seen.files["store"] == "target")]
    assert writes["length"].sum() == 8 * copysim.MiB
    # Whole sectors, and at least what was copied.
    written = seen.blocks[seen.blocks["access"] == "write"]["sectors"].sum() * 512
    assert written >= 8 * copysim.MiB
    assert written == seen.timeline["device_written_bytes"].iloc[-1]


def test_the_parts_of_an_explanation_sum_to_its_times():
    path = copysim.explain("apc/vista-to-xp", policy="vista-sp1", set=SMALL)

    for until, whole in (("elapsed", path.elapsed), ("durable", path.durable)):
        frame = path.frame(until)
        # Each part is rounded to a double: half an ulp of a second each.
        assert frame["seconds"].sum() == pytest.approx(whole, abs=1e-9)
        assert frame["share"].sum() == pytest.approx(1)
        assert frame["seconds"].is_monotonic_decreasing
    with pytest.raises(ValueError, match="until must be one of elapsed, durable, got 'now'"):
        path.frame("now")


def test_the_error_of_an_engine_surfaces_from_a_trace():
    class Wrong(copysim.CopyPolicy):
        async def copy(self, job):
            raise ZeroDivisionError("mine")

    for look in (copysim.trace, copysim.explain):
        with pytest.raises(copysim.EngineError, match="mine"):
            look("apc/vista-to-xp", policy=Wrong, set=SMALL)


def test_a_timeline_draws_the_bytes_of_the_trace_and_the_estimates(seen):
    upper, lower = copysim.plot.timeline(seen)

    # From zero at the click to the whole file, in 10^6 bytes.
    for label in ("read by the program", "written by the program"):
        assert line(upper, label).get_ydata()[0] == 0
        assert line(upper, label).get_ydata()[-1] == pytest.approx(8 * copysim.MiB / 1e6)
    assert list(line(upper, "dirty in caches").get_ydata()[1:]) == list(seen.timeline["dirty_bytes"] / 1e6)
    assert list(line(lower, "really remaining").get_ydata()) == [seen.elapsed, 0]
    assert "(MB)" in upper.get_ylabel() and "(s)" in lower.get_xlabel()


def test_a_timeline_shows_the_estimates_of_the_dialog():
    long = copysim.trace("apc/vista-to-xp", policy="xp", set={"workloads.single.size": "256 MiB", "link.rtt": "20 ms"})
    assert len(long.estimates) > 0

    _, lower = copysim.plot.timeline(long)

    shown = line(lower, "shown by the dialog")
    # Each as long as it stood, the last until the dialog closed.
    assert list(shown.get_xdata()) == [*long.estimates["time_s"], long.elapsed]
    assert list(shown.get_ydata()[:-1]) == list(long.estimates["remaining_s"])


def test_positions_draws_each_command_of_the_device(seen):
    device = seen.blocks["device"].value_counts().index[0]

    axes = copysim.plot.positions(seen)

    blocks = seen.blocks[seen.blocks["device"] == device]
    for access in ("read", "write"):
        some = blocks[blocks["access"] == access].sort_values("time_s", kind="stable")
        if len(some):
            drawn = line(axes, f"{access} ({len(some)})")
            assert list(drawn.get_ydata()) == list(some["sector"] * 512 / 1e9)
    with pytest.raises(ValueError, match="device must be one of .*, got 'tape'"):
        copysim.plot.positions(seen, device="tape")


def some_commands(sectors):
    blocks = pd.DataFrame({"time_s": np.arange(len(sectors)) / 10, "device": "disk", "access": "read", "sector": sectors,
                           "sectors": 8, "duration_s": 0.01, "status": "ok"})
    empty = pd.DataFrame()
    return copysim.Trace("mine", "xp", 1, 0, 10.0, 10.0, "ok", empty, blocks, empty, empty)


def test_positions_shows_the_many_and_marks_the_few_at_its_edge():
    # 99 commands between 1 and 1.1 GB, and one at 60 GB.
    near = np.linspace(1e9, 1.1e9, 99) // 512
    axes = copysim.plot.positions(some_commands([*near, 60e9 // 512]))

    lowest, highest = axes.get_ylim()
    assert 0.9 < lowest < 1.0 and 1.1 < highest < 1.2
    edge = line(axes, "read: 1 at 60.0 GB")
    # The hundredth command begins after 9.9 s.
    assert list(edge.get_xdata()) == [pytest.approx(9.9)] and list(edge.get_ydata()) == [highest]


def test_positions_shows_all_where_no_few_are_far_away():
    axes = copysim.plot.positions(some_commands(np.linspace(0, 60e9, 100) // 512))

    assert axes.get_ylim()[0] < 0 and axes.get_ylim()[1] > 60
    assert [each.get_label() for each in axes.get_lines()] == ["_way", "read (100)"]


def test_a_picture_of_the_wrong_thing_says_what_it_draws():
    result = copysim.run("apc/vista-to-xp", set=SMALL, replications=1)

    with pytest.raises(TypeError, match="timeline: it draws what copysim.trace returned, got Result"):
        copysim.plot.timeline(result)
    with pytest.raises(TypeError, match="paths: it draws what copysim.explain returned, got Result"):
        copysim.plot.paths([result])
    with pytest.raises(TypeError, match="comparison: it draws what copysim.Published.compare returned, got Result"):
        copysim.plot.comparison(result)


def test_a_throughput_map_shows_means_in_megabytes_per_second():
    frame = copysim.sweep("apc/vista-to-xp", {"link.rtt": ["20 ms", "0.2 ms"], "policy.chunk": ["64 KiB", "32 KiB"]},
                          policy="xp", replications=2, set={"workloads.single.size": "1 MiB"}, progress=False)

    axes = copysim.plot.throughput_map(frame, "link.rtt", "policy.chunk")

    drawn = np.asarray(axes.images[0].get_array())
    mean = frame.groupby(["policy.chunk", "link.rtt"])["throughput_bytes_per_s"].mean() / 1e6
    # In the order of the sweep, neither sorted as text nor as numbers.
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["20 ms", "0.2 ms"]
    assert drawn[0, 1] == pytest.approx(mean["64 KiB", "0.2 ms"])
    assert drawn[1, 0] == pytest.approx(mean["32 KiB", "20 ms"])
    with pytest.raises(ValueError, match="throughput_map: a column must be one of .*, got 'rtt'"):
        copysim.plot.throughput_map(frame, "rtt", "policy.chunk")


def compared(**row):
    empty = {"id": "A-1", "published": np.nan, "lower": np.nan, "upper": np.nan, "predicted": np.nan, "ci95": 0.0,
             "role": "check", "verdict": "holds"}
    return {**empty, **row}


def test_a_comparison_draws_predictions_in_multiples_of_what_was_published():
    frame = pd.DataFrame([
        compared(id="A-1", published=50.0, predicted=55.0, ci95=5.0),
        compared(id="A-2", lower=10.0, upper=30.0, predicted=40.0, verdict="misses"),
        compared(id="A-3", published=2.0, predicted=20.0, verdict="misses"),
        compared(id="A-4", published=2.0, verdict="not-modelled"),
    ])

    axes = copysim.plot.comparison(frame)

    markers = {container.get_label(): container.lines[0].get_xdata()[0] for container in axes.containers
               if hasattr(container, "has_xerr")}
    # 55/50; 40 over the middle of 10 and 30; and 20/2 is beyond the picture, so at its edge.
    assert markers == {"holds": pytest.approx(1.1), "misses": pytest.approx(2.0), "_misses": 2.5}
    [bounds] = [patch for patch in axes.patches if patch.get_width() > 0]
    # 10 and 30 over their middle.
    assert (bounds.get_x(), bounds.get_width()) == (pytest.approx(0.5), pytest.approx(1.0))
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["A-1", "A-2", "A-3", "A-4"]


def test_paths_draws_bars_as_long_as_the_copies_took():
    both = [copysim.explain("apc/vista-to-xp", policy=policy, set=SMALL) for policy in ("vista-rtm", "vista-sp1")]

    axes = copysim.plot.paths(both, parts=3)

    assert [each.get_label() for each in axes.containers][-1] == "all else" and len(axes.containers) == 4
    for place, path in enumerate(both):
        assert sum(container[place].get_width() for container in axes.containers) == pytest.approx(path.elapsed)
    with pytest.raises(ValueError, match="at least one"):
        copysim.plot.paths([])


def test_without_matplotlib_the_package_works_and_a_picture_says_what_it_needs():
    program = ("import sys; sys.modules['matplotlib'] = None; import copysim\n"
               "try: copysim.plot.paths(copysim.explain('apc/vista-to-xp', set={'workloads.single.size': '1 MiB'}))\n"
               "except ImportError as error: print(error)")

    printed = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout

    assert printed == "copysim.plot needs the package matplotlib: pip install copysim[plot]\n"
