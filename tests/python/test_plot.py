"""What pictures draw."""

import subprocess
import sys

import matplotlib
import numpy as np
import pytest

import copysim

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


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


def test_without_matplotlib_the_package_works_and_a_picture_says_what_it_needs():
    program = ("import sys; sys.modules['matplotlib'] = None; import copysim\n"
               "frame = copysim.sweep('apc/vista-to-xp', {'link.rtt': ['1 ms'], 'policy': ['xp']}, replications=1,\n"
               "                      set={'workloads.single.size': '1 MiB'}, progress=False)\n"
               "try: copysim.plot.throughput_map(frame, 'link.rtt', 'policy')\n"
               "except ImportError as error: print(error)")

    printed = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout

    assert printed == "copysim.plot needs the package matplotlib: pip install copysim[plot]\n"
