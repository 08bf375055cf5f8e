"""Ways of the Ring-bearers' figure: which watched regions a way can pass.

When the figure moves, only a few regions on its way matter (strongholds of the
Shadow, Moria while a card waits there).  So a player chooses where the figure
ends, and then only among ways that differ in these.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from heapq import heappop, heappush

from referee.games.war_of_the_ring.box.map import NEAR, PLACES, REACH, places_in
from referee.kernel.messages import Messages

WAY, NOWHERE = "via:", "none"


@lru_cache(maxsize=4096)
def _distances(start: int, watched: int) -> Mapping[int, int]:
    """Borders from ``start`` to every region on ways that pass no watched region in between."""
    seen = frontier = 1 << start
    found = {start: 0}
    steps = 0
    while frontier:
        steps += 1
        open_ones = frontier if steps == 1 else frontier & ~watched
        frontier = NEAR[open_ones] & ~seen
        seen |= frontier
        for region in places_in(frontier):
            found[region] = steps
    return found


@lru_cache(maxsize=4096)
def ways(start: int, end: int, most: int, watched: int) -> tuple[int, ...]:
    """What a way of at most ``most`` borders can pass: masks of watched regions, the fewest first.

    Where the figure starts and ends belongs to its way.  Ways that end in
    ``end``, go on and come back are left out: they pass more for nothing.
    """
    first = 1 << start & watched
    queue = [(0, start, first)]
    done: set[tuple[int, int]] = set()
    found: set[int] = set()
    while queue:
        steps, region, passed = heappop(queue)
        if (region, passed) in done:
            continue
        done.add((region, passed))
        if region == end:
            found.add(passed)
            continue
        near = _distances(region, watched | 1 << end)
        for stop in (*places_in(watched & ~(1 << region)), *(() if watched >> end & 1 else (end,))):
            far = steps + near.get(stop, most + 1)
            if far <= most:
                heappush(queue, (far, stop, passed | (1 << stop & watched)))
    return tuple(sorted(found, key=lambda mask: (mask.bit_count(), mask)))


def destinations(start: int, most: int) -> int:
    """Mask of the regions that the figure can be moved to."""
    return REACH[start, most]


def way_id(passed: int) -> str:
    """The option for a way: the watched regions that it passes."""
    return WAY + ("+".join(PLACES[region] for region in places_in(passed)) or NOWHERE)


def way_text(messages: Messages, way: str, language: str) -> str:
    """The option for a way in words."""
    if way == WAY + NOWHERE:
        return messages.text(f"option.{way}", language)
    return ", ".join(
        messages.text(f"place.{region}", language) for region in way.removeprefix(WAY).split("+")
    )
