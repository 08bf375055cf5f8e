"""Places as small integers and sets of them as bit masks, with the tables that every board needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

MOST_KEPT = 50_000
"""Masks that a table remembers before it starts anew."""


def mask_of(*places: int) -> int:
    """The bit mask of some places."""
    mask = 0
    for place in places:
        mask |= 1 << place
    return mask


class _PlaceTuples(dict[int, tuple[int, ...]]):
    def __missing__(self, mask: int) -> tuple[int, ...]:
        places = []
        left = mask
        while left:
            low = left & -left
            places.append(low.bit_length() - 1)
            left ^= low
        if len(self) > MOST_KEPT:
            self.clear()
        found = self[mask] = tuple(places)
        return found


places_in: Callable[[int], tuple[int, ...]] = _PlaceTuples().__getitem__
"""The places of a mask (not negative), in ascending order.  The same few masks come again and again
within a turn, so they are kept."""


class IdTuples(dict[int, tuple[str, ...]]):
    """Mask of places to the tuple of their ids, ready for a request; made when first asked for."""

    def __init__(self, ids: Sequence[str]) -> None:
        super().__init__()
        self._ids = ids

    def __missing__(self, mask: int) -> tuple[str, ...]:
        ids = tuple(self._ids[place] for place in places_in(mask))
        if len(self) > MOST_KEPT:
            self.clear()
        self[mask] = ids
        return ids


class NeighbourMasks(dict[int, int]):
    """Mask of places to the mask of all places next to at least one of them.

    ``neighbours[p]`` is the mask of the places next to ``p``; of the places in
    ``only`` alone is anything next.
    """

    def __init__(self, neighbours: Sequence[int], only: int = -1) -> None:
        super().__init__()
        self._neighbours = neighbours
        self._only = only

    def __missing__(self, mask: int) -> int:
        near = 0
        for place in places_in(mask & self._only):
            near |= self._neighbours[place]
        if len(self) > MOST_KEPT:
            self.clear()
        self[mask] = near
        return near
