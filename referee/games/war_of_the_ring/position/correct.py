"""Corrections by an arbiter: primitives that set one thing of a position each.

A primitive is ``{"do": ..., ...}``; the table of what there is, with its
fields, is :data:`PRIMITIVES`.  Reinforcements, pools and decks follow by
themselves, so that figures, tiles and cards stay what the box holds; whatever
is still impossible afterwards is found by the audit.  Nothing here asks anybody
anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.games.war_of_the_ring.box.components import (
    CHARACTERS,
    CORRUPTION_LIMIT,
    CRACK_OF_DOOM,
    DECKS,
    FACES,
    FIGURES,
    FREE,
    NATIONS,
    PROGRESS_END,
    RINGS_AT_START,
    SEAT_OF,
    SEAT_OF_NATION,
    SEATS,
    SHADOW,
    TILES,
)
from referee.games.war_of_the_ring.box.map import OF_SEAT, PLACES, REGIONS, SETTLEMENTS, places_in
from referee.games.war_of_the_ring.rules.pieces import lift, put_character, set_down
from referee.games.war_of_the_ring.state.armies import GROUP, count, pack
from referee.games.war_of_the_ring.state.card_data import CARD_BIT, CARDS
from referee.games.war_of_the_ring.state.state import ELIMINATED, FURTHEST, IN_FELLOWSHIP, NOT_IN_PLAY, State
from referee.kernel.corrections import carry_out, counts_of, no_correction, number_of, one_of

Primitive = Mapping[str, Any]
OFF_BOARD = {"fellowship": IN_FELLOWSHIP, "not_in_play": NOT_IN_PLAY, "eliminated": ELIMINATED}
"""Where a character may be who stands nowhere on the board."""
SETTLEMENT_IDS = tuple(PLACES[place] for place in places_in(SETTLEMENTS))
FALLEN = tuple(name for figure, name in enumerate(FIGURES) if SEAT_OF[figure] == FREE)
"""Figures that can be out of the game: those of the Free Peoples."""
MOST_DICE = 10
TILE_PLACES = ("pool", "out", "gone", "ready")
CARD_PLACES = ("unknown", "discarded", "table")


def correct(state: State, primitive: Primitive) -> None:
    """Carry out one primitive.

    Raises :class:`referee.kernel.errors.InvalidAnswer`, which says what is possible.
    """
    carry_out(PRIMITIVES, state, primitive)


def _figures(state: State, primitive: Primitive) -> None:
    """``place``, ``figures`` ``{figure: count}``: all that stand there, of both sides."""
    place = one_of(primitive, "place", PLACES)
    figures = pack(counts_of(primitive, "figures", FIGURES))
    before = state.figures[place]
    for figure in {*GROUP[before].kinds, *GROUP[figures].kinds}:
        state.supply[figure] += count(before, figure) - count(figures, figure)
    lift(state, place, before)
    set_down(state, place, figures)


def _fallen(state: State, primitive: Primitive) -> None:
    """``figure``, ``value``: figures of the Free Peoples that are out of the game."""
    figure = FIGURES.index(FALLEN[one_of(primitive, "figure", FALLEN)])
    value = number_of(primitive, "value", state.fallen[figure] + state.supply[figure])
    state.supply[figure] += state.fallen[figure] - value
    state.fallen[figure] = value


def _control(state: State, primitive: Primitive) -> None:
    """``place`` (a settlement), ``seat`` who controls it."""
    place = PLACES.index(SETTLEMENT_IDS[one_of(primitive, "place", SETTLEMENT_IDS)])
    bit = 1 << place
    mine = OF_SEAT[one_of(primitive, "seat", SEATS)] & bit
    state.captured = state.captured & ~bit if mine else state.captured | bit


def _character(state: State, primitive: Primitive) -> None:
    """``character``, ``place``: a place, ``fellowship``, ``not_in_play`` or ``eliminated``."""
    character = one_of(primitive, "character", CHARACTERS)
    names = (*PLACES, *OFF_BOARD)
    where = one_of(primitive, "place", names)
    put_character(state, character, where if where < len(PLACES) else OFF_BOARD[names[where]])


def _politics(state: State, primitive: Primitive) -> None:
    """``nation``, ``steps`` from At War (0), ``active`` 0 or 1."""
    nation = one_of(primitive, "nation", NATIONS)
    active = number_of(primitive, "active", 1, 1 if SEAT_OF_NATION[nation] == SHADOW else 0)
    state.steps[nation] = number_of(primitive, "steps", FURTHEST)
    state.awake = state.awake & ~(1 << nation) | active << nation


def _ring_bearers(state: State, primitive: Primitive) -> None:
    """``place``: the region of the Ring-bearers' figure."""
    state.ring = one_of(primitive, "place", REGIONS)


def _guide(state: State, primitive: Primitive) -> None:
    """``character``: the guide of the Fellowship."""
    state.guide = one_of(primitive, "character", CHARACTERS)


