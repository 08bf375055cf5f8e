"""What must always hold, checked after every answer.  A problem here is a bug in us.

Bounds of single fields follow from the declaration of the state; here is what
holds between several.  While an action is under way (``state.step`` is
``"action"`` or ``"fight"``) regions may be over-full until the action ends.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.kit.audit import conserved
from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.components import CHARACTERS, DECKS, FREE, SEATS, SHADOW, TILES
from referee.games.war_of_the_ring.box.map import (
    BOXES,
    PLACE_COUNT,
    PLACES,
    REGION_COUNT,
    REGION_OF_BOX,
    SETTLEMENTS,
    places_in,
)
from referee.games.war_of_the_ring.state.armies import COUNTS, GROUP, LEADER_BITS, SEAT_BITS, UNIT_BITS
from referee.games.war_of_the_ring.state.card_data import CARD_BIT, CARDS, DECK_MASKS
from referee.games.war_of_the_ring.state.state import IN_FELLOWSHIP, SCHEMA, SPECIAL_MASK, TILE_IDS, State

QUIET = ("", "act")
"""Values of ``state.step`` between actions."""
_OF_SHADOW = tuple(figure for figure, seat in enumerate(box.SEAT_OF) if seat == SHADOW)
_TILE_COUNTS = tuple(tile.count for tile in TILES)


def audit(state: State) -> list[str]:
    """Everything that is wrong with a state, in English, empty where all holds."""
    if not state.phase:
        return []
    found = SCHEMA.out_of_bounds(state)
    for part in (_figures, _armies, _characters, _fellowship, _tiles, _dice, _cards):
        found.extend(part(state))
    return found


def _figures(state: State) -> Iterator[str]:
    """Figures on the board, the reinforcements and the fallen equal the box."""
    standing = COUNTS[sum(state.figures)]
    parts = {"on the board": standing, "in supply": state.supply, "fallen": state.fallen}
    yield from conserved(box.FIGURES, box.FIGURES_IN_BOX, parts)
    if any(state.fallen[figure] for figure in _OF_SHADOW):
        yield "figures of the Shadow among the fallen"


def _armies(state: State) -> Iterator[str]:
    masks = [0, 0]
    quiet = state.step in QUIET and state.battle is None
    for place, figures in enumerate(state.figures):
        if not figures:
            continue
        for seat in (FREE, SHADOW):
            if figures & UNIT_BITS & SEAT_BITS[seat]:
                masks[seat] |= 1 << place
        if figures & LEADER_BITS and not masks[FREE] >> place & 1:
            yield f"{PLACES[place]}: leaders alone"
        units = GROUP[figures & UNIT_BITS].units
        if quiet and units > (box.ARMY_LIMIT if place < REGION_COUNT else box.SIEGE_LIMIT):
            yield f"{PLACES[place]}: {units} units"
    if masks != state.armies:
        yield "armies' masks differ from the units"
    if masks[FREE] & masks[SHADOW]:
        yield "armies of both sides in one place"
    if state.captured & ~SETTLEMENTS:
        yield "control where no settlement is"
    if quiet:
        yield from _sieges(state)


def _sieges(state: State) -> Iterator[str]:
    """A garrison in its box has an enemy army in the region, and holds the settlement."""
    garrisons = (state.armies[FREE] | state.armies[SHADOW]) & BOXES
    for place in places_in(garrisons):
        seat = FREE if state.armies[FREE] >> place & 1 else SHADOW
        if not state.armies[1 - seat] >> REGION_OF_BOX[place] & 1:
            yield f"{PLACES[place]}: a siege without besiegers"
    for place in places_in(BOXES & ~garrisons):
        if state.figures[place] or state.chars[place]:
            yield f"{PLACES[place]}: figures in the box of no siege"


def _characters(state: State) -> Iterator[str]:
    chars = [0] * PLACE_COUNT
    for character, where in enumerate(state.where):
        if where >= 0:
            chars[where] |= 1 << character
    if chars != state.chars:
        yield "characters' places differ"


def _fellowship(state: State) -> Iterator[str]:
    if state.corruption >= box.CORRUPTION_LIMIT and state.winner != SHADOW:
        yield f"corruption is {state.corruption}"
    companions = IN_FELLOWSHIP in state.where
    if state.step in QUIET and companions and state.guide >= 0 and state.where[state.guide] != IN_FELLOWSHIP:
        yield f"{CHARACTERS[state.guide]} guides a Fellowship that he is not in"
    if not 0 <= state.ring < REGION_COUNT:
        yield "the Ring-bearers stand in no region"
    for nation, steps in enumerate(state.steps):
        if not steps and not state.awake >> nation & 1:
            yield f"{box.NATIONS[nation]}: At War and passive"


def _tiles(state: State) -> Iterator[str]:
    """Every tile is in the pool, drawn, gone for good, or waits; special ones may not be in play yet."""
    lists = {
        "pool": state.tiles,
        "out": state.tiles_out,
        "gone": state.tiles_gone,
        "ready": state.tiles_ready,
    }
    yield from (f"tile {one}" for one in conserved(TILE_IDS, _TILE_COUNTS, lists, at_most=SPECIAL_MASK))


def _dice(state: State) -> Iterator[str]:
    if sum(state.rings) > box.RINGS_AT_START:
        yield f"rings {state.rings}"
    for seat in (FREE, SHADOW) if state.phase == 5 else ():
        dice = sum(state.unused[seat]) + sum(state.used[seat]) + state.hunt_dice[seat]
        if dice > state.pool[seat]:
            yield f"{dice} action dice of {SEATS[seat]} of a pool of {state.pool[seat]}"


def _cards(state: State) -> Iterator[str]:
    for seat in (FREE, SHADOW):
        shown = [(state.shown[seat] & mask).bit_count() for mask in DECK_MASKS[seat]]
        hand, deck, unseen = state.hand[seat], state.deck[seat], state.unseen_discards[seat]
        parts = {"in hand": hand, "in the deck": deck, "unseen": unseen, "shown": shown}
        for problem in conserved(DECKS, [box.DECK_SIZE] * 2, parts):
            yield f"{SEATS[seat]} cards, {problem}"
        if sum(hand) > box.HAND_LIMIT and state.step in QUIET and state.phase > 1:
            yield f"hand of {sum(hand)}"
    for card in state.table_cards:
        if not state.shown[CARDS[card].seat] & CARD_BIT[card]:
            yield f"{card} lies on the table but was never shown"
