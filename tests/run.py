"""Runs every check of the project and ends with one line, `N passed, N failed`.

`./dev test` calls it. Each test case of C++ and Python counts as one; a step without test cases of
its own (formatting, a build) counts as one. What could not run has failed. Named steps run alone, after
the builds that they need.
"""

import os
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
# The presets in which the C++ tests run: sanitizers, and both compilers optimised.
PRESETS = ("release", "clang", "dev")
# The builds that a step uses: they go before it when it is named alone.
NEEDS = {
    **{f"ctest-{preset}": (f"build-{preset}",) for preset in PRESETS},
    "python": ("build-release", "build-python"),
    "notebooks": ("build-python",),
    "readme": ("build-release", "build-python"),
    "determinism": tuple(f"build-{preset}" for preset in PRESETS),
}


def command(*arguments: object, **options: object) -> int:
    """Runs a command in the repository and returns its exit status."""
    return subprocess.run([str(a) for a in arguments], cwd=ROOT, check=False, **options).returncode


def one(status: int) -> tuple[int, int]:
    """The count of a step that is one check: (passed, failed)."""
    return (1, 0) if status == 0 else (0, 1)


def junit(report: Path, status: int) -> tuple[int, int]:
    """Counts the cases of a JUnit report; a missing or empty one is a failure, so is a skipped case."""
    if not report.exists():
        return 0, 1
    suites = list(ElementTree.parse(report).getroot().iter("testsuite"))
    total = sum(int(s.get("tests", 0)) for s in suites)
    failed = sum(int(s.get(k, 0)) for s in suites for k in ("failures", "errors", "skipped", "disabled"))
    if status != 0 or total == 0:
        failed = max(failed, 1)
    return max(total - failed, 0), failed


def run_format() -> tuple[int, int]:
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.cpp", "*.hpp"],
        cwd=ROOT, check=True, capture_output=True, text=True)
    files = [f for f in listing.stdout.split() if (ROOT / f).exists()]
    return one(command("clang-format-19", "--dry-run", "--Werror", *files))


def pytest(folder: str, *options: str) -> tuple[int, int]:
    report = BUILD / f"{folder}.junit.xml"
    report.unlink(missing_ok=True)
    status = command(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                     f"--junit-xml={report}", *options, f"tests/{folder}")
    return junit(report, status)


def build(preset: str, *targets: str) -> tuple[int, int]:
    return one(command("./dev", "build", preset, *targets))


def ctest(preset: str) -> tuple[int, int]:
    report = BUILD / f"{preset}.junit.xml"
    report.unlink(missing_ok=True)
    environment = dict(os.environ)
    # Per-request timings of real drives, where a developer has them beside the repository.
    traces = ROOT.parent / "shared" / "reference" / "drive-traces"
    if traces.is_dir():
        environment.setdefault("COPYSIM_DRIVE_TRACES", str(traces))
    if "COPYSIM_DRIVE_TRACES" not in environment:
        print("NOTE: COPYSIM_DRIVE_TRACES names no folder, so the models of the five traced drives were NOT "
              "checked against their traces; the test of them passes without having checked anything")
    finished = subprocess.run(
        ["ctest", "--test-dir", str(BUILD / preset), "-j", str(os.cpu_count() or 1), "--output-on-failure",
         "--no-tests=error", "--output-junit", str(report)],
        cwd=ROOT, check=False, env=environment, capture_output=True, text=True)
    if finished.returncode == 0:
        print(finished.stdout.strip().splitlines()[-1])
    else:
        print(re.sub(r"(?m)^.*(Start +\d+:|Passed).*\n", "", finished.stdout), finished.stderr)
    return junit(report, finished.returncode)


def build_python() -> tuple[int, int]:
    """Builds the Python package as the tests import it, from what `release` has compiled.

    Where `dev` made those objects for it (without a compiler cache), the commands are the same and
    ninja keeps them; else it compiles the library anew, which is as correct and takes minutes.
    """
    release, python = BUILD / "release", BUILD / "python"
    if release.exists() and not python.exists():
        python.mkdir()
        for name in (".ninja_log", ".ninja_deps"):
            shutil.copy2(release / name, python)
        for layer in ("sim", "models", "lib"):
            shutil.copytree(release / layer, python / layer)
    return build("python")


def script(path: str) -> tuple[int, int]:
    return one(command(sys.executable, path))


def steps() -> dict[str, object]:
    """The steps in order: what is quick to fail comes first."""
    table: dict[str, object] = {
        "format": run_format,
        "architecture": lambda: pytest("architecture"),
    }
    for preset in PRESETS:
        table[f"build-{preset}"] = lambda preset=preset: build(preset)
        table[f"ctest-{preset}"] = lambda preset=preset: ctest(preset)
    table["headers"] = lambda: build("clang", "all_verify_interface_header_sets")
    table["tidy"] = lambda: script("tests/lint/tidy.py")
    table["build-python"] = build_python
    for folder in ("python", "wheel", "notebooks", "dev", "readme"):
        if any((ROOT / "tests" / folder).glob("test_*.py")):
            # The names of the tests of the wheel tell for which versions of Python it was tried.
            options = ("-vv",) if folder == "wheel" else ()
            table[folder] = lambda folder=folder, options=options: pytest(folder, *options)
    table["live-smb"] = lambda: one(command("./dev", "live-smb"))
    table["determinism"] = lambda: script("tests/determinism/compare_builds.py")
    return table


def main(arguments: list[str]) -> int:
    table = steps()
    if arguments == ["--list"]:
        print(*table, sep="\n")
        return 0
    unknown = [a for a in arguments if a not in table]
    if unknown:
        print(f"test: step must be one of {', '.join(table)}, got {unknown[0]}", file=sys.stderr)
        return 2
    BUILD.mkdir(exist_ok=True)
    wanted = {*arguments, *(need for a in arguments for need in NEEDS.get(a, ()))} or set(table)
    passed = failed = 0
    for name in (name for name in table if name in wanted):
        print(f"== {name}", flush=True)
        started = time.monotonic()
        try:
            good, bad = table[name]()
        except (OSError, subprocess.SubprocessError, ElementTree.ParseError) as problem:
            print(problem)
            good, bad = 0, 1
        print(f"   {name}: {good} passed, {bad} failed, {time.monotonic() - started:.0f} s", flush=True)
        passed += good
        failed += bad
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
