"""Chapter VI: which armies could move where: borders, leaders, what has moved already."""

from __future__ import annotations

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box import map as board
from referee.games.war_of_the_ring.box.map import places_in
from referee.games.war_of_the_ring.rules import occasions, politics
from referee.games.war_of_the_ring.state.armies import (
    GROUP,
    LEADER_BITS,
    NAZGUL_BITS,
    ONE,
    SEAT_BITS,
    UNIT_BITS,
)
from referee.games.war_of_the_ring.state.state import State

LED = "led"
"""``need`` of an army that must take a leader or a character along."""
DONE = "done"
_NOBODYS = board.ALL_REGIONS & ~(board.OF_SEAT[box.FREE] | board.OF_SEAT[box.SHADOW])
_ISENGARD_ELITES = ONE[box.ELITE[box.ISENGARD]] * 63
SINGLE = frozenset(ONE[: box.UNIT_COUNT])
IMMOBILE = 1 << box.SARUMAN | 1 << box.GOLLUM
"""Characters of level 0 who never move (the Witch-king's unlimited level is none)."""
assert all(box.LEVEL[c] or c == box.WITCH_KING or IMMOBILE >> c & 1 for c in range(len(box.CHARACTERS)))
Moved = dict[int, tuple[int, int]]
"""What has already moved in this action: place to (figures, characters)."""


class _Allowed(dict[tuple[int, int, int], int]):
    """(region, nations, nations At War) to the neighbours that at least one of the nations may enter."""

    def __missing__(self, key: tuple[int, int, int]) -> int:
        region, nations, at_war = key
        near = board.NEIGHBOURS[region]
        if not nations & at_war:
            own = _NOBODYS
            for nation in range(8):
                if nations >> nation & 1:
                    own |= board.IN_NATION[nation]
            near &= own
        self[key] = near
        return near


ALLOWED = _Allowed()


def open_regions(state: State, seat: int) -> int:
    """Regions that are free for the purposes of army movement, cards in play included."""
    mask = board.ALL_REGIONS & ~state.armies[1 - seat]
    if seat == box.SHADOW and state.table_cards:
        mask &= ~occasions.closed_to_shadow(state)
    return mask


def mobile_characters(state: State, place: int, seat: int) -> int:
    """Mask of the characters of ``seat`` in a place who can go along with an army."""
    return state.chars[place] & box.CHARACTERS_OF_SEAT[seat] & ~IMMOBILE


def leads(state: State, figures: int, chars: int) -> bool:
    """Whether there is a leader, a Nazgul or a character; with Saruman in play Isengard's elites count."""
    if chars or figures & (LEADER_BITS | NAZGUL_BITS):
        return True
    return bool(figures & _ISENGARD_ELITES) and state.where[box.SARUMAN] >= 0


def destinations(state: State, seat: int, place: int, need: str, figures: int, chars: int) -> int:
    """Where an army with these figures and characters, or a part of it, may go from a region."""
    nations = GROUP[figures].unit_nations
    if not nations:
        return 0
    at_war = politics.wars(state)
    allowed = ALLOWED[place, nations, at_war]
    if need and not chars and not figures & NAZGUL_BITS:
        leaders = GROUP[figures & LEADER_BITS].nations
        led = ALLOWED[place, leaders, at_war] if leaders else 0
        if not led and figures & _ISENGARD_ELITES and state.where[box.SARUMAN] >= 0:
            led = ALLOWED[place, 1 << box.ISENGARD, at_war]
        allowed &= led
    if figures & LEADER_BITS and state.figures[place] & UNIT_BITS in SINGLE:
        for nation in places_in(GROUP[figures & LEADER_BITS].nations):
            allowed &= ALLOWED[place, 1 << nation, at_war]  # a leader who cannot follow is not left alone
    return allowed & open_regions(state, seat)


def available(state: State, seat: int, place: int, moved: Moved) -> tuple[int, int]:
    figures = state.figures[place] & SEAT_BITS[seat]
    chars = mobile_characters(state, place, seat)
    if place in moved:
        gone, went = moved[place]
        figures -= gone
        chars &= ~went
    return figures, chars


NONE_MOVED: Moved = {}


def movers(
    state: State, seat: int, need: str = "", starts: int = board.ALL_REGIONS, moved: Moved = NONE_MOVED
) -> int:
    """Mask of the regions from which an army of ``seat`` could move."""
    found = 0
    for place in places_in(state.armies[seat] & starts & board.ALL_REGIONS):
        figures, chars = available(state, seat, place, moved)
        if need and not leads(state, figures, chars):
            continue
        if destinations(state, seat, place, need, figures, chars):
            found |= 1 << place
    return found


def can_move(state: State, seat: int, need: str = "") -> bool:
    """Whether any army of ``seat`` could move."""
    for place in places_in(state.armies[seat] & board.ALL_REGIONS):
        figures, chars = available(state, seat, place, NONE_MOVED)
        if need and not leads(state, figures, chars):
            continue
        if destinations(state, seat, place, need, figures, chars):
            return True
    return False


def may_cross(state: State, figures: int, end: int) -> int:
    """The part of some figures that may enter a region: those of other nations only when At War."""
    nation = board.NATION_OF_REGION[end]
    if nation < 0:
        return figures
    allowed = 0
    for figure in GROUP[figures].kinds:
        own = box.NATION_OF[figure]
        if figure == box.FIGURE["nazgul"] or own == nation or not state.steps[own]:
            allowed += figures & ONE[figure] * 63
    return allowed
