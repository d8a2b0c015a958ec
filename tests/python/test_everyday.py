"""Scenarios, runs and results."""

import copy
import datetime
import json
import pickle
import subprocess

import pytest
from conftest import ROOT

import copysim

SMALL = {"workloads.single.size": "8 MiB", "run.replications": 2}
PROGRAM = ROOT / "build" / "release" / "bin" / "copysim"


def command_line(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PROGRAM, *arguments], check=False, capture_output=True, text=True)


def test_a_result_is_what_the_command_line_prints_as_json():
    printed = command_line("run", "apc/vista-to-xp", "--policy", "vista-sp1", "--format", "json",
                           "--set", "workloads.single.size=8MiB", "run.replications=2").stdout

    result = copysim.run("apc/vista-to-xp", policy="vista-sp1",
                         set={"workloads.single.size": "8MiB", "run.replications": 2})

    assert result.to_dict() == json.loads(printed)


def test_the_readable_forms_tell_the_times():
    result = copysim.run("apc/vista-to-xp", policy="xp", set=SMALL)

    assert f"{result.elapsed:.4g}" in repr(result)
    assert "dialog closes after (s)" in repr(result)
    assert "<table>" in result._repr_html_()
    assert f"{result.durable:.4g}" in result._repr_html_()


def test_throughput_is_copied_bytes_over_elapsed_seconds():
    result = copysim.run("apc/vista-to-xp", policy="xp", set=SMALL, replications=1)

    [sample] = result.samples
    assert sample.copied == 8 * copysim.MiB
    assert result.throughput == 8 * copysim.MiB / sample.elapsed
    assert result.to_frame().loc[0, "elapsed_s"] == sample.elapsed


@pytest.mark.parametrize("setting", ["lnk.rtt=50ms", "link.rtt=50", "link.rtt=5 parsecs", "policy.id=xq",
                                     "client.volumes.system.drive=nothing", "run.replications=0"])
def test_a_wrong_setting_is_a_value_error_with_the_text_of_the_command_line(setting):
    key, value = setting.split("=")
    printed = command_line("run", "apc/vista-to-xp", "--set", setting)
    assert printed.returncode == 2

    with pytest.raises(ValueError) as error:
        copysim.run("apc/vista-to-xp", set={key: value})

    assert f"copysim: {error.value}\n" == printed.stderr


def test_an_unknown_scenario_is_a_value_error_with_the_text_of_the_command_line():
    printed = command_line("run", "apc/vista-to-xq").stderr

    with pytest.raises(ValueError) as error:
        copysim.scenario("apc/vista-to-xq")

    assert f"copysim: {error.value}\n" == printed


@pytest.mark.parametrize("call, text", [
    (lambda: copysim.run(5), "scenario: it must be an id"),
    (lambda: copysim.run("apc/vista-to-xp", set="link.rtt=5ms"), "settings must be a mapping such as"),
    (lambda: copysim.run("apc/vista-to-xp", set={"link.rtt": None}), "link.rtt: a setting must be a text"),
    (lambda: copysim.run("apc/vista-to-xp", workers=0), "workers must be a whole number of at least 1, got 0"),
    (lambda: copysim.sweep("apc/vista-to-xp", {}), "vary must be a mapping of keys to values"),
    (lambda: copysim.sweep("apc/vista-to-xp", ["policy"]), "vary must be a mapping of keys to values"),
    (lambda: copysim.sweep("apc/vista-to-xp", {"link.rtt": "1 ms"}, executor=4), "executor must be a concurrent.futures"),
    (lambda: copysim.sensitivity("apc/vista-to-xp", {}), "ranges must have at least one key"),
    (lambda: copysim.sensitivity("apc/vista-to-xp", {"link.rtt": "1 ms"}), r"a range must be \(lower, upper\)"),
    (lambda: copysim.catalogue("disk"), "kind must be one of scenarios, policies, drives"),
])
def test_what_a_newcomer_may_mistake_is_told(call, text):
    with pytest.raises((TypeError, ValueError), match=text):
        call()


def test_the_catalogue_knows_the_kinds_of_the_command_line():
    assert copysim.catalogue("disks") == copysim.catalogue("drives")
    assert copysim.catalogue("timings") == copysim.catalogue("published")
    assert copysim.catalogue("loads") != []


def test_a_number_without_unit_is_refused_and_a_timedelta_has_one():
    scenario = copysim.scenario("apc/vista-to-xp")

    with pytest.raises(ValueError, match=r"link.rtt needs a unit \(ns, us, ms, s, min, h\)"):
        scenario.with_settings({"link.rtt": 5})
    slow = scenario.with_settings({"link.rtt": datetime.timedelta(milliseconds=5)})
    assert slow.given["link.rtt"] == "5 ms"


@pytest.mark.parametrize("id", copysim.catalogue("scenarios"))
def test_every_scenario_of_the_catalogue_goes_through_toml_and_dictionaries_and_comes_back_equal(id):
    scenario = copysim.scenario(id)

    assert copysim.scenario(scenario.to_toml()) == scenario
    assert copysim.scenario(scenario.to_dict()) == scenario
    assert copysim.scenario(scenario.to_toml()).settings().keys() == scenario.settings().keys()


def test_a_scenario_built_of_dictionaries_equals_the_one_in_toml():
    built = copysim.scenario({
        "title": "Two desktops",
        "client": {"machine": "desktop-2007", "system": "vista-sp1"},
        "server": {"machine": "desktop-2007", "system": "xp"},
        "link": {"kind": "ethernet", "rate": "100 Mbit/s", "rtt": datetime.timedelta(microseconds=300)},
        "policy": "vista-sp1",
        "copy.direction": "write",
        "workloads": {"single": {"files": 3, "size": "30 MB"}},
    })

    written = copysim.scenario("""
        title = "Two desktops"
        policy = "vista-sp1"
        [client]
        machine = "desktop-2007"
        system = "vista-sp1"
        [server]
        machine = "desktop-2007"
        system = "xp"
        [link]
        kind = "ethernet"
        rate = "100 Mbit/s"
        rtt = "300 us"
        [copy]
        direction = "write"
        [workloads.single]
        files = 3
        size = "30 MB"
    """)

    assert built == written
    assert hash(built) == hash(written)
    assert copysim.run(built).samples == copysim.run(written).samples


def test_scenarios_and_results_are_values():
    scenario = copysim.scenario("apc/vista-to-xp").with_settings(SMALL, policy="xp")
    result = copysim.run(scenario)

    for same in (copy.copy(scenario), copy.deepcopy(scenario), pickle.loads(pickle.dumps(scenario))):
        assert same == scenario and hash(same) == hash(scenario) and same.id == scenario.id
    for same in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert same == result and hash(same) == hash(result)
    assert copysim.run(scenario) == result
    assert copysim.run(scenario, seed=2) != result
    assert scenario.with_settings({"link.rtt": "1 ms"}) != scenario


def test_the_number_of_threads_changes_no_bit():
    results = [copysim.run("apc/vista-to-xp", policy="xp", set=SMALL, replications=6, workers=n) for n in (1, 2, 5)]

    assert results[0] == results[1] == results[2]


def test_a_workload_that_does_not_fit_is_a_value_error():
    # No drive of the catalogue holds 300 TB.
    with pytest.raises(ValueError, match="room|fit|space"):
        copysim.run("apc/vista-to-xp", policy="xp", set={"workloads.single.size": "300 TB"})


def test_all_public_names_have_a_docstring():
    missing = [name for name in copysim.__all__
               if not isinstance(getattr(copysim, name), int) and not getattr(copysim, name).__doc__]

    assert missing == []
