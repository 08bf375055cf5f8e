"""Boards of hexes: lines of sight in whole numbers are those of exact geometry, for every pair of hexes."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations

from referee.games.kit.hexes import CORNERS, Hex, HexRows, distance, halves, line
from referee.games.kit.places import places_in

BOARD = HexRows(tuple(13 - row % 2 for row in range(9)))
Point = tuple[int, int]


def corners(x: int, y: int) -> list[Point]:
    """The corners of a hex in order."""
    return [(x + cx, 3 * y + cy) for cx, cy in CORNERS]


def cut(start: Point, end: Point, polygon: list[Point]) -> tuple[Fraction, Fraction, bool] | None:
    """The part of a line inside a convex polygon (clockwise), as fractions of its way, and whether it runs
    along its rim; Cyrus and Beck's clipping in exact fractions."""
    first, last, rim = Fraction(0), Fraction(1), False
    dx, dy = end[0] - start[0], end[1] - start[1]
    for (ax, ay), (bx, by) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        nx, ny = by - ay, -(bx - ax)  # to the inside
        gain, there = nx * dx + ny * dy, nx * (start[0] - ax) + ny * (start[1] - ay)
        if gain == 0:
            if there < 0:
                return None
            rim = rim or there == 0
        elif gain > 0:
            first = max(first, Fraction(-there, gain))
        else:
            last = min(last, Fraction(-there, gain))
    return (first, last, rim) if first <= last else None


@cache
def exact(to: Hex) -> tuple[tuple[Hex, ...], tuple[Hex, ...]]:
    """The hexes that the line from ``(0, 0)`` crosses, and those along whose rim it runs for a while."""
    start, end = (0, 0), (to[0], 3 * to[1])
    crossed, beside = [], []
    across, up = sorted((0, to[0])), sorted((0, to[1]))
    for y in range(up[0] - 1, up[1] + 2):
        for x in range(across[0] - 2, across[1] + 3):
            if (x + y) % 2 == 0 and (x, y) not in ((0, 0), to):
                found = cut(start, end, corners(x, y))
                if found is not None and found[0] < found[1]:
                    (beside if found[2] else crossed).append((x, y))
    return tuple(crossed), tuple(beside)


def test_lines_are_those_of_exact_geometry() -> None:
    """All 6,328 pairs; what lies left and right of an edge lies on two sides."""
    for one, other in combinations(range(len(BOARD.at)), 2):
        (x, y), (to_x, to_y) = BOARD.at[one], BOARD.at[other]
        crossed, edges = BOARD.sight(one, other)
        beside = 0
        for left, right in edges:
            assert not left & right
            beside |= left | right
        on_board = (
            {BOARD.index[x + dx, y + dy] for dx, dy in hexes if (x + dx, y + dy) in BOARD.index}
            for hexes in exact((to_x - x, to_y - y))
        )
        assert [{*places_in(crossed)}, {*places_in(beside)}] == [*on_board], (
            BOARD.ids[one],
            BOARD.ids[other],
        )


def test_the_board_has_its_hexes() -> None:
    assert len(BOARD.ids) == 113
    assert (BOARD.ids[0], BOARD.ids[12], BOARD.ids[13], BOARD.ids[-1]) == ("a1", "a13", "b1", "i13")
    assert len({*halves(BOARD)}) == 8
    middle = BOARD.ids.index("e7")
    around = {BOARD.ids[place] for place in places_in(BOARD.neighbours[middle])}
    assert around == {"d6", "d7", "e6", "e8", "f6", "f7"}
    assert BOARD.step(0, -1, 1) == -1


def test_neighbours_are_one_step_away_and_distances_steps() -> None:
    """A walk by neighbours takes as many steps as the distance says."""
    for start in (0, 40, 56, 112):
        reached, edge, steps = {start}, {start}, 0
        while edge:
            for place in edge:
                assert BOARD.distances[start][place] == steps
            edge = {near for at in edge for near in places_in(BOARD.neighbours[at])} - reached
            reached |= edge
            steps += 1
        assert len(reached) == 113
    assert distance((0, 0), (3, 1)) == 2


def test_a_line_that_only_touches_a_corner_meets_nothing_there() -> None:
    start, end = (BOARD.ids.index(name) for name in ("e5", "f9"))
    crossed, edges = BOARD.sight(start, end)
    assert sorted(BOARD.ids[place] for place in places_in(crossed)) == ["e6", "e7", "f7", "f8"]
    assert edges == ()
    assert line((2, 0)).crossed == () == line((2, 0)).edges


def test_the_drawing_has_every_hex_whole_and_inside() -> None:
    width, height = BOARD.size_of(100)
    for place in range(len(BOARD.ids)):
        for x, y in BOARD.outline(place, 100):
            assert 0 <= x <= width and 0 <= y <= height
    assert BOARD.centre(0, 100)[1] > BOARD.centre(112, 100)[1]
