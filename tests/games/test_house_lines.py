"""What is counted as a game's house, and that two trees can be laid side by side."""

from __future__ import annotations

import subprocess
from pathlib import Path

import bench_against
import house_lines
import pytest


def _file(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_blank_lines_rules_and_cards_do_not_count(tmp_path: Path) -> None:
    _file(tmp_path / "kit" / "places.py", "a = 1\n\n\nb = 2\n")
    _file(tmp_path / "chess" / "game.py", "x = 1\n   \ny = 2\nz = 3\n")
    _file(tmp_path / "chess" / "state" / "rules" / "board.py", "a = 1\n")
    _file(tmp_path / "chess" / "rules" / "moves" / "castling.py", "a = 1\nb = 2\n")
    _file(tmp_path / "chess" / "cards" / "__init__.py", '"""None."""\n')
    _file(tmp_path / "chess" / "box" / "board.toml", "a = 1\n")
    assert house_lines.figures(tmp_path) == {
        "house.lines_kit": 2,
        "house.lines_chess": 4,
        "house.lines_chess_rules": 3,
    }


def test_the_games_of_the_house_are_counted() -> None:
    found = house_lines.figures()
    assert {"house.lines_kit", "house.lines_five_armies", "house.lines_war_of_the_ring"} <= found.keys()
    assert all(value > 0 for value in found.values())


@pytest.mark.skipif(not (bench_against.TREE / ".git").exists(), reason="no history beside this tree")
def test_a_commit_is_laid_beside_the_tree(tmp_path: Path) -> None:
    bench_against.laid_out("HEAD", tmp_path)
    assert (tmp_path / "referee" / "games" / "kit" / "game.py").exists()
    with pytest.raises(subprocess.CalledProcessError):
        bench_against.laid_out("no-such-commit", tmp_path)
