"""The board of a new game is laid by light: tile by tile, hex by hex, confirmed by both sides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_hall import FakeHall, open_wide
from screens import Screen

from referee.hall.table import Table
from referee.journal.errors import Frozen, NotPossible
from referee.kernel.lights import PALETTE, Meaning
from referee.kernel.registry import load_game
from referee.serving.hosting import NewGame
from web.app import create_app


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[FakeHall]:
    hall = FakeHall(tmp_path, [load_game("battlelore")])
    hall.start(NewGame("battlelore", {}, options={"box": {"sections": "fifth"}}))
    assert hall.table is not None
    hall.table.walk_path = tmp_path / "walk"
    hall.table.offer_laying()
    yield hall
    hall.close()


def table_of(hall: FakeHall) -> Table:
    assert hall.table is not None
    return hall.table


def test_the_hands_are_led_and_both_sides_confirm(hall: FakeHall) -> None:
    """Tiles first, then units, each place lit in turn; no answer is taken before both have confirmed."""
    table = table_of(hall)
    state, request = table.play.state, table.request
    assert request is not None
    walk = table.begin_laying("north")
    tiles, units = len(table.play.game.tiles(state)), len(state.field.units)
    assert (walk.tiles, len(walk.places)) == (tiles, tiles + units)
    shown = []
    while walk.current is not None:
        assert table.lights()[walk.current] == PALETTE[Meaning.AUDIT]
        shown.append((walk.current, walk.is_tile))
        with pytest.raises(NotPossible):
            table.confirm_laying("south")
        number = len(walk.answers) + 1
        table.answer_board_check("south", walk.current, "right", number)
        table.answer_board_check("north", shown[-1][0], "right", number)  # both tapped at once
        assert len(walk.answers) == number
    assert [tile for _, tile in shown] == [True] * tiles + [False] * units
    with pytest.raises(Frozen):
        table.answer(request.seat, request.options[0], revision=table.revision)  # type: ignore[attr-defined]
    assert table.confirm_laying("south") is None
    event = table.confirm_laying("north")
    assert event is not None and event.answer["laid"] == ["south", "north"]
    table.answer(request.seat, request.options[0], revision=table.revision)  # type: ignore[attr-defined]


def test_it_goes_on_after_a_power_cut_and_can_be_left(hall: FakeHall, tmp_path: Path) -> None:
    table = table_of(hall)
    walk = table.begin_laying("south")
    table.answer_board_check("south", str(walk.current), "right")
    game_id = table.id
    hall.close()
    later = FakeHall(tmp_path, [load_game("battlelore")])
    later.resume(game_id)
    again = table_of(later)
    again.walk_path = tmp_path / "walk"
    again.offer_board_check()
    assert again.board_check is not None
    assert (again.board_check.tiles, len(again.board_check.answers)) == (walk.tiles, 1)
    ended = again.end_board_check("north")
    assert not ended.answer["complete"] and again.board_check is None
    later.close()


def test_screens_say_what_belongs_where(hall: FakeHall) -> None:
    screen = Screen(open_wide(create_app(hall)))
    for seat in ("south", "north"):
        screen.sit(seat, "en")
    check = screen.state("south")["table"]["check"]
    assert (check["place"], check["laying"]) == (None, True)
    assert screen.post("/api/seat/south/check/lay", {}).status_code == 200
    said = set()
    while (check := screen.state("south")["table"]["check"])["place"]:
        things = [*check.get("pieces", ()), *check.get("markers", ())]
        assert things and check["name"] == check["place"].upper()
        said |= {thing["name"] for thing in things}
        answer = {"place": check["place"], "says": "right", "number": check["number"]}
        assert screen.post("/api/seat/south/check/answer", answer).status_code == 200
    assert {"woods", "Blue foot"} <= said, said
    for seat in ("south", "north"):
        assert screen.post(f"/api/seat/{seat}/check/confirm", {}).status_code == 200
    assert screen.state("north")["table"]["check"] is None
    hall.close()
