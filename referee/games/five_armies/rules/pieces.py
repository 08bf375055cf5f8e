"""Putting figures and markers on the board and taking them off, with all that follows at once.

These functions keep the masks, the supply and the books right and apply what
the rules attach to the mere presence of pieces: control, tokens removed,
leadership without an army lost, a destroyed army's characters eliminated,
passes opened.  They never ask anybody anything.
"""

from __future__ import annotations

from referee.games.five_armies.box.components import (
    BEORN,
    BILBO,
    BOLG,
    CHARACTER_BITS,
    FREE,
    GROUPS_OF_SEAT,
    SHADOW,
)
from referee.games.five_armies.box.map import EYRIE, PASS_OF_MUSTER, STRONGHOLDS
from referee.games.five_armies.rules.victory import bolg_fell, check_at_once
from referee.games.five_armies.state.armies import ARMY, count
from referee.games.five_armies.state.card_data import discard_from_table
from referee.games.five_armies.state.state import ELIMINATED, State
from referee.games.five_armies.state.table_cards import LUCKY_NUMBER

# --- looking ---------------------------------------------------------------------------------


def seat_at(state: State, place: int) -> int:
    """Whose army stands in a place: ``FREE``, ``SHADOW``, or -1 where there is none."""
    bit = 1 << place
    if state.armies[FREE] & bit:
        return FREE
    return SHADOW if state.armies[SHADOW] & bit else -1


def enemies(state: State, seat: int) -> int:
    """Mask of the places with enemy armies as ``seat`` meets them: Beorn counts as an army for the Shadow."""
    if seat == FREE:
        return state.armies[SHADOW]
    beorn = state.where[BEORN]
    return state.armies[FREE] if beorn < 0 else state.armies[FREE] | 1 << beorn


class _Sums(dict[tuple[int, ...], tuple[int, ...]]):
    def __missing__(self, ratings: tuple[int, ...]) -> tuple[int, ...]:
        sums = tuple(
            sum(max(rating, 0) for i, rating in enumerate(ratings) if mask >> i & 1)
            for mask in range(1 << len(ratings))
        )
        self[ratings] = sums
        return sums


RATING_SUMS = _Sums()
"""``RATING_SUMS[ratings][mask]``: leadership of the characters of a mask; an unknown rating counts 0."""


def leadership(state: State, place: int, seat: int) -> int:
    """Leadership of the army of ``seat`` in a place: its tokens and its characters' ratings."""
    return state.leaders[place] + RATING_SUMS[state.ratings][state.chars[place] & CHARACTER_BITS[seat]]


def led_armies(state: State, seat: int) -> int:
    """Mask of the places with armies of ``seat`` that have leadership."""
    mask = state.armies[seat]
    sums = RATING_SUMS[state.ratings]
    mine = CHARACTER_BITS[seat]
    led, leaders, chars = 0, state.leaders, state.chars
    while mask:
        low = mask & -mask
        place = low.bit_length() - 1
        if leaders[place] or sums[chars[place] & mine]:
            led |= low
        mask ^= low
    return led


# --- units -----------------------------------------------------------------------------------


def add_units(state: State, place: int, units: int) -> None:
    """Put units from the supply into a place.  Their number must be in the supply."""
    if not units:
        return
    army = ARMY[units]
    for unit in army.types:
        state.supply[unit] -= count(units, unit)
    state.units[place] += units
    state.armies[army.seat] |= 1 << place
    if place >= EYRIE - 4:
        open_passes(state)


def remove_units(state: State, place: int, units: int) -> None:
    """Take units off the board into the supply; a destroyed army loses its characters, tokens and damage."""
    if not units:
        return
    army = ARMY[units]
    for unit in army.types:
        state.supply[unit] += count(units, unit)
    state.units[place] -= units
    if not state.units[place]:
        _destroyed(state, place, army.seat)


def _destroyed(state: State, place: int, seat: int) -> None:
    state.armies[seat] &= ~(1 << place)
    state.damage[place] = 0
    state.leaders[place] = 0
    fallen = state.chars[place] & CHARACTER_BITS[seat] & ~(1 << BEORN)
    character = 0
    while fallen:
        if fallen & 1:
            eliminate(state, character)
        fallen >>= 1
        character += 1


def lift_units(state: State, place: int, units: int) -> None:
    """Take units that march off from a place, without touching the supply.

    Leadership and damage left without an army are cleared: the caller first takes
    along what marches too.
    """
    left = state.units[place] - units
    state.units[place] = left
    if not left:
        seat = ARMY[units].seat
        state.armies[seat] &= ~(1 << place)
        state.leaders[place] = 0
        state.damage[place] = 0


def set_down_units(state: State, place: int, units: int) -> None:
    """Set units down that marched here (from nowhere else: the supply is not touched)."""
    state.units[place] += units
    state.armies[ARMY[units].seat] |= 1 << place


def enter(state: State, place: int, seat: int, *, tokens_go: bool = True) -> None:
    """What follows when army units of ``seat`` enter or cross a place: control changes, enemy tokens go.

    May end the game at once.
    """
    bit = 1 << place
    for group in GROUPS_OF_SEAT[1 - seat] if tokens_go else ():
        if place in state.tokens[group]:
            remove_tokens(state, group, place)
    if bit & STRONGHOLDS:
        if seat == SHADOW:
            if not state.control & bit:
                state.control |= bit
                check_at_once(state)
        else:
            state.control &= ~bit


def remove_tokens(state: State, group: int, place: int, number: int | None = None) -> None:
    """Take face-down recruitment tokens back to their supply, unseen (all of the group, or ``number``)."""
    there = state.tokens[group].pop(place)
    taken = there if number is None else min(number, there)
    state.token_pool[group] += taken
    if there > taken:
        state.tokens[group][place] = there - taken


def open_passes(state: State) -> None:
    """A pass opens, for good, once its Mustering Point holds five units."""
    for muster, its_pass in PASS_OF_MUSTER.items():
        if state.closed_passes >> its_pass & 1 and ARMY[state.units[muster]].size >= 5:
            state.closed_passes &= ~(1 << its_pass)


# --- characters ------------------------------------------------------------------------------


def put_character(state: State, character: int, place: int) -> None:
    """Stand a character in a place (from another place, or from off the board).

    Where Beorn comes a settlement is freed.
    """
    before = state.where[character]
    if 0 <= before < len(state.chars):
        state.chars[before] &= ~(1 << character)
    state.where[character] = place
    if 0 <= place < len(state.chars):
        state.chars[place] |= 1 << character
        if character == BEORN:
            enter(state, place, FREE, tokens_go=state.house["beorn_tokens"] == "removed")


def eliminate(state: State, character: int) -> None:
    """A character is out of the game for good.  Bolg's death ends it."""
    put_character(state, character, ELIMINATED)
    state.activated &= ~(1 << character)
    if character == BEORN:
        state.wrath = 0
    elif character == BILBO:
        discard_from_table(state, LUCKY_NUMBER)
    elif character == BOLG:
        state.bodyguards = 0
        bolg_fell(state)


def in_play(state: State, character: int) -> bool:
    """Whether a character has entered play and was not eliminated."""
    return state.where[character] >= 0
