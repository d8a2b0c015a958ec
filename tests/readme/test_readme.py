"""Runs every command of README.md and docs/*.md in an empty folder with `./dev` in it, and compares
what it prints."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))

from commands import Block, blocks, missing_line  # noqa: E402

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = {f"{page.name}-line-{block.line}": block
          for page in PAGES for block in blocks(page.read_text())}


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
def test_a_command_prints_what_its_page_says(block: Block, tmp_path):
    for name, text in block.files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "dev").symlink_to(ROOT / "dev")

    run = subprocess.run(["sh", "-ec", block.commands], cwd=tmp_path, check=False,
                         capture_output=True, text=True)

    assert run.returncode == 0, run.stderr[-2000:]
    assert missing_line(block.prints, run.stdout, block.figures_may_drift) is None, run.stdout[-4000:]


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


def test_figures_may_drift_where_the_page_says_so_but_words_may_not():
    shown = ["A-1  599.1 +- 0.04  +4.6 %  holds"]

    assert missing_line(shown, "A-1  98.25 +- 1e-05 -0.1 %   holds\n", figures_may_drift=True) is None
    assert missing_line(shown, "A-1  599.1 +- 0.04  +4.6 %  misses\n", figures_may_drift=True)
    [block] = blocks("```sh\nls\n```\n<!-- figures may drift: data -->\n```text\na 1\n```\n")
    assert block.figures_may_drift
