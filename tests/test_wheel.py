"""What the program points to goes into its wheel: pages, firmware, rules."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from referee.cli import main
from referee.commands import docs

ROOT = Path(__file__).resolve().parents[1]
TOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
ROOMS = ("referee", "vision", "web", "calibration", "firmware_bridge")


def shipped_pages() -> set[str]:
    """Files below docs/ that a wheel brings, at the same place below share/table-referee."""
    found = set()
    for target, patterns in TOOLS["data-files"].items():
        for pattern in patterns:
            for file in ROOT.glob(pattern):
                assert target == f"share/table-referee/{file.parent.relative_to(ROOT)}"
                found.add(str(file.relative_to(ROOT)))
    return found


def test_every_page_and_picture_is_in_the_wheel() -> None:
    there = {str(file.relative_to(ROOT)) for file in (ROOT / "docs").rglob("*") if file.is_file()}
    assert there == shipped_pages()


def test_the_pages_that_sentences_name_are_in_the_wheel() -> None:
    named = set()
    for room in ROOMS:
        for kind in ("*.py", "*.po", "*.toml", "*.rules", "*.md"):
            for source in (ROOT / room).rglob(kind):
                named |= set(re.findall(r"docs/[\w/]+\.md", source.read_text("utf-8")))
    assert len(named) > 5 and named <= shipped_pages()


@pytest.mark.parametrize(
    "file",
    [
        "lights_atmega328p.hex",
        "lights_pico.uf2",
        "boot2.S",
        "memory.ld",
        "60-table-referee.rules",
        "hotspot.md",
        "sample.toml",
    ],
)
def test_files_beside_the_code_are_in_the_wheel(file: str) -> None:
    everywhere = TOOLS["package-data"]["*"]
    assert any(Path(file).match(pattern) for pattern in everywhere)
    assert any((ROOT / room).rglob(file) for room in ROOMS)


def test_the_pages_are_found_in_a_checkout_and_where_a_wheel_puts_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert docs.folder() == ROOT / "docs"
    monkeypatch.setattr(docs, "CHECKOUT", tmp_path)
    monkeypatch.setattr(docs, "INSTALLED", tmp_path / "share")
    assert docs.folder() is None
    (tmp_path / "share").mkdir()
    (tmp_path / "share/running.md").touch()
    assert docs.folder() == tmp_path / "share"
    assert "docs" in main.list_commands(None)  # type: ignore[arg-type]
