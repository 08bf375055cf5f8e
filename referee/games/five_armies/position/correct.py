"""Corrections by an arbiter: primitives that set one thing of a position each.

A primitive is ``{"do": ..., ...}``; the table of what there is, with its
fields, is :data:`PRIMITIVES`.  Supplies, pools and decks follow by themselves,
so that figures and cards stay what the box holds; whatever is still impossible
afterwards is found by the audit.  Nothing here asks anybody anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.games.five_armies.box.components import (
    CHARACTERS,
    FACES,
    FATE_END,
    SEATS,
    TOKEN_GROUPS,
    UNITS,
    WRATH_MOST,
)
from referee.games.five_armies.box.map import (
    FORTIFICATION_INDEX,
    MUSTER_OF_PASS,
    PLACES,
    STRONGHOLDS,
    TERRITORIES,
)
from referee.games.five_armies.state.armies import ARMY, count, pack
from referee.games.five_armies.state.state import ELIMINATED, IN_TERRITORY_OF, NOT_IN_PLAY, State
from referee.kernel.corrections import carry_out, counts_of, no_correction, number_of, one_of

Primitive = Mapping[str, Any]


def correct(state: State, primitive: Primitive) -> None:
    """Carry out one primitive.

    Raises :class:`referee.kernel.errors.InvalidAnswer`, which says what is possible.
    """
    carry_out(PRIMITIVES, state, primitive)


def _army(state: State, primitive: Primitive) -> None:
    """``place``, ``units`` ``{unit: count}`` (empty: no army there)."""
    place = one_of(primitive, "place", PLACES)
    units = pack(counts_of(primitive, "units", UNITS))
    for name, number in ARMY[state.units[place]].counts.items():
        state.supply[UNITS.index(name)] += number
    for unit in range(len(UNITS)):
        state.supply[unit] -= count(units, unit)
    state.units[place] = units
    for seat in range(len(SEATS)):
        state.armies[seat] &= ~(1 << place)
    if units:
        state.armies[ARMY[units].seat] |= 1 << place
    else:
        state.damage[place] = state.leaders[place] = 0


def _damage(state: State, primitive: Primitive) -> None:
    """``place``, ``value``: damage tokens on the army there."""
    state.damage[one_of(primitive, "place", PLACES)] = number_of(primitive, "value", 99)


def _leadership(state: State, primitive: Primitive) -> None:
    """``place``, ``value``: leadership tokens with the army there."""
    state.leaders[one_of(primitive, "place", PLACES)] = number_of(primitive, "value", 20)


def _control(state: State, primitive: Primitive) -> None:
    """``place`` (settlement or fortification), ``seat`` who controls it."""
    place = one_of(primitive, "place", PLACES)
    if not STRONGHOLDS >> place & 1:
        raise no_correction(
            f"place: {PLACES[place]!r}", [PLACES[p] for p in range(len(PLACES)) if STRONGHOLDS >> p & 1]
        )
    state.control &= ~(1 << place)
    state.control |= one_of(primitive, "seat", SEATS) << place


def _tokens(state: State, primitive: Primitive) -> None:
    """``place``, ``group``, ``value``: face-down recruitment tokens; the rest is in the supply."""
    place = one_of(primitive, "place", PLACES)
    group = one_of(primitive, "group", TOKEN_GROUPS)
    there = state.tokens[group].get(place, 0)
    value = number_of(primitive, "value", there + state.token_pool[group])
    state.token_pool[group] += there - value
    state.tokens[group][place] = value
    if not value:
        del state.tokens[group][place]


def _fortification(state: State, primitive: Primitive) -> None:
    """``place``, ``value``: damage on the fortification there."""
    places = [PLACES[place] for place in FORTIFICATION_INDEX]
    index = one_of(primitive, "place", places)
    state.fort_damage[index] = number_of(primitive, "value", state.fort_values[index])


def _pass(state: State, primitive: Primitive) -> None:
    """``place`` (a pass), ``open``."""
    passes = [PLACES[place] for place in MUSTER_OF_PASS]
    bit = 1 << PLACES.index(passes[one_of(primitive, "place", passes)])
    state.closed_passes = state.closed_passes & ~bit if primitive.get("open") else state.closed_passes | bit


_OFF = ("not_in_play", "eliminated")


def _character(state: State, primitive: Primitive) -> None:
    """``character``, ``place``: a place, a territory (the Lord), ``not_in_play`` or ``eliminated``."""
    character = one_of(primitive, "character", CHARACTERS)
    names = (*PLACES, *TERRITORIES, *_OFF)
    where = one_of(primitive, "place", names)
    before = state.where[character]
    if 0 <= before < len(PLACES):
        state.chars[before] &= ~(1 << character)
    if where < len(PLACES):
        state.chars[where] |= 1 << character
    elif where < len(PLACES) + len(TERRITORIES):
        where = IN_TERRITORY_OF + where - len(PLACES)
    else:
        where = NOT_IN_PLAY if names[where] == "not_in_play" else ELIMINATED
    state.where[character] = where
    if where < 0:
        state.activated &= ~(1 << character)


def _over(numbers: str) -> Callable[[State, Primitive], None]:
    def apply(state: State, primitive: Primitive) -> None:
        names = (*TERRITORIES, "eyrie") if numbers == "eagles" else TERRITORIES
        getattr(state, numbers)[one_of(primitive, "territory", names)] = number_of(primitive, "value", 6)

    return apply


def _plain(name: str, most: int) -> Callable[[State, Primitive], None]:
    def apply(state: State, primitive: Primitive) -> None:
        setattr(state, name, number_of(primitive, "value", most))

    return apply


def _activated(state: State, primitive: Primitive) -> None:
    """``character``, ``value`` 0 or 1: an activation token on the card."""
    bit = 1 << one_of(primitive, "character", CHARACTERS)
    state.activated = state.activated | bit if number_of(primitive, "value", 1) else state.activated & ~bit


def _dice(state: State, primitive: Primitive) -> None:
    """``seat``, ``unused`` and ``used`` ``{face: count}``; the pool follows."""
    seat = one_of(primitive, "seat", SEATS)
    for name in ("unused", "used"):
        counts = counts_of(primitive, name, FACES)
        getattr(state, name)[seat] = [counts.get(face, 0) for face in FACES]
    state.pool[seat] = sum(state.unused[seat]) + sum(state.used[seat])


def _hand(state: State, primitive: Primitive) -> None:
    """``seat``, ``event`` and ``story``: cards in hand; the others are in the decks."""
    seat = one_of(primitive, "seat", SEATS)
    event = number_of(primitive, "event", state.hand_event[seat] + state.event_deck)
    story = number_of(primitive, "story", state.hand_story[seat] + state.story_deck[seat])
    state.event_deck += state.hand_event[seat] - event
    state.story_deck[seat] += state.hand_story[seat] - story
    state.hand_event[seat], state.hand_story[seat] = event, story


def _act(state: State, primitive: Primitive) -> None:
    """``seat``: whose action it is in phase 5."""
    state.active = one_of(primitive, "seat", SEATS)


def _box(state: State, primitive: Primitive) -> None:
    """``key``, ``value``: what a component tells (the box book)."""
    key = str(primitive.get("key", ""))
    state.values[key] = primitive.get("value")
    kind, _, name = key.partition(".")
    if kind == "leadership" and name in CHARACTERS:
        ratings = list(state.ratings)
        ratings[CHARACTERS.index(name)] = number_of(primitive, "value", 9)
        state.ratings = tuple(ratings)


PRIMITIVES: Mapping[str, Callable[[State, Primitive], None]] = {
    "army": _army,
    "damage": _damage,
    "leadership": _leadership,
    "control": _control,
    "tokens": _tokens,
    "fortification": _fortification,
    "pass": _pass,
    "character": _character,
    "eagles": _over("eagles"),
    "bats": _over("bats"),
    "wrath": _plain("wrath", WRATH_MOST),
    "bodyguards": _plain("bodyguards", 3),
    "fate": _plain("fate", FATE_END - 1),
    "activated": _activated,
    "dice": _dice,
    "hand": _hand,
    "to_act": _act,
    "box": _box,
}
"""What can be corrected.  ``eagles`` and ``bats`` take ``territory`` and ``value``; ``wrath``,
``bodyguards`` and ``fate`` take ``value``; the others say it in their docstrings."""
