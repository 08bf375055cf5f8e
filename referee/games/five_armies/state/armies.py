"""The units of an army as one integer (:mod:`referee.games.kit.packed`), and everything that follows from it.

Merging is ``a + b``, splitting is ``a - part`` and an empty place is 0.
"""

from __future__ import annotations

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box.components import SEAT_OF_UNIT, SEATS, UNITS
from referee.games.five_armies.box.map import TERRAINS
from referee.games.kit.packed import Worked, bits_of, ones, packer
from referee.games.kit.packed import count as count  # the modules of the game take it from here

_KINDS = range(len(UNITS))
ONE = ones(len(UNITS))
"""``ONE[unit]``: an army of one unit of this type; add or subtract it."""
SEAT_BITS = tuple(bits_of(u for u in _KINDS if SEAT_OF_UNIT[u] == seat) for seat in range(len(SEATS)))
GOBLIN_BITS = bits_of((box.GOBLINS,))
"""``units & GOBLIN_BITS`` is not 0 where an army has a Goblin."""
pack = packer(UNITS)


def counts_of(units: int) -> list[int]:
    """How many there are of each type."""
    return [count(units, unit) for unit in _KINDS]


COUNTS = Worked(counts_of)
"""``COUNTS[units]``: :func:`counts_of` packed units (not to be changed)."""


def unpack(units: int) -> dict[str, int]:
    """``{unit id: count}`` of an army, counts above 0 (a fresh dict)."""
    return dict(ARMY[units].counts)


class Army:
    """What follows from an army's units.

    ``size`` units, ``strength`` their combat strengths' sum, ``types`` the unit
    types present, ``names`` their ids, ``counts`` ``{unit id: count}`` (not to
    be changed), ``seat`` whose they are, ``favouring[attacking][terrain]`` how
    many units favour a terrain.
    """

    __slots__ = ("counts", "favouring", "has_goblin", "names", "peoples", "seat", "size", "strength", "types")

    def __init__(self, units: int) -> None:
        numbers = [(unit, number) for unit, number in enumerate(counts_of(units)) if number]
        self.types: tuple[int, ...] = tuple(unit for unit, _ in numbers)
        self.names: tuple[str, ...] = tuple(UNITS[unit] for unit in self.types)
        self.counts: dict[str, int] = {UNITS[unit]: number for unit, number in numbers}
        self.size = sum(number for _, number in numbers)
        self.strength = sum(box.COMBAT_STRENGTH[unit] * number for unit, number in numbers)
        self.seat = SEAT_OF_UNIT[self.types[0]] if self.types else -1
        self.has_goblin = box.GOBLINS in self.types
        self.peoples = frozenset(box.PEOPLE[unit] for unit in self.types)
        self.favouring: tuple[dict[str, int], dict[str, int]] = (
            {t: sum(n for unit, n in numbers if t in box.FAVOURED[unit]) for t in TERRAINS},
            {t: sum(n for unit, n in numbers if t in box.FAVOURED_ATTACKING[unit]) for t in TERRAINS},
        )


ARMY = Worked(Army)
"""``ARMY[units]``: the :class:`Army` of a packed integer."""
