"""Chapter II: setting up, what the box book tells, house rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from referee.games.five_armies.box.components import FIGURES, UNIT
from referee.games.five_armies.box.map import PLACE
from referee.games.five_armies.game import GAME
from referee.games.five_armies.state.state import State
from referee.kernel.errors import InvalidAnswer
from referee.kernel.play import Play


def start(**options: Any) -> Play[State]:
    return Play(GAME, GAME.new_state(options))


def placed(play: Play[State]) -> Mapping[str, int]:
    return {
        unit: FIGURES[i] - play.state.supply[i]
        for unit, i in UNIT.items()
        if FIGURES[i] > play.state.supply[i]
    }


TOTALS = {
    "dwarf_regulars": 1,
    "dwarf_veterans": 2,
    "elven_archers": 2,
    "elven_spearmen": 2,
    "lake_men": 4,
    "goblins": 3,
    "orcs": 6,
    "great_orcs": 2,
    "wargs": 5,
}


def test_the_suggestion_is_looked_at_by_both_and_can_be_changed() -> None:
    play = start()
    for seat in ("free", "shadow"):
        assert play.request is not None and (play.request.seat, play.request.prompt) == (
            seat,
            "prompt.setup_confirm",
        )
        if seat == "free":
            # the suggestion stands on the board already, to be compared with the book
            assert dict(placed(play)) == TOTALS
            assert GAME.view(play.state, seat, "de")["places"]["camp"]["pieces"]
            play.answer("free_8")
            refusal = play.request.why_not("bl_north_plain")
            assert refusal is not None and refusal.rule == "setup.starting_armies"
            play.answer("camp")  # Dain's group goes where group 8 stood
            play.answer("free_4")
            play.answer("lower_slopes")
            assert dict(placed(play)) == TOTALS
        play.answer("ready")
    assert play.request is not None and play.request.prompt == "prompt.ask_leadership"
    play.answer("3")
    assert play.state.ratings[2] == 3 and play.state.phase == 2
    assert dict(placed(play)) == TOTALS
    assert GAME.to_json(play.state)["characters"]["dain"] == "lower_slopes"
    assert GAME.to_json(play.state)["places"]["camp"]["units"] == {"lake_men": 2}


def test_the_suggestion_can_be_taken_as_it_stands_and_the_box_book_spares_questions() -> None:
    play = start(setup="suggested", box={"leadership.gandalf": 3, "fortification.front_gate": 5})
    assert play.request is not None and play.request.prompt == "prompt.activate_generals"
    assert play.state.fort_values == (5, 3, 3)
    assert (play.state.turn, play.state.hand_event, play.state.hand_story) == (1, [1, 1], [1, 1])
    assert dict(placed(play)) == TOTALS
    assert [sum(places.values()) for places in play.state.tokens] == [3, 4, 12]


def test_the_other_reading_of_the_groups_has_the_same_totals() -> None:
    play = start(setup="suggested", house={"setup_groups": "b"}, box={"leadership.gandalf": 3})
    assert dict(placed(play)) == TOTALS
    assert [sum(places.values()) for places in play.state.tokens] == [3, 4, 12]
    assert play.state.where[0] == PLACE["eb_ridge_mid"]


def test_an_unknown_house_rule_is_named_with_those_that_exist() -> None:
    with pytest.raises(InvalidAnswer, match="seventh_die = settlements"):
        start(house={"seventh_die": "never"})
