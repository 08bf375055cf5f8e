"""The board drawn by us: 113 hexes, the half hexes at the rim, the section lines, and a battle's terrain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from referee.games.battlelore.box.components import HEXES, PLACES, ROWS
from referee.games.battlelore.box.scenario import Field
from referee.games.kit.hexes import halves
from referee.kernel.board import Board, Line, Place, Point

SIZE = 100.0
"""Width of a hex in board units."""
MARGIN = 22.0
"""Board units around the hexes: figures of the outermost rows stand on the board with all that they bear."""
DRAWN_AS = {
    "woods": "forest",
    "water": "water",
    "ford": "water",
    "bridge": "water",
    "hill": "hill",
    "rampart": "ruins",
    "stronghold": "ruins",
    "landmark": "ruins",
}
"""How the screens' own drawing shows a terrain."""
CROSSINGS = ("ford", "bridge")


@lru_cache(maxsize=32)
def draw_board(field: Field, lines: tuple[int, int] | None) -> Board:
    """The board of a battle, South at the near edge; no section lines where nobody told them."""
    width, height = (length + 2 * MARGIN for length in HEXES.size_of(SIZE))
    terrain = {at: kind for kind, there in reversed(field.terrain.items()) for at in there}
    places = {name: _hex(at, name, terrain.get(at, "")) for at, name in enumerate(PLACES)}
    places |= {half.id: half for half in _half_hexes()}
    drawn = (*(_section_line(x, height) for x in lines or ()), *_crossings(field))
    return Board(width, height, places, drawn, {})


def _on_board(points: Sequence[Point]) -> tuple[Point, ...]:
    """Points of the hexes with the margin around them."""
    return tuple((round(x + MARGIN, 1), round(y + MARGIN, 1)) for x, y in points)


def _crossings(field: Field) -> Iterator[Line]:
    """Fords and bridges, drawn over the water of their hexes from side to side."""
    for kind in CROSSINGS:
        for at in field.terrain.get(kind, ()):
            left, right = HEXES.step(at, -2, 0), HEXES.step(at, 2, 0)
            ends = PLACES[left if left >= 0 else at], PLACES[right if right >= 0 else at]
            yield Line(kind, ends, _on_board([HEXES.centre(at, SIZE)]))


def _hex(at: int, name: str, terrain: str) -> Place:
    return Place(
        id=name,
        name_de=name.upper(),
        name_en=name.upper(),
        kind="region",
        terrain=DRAWN_AS.get(terrain, "plain"),
        territory="",
        label=_on_board([HEXES.centre(at, SIZE)])[0],
        outline=_on_board(HEXES.outline(at, SIZE)),
        tags=(terrain,) if terrain else (),
    )


def _half_hexes() -> Iterator[Place]:
    """The dark half hexes at both ends of the shorter rows: out of bounds for everything."""
    for half in halves(HEXES):
        outline = _on_board(HEXES.half_outline(half, SIZE))
        middle = sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)
        name = f"half_{chr(97 + half[1])}_{'left' if half[0] < 0 else 'right'}"
        yield Place(name, "", "", "rock", "", "", (round(middle[0], 1), round(middle[1], 1)), outline)


def _section_line(x: int, height: float) -> Line:
    """A dotted line from edge to edge."""
    middle = (x + 1) * SIZE / 2 + MARGIN
    first = next(
        name for name, (column, y) in zip(PLACES, HEXES.at, strict=True) if y == x % 2 and column >= x
    )
    last = next(
        name
        for name, (column, y) in zip(PLACES, HEXES.at, strict=True)
        if y == ROWS - 1 - x % 2 and column >= x
    )
    return Line("section", (first, last), ((middle, MARGIN / 2), (middle, height - MARGIN / 2)))
