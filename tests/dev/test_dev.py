"""The door itself: what ./dev promises besides the work of each command."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def dev(*arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(ROOT / "dev"), *arguments], check=False,
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, env=env)


def without_packages(folder: Path) -> dict[str, str]:
    """An environment on whose path no package is installed and the caller is neither root nor sudoer."""
    for name, body in (("dpkg-query", "exit 1"), ("id", "echo 1000"), ("sudo", "exit 1")):
        (folder / name).write_text(f"#!/bin/sh\n{body}\n")
        (folder / name).chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}


def test_help_lists_every_command():
    shown = dev("help").stdout

    for name in ("copysim", "reproduce", "test", "build", "lint", "format", "live-smb", "bench", "docs"):
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


def test_what_cannot_be_installed_is_said_in_one_line_with_its_remedy(tmp_path):
    run = dev("build", env=without_packages(tmp_path))

    assert run.returncode == 3
    assert run.stdout == ""
    [line] = run.stderr.splitlines()
    assert line.startswith("dev: cannot install cmake ninja-build")
    assert "not root, and no sudo; as root run: apt-get install cmake" in line


def test_continuous_integration_runs_the_same_command_as_people():
    lines = (ROOT / ".ci" / "run").read_text().splitlines()

    assert lines[-1] == "exec ./dev test"
