"""Reads the commands of a Markdown page, and what the page says that they print.

A fenced block ```sh holds commands, one a line (a backslash joins lines). A block ```text or ```json
right after it holds what they print: its lines must appear in this order; a line `...` stands for
any lines, and so do the end and the beginning. After a line `<!-- figures may drift: reason -->` before
what they print, numbers and the spaces around them need not be equal. A block whose language is followed by a file name
(```toml mine.toml) is written to that file first. A block ```sh after a line
`<!-- not run: reason -->` is left alone.
"""

import re
from dataclasses import dataclass, field

FENCE = re.compile(r"^```(\S+)(?: +(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_RUN = re.compile(r"<!-- not run: .+ -->\s*\Z")
DRIFTING = re.compile(r"<!-- figures may drift: .+ -->\s*\Z")


@dataclass
class Block:
    """Commands that run together, what they print, and the files that must be there first."""

    line: int
    commands: str
    prints: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    figures_may_drift: bool = False


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
                found[-1].figures_may_drift = bool(DRIFTING.search(before))
                end_of_commands = None
    return found


def without_figures(line: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?", "#", line)).strip()


def missing_line(expected: list[str], printed: str, figures_may_drift: bool = False) -> str | None:
    """The first expected line that does not come, in order, in what was printed; None if all do."""
    form = without_figures if figures_may_drift else str.rstrip
    lines = iter([form(line) for line in printed.splitlines()])
    for wanted in expected:
        if wanted.strip() == "...":
            continue
        if not any(line == form(wanted) for line in lines):
            return wanted
    return None
