"""Everything that matters in a game of Fall of the Mountain King: the one declaration of each field.

Seats, clans, places, halls and champions are indices of :mod:`components`, sets of them bit masks.
Who changes what: units and gnomes are moved with :mod:`pieces`, which keeps the masks right; everything
else is set directly.  What is hidden on the table is hidden here too: a gnome token is ``hidden`` until
its strength was shown to all, a gate card None until it is turned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from referee.games.kit import codecs
from referee.games.kit.codecs import each, index, mask, number, sparse, text
from referee.games.kit.places import places_in
from referee.games.kit.schema import Schema, declare
from referee.games.mountain_king.box import components as box
from referee.games.mountain_king.box.box import Box, box_of
from referee.games.mountain_king.box.components import (
    CHAMPIONS,
    CLANS,
    HALLS,
    PLACE_COUNT,
    PLACES,
    SEATS,
    STRENGTHS,
)
from referee.games.mountain_king.box.house import house_rules
from referee.games.mountain_king.state.grid import CELL_NAMES
from referee.games.mountain_king.state.sorts import (
    Ancestry,
    BoardSide,
    DerivedRows,
    Entry,
    FigurePlaces,
    InOrder,
    Ledger,
    ListOf,
    MaybePair,
    Numbers,
    Way,
    Ways,
)
from referee.games.mountain_king.state.tokens import COUNT, Gnomes
from referee.games.mountain_king.state.tracks import Ranked, Track

SETUP, ANCESTRY, FRAY, END_OF_WAVE, REFRESH = range(5)
"""Phases."""
NOBODY = -1
OFF_BOARD = -1
PER_SEAT = [0] * len(SEATS)
STARRED = text((*HALLS, *PLACES, *CLANS))
"""What a star tag may lie on."""


@dataclass(slots=True, eq=False)
class State:
    """One position.  Lists are owned by the state; tuples and mappings in it are never changed in place."""

    # where the game stands
    turn: int = declare(number(0, box.WAVES), file="wave", always=True)
    """The wave."""
    phase: int = declare(number(0, REFRESH))
    step: str = declare(text())
    """Where the flow goes on inside a phase; see :mod:`turn`."""
    at: int = declare(number())
    """How often a step was done: cards drafted, gnomes of an invasion come..."""
    active: int = declare(index(SEATS), file="to_act", always=True)
    """Whose turn it is in the fray."""
    start: int = declare(index(SEATS), file="start_player", always=True)
    seats: int = declare(mask(SEATS), start=(1 << len(SEATS)) - 1, file="seats", always=True)
    left: int = declare(mask(SEATS), file="left")
    """Who has resigned while the others play on."""
    winner: int = declare(index(SEATS, {-1: None}), start=NOBODY)
    """The only winner, or the first of several."""
    winners: int = declare(mask(SEATS))
    winning_rule: str = declare(text())

    # the mountain
    trolls: list[list[int]] = declare(each(SEATS, sparse(PLACES)), file="trolls")
    """Normal trolls of each seat by place."""
    figure_at: list[int] = declare(
        FigurePlaces(CHAMPIONS, PLACES, {OFF_BOARD: None}, left_out=OFF_BOARD), key="figures", file="figures"
    )
    """Where each champion's figure stands."""
    lairs: list[int] = declare(
        each(SEATS, MaybePair(tuple(box.PAIRS), {-1: None})), start=[-1] * len(SEATS), file="lairs"
    )
    """The pair of lairs of each seat."""
    gnomes: list[int] = declare(sparse(PLACES, Gnomes()), file="gnomes")
    """Gnome tokens of each cavern, coded (:mod:`tokens`)."""
    looked: list[int] = declare(sparse(PLACES))
    """Mask of the seats that have looked at a gnome of each cavern."""
    beside: list[int] = declare(codecs.Counts(STRENGTHS, box.GNOMES_EACH), file="beside_wheel")
    """Defeated gnomes beside the wheel, by strength."""
    swarm: int = declare(index(CLANS, {-1: None}), start=-1, file="swarm")
    gate_row: list[int] = declare(InOrder(CLANS), key="gate_cards")
    """Gate cards of this wave from left to right, -1 while face down."""
    gate_looks: list[int] = declare(Numbers())
    """Mask of the seats that have looked at each."""
    fight: int = declare(index(PLACES, {-1: None}), start=-1)
    """The cavern of a running attack."""
    fallen: int = declare(number())
    """Trolls that fell in the running invasion."""
    ways: list[Way] = declare(Ways(PLACES, SEATS))
    """How the gnomes of the last invasion or breach went."""
    occupied: int = declare(mask(PLACES))
    """Caverns that held anything when the turn began."""
    halls: list[int] = declare(sparse(HALLS, number(0, 12)), file="halls")
    """Value of the token of each great hall, 0 where the board has no such hall."""
    halls_scored: int = declare(mask(HALLS))

    # tracks
    honour: list[int] = declare(each(SEATS), file="honour", always=True)
    supply: list[int] = declare(each(SEATS, number(0, box.MOST_SUPPLY)), file="supply", always=True)
    desperation: list[int] = declare(each(SEATS), file="desperation")
    votes: list[Track] = declare(each(CLANS, Ranked(SEATS)), file="votes")
    tiles: list[int] = declare(each(CLANS, number(-1, 99)), start=[-1] * len(CLANS), file="vote_tiles")
    """Which vote tile of the box lies on each track."""
    pawn: int = declare(number(), file="pawn")
    boost: list[int] = declare(each(SEATS), file="boost")
    """Step of each seat on the boost track."""

    # ancestries
    grids: list[bytes] = declare(each(SEATS, Ancestry()), file="ancestry")
    covered: list[int] = declare(each(SEATS, mask(CELL_NAMES)), file="covered")
    """Mask of the covered cells of each ancestry."""
    fronts: dict[str, int] = declare(codecs.Flat(of=number(1)))
    """Ancestry cards that were laid, with how many of each."""

    # champions
    display: list[int] = declare(InOrder(CHAMPIONS), file="display")
    influence: list[Track] = declare(ListOf(Ranked(SEATS)), file="influence")
    """The track of each champion of the display."""
    won: list[list[int]] = declare(each(SEATS, InOrder(CHAMPIONS)), file="champions")
    gone: int = declare(mask(CHAMPIONS))
    """Champions that were drawn in this game, whatever became of them."""
    claws: list[int] = declare(sparse(CHAMPIONS))
    """Covered claws."""
    stars: dict[str, str] = declare(codecs.Flat(known=CHAMPIONS, of=STARRED), file="star_tags")
    """Where the star tag of a champion lies: a hall, a place or a clan."""

    ledger: list[Entry] = declare(Ledger(SEATS))
    house: Mapping[str, str] = declare(codecs.Flat(house_rules))
    values: dict[str, Any] = declare(codecs.Flat())

    # derived
    units: list[list[int]] = declare(DerivedRows())
    """Trolls and figures of each seat by place."""
    there: list[int] = declare(codecs.Derived(), start=PER_SEAT)
    """For each seat the mask of the places with units of it."""
    overrun: int = declare(codecs.Codec(), key="")
    """Mask of the caverns with gnomes."""
    in_stock: int = declare(codecs.Codec(), key="")
    """Gnome tokens face down in the stock."""
    stock: list[int] = declare(codecs.Derived(), start=[box.TROLLS] * len(SEATS))
    """Trolls off the board."""
    powers: dict[str, tuple[tuple[int, int, int], ...]] = declare(codecs.Flat(), key="")
    """Ability by name: seat, champion, number, of the won champions that have one."""
    box: Box = declare(BoardSide(), start=box_of(), file="board")


