"""The figures in a place as one integer (:mod:`referee.games.kit.packed`), and everything that follows.

``GROUP[figures]`` gives what follows from all 22 kinds of figures; characters
stand beside, as a bit mask.
"""

from __future__ import annotations

from referee.games.kit.packed import Worked, bits_of, ones, packer
from referee.games.kit.packed import count as count  # the modules of the game take it from here
from referee.games.war_of_the_ring.box.components import FIGURES, NATION_OF, NAZGUL, SEAT_OF, UNIT_COUNT

_KINDS = range(len(FIGURES))
ONE = ones(len(FIGURES))
"""``ONE[figure]``: one figure of this kind; add or subtract it."""
UNIT_BITS = bits_of(range(UNIT_COUNT))
"""``figures & UNIT_BITS``: the army units without leaders and Nazgul."""
SEAT_BITS = tuple(bits_of(f for f in _KINDS if SEAT_OF[f] == seat) for seat in range(2))
LEADER_BITS = SEAT_BITS[0] & ~UNIT_BITS
"""The leaders of the Free Peoples."""
NATION_BITS = tuple(bits_of(f for f in _KINDS if NATION_OF[f] == nation) for nation in range(8))
"""All figures of one nation (the Nazgul count as Sauron's)."""
NAZGUL_BITS = bits_of((NAZGUL,))
pack = packer(FIGURES)


def counts_of(figures: int) -> list[int]:
    """How many there are of each kind."""
    return [count(figures, figure) for figure in _KINDS]


COUNTS = Worked(counts_of)
"""``COUNTS[figures]``: :func:`counts_of` a packed integer (not to be changed)."""


class Group:
    """What follows from the figures of a place.

    ``units`` army units, ``regulars`` and ``elites`` of them, ``leaders``
    leaders of the Free Peoples, ``nazgul``; ``kinds`` the figures present,
    ``counts`` ``{figure id: count}`` (not to be changed), ``nations`` mask of
    the nations with units or leaders, ``unit_nations`` with units only,
    ``seat`` whose units they are (-1: no units).
    """

    __slots__ = (
        *("counts", "elites", "kinds", "leaders", "nations", "nazgul", "regulars", "seat"),
        *("unit_nations", "units"),
    )

    def __init__(self, figures: int) -> None:
        numbers = [(figure, number) for figure, number in enumerate(counts_of(figures)) if number]
        self.kinds: tuple[int, ...] = tuple(figure for figure, _ in numbers)
        self.counts: dict[str, int] = {FIGURES[figure]: number for figure, number in numbers}
        self.regulars = sum(n for f, n in numbers if f < UNIT_COUNT and not f & 1)
        self.elites = sum(n for f, n in numbers if f < UNIT_COUNT and f & 1)
        self.units = self.regulars + self.elites
        self.nazgul = count(figures, NAZGUL)
        self.leaders = sum(n for f, n in numbers if UNIT_COUNT <= f < NAZGUL)
        self.nations = self.unit_nations = 0
        for figure, _ in numbers:
            self.nations |= 1 << NATION_OF[figure]
            if figure < UNIT_COUNT:
                self.unit_nations |= 1 << NATION_OF[figure]
        self.seat = SEAT_OF[self.kinds[0]] if self.kinds and self.kinds[0] < UNIT_COUNT else -1


GROUP = Worked(Group)
"""``GROUP[figures]``: the :class:`Group` of a packed integer."""
