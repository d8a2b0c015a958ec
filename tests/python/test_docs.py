"""Examples in docstrings, types, and stubs."""

import dataclasses
import doctest
import functools
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys

import pytest
from conftest import PACKAGE, ROOT

import copysim

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


def public_members():
    """The public names, and those of public classes: (name, object)."""
    for name in copysim.__all__:
        thing = getattr(copysim, name)
        yield name, thing
        if inspect.isclass(thing) and thing.__module__.startswith("copysim"):
            yield from ((f"{name}.{member}", value) for member, value in vars(thing).items()
                        if not member.startswith("_") and not is_plain(value))


def is_plain(value):
    """A number, a text or a default, which has no docstring of its own."""
    return isinstance(value, (int, float, str, tuple, dict, type(None)))


def test_the_docstring_of_the_package_tells_what_each_public_name_is_for():
    assert [name for name in copysim.__all__ if f"`{name}`" not in copysim.__doc__] == []


def test_every_public_name_has_a_docstring():
    # Numbers and the types of parameters are told by the docstring of the package.
    told = {"KiB", "MiB", "GiB", "Bytes", "Seconds", "BytesPerSecond"}
    assert [name for name, thing in public_members() if name not in told and not inspect.getdoc(thing)] == []


def test_a_docstring_names_every_parameter_and_every_field():
    missing = []
    for name, thing in public_members():
        doc = inspect.getdoc(thing) or ""
        if dataclasses.is_dataclass(thing):
            names = [field.name for field in dataclasses.fields(thing) if not field.name.startswith("_")]
        elif inspect.isfunction(thing) and "Parameters\n" in doc:
            names = [each for each in inspect.signature(thing).parameters if each != "self"]
        else:
            continue
        missing += [f"{name}: {each}" for each in names if not re.search(rf"\b{each}\b", doc)]

    assert missing == []


UNITS = re.compile(r"\b(seconds?|bytes?|megabytes|gigabytes|number|unit|rate|by key|MB/s|mean of each|half width)\b", re.IGNORECASE)


def test_what_gives_or_takes_a_number_tells_its_unit():
    without = []
    for name, thing in public_members():
        if isinstance(thing, property) and thing.fget is not None and hasattr(thing.fget, "__annotations__"):
            numbers = "float" in str(thing.fget.__annotations__.get("return")) or "int" in str(
                thing.fget.__annotations__.get("return"))
            # What a scenario says has its units in its values.
            if numbers and name != "Scenario.given" and not UNITS.search(inspect.getdoc(thing)):
                without.append(name)
        elif not inspect.isclass(thing) and type(thing).__name__ == "instancemethod":
            # Of the core: the names of the parameters carry the unit.
            numbers = re.findall(r"(\w+): typing.Supports(?:Int|Float)", inspect.getdoc(thing))
            without += [f"{name}: {each}" for each in numbers if not each.endswith(("_bytes", "_s"))]
    for name in ("run", "sweep", "trace", "explain", "sensitivity", "calibrate", "Result", "Sample", "Trace",
                 "Explanation", "Published.compare", "Calibration", "EngineError", "plot.timeline", "plot.positions",
                 "plot.throughput_map", "plot.comparison", "plot.paths"):
        thing = functools.reduce(getattr, name.split("."), copysim)
        # What a run gives is told where its fields are.
        if name not in ("run", "explain", "trace") and not UNITS.search(inspect.getdoc(thing)):
            without.append(name)

    assert without == []


def run_tool(*arguments):
    # Away from the sources, whose folder `python` would shadow nothing but confuse mypy.
    return subprocess.run([sys.executable, "-m", *map(str, arguments)], check=False, cwd=PACKAGE.parent,
                          capture_output=True, text=True, env={"MYPYPATH": str(PACKAGE), "PYTHONPATH": str(PACKAGE),
                                                               "PATH": "/usr/bin:/bin"})


def test_the_package_and_the_examples_pass_mypy_strict():
    examples = sorted((ROOT / "examples").rglob("*.py"))
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

    assert printed in blocks_of_readme("text")
    for number, block in enumerate(blocks_of_readme("python")):
        program = tmp_path / f"block_{number}.py"
        program.write_text(block)
        subprocess.run([sys.executable, program], check=True, capture_output=True)
