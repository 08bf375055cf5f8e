"""Cards of cells known from a look: each is taught once, then recognised; the cells of new ones are read.

A card lies alone on a plain ground, the right way up or not.  It is squared up, evened, and compared with
what was taught by normalised cross-correlation; a card that was never seen is read cell by cell from the
cells of those that were.  What is not clear is left open: a question is cheap.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.kernel.files import write_whole
from vision.arrays import floats, pixels
from vision.boards.squaring import propose_corners, squared

CELL = 48
"""Pixels of the side of a cell as it is compared."""
EDGE = 0.03
"""Of a card's side: its border is left out."""
SHIFT = 4
"""Pixels by which cells may lie aside of where they were taught."""
LIKE = 0.97
"""A cell is known from this likeness on; a card where each of its cells is."""
LEAD = 0.5
"""What lacks to full likeness is at most so much of what the next best lacks."""
BLANK = 9.0
"""Grey levels (standard deviation) under which a cell shows nothing."""
MOST_EXAMPLES = 400
TURNS = 4


@dataclass(frozen=True, slots=True)
class CardReading:
    """What a look says: the cells row by row, None where unclear; whether the card was known as a whole."""

    cells: tuple[str | None, ...]
    whole: bool

    @property
    def unclear(self) -> tuple[int, ...]:
        """The cells that have to be asked."""
        return tuple(number for number, cell in enumerate(self.cells) if cell is None)


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """A cell as it is compared: its colours without what the light adds, and whether it shows nothing."""

    evened: NDArray[np.float32]
    blank: bool

    @classmethod
    def of(cls, part: NDArray[np.uint8]) -> Cell:
        """From a picture of CELL x CELL pixels, BGR."""
        inner = part[CELL // 8 : -CELL // 8, CELL // 8 : -CELL // 8].astype(np.float32)
        lab = floats(cv2.cvtColor(cv2.GaussianBlur(part, (0, 0), 1.0), cv2.COLOR_BGR2LAB)).copy()
        lab -= np.median(lab.reshape(-1, 3), 0)
        return cls(lab, float(inner.reshape(-1, 3).std(0).max()) < BLANK)

    def like(self, other: Cell) -> float:
        """Normalised cross-correlation at the best shift, -1 to 1; two cells that show nothing are alike."""
        if self.blank or other.blank:
            return float(self.blank and other.blank)
        inner = other.evened[SHIFT:-SHIFT, SHIFT:-SHIFT]
        return float(cv2.matchTemplate(self.evened, inner, cv2.TM_CCOEFF_NORMED).max())


def _span(number: int) -> slice:
    return slice(number * CELL, (number + 1) * CELL)


def _clear(alike: Mapping[Any, float]) -> Any:
    """What is most alike, where it is so enough and clearly more than anything else; None where not."""
    ranked = sorted(alike.items(), key=lambda entry: -entry[1])
    if not ranked or ranked[0][1] < LIKE:
        return None
    second = ranked[1][1] if len(ranked) > 1 else -1.0
    return ranked[0][0] if 1 - ranked[0][1] <= LEAD * (1 - second) else None


@dataclass(frozen=True, slots=True, eq=False)
class _Example:
    """A taught card: its words and picture, and its cells as they are compared."""

    cells: tuple[str, ...]
    card: NDArray[np.uint8]
    parts: tuple[Cell, ...]


class CardBook:
    """The taught cards of one box, all of ``rows`` x ``columns`` cells."""

    def __init__(self, rows: int = 2, columns: int = 2) -> None:
        self.rows, self.columns = rows, columns
        self._cards: list[_Example] = []

    def __len__(self) -> int:
        return len({one.cells for one in self._cards})

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of a card as it is kept, pixels."""
        return self.columns * CELL, self.rows * CELL

    def card_in(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The card in a picture (BGR), squared up, as it lies.  Raises ValueError where none is seen."""
        corners = propose_corners(picture)
        height, width = picture.shape[:2]
        if corners[0] == (0.0, 0.0) and corners[2] == (width - 1.0, height - 1.0):
            raise ValueError("no card is seen")
        flat = squared(picture, corners, 4 * CELL)
        edge = round(EDGE * 4 * CELL)
        return pixels(cv2.resize(flat[edge:-edge, edge:-edge], self.size, interpolation=cv2.INTER_AREA))

    def teach(self, card: NDArray[np.uint8], cells: Sequence[str]) -> None:
        """Keep a card as an example; ``cells`` row by row, as it lies.  Raises ValueError."""
        if len(cells) != self.rows * self.columns:
            raise ValueError("one word for each cell")
        self._cards.append(_Example(tuple(cells), card, self._parts(card)))
        del self._cards[:-MOST_EXAMPLES]

    def read(self, card: NDArray[np.uint8]) -> CardReading:
        """What a squared card is, whichever way it lies; a new one is read as it lies."""
        whole = self._whole(card)
        if whole is not None:
            return CardReading(whole, True)
        return CardReading(tuple(self._cell(part) for part in self._parts(card)), False)

    def _whole(self, card: NDArray[np.uint8]) -> tuple[str, ...] | None:
        """The taught card whose every cell is alike; None where none is, or two are."""
        best: dict[tuple[str, ...], float] = {}
        for turn in range(TURNS if self.rows == self.columns else 1):
            parts = self._parts(pixels(np.ascontiguousarray(np.rot90(card, turn))))
            for one in self._cards:
                alike = 1.0
                for found, taught in zip(parts, one.parts, strict=True):
                    alike = min(alike, found.like(taught))
                    if alike < LIKE:
                        break
                best[one.cells] = max(best.get(one.cells, -1.0), alike)
        whole: tuple[str, ...] | None = _clear(best)
        return whole

    def _cell(self, part: Cell) -> str | None:
        """The symbol of one cell; None where it is unclear."""
        best: dict[str, float] = {}
        for one in self._cards:
            for symbol, taught in zip(one.cells, one.parts, strict=True):
                best[symbol] = max(best.get(symbol, -1.0), part.like(taught))
        clear: str | None = _clear(best)
        return clear

    def read_grid(self, flat: NDArray[np.uint8], rows: int, columns: int) -> list[list[str | None]]:
        """The cells of a squared tableau of ``rows`` x ``columns`` cells, row by row."""
        # cards lose their border before their cells are cut: cells of a tableau are as much larger
        side = round(CELL / (1 - EDGE))
        trim = (side - CELL) // 2
        whole = pixels(cv2.resize(flat, (columns * side, rows * side), interpolation=cv2.INTER_AREA))

        def cell(row: int, column: int) -> str | None:
            top, left = row * side + trim, column * side + trim
            return self._cell(Cell.of(whole[top : top + CELL, left : left + CELL]))

        return [[cell(row, column) for column in range(columns)] for row in range(rows)]

    def _parts(self, card: NDArray[np.uint8]) -> tuple[Cell, ...]:
        return tuple(
            Cell.of(card[_span(row), _span(column)])
            for row in range(self.rows)
            for column in range(self.columns)
        )

    def save(self, path: Path) -> None:
        """Write the book whole.  Raises ``FileUnwritable``."""
        buffer = io.BytesIO()
        arrays: dict[str, Any] = {f"card{n}": one.card for n, one in enumerate(self._cards)}
        words = np.array([" ".join(one.cells) for one in self._cards])
        np.savez_compressed(buffer, words=words, shape=np.array([self.rows, self.columns]), **arrays)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, buffer.getvalue())

    @classmethod
    def load(cls, path: Path) -> CardBook:
        """Read a book.  Raises ValueError where the file is none; a missing one is an empty book."""
        found = cls()
        if not path.exists():
            return found
        try:
            with np.load(path, allow_pickle=False) as data:
                found.rows, found.columns = (int(one) for one in data["shape"])
                for number, words in enumerate(data["words"]):
                    found.teach(pixels(data[f"card{number}"]), str(words).split(" "))
        except (OSError, KeyError, zipfile.BadZipFile, ValueError) as error:
            raise ValueError(f"{path.name} is no book of cards") from error
        return found


def drawn_card(
    cells: Sequence[str], looks: Mapping[str, tuple[int, int, int]], rows: int = 2, columns: int = 2
) -> NDArray[np.uint8]:
    """A card of our own for tests and practice: each symbol a shape in its colour, digits as digits."""
    side = 2 * CELL
    card = np.full((rows * side, columns * side, 3), 226, np.uint8)
    for number, cell in enumerate(cells):
        row, column = divmod(number, columns)
        at = (column * side + side // 2, row * side + side // 2)
        if cell == ".":
            continue
        kind, digit = cell[0], cell[1:]
        corners = 3 + sorted(looks).index(kind)
        turns = [2 * np.pi * n / corners - np.pi / 2 for n in range(corners)]
        reach = side * 0.36
        shape = np.array([(at[0] + reach * np.cos(t), at[1] + reach * np.sin(t)) for t in turns], np.int32)
        cv2.fillPoly(card, [shape], looks[kind])
        if digit:
            cv2.putText(card, digit, (at[0] - 14, at[1] + 15), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (20, 20, 20), 4)
    cv2.rectangle(card, (0, 0), (card.shape[1] - 1, card.shape[0] - 1), (40, 40, 40), 2)
    return card
