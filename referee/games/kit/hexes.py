"""Boards of hexes in offset rows, in whole numbers: neighbours, distances, lines of sight, outlines.

A hex has doubled coordinates ``(x, y)``: ``y`` counts the rows from the near edge, ``x`` half hexes from the
left, so that neighbours differ by ``(±2, 0)`` or ``(±1, ±1)``.  With centres at ``(x, 3y)`` and corners at
``(0, ±2)`` and ``(±1, ±1)`` from there (a regular hex squeezed; lines stay lines) all points are whole, and
nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from referee.games.kit.box import neighbours
from referee.kernel.board import Point

Hex = tuple[int, int]
"""Doubled coordinates of a hex, or the step from one hex to another."""
CORNERS = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))
STEPS = ((2, 0), (-2, 0), (1, 1), (-1, 1), (1, -1), (-1, -1))
_ROOT = 3**0.5


def distance(one: Hex, other: Hex) -> int:
    """Steps from hex to hex on the shortest way: 1 for neighbours."""
    across, up = abs(one[0] - other[0]), abs(one[1] - other[1])
    return max(up, (across + up) // 2)


@dataclass(frozen=True, slots=True)
class HexLine:
    """What a straight line from centre to centre meets between both, as steps from the hex where it begins.

    ``crossed`` are the hexes whose inside it passes; ``edges`` the pairs of hexes, left and right of it,
    along
    whose common edge it runs.  A hex of which it touches a corner only is in neither.
    """

    crossed: tuple[Hex, ...]
    edges: tuple[tuple[Hex, Hex], ...]


@cache
def line(to: Hex) -> HexLine:
    """The line from the hex ``(0, 0)`` to the hex ``to``."""
    along = (to[0], 3 * to[1])
    crossed: list[Hex] = []
    left: dict[frozenset[Hex], Hex] = {}
    right: dict[frozenset[Hex], Hex] = {}
    low_x, high_x = sorted((0, to[0]))
    low_y, high_y = sorted((0, to[1]))
    for y in range(low_y - 1, high_y + 2):
        for x in range(low_x - 2, high_x + 3):
            if (x + y) % 2 or (x, y) in ((0, 0), to):
                continue
            sides = [_side(along, (x + cx, 3 * y + cy)) for cx, cy in CORNERS]
            on = tuple(n for n, side in enumerate(sides) if side == 0)
            if min(sides) < 0 < max(sides):
                if _between(along, x, y, sides):
                    crossed.append((x, y))
            elif len(on) == 2 and all(0 < _ahead(along, x, y, n) < _length(along) for n in on):
                corners = frozenset((x + CORNERS[n][0], 3 * y + CORNERS[n][1]) for n in on)
                (left if max(sides) > 0 else right)[corners] = (x, y)
    edges = tuple((left[edge], right[edge]) for edge in sorted(left, key=sorted) if edge in right)
    return HexLine(tuple(crossed), edges)


def _side(along: Hex, point: Hex) -> int:
    """Above 0 left of the line, below 0 right of it, 0 on it."""
    return along[0] * point[1] - along[1] * point[0]


def _length(along: Hex) -> int:
    return along[0] ** 2 + along[1] ** 2


def _ahead(along: Hex, x: int, y: int, corner: int) -> int:
    cx, cy = CORNERS[corner]
    return along[0] * (x + cx) + along[1] * (3 * y + cy)


def _between(along: Hex, x: int, y: int, sides: Sequence[int]) -> bool:
    """Whether the line leaves the hex between its ends: one point on its rim, in fractions of one
    denominator,
    is enough, as no two hexes share what is inside of them."""
    for n, side in enumerate(sides):
        after = (n + 1) % 6
        other = sides[after]
        if side and side * other < 0:
            whole = other - side
            at = _ahead(along, x, y, n) * whole - (_ahead(along, x, y, after) - _ahead(along, x, y, n)) * side
            return 0 < at < _length(along) * whole if whole > 0 else _length(along) * whole < at < 0
    corner = next(n for n, side in enumerate(sides) if side == 0)
    return 0 < _ahead(along, x, y, corner) < _length(along)


@dataclass(frozen=True)
class HexRows:
    """A board of rows of so many hexes, from the near edge; each second row lies half a hex to the right.

    Hexes are numbered row by row from the near left; their ids are the row's letter and the column's number.
    """

    widths: tuple[int, ...]

    @cached_property
    def at(self) -> tuple[Hex, ...]:
        """Doubled coordinates of each hex."""
        return tuple((2 * n + y % 2, y) for y, width in enumerate(self.widths) for n in range(width))

    @cached_property
    def index(self) -> dict[Hex, int]:
        """Number of each hex by its coordinates."""
        return {at: number for number, at in enumerate(self.at)}

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """``a1`` for the near left hex."""
        return tuple(f"{chr(97 + y)}{x // 2 + 1}" for x, y in self.at)

    @cached_property
    def neighbours(self) -> tuple[int, ...]:
        """For each hex the mask of those next to it."""
        found = self.index
        pairs = (
            (number, found[x + dx, y + dy])
            for number, (x, y) in enumerate(self.at)
            for dx, dy in STEPS
            if (x + dx, y + dy) in found
        )
        return neighbours(pairs, len(self.at))

    @cached_property
    def distances(self) -> tuple[tuple[int, ...], ...]:
        """``distances[one][other]``."""
        return tuple(tuple(distance(one, other) for other in self.at) for one in self.at)

    def step(self, place: int, dx: int, dy: int) -> int:
        """The hex one step away, -1 where there is none."""
        x, y = self.at[place]
        return self.index.get((x + dx, y + dy), -1)

    def sight(self, start: int, end: int) -> tuple[int, tuple[tuple[int, int], ...]]:
        """The line of sight between two hexes: the mask of hexes crossed, and for each edge that it runs
        along
        the masks of the hexes left and right of it; the rim of the board is nothing."""
        (x, y), (to_x, to_y) = self.at[start], self.at[end]
        met = line((to_x - x, to_y - y))

        def mask(step: Hex) -> int:
            number = self.index.get((x + step[0], y + step[1]), -1)
            return 1 << number if number >= 0 else 0

        crossed = sum(map(mask, met.crossed))
        return crossed, tuple((mask(left), mask(right)) for left, right in met.edges)

    def outline(self, place: int, size: float) -> tuple[Point, ...]:
        """The corners of a hex on a drawing whose hexes are ``size`` wide, far edge on top."""
        return self._corners(self.at[place], size, CORNERS)

    def half_outline(self, half: Hex, size: float) -> tuple[Point, ...]:
        """The corners of a half hex (see :func:`halves`) on such a drawing: those that are on the board."""
        inward = 1 if half[0] < 0 else -1
        return self._corners(half, size, [one for one in CORNERS if one[0] in (0, inward)])

    def _corners(self, at: Hex, size: float, corners: Sequence[Hex]) -> tuple[Point, ...]:
        x, y = self.middle(at, size)
        return tuple((round(x + cx * size / 2, 1), round(y - cy * size / 2 / _ROOT, 1)) for cx, cy in corners)

    def centre(self, place: int, size: float) -> Point:
        """The middle of a hex on such a drawing."""
        return self.middle(self.at[place], size)

    def middle(self, at: Hex, size: float) -> Point:
        """The middle of what has these coordinates on such a drawing."""
        x, y = at
        up = len(self.widths) - 1 - y
        return round((x + 1) * size / 2, 1), round((up * 3 + 2) * size / 2 / _ROOT, 1)

    def size_of(self, size: float) -> Point:
        """Width and height of such a drawing."""
        return round(max(self.widths) * size, 1), round((3 * len(self.widths) + 1) * size / 2 / _ROOT, 1)


def halves(board: HexRows) -> Iterator[Hex]:
    """Coordinates of the half hexes at both ends of the shorter rows: nobody may be there."""
    longest = max(board.widths)
    for y, width in enumerate(board.widths):
        if width < longest:
            yield -1, y
            yield 2 * width + 1, y
