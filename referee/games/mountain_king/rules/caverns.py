"""Chapter "Einige Definitionen": controlled, dominated, overrun, empty; and gaining control (page 10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.games.kit.places import places_in
from referee.games.mountain_king.box.components import ALL_CAVERNS, CLAN_OF, FIRST_LAIR
from referee.games.mountain_king.rules import occasions
from referee.games.mountain_king.rules.pieces import gain_votes
from referee.games.mountain_king.state.state import NOBODY, State, own_lairs


def controller(state: State, place: int) -> int:
    """Who has more trolls in a place than every single rival; nobody where several tie."""
    best, owner = 0, NOBODY
    numbers = [row[place] for row in state.units]
    if state.powers:
        occasions.control_strength(state, place, numbers)
    for seat, number in enumerate(numbers):
        if number > best:
            best, owner = number, seat
        elif number == best:
            owner = NOBODY
    if not best and place >= FIRST_LAIR:  # an empty lair is still dominated
        return lair_owner(state, place)
    return owner


def contested(state: State) -> int:
    """The mask of the caverns with units of several seats of which none has most."""
    once = several = 0
    for there in state.there:
        several |= once & there
        once |= there
    rivals_in = places_in(several & ALL_CAVERNS)
    return sum(1 << place for place in rivals_in if controller(state, place) == NOBODY)


def lair_owner(state: State, place: int) -> int:
    """Whose lair a place is."""
    pair = (place - FIRST_LAIR) // 2
    return next((seat for seat in places_in(state.seats) if state.lairs[seat] == pair), NOBODY)


def occupied(state: State) -> int:
    """The mask of the places where anything is."""
    found = state.overrun
    for there in state.there:
        found |= there
    return found


def rivals(state: State, seat: int) -> int:
    """The mask of the places with units of another seat."""
    found = 0
    for other, there in enumerate(state.there):
        if other != seat:
            found |= there
    return found


def dominated(state: State, seat: int) -> int:
    """The mask of the places where only a seat has trolls, its lairs always among them."""
    return state.there[seat] & ~rivals(state, seat) | own_lairs(state, seat)


def barred(state: State, seat: int) -> int:
    """The mask of lairs that a seat may not enter: all but its own, used or not."""
    return state.box.lairs & ~own_lairs(state, seat)


@dataclass(slots=True)
class Before:
    """The caverns as an action began, for the vote that control brings at its end.

    ``voted`` are caverns whose vote was given on the way (a won attack).
    """

    units: Sequence[Sequence[int]]
    occupied: int
    controlled: int
    voted: int = 0


def begin(state: State, seat: int) -> Before:
    """Note how things stand."""
    mine = 0
    for place in places_in(state.there[seat] & ALL_CAVERNS):
        if controller(state, place) == seat:
            mine |= 1 << place
    return Before([row[:] for row in state.units], occupied(state), mine)


def controlled_now(state: State, seat: int, before: Before) -> int:
    """Caverns that a seat controls and did not when the action began."""
    gained = 0
    if before.units == state.units:
        return 0
    for place in places_in(state.there[seat] & ALL_CAVERNS & ~before.controlled):
        if controller(state, place) == seat:
            gained |= 1 << place
    return gained


def gain_control(state: State, seat: int, before: Before) -> int:
    """The end of an action: a vote for each cavern gained.  Returns their mask."""
    gained = controlled_now(state, seat, before) & may_be_gained(state, before) & ~before.voted
    for place in places_in(gained):
        gain_votes(state, seat, CLAN_OF[place], 1)
    return gained


def may_be_gained(state: State, before: Before) -> int:
    """Caverns that were not empty before: when the action began, when the turn began, or both."""
    way = state.house["gain_occupied"]
    if way == "turn":
        return state.occupied
    return before.occupied if way == "action" else before.occupied & state.occupied
