"""The map of the house names what is there: rooms, files, and in each file the function of the walk."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "house.md").read_text(encoding="utf-8")
STEPS = re.findall(r"`([\w./]+\.(?:py|js|cpp))`\s+`([\w.]+)`", PAGE)


def test_the_walks_are_read_at_all() -> None:
    assert len(STEPS) > 20


@pytest.mark.parametrize(("file", "name"), STEPS)
def test_each_step_of_a_walk_is_there(file: str, name: str) -> None:
    source = (ROOT / file).read_text(encoding="utf-8")
    for part in name.split("."):
        there = rf"\b(?:class|def|void|uint8_t|bool)\s+{part}\b|^[ \t]+(?:async )?{part}\(.*\{{$"
        assert re.search(there, source, re.MULTILINE), f"{file} has no {part}"


def test_the_picture_of_the_rooms_is_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, "scripts/draw_house.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
