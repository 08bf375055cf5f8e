"""Putting figures and characters on the board and taking them off, with all that follows at once.

These functions keep the masks, the supply and the books right and apply what
the rules attach to the mere presence of pieces: leaders without an army go,
a destroyed army's characters are eliminated, sieges are lifted, casualties of
the Free Peoples stay out of the game.  They never ask anybody anything.
"""

from __future__ import annotations

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box import map as board
from referee.games.war_of_the_ring.box.map import places_in
from referee.games.war_of_the_ring.state.armies import GROUP, LEADER_BITS, ONE, SEAT_BITS, UNIT_BITS, count
from referee.games.war_of_the_ring.state.state import ELIMINATED, State

# --- looking ---------------------------------------------------------------------------------


def seat_at(state: State, place: int) -> int:
    """Whose army units stand in a place (a siege box apart from its region): a seat, or -1."""
    bit = 1 << place
    if state.armies[box.FREE] & bit:
        return box.FREE
    return box.SHADOW if state.armies[box.SHADOW] & bit else -1


def units_at(state: State, place: int) -> int:
    """How many army units stand in a place."""
    return GROUP[state.figures[place] & UNIT_BITS].units


def controlled(state: State, seat: int) -> int:
    """Mask of the settlements that ``seat`` controls."""
    return board.SETTLEMENTS & (
        board.OF_SEAT[seat] & ~state.captured | board.OF_SEAT[1 - seat] & state.captured
    )


def besieged(state: State) -> int:
    """Mask of the stronghold regions whose garrison stands in the siege box."""
    mask = 0
    for siege_box in places_in((state.armies[box.FREE] | state.armies[box.SHADOW]) & board.BOXES):
        mask |= 1 << board.REGION_OF_BOX[siege_box]
    return mask


def free_for(state: State, seat: int) -> int:
    """Mask of the regions that are free for ``seat``: no enemy army and no enemy-controlled settlement.

    The region of a stronghold that ``seat`` besieges is free for it (official
    answer, both editions); for the besieged side it is not.
    """
    enemy = 1 - seat
    mine_besieging = besieged(state) & state.armies[seat]
    return ~(state.armies[enemy] | controlled(state, enemy)) & ((1 << 105) - 1) | mine_besieging


def unconquered(state: State, place: int) -> bool:
    """Whether a settlement is still under its own nation's control (it may be besieged)."""
    return not state.captured >> place & 1


# --- figures ----------------------------------------------------------------------------------


def add_figures(state: State, place: int, figures: int) -> None:
    """Put figures from the reinforcements into a place.  Their number must be there."""
    if not figures:
        return
    for figure in GROUP[figures].kinds:
        state.supply[figure] -= count(figures, figure)
    set_down(state, place, figures)


def set_down(state: State, place: int, figures: int) -> None:
    """Set figures down that marched here (the reinforcements are not touched)."""
    state.figures[place] += figures
    for seat in (box.FREE, box.SHADOW):
        if figures & UNIT_BITS & SEAT_BITS[seat]:
            state.armies[seat] |= 1 << place


def lift(state: State, place: int, figures: int) -> None:
    """Take figures that march off from a place.  What the rules attach to it is :func:`settle`'s business."""
    state.figures[place] -= figures
    for seat in (box.FREE, box.SHADOW):
        if not state.figures[place] & UNIT_BITS & SEAT_BITS[seat]:
            state.armies[seat] &= ~(1 << place)


def remove_figures(state: State, place: int, figures: int, *, as_casualties: bool = True) -> None:
    """Take figures off the board: the Shadow's return to the reinforcements, so do surplus ones.

    Casualties of the Free Peoples are out of the game (``state.fallen``).  Call
    :func:`settle` afterwards.
    """
    if not figures:
        return
    lift(state, place, figures)
    for figure in GROUP[figures].kinds:
        number = count(figures, figure)
        if as_casualties and box.SEAT_OF[figure] == box.FREE:
            state.fallen[figure] += number
        else:
            state.supply[figure] += number


def regulars_left(state: State, elite: int) -> int:
    """How many regulars could replace elites of a kind: casualties (the Free Peoples') and reinforcements."""
    return state.fallen[elite - 1] + state.supply[elite - 1]


def reduce_elite(state: State, place: int, elite: int) -> bool:
    """Replace an elite by a regular of its nation; False where no regular is left and the elite is removed.

    A Free Peoples regular is taken from the casualties first, then from the
    reinforcements (second edition, page 30).
    """
    regular = elite - 1
    remove_figures(state, place, ONE[elite])
    if box.SEAT_OF[elite] == box.FREE and state.fallen[regular]:
        state.fallen[regular] -= 1
    elif state.supply[regular]:
        state.supply[regular] -= 1
    else:
        return False
    set_down(state, place, ONE[regular])
    return True


def settle(state: State, place: int) -> None:
    """Apply what the rules attach to who is left in a place.

    Leaders of the Free Peoples without an army there go.  A garrison whose
    besiegers are gone comes out of its siege box.
    """
    figures = state.figures[place]
    if not state.armies[box.FREE] >> place & 1 and figures & LEADER_BITS:
        remove_figures(state, place, figures & LEADER_BITS)
    region = board.REGION_OF_BOX.get(place, place)
    if region in board.SIEGE_BOX:
        lift_siege(state, region)


def lift_siege(state: State, region: int) -> None:
    """Bring a garrison out of its box where no enemy army stands in the region any more."""
    siege_box = board.SIEGE_BOX[region]
    seat = seat_at(state, siege_box)
    if seat < 0 or state.armies[1 - seat] >> region & 1:
        return
    move_all(state, siege_box, region)


def move_all(state: State, start: int, end: int) -> None:
    """Everything in a place, characters too, goes to another (into a siege box or out of it)."""
    figures = state.figures[start]
    lift(state, start, figures)
    set_down(state, end, figures)
    for character in places_in(state.chars[start]):
        put_character(state, character, end)


# --- characters ------------------------------------------------------------------------------


def put_character(state: State, character: int, place: int) -> None:
    """Stand a character in a place, or give him one of the states below 0 (out of play, eliminated...)."""
    before = state.where[character]
    if before >= 0:
        state.chars[before] &= ~(1 << character)
    state.where[character] = place
    if place >= 0:
        state.chars[place] |= 1 << character


def eliminate(state: State, character: int) -> None:
    """A character is out of the game for good."""
    put_character(state, character, ELIMINATED)


def leadership_figures(state: State, place: int, seat: int) -> int:
    """Leaders and Nazgul of ``seat`` in a place (characters not counted)."""
    group = GROUP[state.figures[place]]
    return group.leaders if seat == box.FREE else group.nazgul


def capture(state: State, place: int, seat: int) -> bool:
    """``seat`` takes control of the settlement of a region; True where control changed."""
    bit = 1 << place
    if not bit & board.SETTLEMENTS or controlled(state, seat) & bit:
        return False
    state.captured ^= bit
    return True


# --- tiles -----------------------------------------------------------------------------------


def tile_options(state: State) -> tuple[int, ...]:
    """The kinds of tiles in the pool; an exhausted pool is refilled with the standard tiles drawn before."""
    if not any(state.tiles):
        for tile in box.STANDARD_TILES:
            state.tiles[tile] += state.tiles_out[tile]
            state.tiles_out[tile] = 0
    return tuple(tile for tile, number in enumerate(state.tiles) if number)
