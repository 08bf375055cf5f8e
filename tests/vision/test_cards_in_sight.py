"""Cards of 2 x 2 cells: taught once, known from a look; new ones read cell by cell; the rest is asked."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from referee.cli import main
from referee.games.mountain_king.box.box import box_of
from vision.arrays import pixels
from vision.cards import CELL, EDGE, CardBook, drawn_card

LOOKS = {
    "A": (40, 40, 190), "B": (40, 140, 40), "I": (180, 60, 40), "G": (30, 120, 200), "W": (150, 60, 150),
    "S": (90, 160, 170), "E": (60, 60, 60),
}  # fmt: skip
FRONTS = [front.split("/") for front in box_of().fronts]


def photo(cells: list[str], seed: int, turned: float = 0.0) -> NDArray[np.uint8]:
    """A card on a table: turned a little, lit from a side, with noise."""
    rng = np.random.default_rng(seed)
    card = drawn_card(cells, LOOKS)
    side = 420
    picture = np.full((side, side, 3), (70, 82, 90), np.uint8)
    angle = turned + float(rng.uniform(-12, 12))
    size = card.shape[0]
    matrix = cv2.getRotationMatrix2D((size / 2, size / 2), angle, float(rng.uniform(1.15, 1.35)))
    matrix[:, 2] += side / 2 - size / 2 + rng.uniform(-15, 15, 2)
    cv2.warpAffine(card, matrix, (side, side), dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    y, x = np.mgrid[:side, :side] / side
    light = 0.6 + 0.4 * (x * np.cos(seed) + y * np.sin(seed) + 0.8) / 1.8
    shown = picture * light[..., None] + rng.normal(0, 3, picture.shape)
    return np.clip(shown, 0, 255).astype(np.uint8)


def taught(cards: list[list[str]]) -> CardBook:
    """A book of cards, one example each; every fifth from a photograph."""
    book = CardBook()
    for number, cells in enumerate(cards):
        if number % 5 == 0:
            book.teach(book.card_in(photo(cells, 1000 + number)), cells)
            continue
        flat = drawn_card(cells, LOOKS)
        edge = round(EDGE * len(flat))
        noise = np.random.default_rng(number).normal(0, 4, flat.shape)
        flat = np.clip(0.8 * flat + noise, 0, 255).astype(np.uint8)[edge:-edge, edge:-edge]
        book.teach(pixels(cv2.resize(flat, book.size, interpolation=cv2.INTER_AREA)), cells)
    return book


def test_a_card_that_was_taught_once_is_known_however_it_lies() -> None:
    book = taught(FRONTS)
    assert len(book) == 36
    asked = 0
    for number, cells in enumerate(FRONTS[::4]):
        for turned in (0.0, 90.0):
            found = book.read(book.card_in(photo(cells, number, turned)))
            if found.whole:
                assert found.cells == tuple(cells), "never a wrong card"
            asked += not found.whole
    assert asked <= 3


def test_a_new_card_is_read_cell_by_cell_and_what_is_unclear_is_asked() -> None:
    book = taught(FRONTS[:20])
    right = unclear = 0
    for number, cells in enumerate(FRONTS[20::2]):
        found = book.read(book.card_in(photo(cells, 50 + number)))
        for shown, read in zip(cells, found.cells, strict=True):
            assert read in (shown, None), (cells, found)
            right += read == shown
            unclear += read is None
    assert right > unclear, (right, unclear)


def test_a_tableau_is_read_and_cells_of_other_things_are_asked() -> None:
    book = taught(FRONTS)
    rows = [["A", "B", ".", "G"], ["I", "W", "E", "A2"]]
    flat = drawn_card([cell for row in rows for cell in row], LOOKS, 2, 4)
    cv2.circle(flat, (CELL, CELL), 30, (200, 200, 40), -1)  # a cube covers the first
    found = book.read_grid(flat, 2, 4)
    read = [one for row in found for one in row][1:]
    assert found[0][0] is None and read.count(None) <= 1, "what a cube covers is asked"
    assert all(one in (shown, None) for one, shown in zip(read, [*rows[0][1:], *rows[1]], strict=True))


def test_nothing_is_known_before_it_was_taught_and_no_card_is_no_reading() -> None:
    book = CardBook()
    card = book.card_in(photo(FRONTS[0], 1))
    assert book.read(card).unclear == (0, 1, 2, 3)
    with pytest.raises(ValueError, match="no card"):
        book.card_in(np.full((300, 300, 3), 90, np.uint8))
    with pytest.raises(ValueError, match="each cell"):
        book.teach(card, ["A"])


def test_a_book_is_kept_and_a_spoilt_one_is_named(tmp_path: Path) -> None:
    book, path = taught(FRONTS[:3]), tmp_path / "cards.npz"
    book.save(path)
    again = CardBook.load(path)
    assert len(again) == 3 and again.read(book.card_in(photo(FRONTS[1], 7))).cells == tuple(FRONTS[1])
    assert len(CardBook.load(tmp_path / "none.npz")) == 0
    path.write_bytes(b"spoilt")
    with pytest.raises(ValueError, match="no book"):
        CardBook.load(path)


def test_cards_are_taught_and_read_by_command(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text(f'[record]\nfolder = "{tmp_path}"\n')

    def said(*words: str, code: int = 0) -> str:
        done = CliRunner().invoke(
            main, ["cards", *words, "--config", str(config)], env={"LANG": "en_GB.UTF-8"}
        )
        assert done.exit_code == code, done.output
        return done.output

    first, other, empty = (tmp_path / name for name in ("first.png", "other.png", "empty.png"))
    cv2.imwrite(str(first), photo(FRONTS[0], 3))
    cv2.imwrite(str(other), photo(FRONTS[0], 4, 90.0))
    cv2.imwrite(str(empty), np.full((300, 300, 3), 90, np.uint8))
    assert "? ? ? ?" in said("read", str(first))
    assert "knows 1" in said("teach", str(first), *FRONTS[0])
    assert said("read", str(other)) == f"other.png: {' '.join(FRONTS[0])}\n"
    assert "no card is seen" in said("read", str(empty), code=2)
    said("read", str(tmp_path / "none.png"), code=2)
    assert said("tableau", str(first), "--rows", "2", "--columns", "2").count("\n") == 2
