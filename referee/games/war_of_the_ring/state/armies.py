"""The figures in a place as one integer, and everything that follows from it.

Counts of all 22 figures are packed into one integer, six bits a figure (no
figure has more than 36 copies): merging is ``a + b``, splitting ``a - part``,
and an empty place is 0.  ``GROUP[figures]`` gives what follows; it is worked
out once for each combination.  Characters stand beside, as a bit mask.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.war_of_the_ring.box.components import (
    FIGURE,
    FIGURES,
    NATION_OF,
    NAZGUL,
    SEAT_OF,
    UNIT_COUNT,
)

_BITS = 6
_MOST = (1 << _BITS) - 1

ONE: tuple[int, ...] = tuple(1 << (_BITS * figure) for figure in range(len(FIGURES)))
"""``ONE[figure]``: one figure of this kind; add or subtract it."""
UNIT_BITS = (1 << _BITS * UNIT_COUNT) - 1
"""``figures & UNIT_BITS``: the army units without leaders and Nazgul."""
SEAT_BITS: tuple[int, int] = tuple(  # type: ignore[assignment]
    sum(_MOST << (_BITS * figure) for figure in range(len(FIGURES)) if SEAT_OF[figure] == seat)
    for seat in range(2)
)
NATION_BITS: tuple[int, ...] = tuple(
    sum(_MOST << (_BITS * figure) for figure in range(len(FIGURES)) if NATION_OF[figure] == nation)
    for nation in range(8)
)
"""All figures of one nation (the Nazgul count as Sauron's)."""
NAZGUL_BITS = _MOST << (_BITS * NAZGUL)


def count(figures: int, figure: int) -> int:
    """How many figures of one kind there are."""
    return figures >> (_BITS * figure) & _MOST


def pack(counts: Mapping[str, int]) -> int:
    """The figures of ``{figure id: count}``."""
    return sum(ONE[FIGURE[name]] * number for name, number in counts.items())


class Group:
    """What follows from the figures of a place.

    ``units`` army units, ``regulars`` and ``elites`` of them, ``leaders``
    leaders of the Free Peoples, ``nazgul``; ``kinds`` the figures present,
    ``counts`` ``{figure id: count}`` (not to be changed), ``nations`` mask of
    the nations with units or leaders, ``unit_nations`` with units only,
    ``seat`` whose units they are (-1: no units).
    """

    __slots__ = (
        "counts",
        "elites",
        "kinds",
        "leaders",
        "nations",
        "nazgul",
        "regulars",
        "seat",
        "unit_nations",
        "units",
    )

    def __init__(self, figures: int) -> None:
        numbers = [(f, count(figures, f)) for f in range(len(FIGURES)) if count(figures, f)]
        self.kinds: tuple[int, ...] = tuple(figure for figure, _ in numbers)
        self.counts: dict[str, int] = {FIGURES[figure]: number for figure, number in numbers}
        self.regulars = sum(n for f, n in numbers if f < UNIT_COUNT and not f & 1)
        self.elites = sum(n for f, n in numbers if f < UNIT_COUNT and f & 1)
        self.units = self.regulars + self.elites
        self.nazgul = count(figures, NAZGUL)
        self.leaders = sum(n for f, n in numbers if UNIT_COUNT <= f < NAZGUL)
        self.nations = 0
        self.unit_nations = 0
        for figure, _ in numbers:
            self.nations |= 1 << NATION_OF[figure]
            if figure < UNIT_COUNT:
                self.unit_nations |= 1 << NATION_OF[figure]
        self.seat = SEAT_OF[self.kinds[0]] if self.kinds and self.kinds[0] < UNIT_COUNT else -1


class _Groups(dict[int, Group]):
    def __missing__(self, figures: int) -> Group:
        group = Group(figures)
        if len(self) > 100_000:
            self.clear()
        self[figures] = group
        return group


GROUP = _Groups()
"""``GROUP[figures]``: the :class:`Group` of a packed integer."""
