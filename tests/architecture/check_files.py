"""Checks the form of files: length, `#pragma once`, unfinished marks, copysim headers by `<...>`."""

import re
import sys
from pathlib import Path

from source_text import cpp_files

MOST_LINES = 400
UNFINISHED = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X")) + r")\b")


def violations(root: Path) -> list[str]:
    """One line per file that is too long, unfinished or includes its own headers in another form."""
    found = []
    scripts = [p for folder in ("tests", "python", "bench", "lib") for p in sorted((root / folder).rglob("*.py"))]
    for path in [*cpp_files(root), *scripts]:
        text = path.read_text()
        name = path.relative_to(root)
        lines = text.count("\n")
        if lines > MOST_LINES:
            found.append(f"{name}: has {lines} lines, must have at most {MOST_LINES}: split it by concept")
        if UNFINISHED.search(text):
            found.append(f"{name}: bears a mark of unfinished work")
        if path.suffix == ".hpp" and "#pragma once" not in text:
            found.append(f"{name}: lacks #pragma once")
        if path.suffix != ".py" and re.search(r'#\s*include\s*"copysim/', text):
            found.append(f"{name}: public headers are included as <copysim/...>")
    return found


if __name__ == "__main__":
    problems = violations(Path(__file__).resolve().parents[2])
    print(*problems, sep="\n" if problems else "")
    sys.exit(1 if problems else 0)
