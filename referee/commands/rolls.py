"""``referee rolls``: what fell in recorded games, die by die, for ``referee dice stats``."""

from __future__ import annotations

from pathlib import Path

import click

from referee.archive.rolls import as_lines, fallen
from referee.commands.common import SPOKEN, open_reading, says_what_is_wrong, store_options, the_game
from referee.kernel.registry import game_ids, load_game


@click.command("rolls")
@click.argument("names", nargs=-1, metavar="[GAME]...")
@store_options
@click.option("--lang", type=SPOKEN, help="Language of complaints.")
@says_what_is_wrong
def rolls(names: tuple[str, ...], store_path: str | None, config_path: Path | None, lang: str | None) -> None:
    """What fell in GAMEs, or in all of the record: one die a line, for `referee dice stats -`."""
    with open_reading(store_path, config_path) as store:
        chosen = [the_game(store, name) for name in names or store.game_ids()]
        for loaded in chosen:
            if loaded.header["game"] in game_ids():
                types = load_game(loaded.header["game"]).dice
                click.echo(as_lines(fallen(loaded.events, types), types), nl=False)