def _mordor(state: State, primitive: Primitive) -> None:
    """``value``: -1 outside, then the steps of the Mordor track."""
    state.mordor = number_of(primitive, "value", CRACK_OF_DOOM - 1, -1)


def _plain(name: str, most: int) -> Callable[[State, Primitive], None]:
    def apply(state: State, primitive: Primitive) -> None:
        value = number_of(primitive, "value", most)
        setattr(state, name, bool(value) if most == 1 else value)

    return apply


def _of_seat(name: str, most: int) -> Callable[[State, Primitive], None]:
    def apply(state: State, primitive: Primitive) -> None:
        getattr(state, name)[one_of(primitive, "seat", SEATS)] = number_of(primitive, "value", most)

    return apply


def _dice(state: State, primitive: Primitive) -> None:
    """``seat``, ``unused`` and ``used`` ``{face: count}``, ``hunt_box``; the pool follows."""
    seat = one_of(primitive, "seat", SEATS)
    for name in ("unused", "used"):
        counts = counts_of(primitive, name, FACES)
        getattr(state, name)[seat] = [counts.get(face, 0) for face in FACES]
    state.hunt_dice[seat] = number_of(primitive, "hunt_box", MOST_DICE)
    state.pool[seat] = sum(state.unused[seat]) + sum(state.used[seat]) + state.hunt_dice[seat]


def _hand(state: State, primitive: Primitive) -> None:
    """``seat``, ``character`` and ``strategy``: cards in hand by their backs; the others are in the decks."""
    seat = one_of(primitive, "seat", SEATS)
    for deck, name in enumerate(DECKS):
        value = number_of(primitive, name, state.hand[seat][deck] + state.deck[seat][deck])
        state.deck[seat][deck] += state.hand[seat][deck] - value
        state.hand[seat][deck] = value


def _card(state: State, primitive: Primitive) -> None:
    """``card``, ``value``: ``table``, ``discarded`` (seen), or ``unknown``: in a deck (or from there)."""
    card = CARDS[tuple(CARDS)[one_of(primitive, "card", tuple(CARDS))]]
    to = CARD_PLACES[one_of(primitive, "value", CARD_PLACES)]
    bit = CARD_BIT[card.id]
    was_shown = bool(state.shown[card.seat] & bit)
    if to != "unknown" and not was_shown:
        if not state.deck[card.seat][card.deck]:
            raise no_correction(f"card: {card.id!r}", ["-"])
        state.deck[card.seat][card.deck] -= 1
        state.shown[card.seat] |= bit
    elif to == "unknown" and was_shown:
        state.deck[card.seat][card.deck] += 1
        state.shown[card.seat] &= ~bit
    state.table_cards.pop(card.id, None)
    if to == "table":
        state.table_cards[card.id] = {}


def _tile(state: State, primitive: Primitive) -> None:
    """``tile``, then how many are in the ``pool``, drawn ``out``, ``gone`` for good, ``ready`` for Mordor."""
    index = one_of(primitive, "tile", [tile.id for tile in TILES])
    tile = TILES[index]
    numbers = [number_of(primitive, name, tile.count) for name in TILE_PLACES]
    least = tile.count if tile.seat < 0 else 0
    if not least <= sum(numbers) <= tile.count:
        raise no_correction(f"{tile.id}: {sum(numbers)}", [f"{least} - {tile.count}"])
    for name, number in zip(("tiles", "tiles_out", "tiles_gone", "tiles_ready"), numbers, strict=True):
        getattr(state, name)[index] = number


def _act(state: State, primitive: Primitive) -> None:
    """``seat``: whose action it is in phase 5."""
    state.active = one_of(primitive, "seat", SEATS)


def _box(state: State, primitive: Primitive) -> None:
    """``key``, ``value``: what a component tells (the box book)."""
    state.values[str(primitive.get("key", ""))] = primitive.get("value")


PRIMITIVES: Mapping[str, Callable[[State, Primitive], None]] = {
    "figures": _figures,
    "fallen": _fallen,
    "control": _control,
    "character": _character,
    "politics": _politics,
    "ring_bearers": _ring_bearers,
    "guide": _guide,
    "mordor": _mordor,
    "progress": _plain("progress", PROGRESS_END),
    "corruption": _plain("corruption", CORRUPTION_LIMIT - 1),
    "hidden": _plain("hidden", 1),
    "ring_moved": _plain("ring_moved", 1),
    "rings": _of_seat("rings", RINGS_AT_START),
    "dice": _dice,
    "hand": _hand,
    "card": _card,
    "tile": _tile,
    "to_act": _act,
    "box": _box,
}
"""What can be corrected.  ``progress``, ``corruption``, ``hidden`` and ``ring_moved`` take ``value``,
``rings`` takes ``seat`` and ``value``; the others say it in their docstrings."""
