"""A state as JSON with readable ids, and back: exact inverses.

Only what is there is written: empty places and zero counts are left out, so
that the text is short and a person can read it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.kit.copying import copy_json
from referee.games.war_of_the_ring.box.components import (
    CHARACTER,
    CHARACTERS,
    DECKS,
    FACE,
    FACES,
    FIGURE,
    FIGURES,
    NATION,
    NATIONS,
    SEATS,
    TILE,
    TILES,
)
from referee.games.war_of_the_ring.box.editions import EDITIONS
from referee.games.war_of_the_ring.box.house import house_rules
from referee.games.war_of_the_ring.box.map import PLACE, PLACES, mask_of, places_in
from referee.games.war_of_the_ring.state.armies import GROUP, SEAT_BITS, UNIT_BITS, pack
from referee.games.war_of_the_ring.state.battle import Battle
from referee.games.war_of_the_ring.state.card_data import CARD_IDS
from referee.games.war_of_the_ring.state.state import (
    ELIMINATED,
    IN_FELLOWSHIP,
    NOT_IN_PLAY,
    State,
)

_ELSEWHERE = {NOT_IN_PLAY: "", ELIMINATED: "eliminated", IN_FELLOWSHIP: "fellowship"}
_BACK = {text: where for where, text in _ELSEWHERE.items()}
_PLAIN = (
    "turn",
    "phase",
    "step",
    "active",
    "winner",
    "winning_rule",
    "progress",
    "hidden",
    "corruption",
    "mordor",
    "ring_moved",
    "declared",
    "free_die_in_box",
    "mouth_used",
)
_SEAT_LISTS = ("hunt_dice", "pool", "ring_used", "rings")
_TILE_LISTS = ("tiles", "tiles_out", "tiles_gone", "tiles_ready")
_FACE_LISTS = ("unused", "used")
_DECK_LISTS = ("hand", "deck", "unseen_discards")


def _counts(ids: Sequence[str], numbers: Sequence[int]) -> dict[str, int]:
    return {name: number for name, number in zip(ids, numbers, strict=True) if number}


def _numbers(index: Mapping[str, int], counts: Mapping[str, int]) -> list[int]:
    found = [0] * len(index)
    for name, number in counts.items():
        found[index[name]] = number
    return found


_DECK = {name: index for index, name in enumerate(DECKS)}


def to_json(state: State) -> dict[str, Any]:
    """The state as JSON."""
    data: dict[str, Any] = {name: getattr(state, name) for name in _PLAIN}
    data["edition"] = state.edition.id
    data["pending"] = copy_json(state.pending)
    data["places"] = {PLACES[p]: dict(GROUP[f].counts) for p, f in enumerate(state.figures) if f}
    data["characters"] = {
        CHARACTERS[c]: PLACES[where] if where >= 0 else _ELSEWHERE[where]
        for c, where in enumerate(state.where)
        if where != NOT_IN_PLAY
    }
    data["supply"] = _counts(FIGURES, state.supply)
    data["fallen"] = _counts(FIGURES, state.fallen)
    data["captured"] = [PLACES[place] for place in places_in(state.captured)]
    data["steps"] = dict(zip(NATIONS, state.steps, strict=True))
    data["awake"] = [name for n, name in enumerate(NATIONS) if state.awake >> n & 1]
    data["ring"] = PLACES[state.ring]
    data["guide"] = CHARACTERS[state.guide] if state.guide >= 0 else ""
    for name in _SEAT_LISTS:
        data[name] = dict(zip(SEATS, getattr(state, name), strict=True))
    for name in _TILE_LISTS:
        data[name] = _counts([tile.id for tile in TILES], getattr(state, name))
    for name in _FACE_LISTS:
        data[name] = {s: _counts(FACES, dice) for s, dice in zip(SEATS, getattr(state, name), strict=True)}
    for name in _DECK_LISTS:
        data[name] = {s: _counts(DECKS, part) for s, part in zip(SEATS, getattr(state, name), strict=True)}
    data["shown"] = {
        seat: [CARD_IDS[s][i] for i in places_in(state.shown[s])] for s, seat in enumerate(SEATS)
    }
    data["table_cards"] = copy_json(state.table_cards)
    data["battle"] = None if state.battle is None else state.battle.to_json()
    data["values"] = dict(state.values)
    data["house"] = dict(state.house)
    return data


def from_json(data: Mapping[str, Any]) -> State:
    """The state that :func:`to_json` wrote.  Raises KeyError or ValueError for what is none."""
    state = State()
    for name in _PLAIN:
        setattr(state, name, data[name])
    state.edition = EDITIONS[data["edition"]]
    state.pending = copy_json(data["pending"])
    for name, counts in data["places"].items():
        place, figures = PLACE[name], pack(counts)
        state.figures[place] = figures
        for seat in range(2):
            if figures & UNIT_BITS & SEAT_BITS[seat]:
                state.armies[seat] |= 1 << place
    for name, text in data["characters"].items():
        character = CHARACTER[name]
        where = _BACK[text] if text in _BACK else PLACE[text]
        state.where[character] = where
        if where >= 0:
            state.chars[where] |= 1 << character
    state.supply = _numbers(FIGURE, data["supply"])
    state.fallen = _numbers(FIGURE, data["fallen"])
    state.captured = mask_of(*(PLACE[name] for name in data["captured"]))
    state.steps = [data["steps"][name] for name in NATIONS]
    state.awake = mask_of(*(NATION[name] for name in data["awake"]))
    state.ring = PLACE[data["ring"]]
    state.guide = CHARACTER[data["guide"]] if data["guide"] else -1
    for name in _SEAT_LISTS:
        setattr(state, name, [data[name][seat] for seat in SEATS])
    for name in _TILE_LISTS:
        setattr(state, name, _numbers(TILE, data[name]))
    for name in _FACE_LISTS:
        setattr(state, name, [_numbers(FACE, data[name][seat]) for seat in SEATS])
    for name in _DECK_LISTS:
        setattr(state, name, [_numbers(_DECK, data[name][seat]) for seat in SEATS])
    state.shown = [mask_of(*(CARD_IDS[s].index(card) for card in data["shown"][SEATS[s]])) for s in range(2)]
    state.table_cards = copy_json(dict(data["table_cards"]))
    state.battle = None if data["battle"] is None else Battle.from_json(data["battle"])
    state.values = dict(data["values"])
    state.house = house_rules(data["house"])
    return state
