"""A game with two editions: which one is chosen with the house rules, and the header names it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_hall import FakeHall, open_wide
from screens import Screen

from referee.kernel.registry import load_game
from web.app import create_app

GAME = "war_of_the_ring"


@pytest.fixture
def ring_hall(tmp_path: Path) -> Iterator[FakeHall]:
    hall = FakeHall(tmp_path, [load_game(GAME)])
    yield hall
    hall.close()


@pytest.mark.parametrize(("chosen", "edition"), [({}, "second"), ({"edition": "first"}, "first")])
def test_the_edition_is_chosen_with_the_house_rules(
    ring_hall: FakeHall, chosen: dict[str, str], edition: str
) -> None:
    screen = Screen(open_wide(create_app(ring_hall)))
    screen.post("/api/language", {"language": "en", "who": ""})
    form = screen.client.get(f"/api/setup/house/{GAME}").json
    assert "First edition" in str(form) or "first edition" in str(form)
    names = {"free": "Anna", "shadow": "Bert"}
    house = chosen | {"die_change": "at_once"}
    told = screen.post("/api/games/new", {"game": GAME, "players": names, "table_name": "", "house": house})
    assert told.status_code == 200, told.json
    table = ring_hall.table
    assert table is not None
    assert table.play.state.edition.id == edition
    assert table.header["edition"] == edition
    assert table.play.state.house["die_change"] == "at_once"


def test_a_battle_is_chosen_on_the_start_page_and_its_board_is_shown(tmp_path: Path) -> None:
    """Battles of one game have boards of their own: screens go by the digest."""
    game = load_game("battlelore")
    hall = FakeHall(tmp_path, [game])
    screen = Screen(open_wide(create_app(hall)))
    screen.post("/api/language", {"language": "en", "who": ""})
    assert "Two Gaps" in str(screen.client.get("/api/setup/house/battlelore").json)
    names = {"south": "Anna", "north": "Bert"}
    house = {"scenario": "own_03", "panic_roller": "owner"}
    told = screen.post(
        "/api/games/new", {"game": game.id, "players": names, "table_name": "", "house": house}
    )
    assert told.status_code == 200, told.json
    table = hall.table
    assert table is not None
    assert table.play.state.field.id == "own_03"
    assert table.play.state.house["panic_roller"] == "owner"
    board = game.board(table.header["options"])
    hexes = [place for place in board.places.values() if place.kind == "region"]
    assert board.places["e1"].terrain == "water" and len(hexes) == 113
    assert board.digest != game.board({}).digest and board.layout_digest == game.board({}).layout_digest
    hall.close()