def reckon(state: State) -> None:
    """What follows from where units are and who won which champion."""
    state.units = [row[:] for row in state.trolls]
    for seat, won in enumerate(state.won):
        for champion in won:
            if state.figure_at[champion] >= 0:
                state.units[seat][state.figure_at[champion]] += 1
    state.there = [sum(1 << place for place in range(PLACE_COUNT) if row[place]) for row in state.units]
    state.overrun = sum(1 << place for place in range(PLACE_COUNT) if state.gnomes[place])
    state.in_stock = box.GNOME_TOKENS - gnome_tokens_out(state)
    state.stock = [box.TROLLS - sum(row) for row in state.trolls]
    reckon_powers(state)


def reckon_powers(state: State) -> None:
    """Which abilities won champions have."""
    found: dict[str, list[tuple[int, int, int]]] = {}
    for seat, won in enumerate(state.won):
        for champion in won:
            card = state.box.champions[champion]
            if card.power:
                found.setdefault(card.power, []).append((seat, champion, card.amount))
    state.powers = {power: tuple(holders) for power, holders in found.items()}


SCHEMA: Schema[State] = Schema(State, derive=reckon)


def new_state() -> State:
    """A state before set-up."""
    state = State()
    reckon(state)
    return state


# --- what every rule looks at --------------------------------------------------------------------------


def players(state: State) -> tuple[int, ...]:
    """The seats of the game, clockwise from the start player."""
    return _clockwise(state.seats, state.start)


def playing(state: State) -> tuple[int, ...]:
    """Those who have not resigned, clockwise from the start player."""
    return _clockwise(state.seats & ~state.left, state.start)


@lru_cache(maxsize=1024)
def _clockwise(seats: int, start: int) -> tuple[int, ...]:
    """The seats of a mask from ``start`` on."""
    every = [*places_in(seats)]
    return tuple([seat for seat in every if seat >= start] + [seat for seat in every if seat < start])


def next_seat(state: State, seat: int, step: int = 1) -> int:
    """The next seat clockwise (``step`` -1: the other way) that still plays."""
    every = _clockwise(state.seats & ~state.left | 1 << seat, seat)
    return every[step % len(every)]


def own_lairs(state: State, seat: int) -> int:
    """The mask of a seat's lairs."""
    pair = state.lairs[seat]
    return 0 if pair < 0 else 3 << box.lairs_of(pair)[0]


def gnome_tokens_out(state: State) -> int:
    """Tokens that are not in the stock."""
    return sum(state.beside) + sum(COUNT[state.gnomes[place]] for place in places_in(state.overrun))


def holds(state: State, power: str, seat: int) -> tuple[tuple[int, int], ...]:
    """A seat's champions with an ability, each with its number: ``((champion, number), ...)``."""
    holders = state.powers.get(power)
    if holders is None:
        return ()
    return tuple((champion, amount) for owner, champion, amount in holders if owner == seat)
