"""Finds the C++ files of a source tree and blanks what is not code in them."""

import re
from collections.abc import Iterator
from pathlib import Path

FOLDERS = ("include", "lib", "sim", "models", "python", "tests", "examples", "bench")
NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'',
    re.DOTALL)


def cpp_files(root: Path, *folders: str) -> Iterator[Path]:
    """The C++ files below the given folders of `root` (all folders when none is given), sorted."""
    for folder in folders or FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".cpp", ".hpp", ".h"):
                yield path


def code(text: str) -> str:
    """`text` with comments and the insides of literals blanked; offsets and lines stay the same."""

    def blank(match: re.Match[str]) -> str:
        found = match.group(0)
        inside = re.sub(r"[^\n]", " ", found)
        if found.startswith("/") or len(found) < 2:
            return inside
        return found[0] + inside[1:-1] + found[-1]

    return NOT_CODE.sub(blank, text)


def closing(text: str, opening: int) -> int:
    """The offset of the bracket that closes the one at `opening`; the end of the text without one."""
    pairs = {"(": ")", "[": "]", "{": "}"}
    expected = []
    for offset in range(opening, len(text)):
        character = text[offset]
        if character in pairs:
            expected.append(pairs[character])
        elif expected and character == expected[-1]:
            expected.pop()
            if not expected:
                return offset
    return len(text)


def place(root: Path, path: Path, text: str, offset: int) -> str:
    """`path:line` of an offset, for messages."""
    return f"{path.relative_to(root)}:{text.count(chr(10), 0, offset) + 1}"
