"""Which settings a result depends on."""

import pytest

import copysim


def test_a_range_rises_in_one_unit():
    with pytest.raises(ValueError, match="link.rtt: a range must have one unit, got 'ms', 's'"):
        copysim.sensitivity("apc/vista-to-xp", {"link.rtt": ("1 ms", "2 s")})
    with pytest.raises(ValueError, match="link.rtt: the numbers of a range must rise"):
        copysim.sensitivity("apc/vista-to-xp", {"link.rtt": ("2 ms", "1 ms")})


@pytest.mark.parametrize("method, column", [("sobol", "ST"), ("morris", "mu_star")])
@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")
def test_the_delay_matters_more_than_memory_to_a_copy_that_waits_for_each_request(method, column):
    found = copysim.sensitivity("apc/vista-to-xp", {"link.rtt": ("0.1 ms", "20 ms"), "client.memory.size": ("2 GiB", "4 GiB")},
                                method=method, samples=8, policy="xp", set={"workloads.single.size": "2 MiB"})

    assert found.index.tolist() == ["link.rtt", "client.memory.size"]
    assert found.loc["link.rtt", column] > 10 * found.loc["client.memory.size", column]
    if method == "morris":
        # Each of the 2 MiB / 60 KiB = 35 requests waits for a round trip: at least 35 * 19.9 ms.
        assert found.loc["link.rtt", "mu_star"] > 35 * 0.0199
