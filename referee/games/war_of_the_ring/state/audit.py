"""What must always hold, checked after every answer.  A problem here is a bug in us.

While an action is under way (``state.step`` is ``"action"`` or ``"fight"``)
regions may be over-full until the action ends.
"""

from __future__ import annotations

from referee.games.war_of_the_ring.box.components import (
    ARMY_LIMIT,
    CHARACTERS,
    CORRUPTION_LIMIT,
    CRACK_OF_DOOM,
    DECK_SIZE,
    DECKS,
    FIGURES,
    FIGURES_IN_BOX,
    FREE,
    HAND_LIMIT,
    NATIONS,
    PROGRESS_END,
    RINGS_AT_START,
    SEAT_OF,
    SEATS,
    SHADOW,
    SIEGE_LIMIT,
    TILES,
)
from referee.games.war_of_the_ring.box.map import (
    BOXES,
    PLACE_COUNT,
    PLACES,
    REGION_COUNT,
    REGION_OF_BOX,
    SETTLEMENTS,
    places_in,
)
from referee.games.war_of_the_ring.rules.pieces import LEADER_BITS
from referee.games.war_of_the_ring.state.armies import GROUP, SEAT_BITS, UNIT_BITS, count
from referee.games.war_of_the_ring.state.card_data import CARD_BIT, CARDS, CARDS_OF
from referee.games.war_of_the_ring.state.state import IN_FELLOWSHIP, State

QUIET = ("", "act")
"""Values of ``state.step`` between actions."""


def audit(state: State) -> list[str]:
    """Everything that is wrong with a state, in English, empty where all holds."""
    problems: list[str] = []
    if not state.phase:
        return problems
    _figures(state, problems)
    _armies(state, problems)
    _characters(state, problems)
    _fellowship(state, problems)
    _tiles(state, problems)
    _dice(state, problems)
    _cards(state, problems)
    return problems


def _figures(state: State, problems: list[str]) -> None:
    """Figures on the board, the reinforcements and the fallen equal the box."""
    standing = sum(state.figures)
    for figure, number in enumerate(FIGURES_IN_BOX):
        board, supply, fallen = count(standing, figure), state.supply[figure], state.fallen[figure]
        if board + supply + fallen != number or supply < 0 or fallen < 0:
            problems.append(
                f"{FIGURES[figure]}: {board} on the board, {supply} in supply, {fallen} fallen"
                f", {number} in the box"
            )
    if any(fallen for figure, fallen in enumerate(state.fallen) if SEAT_OF[figure] == SHADOW):
        problems.append("figures of the Shadow among the fallen")


def _armies(state: State, problems: list[str]) -> None:
    masks = [0, 0]
    quiet = state.step in QUIET and state.battle is None
    for place, figures in enumerate(state.figures):
        if not figures:
            continue
        for seat in (FREE, SHADOW):
            if figures & UNIT_BITS & SEAT_BITS[seat]:
                masks[seat] |= 1 << place
        if figures & LEADER_BITS and not masks[FREE] >> place & 1:
            problems.append(f"{PLACES[place]}: leaders alone")
        units = GROUP[figures & UNIT_BITS].units
        if quiet and units > (ARMY_LIMIT if place < REGION_COUNT else SIEGE_LIMIT):
            problems.append(f"{PLACES[place]}: {units} units")
    if masks != state.armies:
        problems.append("armies' masks differ from the units")
    if masks[FREE] & masks[SHADOW]:
        problems.append("armies of both sides in one place")
    if state.captured & ~SETTLEMENTS:
        problems.append("control where no settlement is")
    if quiet:
        _sieges(state, problems)


def _sieges(state: State, problems: list[str]) -> None:
    """A garrison in its box has an enemy army in the region, and holds the settlement."""
    for box in places_in((state.armies[FREE] | state.armies[SHADOW]) & BOXES):
        seat = FREE if state.armies[FREE] >> box & 1 else SHADOW
        region = REGION_OF_BOX[box]
        if not state.armies[1 - seat] >> region & 1:
            problems.append(f"{PLACES[box]}: a siege without besiegers")
    for box in REGION_OF_BOX:
        besieged = (state.armies[FREE] | state.armies[SHADOW]) >> box & 1
        if (state.figures[box] or state.chars[box]) and not besieged:
            problems.append(f"{PLACES[box]}: figures in the box of no siege")


