"""An ancestry: the cells of a player's cards, which of them are covered, and the groups that they form.

Cells lie in a window of ten by ten round the start card, in rows of :data:`STRIDE` (one column stays empty,
so that shifted masks do not run over an edge); behind them come the symbols of won champions.  Sets of
cells are bit masks.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from referee.games.mountain_king.box import symbols
from referee.games.mountain_king.box.components import KINDS
from referee.games.mountain_king.box.symbols import ELDER, SUPPLY, WILD

STRIDE, ROWS, COLUMNS = 11, 10, 10
SIZE = STRIDE * ROWS
FROM_CHAMPIONS = 12
"""Most symbols that champions add."""
LENGTH = SIZE + FROM_CHAMPIONS
FRAME = 6
"""The book: an ancestry is never wider or higher."""
START = 4 * STRIDE + 4
"""Cell of the start card's top left corner."""
CARD = 1 | 1 << 1 | 1 << STRIDE | 1 << STRIDE + 1
"""The cells that a card at cell 0 takes."""
CARD_CELLS = (0, 1, STRIDE, STRIDE + 1)
WINDOW = sum((1 << COLUMNS) - 1 << STRIDE * row for row in range(ROWS))
ON_CHAMPIONS = (1 << LENGTH) - (1 << SIZE)


def cells_in(mask: int) -> list[int]:
    """The cells of a mask; unlike those of places, masks of cells seldom come again, so they are not kept."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def laid(grid: bytes, cells: bytes, at: int) -> bytes:
    """The ancestry with a card of four cells laid at a cell."""
    found = bytearray(grid)
    for step, symbol in zip(CARD_CELLS, cells, strict=True):
        found[at + step] = symbol
    return bytes(found)


def new_grid(start: bytes) -> bytes:
    """An ancestry of the start card alone."""
    return laid(bytes(LENGTH), start, START)


def with_symbols(grid: bytes, more: bytes) -> bytes:
    """The ancestry with the symbols of a won champion."""
    free = grid.index(symbols.NO_CARD, SIZE)
    return grid[:free] + more + grid[free + len(more) :]


class Cells:
    """What is where in an ancestry, as masks: made once for each that comes up."""

    __slots__ = ("cards", "elder", "of_kind", "strong", "supply", "weak", "wild")

    def __init__(self, grid: bytes) -> None:
        self.of_kind = of_kind = [0] * 8
        strong = 0
        for cell, symbol in enumerate(grid):
            if symbol:
                of_kind[symbol - 1 & 7] |= 1 << cell
                if symbol > 8:
                    strong |= 1 << cell
        self.strong = strong
        self.cards = sum(of_kind)
        self.wild, self.supply, self.elder = (self.of_kind[kind] for kind in (WILD, SUPPLY, ELDER))
        self.weak = [self.of_kind[kind] & ~self.strong | self.wild for kind in range(len(KINDS))]
        """For each kind of action the cells that a weak action may cover."""


cells_of = lru_cache(maxsize=4096)(Cells)


# --- laying cards -------------------------------------------------------------------------------------


def edges(mask: int) -> tuple[int, int, int, int]:
    """First and last row, first and last column of some cells of the window."""
    mask &= (1 << SIZE) - 1
    rows, columns = [], 0
    for row in range(ROWS):
        part = mask >> STRIDE * row & (1 << COLUMNS) - 1
        if part:
            rows.append(row)
            columns |= part
    return rows[0], rows[-1], (columns & -columns).bit_length() - 1, columns.bit_length() - 1


OFF_FRAME, NOTHING_COVERED, ON_ELDER = "off_frame", "nothing_covered", "on_elder"


@lru_cache(maxsize=4096)
def spots(cards: int, elder: int) -> int:
    """The mask of the cells at which a card's top left corner may lie."""
    return _touching(cards) & ~_touching(elder) & _in_frame(cards)


def why_no_spot(cards: int, elder: int, at: int) -> str:
    """Why a card's top left corner may not lie at a cell."""
    if _touching(elder) >> at & 1:
        return ON_ELDER
    return OFF_FRAME if _touching(cards) >> at & 1 else NOTHING_COVERED


def _touching(cells: int) -> int:
    """Where a card would take one of some cells."""
    return (cells | cells >> 1 | cells >> STRIDE | cells >> STRIDE + 1) & _CORNERS


