"""``referee rolls``: what fell in recorded games, die by die, for ``referee dice stats``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from referee.commands.records import open_reading, says_what_is_wrong, store_options, the_game
from referee.journal.events import Event
from referee.journal.line import line_of
from referee.kernel.dice import DieType
from referee.kernel.registry import game_ids, load_game


def fallen(events: Sequence[Event], types: Mapping[str, DieType]) -> dict[str, list[str]]:
    """The faces of each die type in the order in which they fell; rolls taken back are left out.

    A roll that an arbiter let stand counts, but no face that its die does not have.
    """
    fell: dict[str, list[str]] = {}
    for event in line_of(events):
        if not event.request or event.request["kind"] != "roll_dice":
            continue
        value = event.answer["value"] if event.kind == "stands" else event.answer
        for die, faces in value.items() if isinstance(value, Mapping) else ():
            if die in types:
                fell.setdefault(die, []).extend(face for face in faces if face in types[die].faces)
    return {die: faces for die, faces in fell.items() if faces}


def as_lines(fell: Mapping[str, Sequence[str]], types: Mapping[str, DieType]) -> str:
    """JSON Lines that ``referee dice stats`` reads: the sides of each die type, then one line a die."""
    lines: list[dict[str, object]] = [{"type": die, "faces": list(types[die].faces)} for die in fell]
    lines += [{"type": die, "face": face} for die, faces in fell.items() for face in faces]
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines)


@click.command("rolls")
@click.argument("names", nargs=-1, metavar="[GAME]...")
@store_options
@click.option("--lang", type=click.Choice(["de", "en"]), help="Language of complaints.")
@says_what_is_wrong
def rolls(names: tuple[str, ...], store_path: str | None, config_path: Path | None, lang: str | None) -> None:
    """What fell in GAMEs, or in all of the record: one die a line, for `referee dice stats -`."""
    with open_reading(store_path, config_path) as store:
        chosen = [the_game(store, name) for name in names or store.game_ids()]
        for loaded in chosen:
            if loaded.header["game"] in game_ids():
                types = load_game(loaded.header["game"]).dice
                click.echo(as_lines(fallen(loaded.events, types), types), nl=False)
