"""Every row of the table of faults names a test, and that test exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "faults.md"
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def rows() -> list[list[str]]:
    """The cells of each row, without heads and rules."""
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    found = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return [row for row in found if row[0] != "injected"]


@cache
def defined_in(path: Path) -> frozenset[str]:
    """The tests that a file defines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(
        node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0][:60])
def test_each_fault_is_shown_by_a_test_that_exists(row: list[str]) -> None:
    assert len(row) == 4 and all(row), row
    named = NAMED.findall(row[3])
    assert named, f"no test is named: {row[3]}"
    for file, test in named:
        assert (ROOT / file).is_file(), file
        assert test in defined_in(ROOT / file), f"{file} has no {test}"


def test_the_table_covers_what_breaks_on_such_an_evening() -> None:
    text = " ".join(" ".join(row) for row in rows()).lower()
    faults = (
        "kill -9", "disk full", "read-only", "torn", "truncated", "flipped bits", "clock back",
        "two processes", "older form", "camera", "light controller", "wire", "connection lost", "stale tap",
    )  # fmt: skip
    assert [fault for fault in faults if fault not in text] == []
    assert len(rows()) == len({row[0] for row in rows()}) >= 40
