"""Reads the commands of a Markdown page, and what the page says that they print.

A fenced block ```sh holds commands, one a line (a backslash joins lines). A block ```text or ```json
right after it holds what they print: its lines must appear in this order; a line `...` stands for
any lines, and so do the end and the beginning. A block whose language is followed by a file name
(```toml mine.toml) is written to that file first. A block ```sh after a line
`<!-- not run: reason -->` is left alone.

A prediction is the same on every machine, so figures are compared as well. When the data or the models change,
`./dev python tests/readme/refresh.py` writes the new figures into the pages.
"""

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

FENCE = re.compile(r"^```(\S+)(?: +(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_RUN = re.compile(r"<!-- not run: .+ -->\s*\Z")


@dataclass
class Block:
    """Commands that run together, what they print, and the files that must be there first."""

    line: int
    commands: str
    prints: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    printed_at: tuple[int, int] = (0, 0)  # where in the page `prints` stands


def blocks(page: str) -> list[Block]:
    found: list[Block] = []
    files: dict[str, str] = {}
    end_of_commands = None
    for match in FENCE.finditer(page):
        language, name, text = match.groups()
        before = page[:match.start()]
        if name:
            files[name] = text
        elif language == "sh" and not NOT_RUN.search(before):
            found.append(Block(before.count("\n") + 1, text, files=dict(files)))
            end_of_commands = match.end()
        elif language in ("text", "json") and end_of_commands is not None:
            if not NOT_RUN.search(before) and "```" not in page[end_of_commands:match.start()]:
                found[-1].prints = text.splitlines()
                found[-1].printed_at = match.span(3)
                end_of_commands = None
    return found


def without_figures(line: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?", "#", line)).strip()


def missing_line(expected: list[str], printed: str) -> str | None:
    """The first expected line that does not come, in order, in what was printed; None if all do."""
    lines = iter([line.rstrip() for line in printed.splitlines()])
    for wanted in expected:
        if wanted.strip() == "...":
            continue
        if not any(line == wanted.rstrip() for line in lines):
            return wanted
    return None


def with_new_figures(expected: list[str], printed: str) -> list[str]:
    """The expected lines, each with the figures of the next printed line of the same words."""
    lines = printed.splitlines()
    found = []
    for wanted in expected:
        same = [i for i, line in enumerate(lines) if without_figures(line) == without_figures(wanted)]
        if wanted.strip() == "..." or not same:
            found.append(wanted)
        else:
            found.append(lines[same[0]].rstrip())
            del lines[:same[0] + 1]
    return found


def run(block: Block, folder: Path, dev: Path) -> subprocess.CompletedProcess[str]:
    """Runs a block in an empty folder with its files and `./dev` in it."""
    for name, text in block.files.items():
        (folder / name).write_text(text)
    (folder / "dev").symlink_to(dev)
    return subprocess.run(["sh", "-ec", block.commands], cwd=folder, check=False, capture_output=True, text=True)
