"""Counts of several kinds packed into one integer, six bits a kind, and what follows from them.

Merging is ``a + b``, splitting ``a - part``, and nothing is 0.  No kind has more
than 63 pieces.  What follows from such an integer is worked out once for each
(:class:`Worked`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

V = TypeVar("V")
BITS = 6
MOST = (1 << BITS) - 1
MOST_KEPT = 100_000
"""Integers of which is remembered what follows, before it starts anew."""


def count(packed: int, kind: int) -> int:
    """How many pieces of one kind there are."""
    return packed >> (BITS * kind) & MOST


def ones(kinds: int) -> tuple[int, ...]:
    """One piece of each kind; add or subtract it."""
    return tuple(1 << (BITS * kind) for kind in range(kinds))


def bits_of(kinds: Iterable[int]) -> int:
    """The mask of all pieces of some kinds."""
    return sum(MOST << (BITS * kind) for kind in kinds)


def packer(ids: Sequence[str]) -> Callable[[Mapping[str, int]], int]:
    """The function that packs ``{id: count}``."""
    one = dict(zip(ids, ones(len(ids)), strict=True))

    def pack(counts: Mapping[str, int]) -> int:
        """The packed pieces of ``{id: count}``."""
        return sum(one[name] * number for name, number in counts.items())

    return pack


class Worked(dict[int, V]):
    """Packed pieces to what ``work`` makes of them, when first asked for."""

    def __init__(self, work: Callable[[int], V]) -> None:
        super().__init__()
        self._work = work

    def __missing__(self, packed: int) -> V:
        found = self._work(packed)
        if len(self) > MOST_KEPT:
            self.clear()
        self[packed] = found
        return found
