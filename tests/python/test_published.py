"""Published timings, and fits to them."""

import json
import subprocess

import numpy as np
import pytest
from conftest import ROOT

import copysim

PROGRAM = ROOT / "build" / "release" / "bin" / "copysim"
SMALL = {"workloads.single.size": "16 MiB"}


def own(tmp_path, *rows):
    """A file of published timings of one's own."""
    file = tmp_path / "mine.toml"
    file.write_text("".join(
        f'[[row]]\nid = "{id}"\nwhat = "mine"\nvalue = {value!r}\nrole = "{role}"\nscenario = "apc/vista-to-xp"\n'
        f'set = {{ policy = "xp", "workloads.single.size" = "{size}", "run.replications" = 1 }}\n\n'
        for id, value, role, size in rows))
    return file


def test_the_rows_of_a_source_have_their_figures_and_units():
    apc = copysim.published("apc")

    # 9 minutes and 33 seconds.
    row = apc.rows.set_index("id").loc["APC-01"]
    assert (row["published"], row["unit"], row["role"]) == (9 * 60 + 33, "s", "fit")
    assert np.isnan(row["lower"])
    with pytest.raises(ValueError, match="apd"):
        copysim.published("apd")


def test_a_comparison_is_what_the_command_line_prints(tmp_path):
    file = own(tmp_path, ("MY-1", 5.0, "check", "8 MiB"), ("MY-2", 0.5, "fit", "16 MiB"))
    printed = subprocess.run([PROGRAM, "reproduce", file, "--format", "json"], check=True, capture_output=True, text=True)

    frame = copysim.published(file).compare()

    expected = json.loads(printed.stdout)
    assert frame["id"].tolist() == [row["id"] for row in expected]
    assert frame["predicted"].tolist() == pytest.approx([row["predicted"]["mean"] for row in expected])
    assert frame["verdict"].tolist() == [row["verdict"] for row in expected]


def test_rows_are_chosen_by_id_and_a_wrong_one_is_an_error(tmp_path):
    mine = copysim.published(own(tmp_path, ("MY-1", 5.0, "check", "8 MiB"), ("MY-2", 0.5, "fit", "16 MiB")))

    assert mine.compare(["MY-2"])["id"].tolist() == ["MY-2"]
    with pytest.raises(ValueError, match="MY-3"):
        mine.compare(["MY-3"])
    with pytest.raises(ValueError, match="lnk"):
        mine.compare(["MY-2"], set={"lnk.rtt": "1 ms"})


def test_a_fit_finds_the_value_that_made_the_figures(tmp_path):
    # Figures made with a round trip of 4 ms; the fit has to find it again.
    made = {size: copysim.run("apc/vista-to-xp", policy="xp", replications=1,
                              set={"link.rtt": "4 ms", "workloads.single.size": size}).elapsed
            for size in ("8 MiB", "16 MiB", "24 MiB")}
    file = own(tmp_path, *((f"MY-{i}", value, "fit", size) for i, (size, value) in enumerate(made.items())))

    fit = copysim.calibrate({"link.rtt": ("1 ms", "2 ms", "8 ms")}, file)

    # Derivatives are differences of two percent of the range, 0.14 ms.
    assert fit.parameters.loc["link.rtt", "value"] == pytest.approx(4, abs=0.14)
    assert fit.parameters.loc["link.rtt", "standard_error"] < 0.14
    assert fit.correlations.loc["link.rtt", "link.rtt"] == pytest.approx(1)
    assert fit.targets["predicted"].tolist() == pytest.approx(list(made.values()), rel=0.02)


def test_a_sheet_is_calibrated_as_on_the_command_line():
    printed = subprocess.run([PROGRAM, "calibrate", "machines/cw-peer", "--format", "json"], check=True, capture_output=True,
                             text=True)

    fit = copysim.calibrate("machines/cw-peer")

    told = json.loads(printed.stdout)
    assert fit.parameters.empty and told["parameters"] == []
    assert list(fit.choices.values()) == told["choices"][0]["chosen"]
    assert fit.chi_square == pytest.approx(told["choices"][0]["chi_square"])
    assert fit.others["chi_square"].tolist() == pytest.approx([each["chi_square"] for each in told["choices"][1:]])
    assert fit.targets["predicted"].to_dict() == pytest.approx({row["id"]: row["predicted"] for row in told["rows"]})
    with pytest.raises(ValueError, match="SHEET must name one sheet, got 'no-such-sheet'"):
        copysim.calibrate("no-such-sheet")
    with pytest.raises(ValueError, match="a sheet names its own rows"):
        copysim.calibrate("machines/cw-peer", "cw")


def test_a_fit_takes_rising_ranges_of_one_unit_and_fit_rows_only(tmp_path):
    file = own(tmp_path, ("MY-1", 5.0, "check", "8 MiB"))

    with pytest.raises(ValueError, match="link.rtt: a range must have one unit, got 'ms', 's'"):
        copysim.calibrate({"link.rtt": ("1 ms", "2 s")}, file)
    with pytest.raises(ValueError, match="link.rtt: the numbers of a range must rise"):
        copysim.calibrate({"link.rtt": ("2 ms", "1 ms")}, file)
    with pytest.raises(ValueError, match="MY-1"):
        copysim.calibrate({"link.rtt": ("1 ms", "2 ms")}, file, rows=["MY-1"])
