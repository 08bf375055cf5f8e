"""What each place's light says: a pure function of state, question and selection."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import table_bot
import toy_game
from table_bot import advance_to

from referee.hall.table import Table
from referee.kernel.lights import PALETTE, TRAY, Meaning, Selection, lights_for, lit_places, seat_light
from referee.kernel.registry import load_game
from referee.kernel.requests import ChooseOne, ChooseSecretly, RollDice


def light(meaning: Meaning) -> object:
    return PALETTE[meaning]


def test_origin_and_targets_of_a_move(table: Table) -> None:
    lights = table.lights()
    assert lights["north"] == light(Meaning.ORIGIN)
    assert lights["east"] == lights["west"] == light(Meaning.TARGET)
    assert lights["south"] == light(Meaning.CONTROL_B)  # the game's own marker stays


def test_a_tap_lights_what_is_chosen_and_what_is_refused(table: Table) -> None:
    lights = table.lights(Selection(selected=("east",), refused="south"))
    assert lights["east"] == light(Meaning.SELECTED)
    assert lights["south"] == light(Meaning.REFUSED)
    assert lights["west"] == light(Meaning.TARGET)


def test_a_draft_shows_where_it_would_lead(table: Table) -> None:
    preview = table.preview("white", ["east"])
    assert table.lights(None, preview)["east"] == light(Meaning.WAITING_PERSON)
    assert table.lights()["east"] == light(Meaning.TARGET)


def test_a_roll_lights_tray_and_fight(table: Table) -> None:
    advance_to(table, RollDice)
    lights = table.lights()
    assert lights[TRAY] == light(Meaning.WAITING_DICE)
    assert light(Meaning.FIGHT) in lights.values()


def test_the_seat_that_is_asked_is_lit(table: Table) -> None:
    assert table.lights()[seat_light("white")] == light(Meaning.TURN)
    assert seat_light("black") not in table.lights()
    advance_to(table, ChooseSecretly)
    assert {place for place, shown in table.lights().items() if shown == light(Meaning.TURN)} == {
        seat_light("white"),
        seat_light("black"),
    }
    table.answer("white", "rock", revision=table.revision)
    assert seat_light("white") not in table.lights(), "its sealed choice is in"
    assert table.lights()[seat_light("black")] == light(Meaning.TURN)


def test_tray_and_seats_are_among_what_may_be_lit(table: Table) -> None:
    advance_to(table, RollDice)
    assert set(table.lights()) - set(toy_game.PLACES) <= set(lit_places(table.game))
    assert lit_places(table.game) == [TRAY, "seat_white", "seat_black"], "a game without a drawn board"
    game = load_game("five_armies")
    assert len(lit_places(game)) == len(game.board().places) + 3  # type: ignore[attr-defined]


def test_options_that_are_no_places_are_not_lit() -> None:
    class Drawn:
        seats = ("white",)

        def board(self, options: Any) -> Any:
            return SimpleNamespace(places={"vale": None, "hill": None})

    request = ChooseOne("white", "prompt.place", ["vale", "stay"], domain="place", about={"from": "hill"})
    lights = lights_for(Drawn(), None, request, None, ["white"])
    assert set(lights) == {"vale", "hill", "seat_white"}


def test_when_the_game_is_over_only_the_position_shines(table: Table) -> None:
    table_bot.play(table, Random(1))
    assert set(table.lights().values()) <= {light(Meaning.CONTROL_A), light(Meaning.CONTROL_B)}


def test_the_same_input_gives_the_same_lights_and_nothing_is_changed(new_table: Callable[..., Table]) -> None:
    table = new_table()
    before = table.play.digest()
    once = lights_for(table.game, table.play.state, table.request, Selection(("east",)))
    assert once == lights_for(table.game, table.play.state, table.request, Selection(("east",)))
    assert table.play.digest() == before


def test_a_game_without_markers_has_lights_too(table: Table) -> None:
    class Plain:
        pass

    assert set(lights_for(Plain(), table.play.state, table.request)) == {"north", "east", "west"}
    assert lights_for(Plain(), table.play.state, None) == {}


def test_each_meaning_differs_from_every_other_in_colour_or_pattern() -> None:
    assert len(set(PALETTE.values())) == len(PALETTE)
    assert toy_game.GAME.id == "toy"
