"""``referee show GAME``: the readable record, and any moment of it."""

from __future__ import annotations

import json
from pathlib import Path

import click

from referee.archive.show import events_as_json, events_in_words, moment_as_json, moment_in_words, report
from referee.commands.common import (
    SPOKEN,
    language,
    open_reading,
    says_what_is_wrong,
    store_options,
    the_game,
)


@click.command()
@click.argument("game")
@click.option("--at", "number", type=click.IntRange(0), help="Show the game after this event.")
@click.option("--events", is_flag=True, help="Event by event, with times and sources, instead of the report.")
@click.option("--lang", type=SPOKEN, help="Language.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@store_options
@says_what_is_wrong
def show(
    game: str,
    number: int | None,
    events: bool,
    lang: str | None,
    as_json: bool,
    store_path: str | None,
    config_path: Path | None,
) -> None:
    """Tell GAME (an id, the beginning of one, or "last") as a report; with --at one moment in full."""
    lang = lang or language()
    with open_reading(store_path, config_path) as store:
        loaded = the_game(store, game)
        if as_json:
            data = events_as_json(loaded) if number is None else moment_as_json(store, loaded, number, lang)
            click.echo(json.dumps(data, ensure_ascii=False, indent=2))
            return
        told = None if events or number is not None else report(loaded, lang)
        if told is not None:
            click.echo(told, nl=False)
            return
        lines = (
            events_in_words(loaded, lang) if number is None else moment_in_words(store, loaded, number, lang)
        )
        for line in lines:
            click.echo(line)
