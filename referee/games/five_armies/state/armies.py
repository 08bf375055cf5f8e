"""The units of an army as one integer, and everything that follows from it.

An army's units are kept as counts packed into one integer, six bits a unit
type (no type has more than 36 figures), so that merging is ``a + b``, splitting
is ``a - part`` and an empty place is 0.  ``ARMY[units]`` gives what follows
from the units alone; it is worked out once for each combination.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.five_armies.box.components import (
    COMBAT_STRENGTH,
    FAVOURED,
    FAVOURED_ATTACKING,
    FREE,
    GOBLINS,
    PEOPLE,
    SEAT_OF_UNIT,
    SHADOW,
    UNIT,
    UNITS,
)
from referee.games.five_armies.box.map import TERRAINS

_BITS = 6
_MOST = (1 << _BITS) - 1

ONE: tuple[int, ...] = tuple(1 << (_BITS * unit) for unit in range(len(UNITS)))
"""``ONE[unit]``: an army of one unit of this type; add or subtract it."""


def count(units: int, unit: int) -> int:
    """How many units of one type an army has."""
    return units >> (_BITS * unit) & _MOST


def pack(counts: Mapping[str, int]) -> int:
    """The army of ``{unit id: count}``."""
    units = 0
    for name, number in counts.items():
        units += ONE[UNIT[name]] * number
    return units


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
        numbers = [(unit, count(units, unit)) for unit in range(len(UNITS)) if count(units, unit)]
        self.types: tuple[int, ...] = tuple(unit for unit, _ in numbers)
        self.names: tuple[str, ...] = tuple(UNITS[unit] for unit in self.types)
        self.counts: dict[str, int] = {UNITS[unit]: number for unit, number in numbers}
        self.size = sum(number for _, number in numbers)
        self.strength = sum(COMBAT_STRENGTH[unit] * number for unit, number in numbers)
        self.seat = SEAT_OF_UNIT[self.types[0]] if self.types else -1
        self.has_goblin = GOBLINS in self.types
        self.peoples = frozenset(PEOPLE[unit] for unit in self.types)
        self.favouring: tuple[dict[str, int], dict[str, int]] = (
            {t: sum(n for unit, n in numbers if t in FAVOURED[unit]) for t in TERRAINS},
            {t: sum(n for unit, n in numbers if t in FAVOURED_ATTACKING[unit]) for t in TERRAINS},
        )


class _Armies(dict[int, Army]):
    def __missing__(self, units: int) -> Army:
        army = Army(units)
        if len(self) > 100_000:
            self.clear()
        self[units] = army
        return army


ARMY = _Armies()
"""``ARMY[units]``: the :class:`Army` of a packed integer."""


FREE_BITS = sum(_MOST << (_BITS * unit) for unit in range(len(UNITS)) if SEAT_OF_UNIT[unit] == FREE)
SHADOW_BITS = sum(_MOST << (_BITS * unit) for unit in range(len(UNITS)) if SEAT_OF_UNIT[unit] == SHADOW)
GOBLIN_BITS = _MOST << (_BITS * GOBLINS)
"""``units & GOBLIN_BITS`` is not 0 where an army has a Goblin."""
