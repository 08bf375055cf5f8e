"""Cards of cells at a table: looked at, taught once, kept for this box.  Only taught cards are kept."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import Text
from vision.boards.squaring import propose_corners, squared
from vision.cards import CELL, CardBook, CardReading

Shape = tuple[int, int]


def card_file(folder: Path, box: str) -> Path:
    """Where the cards of a box are kept."""
    return folder / "boxes" / box / "cards.npz"


class CardDesk:
    """What a table knows of its cards.  All methods may be called from any thread."""

    def __init__(self, folder: Path, box: str) -> None:
        self.path = card_file(folder, box)
        self._lock = threading.RLock()
        self._read: tuple[float, CardBook] | None = None
        self._looked: dict[str, NDArray[np.uint8]] = {}

    def book(self) -> CardBook:
        """The book as it is on disk now.  Raises :class:`InvalidAnswer` where the file is spoilt."""
        with self._lock:
            changed = self.path.stat().st_mtime if self.path.exists() else 0.0
            if self._read is None or self._read[0] != changed:
                try:
                    self._read = changed, CardBook.load(self.path)
                except ValueError as error:
                    raise InvalidAnswer(Text("calibration.cards_spoilt", path=str(self.path))) from error
            return self._read[1]

    def look(self, who: str, picture: NDArray[np.uint8]) -> CardReading:
        """What the card in a picture (BGR) is; it may be taught by the same one then."""
        with self._lock:
            book = self.book()
            try:
                card = book.card_in(picture)
            except ValueError as error:
                raise InvalidAnswer(Text("calibration.cards_none")) from error
            self._looked[who] = card
            return book.read(card)

    def tableau(
        self, picture: NDArray[np.uint8], shapes: Sequence[Shape]
    ) -> Mapping[Shape, list[list[str | None]]]:
        """The cells of all cards in a picture, as each of ``shapes`` (rows, columns) cuts them."""
        with self._lock:
            book = self.book()
            corners = propose_corners(picture)
            try:
                flat = squared(picture, corners, CELL * max(max(shape) for shape in shapes))
            except ValueError as error:
                raise InvalidAnswer(Text("calibration.cards_none")) from error
            return {shape: book.read_grid(flat, *shape) for shape in shapes}

    def teach(self, who: str, cells: Sequence[str]) -> int:
        """Keep the card that ``who`` looked at last; gives how many are known.

        Raises :class:`InvalidAnswer` where nothing was looked at, ``FileUnwritable`` where it cannot be kept.
        """
        with self._lock:
            if who not in self._looked:
                raise InvalidAnswer(Text("calibration.cards_no_look"))
            book = self.book()
            book.teach(self._looked.pop(who), cells)
            book.save(self.path)
            self._read = self.path.stat().st_mtime, book
            return len(book)
