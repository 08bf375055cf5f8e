"""A state as JSON with readable ids, and back: exact inverses.

Only what is there is written: empty places, zero counts and the like are left
out, so that the text is short and a person can read it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.five_armies.box.components import (
    CHARACTER,
    CHARACTERS,
    FACE,
    FACES,
    FATE_SPACE,
    FIGURES,
    ORCS,
    SEATS,
    SPECIAL_TILES,
    TOKEN_GROUPS,
    UNITS,
)
from referee.games.five_armies.box.house import house_rules
from referee.games.five_armies.box.map import (
    EYRIE,
    FORTIFICATIONS,
    PASSES,
    PLACE,
    PLACE_COUNT,
    PLACES,
    TERRITORIES,
    mask_of,
    places_in,
)
from referee.games.five_armies.state.armies import ARMY, pack
from referee.games.five_armies.state.state import (
    ELIMINATED,
    IN_TERRITORY_OF,
    NOT_IN_PLAY,
    State,
)
from referee.games.five_armies.state.table_cards import orcs_on_card
from referee.games.kit.copying import copy_json

_NUMBERS = (
    "turn",
    "phase",
    "generals_count",
    "wrath",
    "bodyguards",
    "rings",
    "concentration",
    "event_deck",
    "event_discard",
    "fate_deck",
    "fate",
    "fate_tiles",
)
_PAIRS = ("pool", "hand_event", "hand_story", "story_deck", "story_gone")
_MASKS = ("event_shown", "fate_shown")
_SPECIAL_TILE = ("aside", "pool", "out")


def to_json(state: State) -> dict[str, Any]:
    """The state as plain JSON data, fresh in every part."""
    data: dict[str, Any] = {name: getattr(state, name) for name in _NUMBERS}
    for name in _PAIRS:
        free, shadow = getattr(state, name)
        data[name] = {"free": free, "shadow": shadow}
    for name in _MASKS:
        data[name] = _bits(getattr(state, name))
    data["step"] = state.step
    data["active"] = SEATS[state.active]
    data["ability_used"] = state.ability_used
    data["winner"] = SEATS[state.winner] if state.winner >= 0 else None
    data["winning_rule"] = state.winning_rule
    data["places"] = {PLACES[p]: there for p in range(PLACE_COUNT) if (there := _place(state, p))}
    data["characters"] = {CHARACTERS[c]: _whereabouts(where) for c, where in enumerate(state.where)}
    data["leadership"] = dict(zip(CHARACTERS, state.ratings, strict=True))
    data["fate_spaces"] = {CHARACTERS[c]: s for c, s in enumerate(state.fate_space) if FATE_SPACE[c] >= 0}
    data["activated"] = [CHARACTERS[c] for c in _bits(state.activated)]
    data["control"] = [PLACES[p] for p in places_in(state.control)]
    data["fortifications"] = {
        PLACES[place]: [damage, value]
        for place, damage, value in zip(FORTIFICATIONS, state.fort_damage, state.fort_values, strict=True)
    }
    data["open_passes"] = [PLACES[p] for p in places_in(PASSES & ~state.closed_passes)]
    data["token_pool"] = dict(zip(TOKEN_GROUPS, state.token_pool, strict=True))
    data["tokens_shown"] = dict(state.tokens_shown)
    data["eagles"] = _counts(state.eagles, (*TERRITORIES, "eyrie"))
    data["bats"] = _counts(state.bats, TERRITORIES)
    data["dice"] = {
        seat: {"unused": _counts(state.unused[i], FACES), "used": _counts(state.used[i], FACES)}
        for i, seat in enumerate(SEATS)
    }
    data["story_shown"] = {seat: _bits(state.story_shown[i]) for i, seat in enumerate(SEATS)}
    data["table_cards"] = copy_json(state.table_cards)
    data["fate_tiles_out"] = dict(state.fate_tiles_out)
    data["special_tiles"] = {
        t: _SPECIAL_TILE[at] for t, at in zip(SPECIAL_TILES, state.special_tiles, strict=True)
    }
    data["pending"] = copy_json(state.pending)
    data["combat"] = None if state.combat is None else state.combat.to_json()
    data["values"] = copy_json(state.values)
    data["house"] = dict(state.house)
    return data


def from_json(data: Mapping[str, Any]) -> State:
    """The state that :func:`to_json` wrote."""
    state = State()
    for name in _NUMBERS:
        setattr(state, name, data[name])
    for name in _PAIRS:
        setattr(state, name, [data[name][seat] for seat in SEATS])
    for name in _MASKS:
        setattr(state, name, mask_of(*data[name]))
    state.step = data["step"]
    state.active = SEATS.index(data["active"])
    state.ability_used = data["ability_used"]
    state.winner = -1 if data["winner"] is None else SEATS.index(data["winner"])
    state.winning_rule = data["winning_rule"]
    _read_places(state, data["places"])
    for name, there in data["characters"].items():
        _read_whereabouts(state, CHARACTER[name], there)
    state.ratings = tuple(data["leadership"][name] for name in CHARACTERS)
    spaces = data["fate_spaces"]
    state.fate_space = tuple(spaces.get(name, -1) for name in CHARACTERS)
    state.activated = mask_of(*(CHARACTER[name] for name in data["activated"]))
    state.control = mask_of(*(PLACE[name] for name in data["control"]))
    forts = [data["fortifications"][PLACES[place]] for place in FORTIFICATIONS]
    state.fort_damage = [damage for damage, _ in forts]
    state.fort_values = tuple(value for _, value in forts)
    state.closed_passes = PASSES & ~mask_of(*(PLACE[name] for name in data["open_passes"]))
    state.token_pool = [data["token_pool"][group] for group in TOKEN_GROUPS]
    state.tokens_shown = dict(data["tokens_shown"])
    state.eagles = [data["eagles"].get(t, 0) for t in (*TERRITORIES, "eyrie")]
    state.bats = [data["bats"].get(t, 0) for t in TERRITORIES]
    for i, seat in enumerate(SEATS):
        _read_dice(state.unused[i], data["dice"][seat]["unused"])
        _read_dice(state.used[i], data["dice"][seat]["used"])
    state.story_shown = [mask_of(*data["story_shown"][seat]) for seat in SEATS]
    state.table_cards = copy_json(data["table_cards"])
    state.supply[ORCS] -= orcs_on_card(state)
    state.fate_tiles_out = dict(data["fate_tiles_out"])
    state.special_tiles = [_SPECIAL_TILE.index(data["special_tiles"][tile]) for tile in SPECIAL_TILES]
    state.pending = copy_json(data["pending"])
    if data["combat"] is not None:
        from referee.games.five_armies.state.battle import Battle

        state.combat = Battle.from_json(data["combat"])
    state.values = copy_json(data["values"])
    state.house = house_rules(data["house"])
    return state


def _bits(mask: int) -> list[int]:
    return list(places_in(mask))


def _counts(numbers: Sequence[int], names: Sequence[str]) -> dict[str, int]:
    return {name: number for name, number in zip(names, numbers, strict=True) if number}


def _place(state: State, place: int) -> dict[str, Any]:
    there: dict[str, Any] = {}
    if state.units[place]:
        there["units"] = dict(ARMY[state.units[place]].counts)
    if state.damage[place]:
        there["damage"] = state.damage[place]
    if state.leaders[place]:
        there["leadership"] = state.leaders[place]
    tokens = {TOKEN_GROUPS[g]: places[place] for g, places in enumerate(state.tokens) if place in places}
    if tokens:
        there["tokens"] = tokens
    return there


def _read_places(state: State, places: Mapping[str, Any]) -> None:
    for name, there in places.items():
        place = PLACE[name]
        units = pack(there.get("units", {}))
        state.units[place] = units
        if units:
            state.armies[ARMY[units].seat] |= 1 << place
        state.damage[place] = there.get("damage", 0)
        state.leaders[place] = there.get("leadership", 0)
        for group, number in there.get("tokens", {}).items():
            state.tokens[TOKEN_GROUPS.index(group)][place] = number
    standing = [0] * len(UNITS)
    for units in state.units:
        if units:
            for unit, number in ARMY[units].counts.items():
                standing[UNITS.index(unit)] += number
    state.supply = [have - out for have, out in zip(FIGURES, standing, strict=True)]


def _whereabouts(where: int) -> str | None:
    if where == NOT_IN_PLAY:
        return None
    if where == ELIMINATED:
        return "eliminated"
    return TERRITORIES[where - IN_TERRITORY_OF] if where > EYRIE else PLACES[where]


def _read_whereabouts(state: State, character: int, there: str | None) -> None:
    if there is None:
        where = NOT_IN_PLAY
    elif there == "eliminated":
        where = ELIMINATED
    elif there in TERRITORIES:
        where = IN_TERRITORY_OF + TERRITORIES.index(there)
    else:
        where = PLACE[there]
        state.chars[where] |= 1 << character
    state.where[character] = where


def _read_dice(dice: list[int], faces: Mapping[str, int]) -> None:
    for face, number in faces.items():
        dice[FACE[face]] = number
