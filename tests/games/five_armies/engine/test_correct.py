"""An arbiter's corrections: each primitive sets one thing and keeps the books right."""

from __future__ import annotations

from typing import Any

import pytest
from playing import Board

from referee.games.five_armies.box.map import PLACES, SETTLEMENTS, places_in
from referee.games.five_armies.game import GAME
from referee.games.five_armies.position.correct import CORRECTIONS
from referee.games.five_armies.state.audit import audit
from referee.kernel.errors import InvalidAnswer
from referee.kernel.lights import PALETTE, Meaning, lights_for

POSITION = """\
phase: 5
to_act: shadow
unused_dice: {free: [muster], shadow: [army, army]}
regions:
  camp: {side: free, units: {lake_men: 3}, characters: [bard], damage: 1, tokens: {elves: 1}}
  bl_upper_plain: {side: shadow, units: {orcs: 4}, leadership: 1}
"""

CASES: list[tuple[dict[str, Any], list[str], Any]] = [
    ({"do": "army", "place": "camp", "units": {"lake_men": 1}}, ["places", "camp", "units"], {"lake_men": 1}),
    ({"do": "army", "place": "bl_upper_plain", "units": {}}, ["places", "bl_upper_plain"], None),
    ({"do": "damage", "place": "camp", "value": 3}, ["places", "camp", "damage"], 3),
    ({"do": "leadership", "place": "camp", "value": 2}, ["places", "camp", "leadership"], 2),
    ({"do": "control", "place": "lower_slopes", "seat": "shadow"}, ["control"], ["lower_slopes"]),
    (
        {"do": "tokens", "place": "camp", "group": "elves", "value": 4},
        ["places", "camp", "tokens"],
        {"elves": 4},
    ),
    ({"do": "fortification", "place": "front_gate", "value": 2}, ["fortifications", "front_gate"], [2, 6]),
    ({"do": "pass", "place": "pass_west", "open": True}, ["open_passes"], ["pass_west"]),
    ({"do": "character", "character": "bard", "place": "ravenhill"}, ["characters", "bard"], "ravenhill"),
    ({"do": "character", "character": "bard", "place": "eliminated"}, ["characters", "bard"], "eliminated"),
    ({"do": "character", "character": "bard", "place": "not_in_play"}, ["characters", "bard"], None),
    ({"do": "eagles", "territory": "eyrie", "value": 2}, ["eagles"], {"eyrie": 2}),
    ({"do": "bats", "territory": "valley", "value": 2}, ["bats"], {"valley": 2}),
    ({"do": "wrath", "value": 5}, ["wrath"], 5),
    ({"do": "bodyguards", "value": 2}, ["bodyguards"], 2),
    ({"do": "fate", "value": 7}, ["fate"], 7),
    ({"do": "activated", "character": "bard", "value": 1}, ["activated"], ["bard"]),
    ({"do": "dice", "seat": "free", "unused": {"event": 2}}, ["dice", "free", "unused"], {"event": 2}),
    ({"do": "hand", "seat": "shadow", "event": 2, "story": 3}, ["hand_story", "shadow"], 3),
    ({"do": "to_act", "seat": "free"}, ["active"], "free"),
    ({"do": "box", "key": "leadership.gandalf", "value": 3}, ["leadership", "gandalf"], 3),
]


@pytest.mark.parametrize(("primitive", "path", "value"), CASES, ids=lambda case: str(case)[:40])
def test_a_primitive_sets_one_thing(primitive: dict[str, Any], path: list[str], value: Any) -> None:
    state = Board(POSITION).state
    GAME.correct(state, primitive)
    found: Any = GAME.to_json(state)
    for key in path:
        found = found.get(key)
    assert found == value
    assert audit(state) == []


def test_every_primitive_is_tried() -> None:
    assert {case[0]["do"] for case in CASES} == set(CORRECTIONS.by_name)


@pytest.mark.parametrize(
    "primitive",
    [
        {"do": "magic"},
        {},
        {"do": "army", "place": "mordor", "units": {}},
        {"do": "army", "place": "camp", "units": {"ents": 1}},
        {"do": "army", "place": "camp", "units": "many"},
        {"do": "damage", "place": "camp", "value": -1},
        {"do": "damage", "place": "camp", "value": True},
        {"do": "control", "place": "bl_upper_plain", "seat": "shadow"},
        {"do": "tokens", "place": "camp", "group": "elves", "value": 21},
        {"do": "fate", "value": 15},
    ],
)
def test_what_is_no_correction_changes_nothing(primitive: dict[str, Any]) -> None:
    state = Board(POSITION).state
    before = GAME.to_json(state)
    with pytest.raises(InvalidAnswer):
        GAME.correct(state, primitive)
    assert GAME.to_json(state) == before


def test_the_lights_tell_who_controls_what() -> None:
    board = Board(POSITION + "control_shadow: [lower_slopes]")
    lights = lights_for(GAME, board.state, None)
    assert len(lights) == 7
    assert lights["lower_slopes"] == PALETTE[Meaning.CONTROL_B]
    assert lights["front_gate"] == PALETTE[Meaning.CONTROL_A]


def test_when_the_game_is_over_the_settlements_tell_what_was_held_and_what_was_lost() -> None:
    board = Board(POSITION + "control_shadow: [lower_slopes]")
    settlements = {PLACES[place] for place in places_in(SETTLEMENTS)}
    board.state.winner = 0
    lights = GAME.markers(board.state)
    assert {place for place, meaning in lights.items() if meaning is Meaning.OBJECTIVE_LOST} == (
        settlements & {"lower_slopes"}
    )
    assert {place for place, meaning in lights.items() if meaning is Meaning.OBJECTIVE_WON} == (
        settlements - {"lower_slopes"}
    )
    assert lights_for(GAME, board.state, None)["front_gate"] == PALETTE[Meaning.CONTROL_A]
