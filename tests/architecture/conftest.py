import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def repository() -> Path:
    return Path(__file__).resolve().parents[2]


@pytest.fixture
def tree(tmp_path):
    """Writes a small source tree: tree({"sim/x.cpp": "..."}) returns its root."""

    def write(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return write
