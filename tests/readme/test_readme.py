"""Runs every command of README.md and docs/*.md in an empty folder with `./dev` in it, and compares
what it prints."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))

from commands import Block, blocks, missing_line, run, with_new_figures  # noqa: E402

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = {f"{page.name}-line-{block.line}": block
          for page in PAGES for block in blocks(page.read_text())}


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
def test_a_command_prints_what_its_page_says(block: Block, tmp_path):
    finished = run(block, tmp_path, ROOT / "dev")

    assert finished.returncode == 0, finished.stderr[-2000:]
    assert missing_line(block.prints, finished.stdout) is None, finished.stdout[-4000:]


def test_the_readme_shows_the_two_commands_that_a_newcomer_needs():
    first_screen = "\n".join((ROOT / "README.md").read_text().splitlines()[:40])

    assert "./dev reproduce" in first_screen
    assert "./dev test" in first_screen


PAGE = """
```toml mine.toml
[run]
```
```sh
./dev copysim run mine.toml
```
prints
```text
elapsed 5 s
...
done
```
<!-- not run: it would run itself -->
```sh
./dev test
```
```text
1 passed, 0 failed
```
"""


def test_blocks_carry_files_and_expectations_and_leave_out_what_is_not_run():
    [block] = blocks(PAGE)

    assert block.commands == "./dev copysim run mine.toml\n"
    assert block.files == {"mine.toml": "[run]\n"}
    assert block.prints == ["elapsed 5 s", "...", "done"]


def test_a_line_that_is_not_printed_or_out_of_order_is_found():
    assert missing_line(["a", "...", "c"], "x\na\nb\nc\n") is None
    assert missing_line(["a", "d"], "a\nb\n") == "d"
    assert missing_line(["b", "a"], "a\nb\n") == "a"


def test_a_figure_that_is_not_printed_any_more_is_found_and_can_be_refreshed():
    shown = ["A-1  599.1 +- 0.04  +4.6 %  holds", "...", "2 copies"]
    printed = "head\nA-1  98.25 +- 1e-05  -0.1 %  holds\nA-2\n3 copies\n"

    assert missing_line(shown, printed) == shown[0]
    assert with_new_figures(shown, printed) == ["A-1  98.25 +- 1e-05  -0.1 %  holds", "...", "3 copies"]
    assert missing_line(with_new_figures(shown, printed), printed) is None
    # Words are the writer's.
    assert with_new_figures(["A-1  599.1 +- 0.04  +4.6 %  misses"], printed) == ["A-1  599.1 +- 0.04  +4.6 %  misses"]
