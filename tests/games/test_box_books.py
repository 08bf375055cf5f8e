"""Each game's box book opens: what it asks for, and what of that cannot stand together."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.boxbook import BoxBook
from referee.kernel.forms import box_book_form_of, house_rules_form_of
from referee.kernel.registry import load_game

GAMES = ("five_armies", "war_of_the_ring", "battlelore", "mountain_king")


@pytest.mark.parametrize("name", GAMES)
def test_a_game_without_typed_values_broke_every_page_with_a_box_book(name: str, tmp_path: Path) -> None:
    game = load_game(name)
    book = BoxBook(game, tmp_path, "own")
    assert [one.key for one in book.form] == [one.key for one in box_book_form_of(game)]
    assert len(tuple(house_rules_form_of(game))) > 0
