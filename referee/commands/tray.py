"""`referee tray markers`: the fiducials of tray and board on paper."""

from __future__ import annotations

from pathlib import Path

import click

from referee.commands.common import SPOKEN, config_option, language, write_out
from referee.config.settings import load
from referee.journal.errors import StoreError
from referee.kernel.errors import RefereeError
from referee.kernel.messages import Text


def write(data: bytes, output: Path) -> None:
    """Write a file; a ClickException in words where that is not possible."""
    try:
        write_out(output, data)
    except StoreError as error:
        raise click.ClickException(error.sentence(language())) from error


@click.group()
def tray() -> None:
    """The dice tray: its markers on paper."""


@tray.command()
@config_option()
@click.option(
    "--output", type=click.Path(path_type=Path, dir_okay=False), default="markers.pdf", show_default=True
)
@click.option("--lang", type=SPOKEN, help="Language of the sheet; default: configured.")
def markers(config_path: Path | None, output: Path, lang: str | None) -> None:
    """Print the tray's markers, and those for the corners of the board, in true size (PDF, A4)."""
    from calibration.markers import pdf, sheets_of
    from vision.tray import spec_from

    try:
        config = load(config_path)
    except RefereeError as error:
        raise click.ClickException(str(error)) from error
    language = lang or config.table.language
    try:
        data = pdf(sheets_of(spec_from(config.tray)), language)
    except ValueError as error:
        raise click.ClickException(f"{error}. Mend the section [tray].") from error
    write(data, output)
    click.echo(Text("commands.markers_written", output=output).in_words(language))
