"""Positions written by hand: a readable YAML file to a state, and back.

The format is described in ``docs/position_file.md``.  :func:`read_position`
checks a file as a whole and names the line of everything that is wrong;
:func:`write_position` gives the file of a state, and reading that file gives
the same state again.
"""

from __future__ import annotations

from typing import Any

from referee.games.five_armies.box.components import (
    BEORN,
    CHARACTER,
    CHARACTERS,
    FACE,
    GENERALS,
    LORD,
    SEAT_OF_CHARACTER,
    SEATS,
    TOKEN_GROUPS,
)
from referee.games.five_armies.box.map import (
    ARMY_PLACES,
    EYRIE,
    FORTIFICATION_INDEX,
    PASS_NORTH,
    PASS_WEST,
    PLACES,
    POINTS,
    TERRITORIES,
)
from referee.games.five_armies.position.position_dice import card_slug
from referee.games.five_armies.position.position_parts import FORM
from referee.games.five_armies.position.position_reader import read_position
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.state import ELIMINATED, IN_TERRITORY_OF, State
from referee.games.kit.positions import Position, written

__all__ = ["Position", "card_slug", "read_position", "to_position", "write_position"]


def write_position(state: State, title: str = "") -> str:
    """The position file of a state.  Reading it gives the same state."""
    return written(state, title, to_position(state), FORM, read_position)


def to_position(state: State) -> dict[str, Any]:
    """The readable part of a state as the data of a position file."""
    position: dict[str, Any] = {"turn": max(state.turn, 1), "phase": max(state.phase, 1)}
    if state.phase == 5:
        position["to_act"] = SEATS[state.active]
    position["pools"] = dict(zip(SEATS, state.pool, strict=True))
    for key, dice in (("unused_dice", state.unused), ("used_dice", state.used)):
        shown = {seat: _faces(dice[i]) for i, seat in enumerate(SEATS) if any(dice[i])}
        if shown:
            position[key] = shown
    position["hands"] = {
        seat: {"event": state.hand_event[i], "story": state.hand_story[i]} for i, seat in enumerate(SEATS)
    }
    position["fate_marker"] = state.fate
    position["fate_pool_tiles"] = state.fate_tiles
    position["passes"] = {
        "north": "closed" if state.closed_passes >> PASS_NORTH & 1 else "open",
        "west": "closed" if state.closed_passes >> PASS_WEST & 1 else "open",
    }
    position.update(_optional(state))
    position["regions"] = {
        PLACES[place]: there for place in range(ARMY_PLACES) if (there := _place_data(state, place))
    }
    return position


def _faces(dice: list[int]) -> list[str]:
    return [name for name, index in FACE.items() for _ in range(dice[index])]


def _optional(state: State) -> dict[str, Any]:
    found: dict[str, Any] = {}
    control = [PLACES[p] for p in POINTS if state.control >> p & 1]
    if control:
        found["control_shadow"] = control
    if any(state.fort_damage):
        found["fort_damage"] = {
            PLACES[p]: state.fort_damage[i] for p, i in FORTIFICATION_INDEX.items() if state.fort_damage[i]
        }
    for key, counts, names in (
        ("bats", state.bats, TERRITORIES),
        ("eagles", state.eagles, (*TERRITORIES, "eyrie")),
    ):
        if any(counts):
            found[key] = {name: count for name, count in zip(names, counts, strict=True) if count}
    where = state.where
    if where[LORD] >= 0:
        found["lord_of_the_eagles"] = (
            "eyrie" if where[LORD] == EYRIE else TERRITORIES[where[LORD] - IN_TERRITORY_OF]
        )
    if where[BEORN] >= 0:
        found["beorn"] = {"region": PLACES[where[BEORN]], "wrath": state.wrath}
    if state.bodyguards:
        found["bolg"] = {"bodyguards": state.bodyguards}
    if state.activated:
        found["activation_tokens"] = [CHARACTERS[c] for c in GENERALS if state.activated >> c & 1]
    found["generals_activated"] = state.generals_count
    out = [CHARACTERS[c] for c in range(len(CHARACTERS)) if where[c] == ELIMINATED]
    if out:
        found["eliminated"] = out
    return found


def _place_data(state: State, place: int) -> dict[str, Any]:
    there: dict[str, Any] = {}
    army = ARMY[state.units[place]]
    if army.size:
        there["side"] = SEATS[army.seat]
        there["units"] = dict(army.counts)
    standing = [CHARACTERS[c] for c in range(len(CHARACTERS)) if state.chars[place] >> c & 1 and c != BEORN]
    if standing:
        there.setdefault("side", SEATS[SEAT_OF_CHARACTER[CHARACTER[standing[0]]]])
        there["characters"] = standing
    if state.leaders[place]:
        there["leadership"] = state.leaders[place]
    if state.damage[place]:
        there["damage"] = state.damage[place]
    tokens = {TOKEN_GROUPS[g]: places[place] for g, places in enumerate(state.tokens) if place in places}
    if tokens:
        there["tokens"] = tokens
    return there
