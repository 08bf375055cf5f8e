"""Chapter VI: how far characters get on foot, and where they then stand.

Companions and the Mouth of Sauron pass enemy armies as if they were not there;
strongholds stop them or shut them out.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box import map as board
from referee.games.war_of_the_ring.box.map import places_in
from referee.games.war_of_the_ring.rules.pieces import controlled, put_character
from referee.games.war_of_the_ring.rules.politics import companion_arrived
from referee.games.war_of_the_ring.state.armies import SEAT_BITS, UNIT_BITS
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal

RIDER_LEVEL = 4
"""Level of Gandalf the White who moves alone or with one hobbit."""


class _Walks(dict[tuple[int, int, int, int], int]):
    """(region, steps, shut regions, stopping regions) to the mask of all regions within reach."""

    def __missing__(self, key: tuple[int, int, int, int]) -> int:
        start, steps, shut, stops = key
        reached = frontier = 1 << start
        for _ in range(steps):
            entered = board.NEAR[frontier] & ~reached & ~shut
            if not entered:
                break
            reached |= entered
            frontier = entered & ~stops
        if len(self) > 100_000:
            self.clear()
        self[key] = reached
        return reached


WALKS = _Walks()


def besieged_of(state: State, seat: int) -> int:
    """Mask of the stronghold regions in which a garrison of ``seat`` is besieged."""
    mask = 0
    for siege_box in places_in(state.armies[seat] & board.BOXES):
        mask |= 1 << board.REGION_OF_BOX[siege_box]
    return mask


def companion_stops(state: State) -> int:
    """Mask of the regions in which companions must stop: strongholds that the Shadow controls."""
    return board.STRONGHOLD_MASK & controlled(state, box.SHADOW)


def companion_walk(state: State, start: int, steps: int, *, into_siege: bool = False) -> int:
    """Mask of the regions that companions reach from ``start``, which counts.

    ``into_siege``: a card lets them end in a stronghold in which friends are besieged.
    """
    shut = besieged_of(state, box.FREE)
    if shut >> start & 1:
        return 1 << start
    stops = companion_stops(state)
    if into_siege:
        return WALKS[start, steps, 0, stops | shut]
    return WALKS[start, steps, shut, stops]


def group_level(group: int) -> int:
    """How far companions go: their highest level; the White Rider alone or with one hobbit goes 4."""
    rider = 1 << box.GANDALF_WHITE
    if group & rider:
        others = group & ~rider
        if not others or (others & ~box.HOBBITS == 0 and others & others - 1 == 0):
            return RIDER_LEVEL
    return max(box.LEVEL[character] for character in places_in(group))


def standing_place(state: State, region: int, seat: int) -> int:
    """Where a character of ``seat`` stands in a region: with the besieged garrison, if it is his side's."""
    siege_box = board.SIEGE_BOX.get(region, -1)
    if siege_box >= 0 and state.figures[siege_box] & UNIT_BITS & SEAT_BITS[seat]:
        return siege_box
    return region


def arrive(state: State, group: int, region: int) -> None:
    """Companions end their move in a region, where they may wake its nation."""
    place = standing_place(state, region, box.FREE)
    for character in places_in(group):
        put_character(state, character, place)
    for character in places_in(group):
        companion_arrived(state, character, place)


def why_not_walk(
    state: State, start: int, steps: int, reached: int, *, into_siege: bool = False
) -> Iterator[tuple[str, Refusal]]:
    """Every region that companions cannot move to, and why."""
    shut = besieged_of(state, box.FREE)
    locked = bool(shut >> start & 1)
    far = WALKS[start, steps, 0, 0]
    for region in places_in(board.ALL_REGIONS & ~reached):
        about = {"place": board.PLACES[region], "from": board.PLACES[start], "level": steps}
        if locked or (shut >> region & 1 and not into_siege):
            yield board.PLACES[region], Refusal("char.no_siege_crossing", "siege_closed", about)
        elif far >> region & 1:
            yield board.PLACES[region], Refusal("char.stop_at_stronghold", "way_stops", about)
        else:
            yield board.PLACES[region], Refusal("char.level_is_range", "too_far", about)


def group_about(group: int) -> dict[str, object]:
    """A group of characters for a message."""
    return {"characters": [box.CHARACTERS[character] for character in places_in(group)]}
