"""Runs clang-tidy on the library's sources; a source that did not change since it passed is skipped.

Changed means: the source, any repository header that it includes (as the compiler recorded), the
compile command or `.clang-tidy`. The record of what passed is build/clang/tidy-passed.json. The
build of the preset `clang` must exist. `python3 tidy.py [SOURCE...]` checks only the named ones.

clang-tidy 19 spends nine tenths of its time on the standard library's headers, once for each source.
So sources of a folder are first checked as one text. If that has a finding, or does not compile
because two sources use one private name, its halves are, and in the end a source alone, which counts.
"""

import hashlib
import itertools
import json
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "clang"
PASSED = BUILD / "tidy-passed.json"
TEXTS = BUILD / "tidy"
FOLDERS = ("sim", "models", "lib", "examples")
TIDY = "clang-tidy-19"
UNIT = 12  # sources at most that are checked as one text


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


@dataclass(frozen=True)
class Source:
    path: str
    flags: tuple[str, ...]  # how it is compiled

    @property
    def text(self) -> str:
        return Path(self.path).read_text()


INCLUDE = re.compile(r"#include .*")


def units(sources: list[Source]) -> list[list[Source]]:
    """What is checked as one text: sources of one folder, compiled with the same flags."""
    groups: dict[tuple[str, tuple[str, ...]], list[Source]] = {}
    alone = []
    for source in sources:
        includes = INCLUDE.findall(source.text)
        if len(includes) > len(set(includes)):
            alone.append([source])  # what is included twice would be hidden in the text of a unit
        else:
            groups.setdefault((str(Path(source.path).parent), source.flags), []).append(source)
    return alone + [group[i:i + UNIT] for group in groups.values() for i in range(0, len(group), UNIT)]


def joined(unit: list[Source]) -> str:
    """The sources one after another. An #include that was there before is left out, as clang-tidy
    takes it for a repetition."""
    seen: set[str] = set()
    lines = []
    for source in unit:
        for line in source.text.splitlines():
            if INCLUDE.match(line) and line in seen:
                line = ""
            elif INCLUDE.match(line):
                seen.add(line)
            lines.append(line)
    return "\n".join(lines) + "\n"


def tidy(path: Path | str, flags: tuple[str, ...]) -> tuple[bool, str]:
    run = subprocess.run([TIDY, "--quiet", str(path), "--", *flags],
                         check=False, capture_output=True, text=True)
    return run.returncode == 0, run.stdout


def check(unit: list[Source]) -> list[tuple[Source, bool, str]]:
    """Each source of the unit, whether it is clean, and what was found."""
    first = unit[0]
    if len(unit) == 1:
        return [(first, *tidy(first.path, first.flags))]
    text = TEXTS / str(Path(first.path).relative_to(ROOT)).replace("/", "-")
    text.write_text(joined(unit))
    clean, _ = tidy(text, (*first.flags, "-iquote", str(Path(first.path).parent)))
    if clean:
        return [(source, True, "") for source in unit]
    half = len(unit) // 2
    return check(unit[:half]) + check(unit[half:])


def compiled_with(entry: dict[str, str]) -> tuple[str, ...]:
    """The flags of a compile command, without its compiler, source and output."""
    words = shlex.split(entry["command"])
    output = words.index("-o")
    return tuple(word for i, word in enumerate(words)
                 if i > 0 and i not in (output, output + 1) and word not in ("-c", entry["file"]))


def main(names: list[str]) -> int:
    wanted = {str((ROOT / name).resolve()) for name in names}
    passed = json.loads(PASSED.read_text()) if PASSED.exists() else {}
    recorded = dependencies()
    marks = {}
    pending = []
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
            marks[entry["file"]] = mark
            pending.append(Source(entry["file"], compiled_with(entry)))

    TEXTS.mkdir(exist_ok=True)
    failures = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for source, clean, text in itertools.chain.from_iterable(pool.map(check, units(pending))):
            if clean:
                passed[source.path] = marks[source.path]
                PASSED.write_text(json.dumps(passed, indent=0, sort_keys=True))
            else:
                failures += 1
                print(text.replace(f"{ROOT}/", ""), flush=True)
    print(f"clang-tidy: {total} sources, {total - len(pending)} unchanged, {failures} with findings")
    return 1 if failures or not total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
