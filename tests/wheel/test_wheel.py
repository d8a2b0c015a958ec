"""Builds a wheel with pip, repairs it, and imports it in a new environment, for each Python there is.

Python 3.11 must be there; 3.10, 3.12 and 3.13 are tested where the machine has them. The names of the
tests say which.
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "wheel"
sys.path.append(str(ROOT / "tests" / "readme"))
from commands import without_figures  # noqa: E402

# 3.11 is the last: `pip install .` finds its module compiled.
VERSIONS = ("3.10", "3.12", "3.13", "3.11")
README = (ROOT / "README.md").read_text()


def reported_version(python: str) -> str | None:
    """The version that an interpreter has, such as "3.11"; None if it does not run."""
    code = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run([python, "-c", code], check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def pythons() -> dict[str, str]:
    """An interpreter for each version: the system's first, then the path, then pyenv's."""
    pyenv = os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv"))
    found: dict[str, str] = {}
    for version in VERSIONS:
        candidates = ["/usr/bin/python3", f"/usr/bin/python{version}", f"/usr/local/bin/python{version}",
                      *sorted(glob.glob(f"{pyenv}/versions/{version}.*/bin/python"))]
        for python in candidates:
            if version not in found and reported_version(python) == version:
                found[version] = python
    return found


PYTHONS = pythons()


def run(*command: object, **options) -> str:
    done = subprocess.run([str(each) for each in command], check=False, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def same_flags_as_the_preset() -> list[str]:
    """With the warnings of the preset `python` too, so that its objects will do."""
    presets = json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
    flags = presets[0]["cacheVariables"]["CMAKE_CXX_FLAGS"]
    # The headers of pybind11 at one place, not in each build's own environment.
    pybind11 = run(sys.executable, "-m", "pybind11", "--cmakedir").strip()
    return [f"--config-settings=build-dir={BUILD}",
            f"--config-settings=cmake.define.CMAKE_CXX_FLAGS={flags}",
            "--config-settings=cmake.define.CMAKE_COMPILE_WARNING_AS_ERROR=ON",
            f"--config-settings=cmake.define.pybind11_DIR={pybind11}"]


def as_the_preset_compiles() -> dict[str, str]:
    """Else the build takes the compiler that the Python itself was made with."""
    launcher = {"CMAKE_CXX_COMPILER_LAUNCHER": "ccache"} if shutil.which("ccache") else {}
    return {**os.environ, "CXX": shutil.which("g++") or "g++", **launcher}


@pytest.fixture(scope="module", autouse=True)
def objects_of_the_preset() -> None:
    """Take over what the preset `python` has compiled: the commands are the same, so ninja keeps it.

    Without this the library is compiled once more, which is as correct and takes minutes.
    """
    preset = ROOT / "build" / "python"
    if not BUILD.exists() and preset.exists():
        # All but what CMake knows of that folder, and the package in it.
        known = shutil.ignore_patterns("CMakeCache.txt", "build.ninja", "python", "Testing")
        shutil.copytree(preset, BUILD, ignore=known)
        shutil.rmtree(BUILD / "CMakeFiles", ignore_errors=True)


def new_environment(python: str, folder: Path) -> Path:
    run(python, "-m", "venv", folder)
    return folder / "bin" / "python"


def printed_by_the_program_of_the_readme(python: Path, folder: Path) -> str:
    """What `python -c` prints that stands there after `pip install .`, with figures left out."""
    program = re.search(r'^python -c "(.+)"$', README, re.MULTILINE).group(1)
    return without_figures(run(python, "-c", program, cwd=folder))


def test_python_3_11_is_there():
    assert "3.11" in PYTHONS


@pytest.mark.parametrize("version", PYTHONS)
def test_a_wheel_is_built_repaired_and_imported_in_a_new_environment(version, tmp_path):
    python = new_environment(PYTHONS[version], tmp_path / "environment")
    # One folder for all: the library is compiled once, the module for each version.
    run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", tmp_path / "built",
        *same_flags_as_the_preset(), ROOT, env=as_the_preset_compiles())
    [built] = (tmp_path / "built").glob("*.whl")
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    run(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", tmp_path / "repaired", built,
        env={**os.environ, "PATH": tools})
    [repaired] = (tmp_path / "repaired").glob("*.whl")

    run(python, "-m", "pip", "install", "--quiet", repaired)

    assert re.search(r"-manylinux_2_\d+_", repaired.name)
    assert printed_by_the_program_of_the_readme(python, tmp_path) in without_figures(README)
    typed = run(python, "-c", "import copysim, pathlib; print(pathlib.Path(copysim.__file__).with_name('py.typed').exists())",
                cwd=tmp_path)
    assert typed == "True\n"


def test_pip_install_in_a_new_environment_gives_what_the_readme_shows(tmp_path):
    python = new_environment(PYTHONS["3.11"], tmp_path / "environment")

    run(python, "-m", "pip", "install", "--quiet", *same_flags_as_the_preset(), ROOT, env=as_the_preset_compiles())

    assert printed_by_the_program_of_the_readme(python, tmp_path) in without_figures(README)


def test_a_missing_header_is_told_in_one_line(tmp_path):
    folders = ";".join(["/usr/include", "/usr/lib", "/usr/share"])
    done = subprocess.run(
        ["cmake", "-S", str(ROOT), "-B", str(tmp_path), "-G", "Ninja", "-DCOPYSIM_BUILD_PYTHON=ON", "-DCOPYSIM_BUILD_CLI=OFF",
         f"-DPython_EXECUTABLE={sys.executable}", f"-DCMAKE_IGNORE_PATH={folders}", "-DCMAKE_DISABLE_FIND_PACKAGE_tomlplusplus=ON"],
        check=False, capture_output=True, text=True)

    assert done.returncode != 0
    told = [line.strip() for line in done.stderr.splitlines() if "copysim needs" in line]
    assert told == ["copysim needs toml++ 3.3 or newer; on Debian 12: apt-get install libtomlplusplus-dev"]
