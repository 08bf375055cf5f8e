"""``referee cards``: cards of cells taught from photographs, then known; tableaus read cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.commands.common import config_option, language, says_what_is_wrong
from referee.config.settings import load
from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import Text

if TYPE_CHECKING:
    from vision.cards import CardBook

PICTURE = click.Path(path_type=Path, dir_okay=False)


@click.group()
def cards() -> None:
    """Cards of 2 x 2 cells: taught once, then known from a look."""


@cards.command()
@click.argument("picture", type=PICTURE)
@click.argument("cells", nargs=4)
@config_option()
@says_what_is_wrong
def teach(picture: Path, cells: tuple[str, ...], config_path: Path | None) -> None:
    """Teach the card in PICTURE by its four CELLS, row by row: `A2 . B I`; `.` shows nothing."""
    path, book = _book(config_path)
    if any(not word or " " in word for word in cells):
        raise InvalidAnswer(Text("commands.cards_words"))
    book.teach(_card(book, picture), cells)
    book.save(path)
    click.echo(_said("commands.cards_taught", cells=" ".join(cells), count=len(book)))


@cards.command()
@click.argument("pictures", type=PICTURE, nargs=-1, required=True)
@config_option()
@says_what_is_wrong
def read(pictures: Sequence[Path], config_path: Path | None) -> None:
    """Which cards lie in PICTURES; `?` stands for a cell that is unclear."""
    _, book = _book(config_path)
    for picture in pictures:
        found = book.read(_card(book, picture))
        shown = " ".join(cell or "?" for cell in found.cells)
        click.echo(f"{picture.name}: {shown}" + ("" if found.whole else f"  {_said('commands.cards_new')}"))


@cards.command()
@click.argument("picture", type=PICTURE)
@click.option("--rows", default=6, show_default=True, help="Rows of cells.")
@click.option("--columns", default=6, show_default=True, help="Columns of cells.")
@config_option()
@says_what_is_wrong
def tableau(picture: Path, rows: int, columns: int, config_path: Path | None) -> None:
    """The cells of a whole tableau of cards in PICTURE, row by row; `?` stands for one that is unclear."""
    from vision.boards.squaring import propose_corners, squared
    from vision.cards import CELL

    _, book = _book(config_path)
    photo = _photo(picture)
    flat = squared(photo, propose_corners(photo), CELL * max(rows, columns))
    for row in book.read_grid(flat, rows, columns):
        click.echo(" ".join(f"{cell or '?':3}" for cell in row).rstrip())


def _book(config_path: Path | None) -> tuple[Path, CardBook]:
    """Where this table keeps its cards, and the book."""
    from calibration.cards import card_file
    from vision.cards import CardBook

    config = load(config_path)
    path = card_file(config.data_folder, config.camera.box)
    try:
        return path, CardBook.load(path)
    except ValueError as error:
        raise InvalidAnswer(Text("commands.cards_spoilt", path=path)) from error


def _photo(picture: Path):  # type: ignore[no-untyped-def]  # an array of pixels; numpy is loaded late
    from vision.imagefile import UnreadableImage, read_image

    try:
        return read_image(picture)
    except UnreadableImage as error:
        raise InvalidAnswer(error.text) from error


def _card(book: CardBook, picture: Path):  # type: ignore[no-untyped-def]
    try:
        return book.card_in(_photo(picture))
    except ValueError as error:
        raise InvalidAnswer(Text("commands.cards_none", picture=picture.name)) from error


def _said(message: str, **params: object) -> str:
    return Text(message, **params).in_words(language())
