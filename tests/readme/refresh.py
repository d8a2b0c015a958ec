"""Writes the figures that the commands of README.md and docs/*.md print today into these pages.

It changes numbers only: a line whose words are not printed any more stays, and the step `readme` tells it.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))

from commands import blocks, run, with_new_figures  # noqa: E402


def refresh(page: Path) -> None:
    text = page.read_text()
    for block in reversed(blocks(text)):  # from the end, so that places before it stay
        if not block.prints:
            continue
        with tempfile.TemporaryDirectory() as folder:
            printed = run(block, Path(folder), ROOT / "dev").stdout
        first, last = block.printed_at
        text = text[:first] + "".join(f"{line}\n" for line in with_new_figures(block.prints, printed)) + text[last:]
    page.write_text(text)


def refresh_python(page: Path) -> None:
    """The one line of Python that the page shows for `pip install`."""
    text = page.read_text()
    program = re.search(r'^python -c "(.+)"$', text, re.MULTILINE)
    printed = subprocess.run([sys.executable, "-c", program.group(1)], check=True, capture_output=True, text=True).stdout
    shown = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL).search(text, program.end())
    lines = with_new_figures(shown.group(1).splitlines(), printed)
    page.write_text(text[:shown.start(1)] + "".join(f"{line}\n" for line in lines) + text[shown.end(1):])


if __name__ == "__main__":
    for each in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        refresh(each)
    refresh_python(ROOT / "README.md")