_CORNERS = sum((1 << COLUMNS - 1) - 1 << STRIDE * row for row in range(ROWS - 1))
"""Cells where a top left corner leaves room for the card."""


def _in_frame(cards: int) -> int:
    """Where a card would keep the ancestry within the frame."""
    top, bottom, left, right = edges(cards)
    first, last = max(0, right - FRAME + 1), min(COLUMNS - 2, left + FRAME - 2)
    row = (1 << last + 1) - (1 << first)
    rows = range(max(0, bottom - FRAME + 1), min(ROWS - 2, top + FRAME - 2) + 1)
    return sum(row << STRIDE * at for at in rows)


def window(cards: int) -> tuple[int, int, int, int]:
    """Rows and columns worth showing: the ancestry and where a card may still reach, within the frame."""
    top, bottom, left, right = edges(cards)
    if bottom - top + 1 < FRAME:
        top, bottom = max(0, top - 1), min(ROWS - 1, bottom + 1)
    if right - left + 1 < FRAME:
        left, right = max(0, left - 1), min(COLUMNS - 1, right + 1)
    return top, bottom, left, right


def window_cells(cards: int) -> int:
    """The mask of the cells of the window."""
    top, bottom, left, right = window(cards)
    row = (1 << right + 1) - (1 << left)
    return sum(row << STRIDE * at for at in range(top, bottom + 1))


# --- groups -------------------------------------------------------------------------------------------


def beside(mask: int) -> int:
    """The cells of the window next to some cells, orthogonally."""
    return (mask << 1 | mask >> 1 | mask << STRIDE | mask >> STRIDE) & WINDOW


def reached(start: int, allowed: int) -> int:
    """All ``allowed`` cells that hang together with ``start``."""
    found = start
    while True:
        more = found | beside(found) & allowed
        if more == found:
            return found
        found = more


def is_connected(group: int, covered: int) -> bool:
    """Whether open cells hang together, over covered ones where needed.

    A champion's symbol is next to any other of the group; one that is covered joins nothing.
    """
    in_window = group & WINDOW
    if group != in_window or not in_window:
        return True
    first = in_window & -in_window
    return not group & ~reached(first, in_window | covered & WINDOW)


def clusters(cells: int, covered: int) -> list[int]:
    """Open cells by what hangs together, the symbols of champions not among them."""
    found, rest = [], cells & WINDOW
    allowed = rest | covered & WINDOW
    while rest:
        cluster = reached(rest & -rest, allowed) & rest
        found.append(cluster)
        rest &= ~cluster
    return found


def next_to(cells: int, covered: int) -> dict[int, int]:
    """Each of some open cells (as a mask of one) with those that touch it, directly or over covered ones."""
    found: dict[int, int] = {}
    free = cells & ~WINDOW
    bridges = covered & WINDOW
    rest = cells
    while rest:
        cell = rest & -rest
        rest ^= cell
        if cell & free:
            found[cell] = cells & ~cell
            continue
        touching = beside(cell)
        over = touching & bridges
        if over:
            touching |= beside(reached(over, bridges))
        found[cell] = (touching & cells | free) & ~cell
    return found


def groups(cells: int, strong: int, covered: int) -> Iterator[int]:
    """Every set of open cells of one kind that a strong action may cover: several connected, or one strong.

    Each is listed once: sets grow from their lowest cell by cells that no earlier branch took.
    """
    touching = next_to(cells, covered)
    for cell in cells_in(cells):
        first = 1 << cell
        lower = first - 1 | first
        if first & strong:
            yield first
        stack = [(first, touching[first] & ~lower, lower)]
        while stack:
            group, edge, barred = stack.pop()
            while edge:
                new = edge & -edge
                edge ^= new
                barred |= new
                grown = group | new
                yield grown
                stack.append((grown, edge | touching[new] & ~barred, barred))


def strength_of(grid: bytes, group: int) -> int:
    """What the cells of a group are worth together."""
    return sum([(grid[cell] + 7) // 8 for cell in cells_in(group)])


# --- names --------------------------------------------------------------------------------------------


def cell_name(cell: int) -> str:
    """``C5``: column and row of a cell, the start card at E5; ``X1`` for a champion's symbol."""
    if cell >= SIZE:
        return f"X{cell - SIZE + 1}"
    row, column = divmod(cell, STRIDE)
    return f"{'ABCDEFGHIJK'[column]}{row + 1}"


CELL_NAMES = tuple(map(cell_name, range(LENGTH)))
