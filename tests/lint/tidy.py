"""Runs clang-tidy on the library's sources; a source that did not change since it passed is skipped.

Changed means: the source, any repository header that it includes (as the compiler recorded), the
compile command or `.clang-tidy`. The record of what passed is build/clang/tidy-passed.json. The
build of the preset `clang` must exist. `python3 tidy.py [SOURCE...]` checks only the named ones.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "clang"
PASSED = BUILD / "tidy-passed.json"
FOLDERS = ("sim", "models", "lib", "examples")
TIDY = "clang-tidy-19"


def dependencies() -> dict[str, list[str]]:
    """The files of the repository that each object depends on, from Ninja's record."""
    listing = subprocess.run(["ninja", "-C", str(BUILD), "-t", "deps"],
                             check=True, capture_output=True, text=True).stdout
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line in listing.splitlines():
        if match := re.match(r"(\S+): #deps", line):
            current = found.setdefault(match.group(1), [])
        elif line.startswith("    ") and line.strip().startswith(str(ROOT)):
            current.append(line.strip())
    return found


def fingerprint(entry: dict[str, str], files: list[str]) -> str:
    digest = hashlib.sha256(entry["command"].encode())
    for name in [str(ROOT / ".clang-tidy"), *sorted(files)]:
        digest.update(Path(name).read_bytes() if Path(name).exists() else b"gone")
    return digest.hexdigest()


def check(source: str) -> tuple[bool, str]:
    run = subprocess.run([TIDY, "--quiet", "-p", str(BUILD), source],
                         check=False, capture_output=True, text=True)
    return run.returncode == 0, run.stdout


def main(names: list[str]) -> int:
    wanted = {str((ROOT / name).resolve()) for name in names}
    passed = json.loads(PASSED.read_text()) if PASSED.exists() else {}
    recorded = dependencies()
    pending = {}
    total = 0
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        source = Path(entry["file"])
        if not source.is_relative_to(ROOT) or source.relative_to(ROOT).parts[0] not in FOLDERS:
            continue
        if wanted and entry["file"] not in wanted:
            continue
        total += 1
        output = re.search(r" -o (\S+)", entry["command"])
        files = recorded.get(output.group(1), []) if output else []
        mark = fingerprint(entry, files or [entry["file"]])
        if passed.get(entry["file"]) != mark:
            pending[entry["file"]] = mark

    failures = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, (good, text) in zip(pending, pool.map(check, pending)):
            if good:
                passed[source] = pending[source]
                PASSED.write_text(json.dumps(passed, indent=0, sort_keys=True))
            else:
                failures += 1
                print(text.replace(f"{ROOT}/", ""), flush=True)
    print(f"clang-tidy: {total} sources, {total - len(pending)} unchanged, {failures} with findings")
    return 1 if failures or not total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
