"""Examples in docstrings, types, and stubs."""

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys

import pytest
from conftest import PACKAGE, ROOT

import copysim

sys.path.append(str(ROOT / "tests" / "readme"))
from commands import without_figures  # noqa: E402

MODULES = sorted(module.name for module in pkgutil.iter_modules(copysim.__path__) if module.name != "_core")


@pytest.mark.parametrize("name", ["copysim", *[f"copysim.{name}" for name in MODULES]])
def test_the_examples_of_a_module_give_what_they_say(name):
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)

    assert failed == 0


def test_every_function_has_an_example():
    finder = doctest.DocTestFinder()
    without = [name for name in ("scenario", "run", "sweep", "catalogue", "to_xarray", "CopyPolicy", "explain", "trace",
                                    "published", "calibrate", "sensitivity")
               if not any(test.examples for test in finder.find(getattr(copysim, name), name))]

    assert without == []


def run_tool(*arguments):
    # Away from the sources, whose folder `python` would shadow nothing but confuse mypy.
    return subprocess.run([sys.executable, "-m", *map(str, arguments)], check=False, cwd=PACKAGE.parent,
                          capture_output=True, text=True, env={"MYPYPATH": str(PACKAGE), "PYTHONPATH": str(PACKAGE),
                                                               "PATH": "/usr/bin:/bin"})


def test_the_package_and_the_examples_pass_mypy_strict():
    examples = sorted((ROOT / "examples" / "python").rglob("*.py"))
    checked = run_tool("mypy", "--strict", "--cache-dir", ROOT / "build" / "mypy", *examples,
                       ROOT / "tests" / "python" / "engines.py", PACKAGE / "copysim")

    assert checked.returncode == 0, checked.stdout


def test_the_stubs_agree_with_the_module():
    checked = run_tool("mypy.stubtest", "copysim", "--concise", "--allowlist", ROOT / "python" / "stubtest-allowlist.txt")

    assert checked.returncode == 0, checked.stdout + checked.stderr


def blocks_of_readme(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)


def test_the_python_in_the_readme_runs_and_prints_what_the_page_says(tmp_path):
    shell = next(block for block in blocks_of_readme("sh") if "pip install" in block)
    one_line = re.search(r'^python -c "(.+)"$', shell, re.MULTILINE).group(1)

    printed = subprocess.run([sys.executable, "-c", one_line], check=True, capture_output=True, text=True).stdout

    # Figures follow the data; the tests of the page compare others in the same way.
    assert without_figures(printed) in [without_figures(block) for block in blocks_of_readme("text")]
    for number, block in enumerate(blocks_of_readme("python")):
        program = tmp_path / f"block_{number}.py"
        program.write_text(block)
        subprocess.run([sys.executable, program], check=True, capture_output=True)
