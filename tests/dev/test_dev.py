"""The door itself: what ./dev promises besides the work of each command."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def dev(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(ROOT / "dev"), *arguments], cwd=cwd, check=False,
                          capture_output=True, text=True)


def test_help_lists_every_command():
    shown = dev("help").stdout

    for name in ("copysim", "reproduce", "test", "build", "lint", "format", "bench", "docs"):
        assert f"./dev {name}" in shown


def test_an_unknown_command_is_a_wrong_input_and_names_the_allowed_ones():
    run = dev("tset")

    assert run.returncode == 2
    assert run.stdout == ""
    assert "unknown command 'tset'; allowed: copysim reproduce test" in run.stderr


def test_an_unknown_step_is_a_wrong_input():
    run = dev("test", "lnit")

    assert run.returncode == 2
    assert "step must be one of format, architecture" in run.stderr


def test_continuous_integration_runs_the_same_command_as_people():
    lines = (ROOT / ".ci" / "run").read_text().splitlines()

    assert lines[-1] == "exec ./dev test"
