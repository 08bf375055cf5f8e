"""Positions written by hand: a readable YAML file to a state, and back.

The format is described in ``docs/position_file.md``.  :func:`read_position`
checks a file as a whole and names the line of everything that is wrong;
:func:`write_position` gives the file of a state, and reading that file gives
the same state again.
"""

from __future__ import annotations

from typing import Any

from referee.games.kit.positions import Position, written
from referee.games.war_of_the_ring.box.components import (
    CHARACTERS,
    DECKS,
    FACES,
    FIGURES,
    NATIONS,
    SEATS,
    TILES,
)
from referee.games.war_of_the_ring.box.house import DEFAULT_HOUSE_RULES
from referee.games.war_of_the_ring.box.map import (
    OF_SEAT,
    PLACES,
    REGION_COUNT,
    SIEGE_BOX,
    places_in,
)
from referee.games.war_of_the_ring.position.position_battle import battle_data
from referee.games.war_of_the_ring.position.position_parts import FORM
from referee.games.war_of_the_ring.position.position_reader import read_position
from referee.games.war_of_the_ring.state.armies import GROUP
from referee.games.war_of_the_ring.state.card_data import CARD_IDS
from referee.games.war_of_the_ring.state.state import ELIMINATED, IN_FELLOWSHIP, State

__all__ = ["Position", "read_position", "to_position", "write_position"]


def write_position(state: State, title: str = "") -> str:
    """The position file of a state.  Reading it gives the same state."""
    return written(state, title, to_position(state), FORM, read_position)


def to_position(state: State) -> dict[str, Any]:
    """The readable part of a state as the data of a position file."""
    position: dict[str, Any] = {
        "edition": state.edition.id,
        "turn": max(state.turn, 1),
        "phase": max(state.phase, 1),
    }
    if state.phase == 5:
        position["to_act"] = SEATS[state.active]
    chosen = {rule: way for rule, way in state.house.items() if way != DEFAULT_HOUSE_RULES[rule]}
    if chosen:
        position["house_rules"] = chosen
    if state.values:
        position["values"] = dict(state.values)
    position["fellowship"] = _fellowship(state)
    position["politics"] = {name: _stance(state, nation) for nation, name in enumerate(NATIONS)}
    _dice(state, position)
    _cards_and_tiles(state, position)
    out = [CHARACTERS[c] for c, where in enumerate(state.where) if where == ELIMINATED]
    if out:
        position["eliminated"] = out
    fallen = {FIGURES[f]: number for f, number in enumerate(state.fallen) if number}
    if fallen:
        position["fallen"] = fallen
    if state.battle is not None:
        position["battle"] = battle_data(state.battle)
    position["regions"] = {
        PLACES[place]: there for place in range(REGION_COUNT) if (there := _region(state, place))
    }
    return position


def _stance(state: State, nation: int) -> str:
    if not state.steps[nation]:
        return "at_war"
    return f"{'active' if state.awake >> nation & 1 else 'passive'} {state.steps[nation]}"


def _fellowship(state: State) -> dict[str, Any]:
    found: dict[str, Any] = {"at": PLACES[state.ring]}
    if state.mordor >= 0:
        found["mordor"] = state.mordor
    found |= {"progress": state.progress, "hidden": state.hidden, "corruption": state.corruption}
    found["companions"] = [
        name for c, name in enumerate(CHARACTERS) if state.where[c] == IN_FELLOWSHIP and name != "gollum"
    ]
    found["guide"] = CHARACTERS[state.guide]
    for name in ("moved", "declared"):
        if state.ring_moved if name == "moved" else state.declared:
            found[name] = True
    return found


def _faces(dice: list[int]) -> list[str]:
    return [name for face, name in enumerate(FACES) for _ in range(dice[face])]


def _dice(state: State, position: dict[str, Any]) -> None:
    position["pools"] = dict(zip(SEATS, state.pool, strict=True))
    for key, dice in (("unused_dice", state.unused), ("used_dice", state.used)):
        shown = {seat: _faces(dice[s]) for s, seat in enumerate(SEATS) if any(dice[s])}
        if shown:
            position[key] = shown
    if any(state.hunt_dice):
        position["hunt_box"] = dict(zip(SEATS, state.hunt_dice, strict=True))
    if state.free_die_in_box:
        position["free_die_was_in_hunt_box"] = True
    if state.mouth_used:
        position["mouth_used"] = True
    position["rings"] = dict(zip(SEATS, state.rings, strict=True))
    used = [seat for s, seat in enumerate(SEATS) if state.ring_used[s]]
    if used:
        position["ring_used"] = used


def _cards_and_tiles(state: State, position: dict[str, Any]) -> None:
    position["hands"] = {seat: dict(zip(DECKS, state.hand[s], strict=True)) for s, seat in enumerate(SEATS)}
    if any(map(any, state.unseen_discards)):
        position["discarded"] = {
            seat: dict(zip(DECKS, state.unseen_discards[s], strict=True)) for s, seat in enumerate(SEATS)
        }
    shown = [CARD_IDS[s][i] for s in range(2) for i in places_in(state.shown[s])]
    cards = [card for card in shown if card not in state.table_cards]
    if cards:
        position["played_cards"] = cards
    if state.table_cards:
        position["table_cards"] = list(state.table_cards)
    tiles = {}
    for key, numbers in (("out", state.tiles_out), ("gone", state.tiles_gone), ("ready", state.tiles_ready)):
        there = [tile.id for index, tile in enumerate(TILES) for _ in range(numbers[index])]
        if there:
            tiles[key] = there
    special = [tile.id for index, tile in enumerate(TILES) if tile.seat >= 0 and state.tiles[index]]
    if special:
        tiles["special_in_pool"] = special
    if tiles:
        position["tiles"] = tiles


def _region(state: State, place: int) -> dict[str, Any]:
    there = _standing(state, place)
    if place in SIEGE_BOX:
        besieged = _standing(state, SIEGE_BOX[place])
        if besieged:
            there["besieged"] = besieged
    if state.captured >> place & 1:
        there["control"] = SEATS[1 if OF_SEAT[0] >> place & 1 else 0]
    return there


def _standing(state: State, place: int) -> dict[str, Any]:
    there: dict[str, Any] = {}
    if state.figures[place]:
        there["units"] = dict(GROUP[state.figures[place]].counts)
    standing = [CHARACTERS[c] for c in places_in(state.chars[place])]
    if standing:
        there["characters"] = standing
    return there