def _characters(state: State, problems: list[str]) -> None:
    chars = [0] * PLACE_COUNT
    for character, where in enumerate(state.where):
        if where >= 0:
            chars[where] |= 1 << character
    if chars != state.chars:
        problems.append("characters' places differ")


def _fellowship(state: State, problems: list[str]) -> None:
    if not 0 <= state.progress <= PROGRESS_END:
        problems.append(f"the Fellowship's progress is {state.progress}")
    if state.corruption < 0 or (state.corruption >= CORRUPTION_LIMIT and state.winner != SHADOW):
        problems.append(f"corruption is {state.corruption}")
    if not -1 <= state.mordor <= CRACK_OF_DOOM:
        problems.append(f"step {state.mordor} in Mordor")
    companions = any(where == IN_FELLOWSHIP for where in state.where)
    if state.step in QUIET and companions and state.guide >= 0 and state.where[state.guide] != IN_FELLOWSHIP:
        problems.append(f"{CHARACTERS[state.guide]} guides a Fellowship that he is not in")
    if not 0 <= state.ring < REGION_COUNT:
        problems.append("the Ring-bearers stand in no region")
    for nation, steps in enumerate(state.steps):
        if not 0 <= steps <= 3 or (not steps and not state.awake >> nation & 1):
            problems.append(f"{NATIONS[nation]}: {steps} steps from At War, passive or off the track")


def _tiles(state: State, problems: list[str]) -> None:
    """Every tile is in the pool, drawn, gone for good, or waits; special ones may not be in play yet."""
    lists = (state.tiles, state.tiles_out, state.tiles_gone, state.tiles_ready)
    for index, tile in enumerate(TILES):
        numbers = [part[index] for part in lists]
        total = sum(numbers)
        wrong = total != tile.count if tile.seat < 0 else total > tile.count
        if wrong or min(numbers) < 0:
            problems.append(f"tile {tile.id}: {numbers} (pool, out, gone, ready) of {tile.count}")


def _dice(state: State, problems: list[str]) -> None:
    if sum(state.rings) > RINGS_AT_START or min(state.rings) < 0:
        problems.append(f"rings {state.rings}")
    if state.phase != 5:
        return
    for seat in (FREE, SHADOW):
        dice = sum(state.unused[seat]) + sum(state.used[seat]) + state.hunt_dice[seat]
        if dice > state.pool[seat] or min(state.unused[seat]) < 0 or min(state.used[seat]) < 0:
            problems.append(f"{dice} action dice of {SEATS[seat]} of a pool of {state.pool[seat]}")


_DECK_MASKS = tuple(
    tuple(sum(1 << n for n, card in enumerate(cards) if card.deck == deck) for deck in range(2))
    for cards in CARDS_OF
)


def _cards(state: State, problems: list[str]) -> None:
    for seat in (FREE, SHADOW):
        for deck in range(2):
            shown = (state.shown[seat] & _DECK_MASKS[seat][deck]).bit_count()
            parts = (
                state.hand[seat][deck],
                state.deck[seat][deck],
                state.unseen_discards[seat][deck],
                shown,
            )
            if sum(parts) != DECK_SIZE or min(parts) < 0:
                problems.append(f"{SEATS[seat]} {DECKS[deck]} cards: hand, deck, unseen, shown {parts}")
        if sum(state.hand[seat]) > HAND_LIMIT and state.step in QUIET and state.phase > 1:
            problems.append(f"hand of {sum(state.hand[seat])}")
    for card in state.table_cards:
        if not state.shown[CARDS[card].seat] & CARD_BIT[card]:
            problems.append(f"{card} lies on the table but was never shown")
