"""A card or an ancestry that a camera saw becomes steps of the draft; what is unclear stays to be told.

Cells are the words of :mod:`symbols`, row by row, None where a look left them unclear.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from referee.games.mountain_king.box import symbols
from referee.games.mountain_king.box.box import CARD
from referee.games.mountain_king.rules.ancestry import cards_left, cell_id
from referee.games.mountain_king.state import grid
from referee.games.mountain_king.state.state import State

Shape = tuple[int, int]
"""Rows and columns of cells."""
Seen = Sequence[Sequence[str | None]]
LEAST = 2
"""Cells of the new card that must be clear in a photograph of an ancestry."""


def of_card(state: State, cells: Sequence[str | None]) -> list[str]:
    """The step or steps that a look at a card settles.

    Where the box knows its cards: the one that shows these cells, if just one that is left does.  Else the
    cells themselves, up to the first that is unclear.
    """
    if not state.box.fronts:
        return [cell for cell in takewhile(lambda one: one in symbols.PRINTED, cells) if cell is not None]
    fits = [front for front in cards_left(state) if _fits(front.split(CARD), cells)]
    return fits if len(fits) == 1 else []


def cells_of_steps(state: State, values: Sequence[str]) -> tuple[str, ...] | None:
    """The cells of the card that the first steps of a draft tell; None where they tell no whole card."""
    known = state.box.fronts
    cells = tuple(values[0].split(CARD)) if known and values else tuple(values[: len(grid.CARD_CELLS)])
    whole = len(cells) == len(grid.CARD_CELLS) and all(one in symbols.PRINTED for one in cells)
    return cells if whole and (not known or values[0] in known) else None


def shapes(state: State, seat: int) -> list[Shape]:
    """How many rows and columns the ancestry may have once the next card lies."""
    return sorted({shape for _, shape, _ in _spots(state, seat)})


def of_ancestry(state: State, seat: int, seen: Mapping[Shape, Seen]) -> list[str]:
    """The steps that a photograph of the ancestry with its new card settles: the card and where it lies.

    ``seen`` has what was read for each of :func:`shapes`.  Only the card where several places fit; nothing
    where cards differ, or where too much is unclear.
    """
    known, found = state.grids[seat], set()
    for at, shape, corner in _spots(state, seat):
        rows = seen.get(shape)
        if rows is None or not _as_before(known, at, corner, rows):
            continue
        new = [_read(rows, corner, at + step) for step in grid.CARD_CELLS]
        if sum(cell is not None for cell in new) < LEAST:
            continue
        steps = of_card(state, new)
        if steps and (state.box.fronts or len(steps) == len(new)):
            found.add((tuple(steps), cell_id(seat, at)))
    cards = {card for card, _ in found}
    if len(cards) != 1:
        return []
    places = [place for _, place in found]
    return [*cards.pop(), *(places if len(places) == 1 else [])]


def _spots(state: State, seat: int) -> Iterator[tuple[int, Shape, int]]:
    """Where the next card may lie: the cell of its top left corner, the shape of the ancestry then, and the
    cell of that shape's top left corner."""
    cells = grid.cells_of(state.grids[seat])
    cards, elder = cells.cards & grid.WINDOW, cells.elder & grid.WINDOW
    for at in grid.cells_in(grid.spots(cards, elder)):
        top, bottom, left, right = grid.edges(cards | grid.CARD << at)
        yield at, (bottom - top + 1, right - left + 1), grid.STRIDE * top + left


def _read(rows: Seen, corner: int, cell: int) -> str | None:
    row, column = divmod(cell - corner, grid.STRIDE)
    return rows[row][column]


def _as_before(known: bytes, at: int, corner: int, rows: Seen) -> bool:
    """Whether all that is clear outside the new card is what lay there before."""
    new = {at + step for step in grid.CARD_CELLS}
    return all(
        (read := _read(rows, corner, cell)) is None or read == symbols.word(symbol)
        for cell, symbol in enumerate(known[: grid.SIZE])
        if symbol and cell not in new
    )


def _fits(card: Sequence[str], cells: Sequence[str | None]) -> bool:
    return any(cells) and all(seen in (None, shown) for shown, seen in zip(card, cells, strict=True))
