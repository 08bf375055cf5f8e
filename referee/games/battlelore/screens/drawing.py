"""The board drawn by us: 113 hexes, the half hexes at the rim, the section lines, and a battle's terrain."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from referee.games.battlelore.box.components import HEXES, PLACES, ROWS
from referee.games.battlelore.box.scenario import Field
from referee.kernel.board import Board, Line, Place

SIZE = 100.0
"""Width of a hex in board units."""
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
    width, height = HEXES.size_of(SIZE)
    terrain = {at: kind for kind, there in reversed(field.terrain.items()) for at in there}
    places = {name: _hex(at, name, terrain.get(at, "")) for at, name in enumerate(PLACES)}
    drawn = (*(_section_line(x, height) for x in lines or ()), *_crossings(field))
    return Board(width, height, places, drawn, {})


def _crossings(field: Field) -> Iterator[Line]:
    """Fords and bridges, drawn over the water of their hexes from side to side."""
    for kind in CROSSINGS:
        for at in field.terrain.get(kind, ()):
            left, right = HEXES.step(at, -2, 0), HEXES.step(at, 2, 0)
            ends = PLACES[left if left >= 0 else at], PLACES[right if right >= 0 else at]
            yield Line(kind, ends, (HEXES.centre(at, SIZE),))


def _hex(at: int, name: str, terrain: str) -> Place:
    more: dict[str, Any] = {"tags": (terrain,)} if terrain else {}
    return Place(
        id=name,
        name_de=name.upper(),
        name_en=name.upper(),
        kind="region",
        terrain=DRAWN_AS.get(terrain, "plain"),
        territory="",
        label=HEXES.centre(at, SIZE),
        outline=HEXES.outline(at, SIZE),
        **more,
    )


def _section_line(x: int, height: float) -> Line:
    """A dotted line from edge to edge."""
    middle = (x + 1) * SIZE / 2
    first = next(
        name for name, (column, y) in zip(PLACES, HEXES.at, strict=True) if y == x % 2 and column >= x
    )
    last = next(
        name
        for name, (column, y) in zip(PLACES, HEXES.at, strict=True)
        if y == ROWS - 1 - x % 2 and column >= x
    )
    return Line("pass", (first, last), ((middle, 0.0), (middle, height)))
