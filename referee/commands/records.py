"""``referee games | export | slip | backup``: the record on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import click

from referee.archive.exchange import result_json, write
from referee.archive.results import outcome_of
from referee.commands.common import (
    SPOKEN,
    language,
    open_reading,
    says_what_is_wrong,
    settled,
    store_options,
    table_key,
    the_game,
    write_out,
)
from referee.config.settings import load
from referee.journal.errors import StoreError
from referee.journal.signing import fingerprint
from referee.kernel.messages import Text
from referee.kernel.registry import game_ids, load_game


@click.command()
@store_options
@click.option("--installed", is_flag=True, help="Which games' rules are installed, instead of the record.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@says_what_is_wrong
def games(store_path: str | None, config_path: Path | None, installed: bool, as_json: bool) -> None:
    """List the games in the record, the newest last."""
    if installed:
        _tell_installed(as_json)
        return
    with open_reading(store_path, config_path) as store:
        rows = []
        for one in store.game_ids():
            header = store.header(one)
            number, kind = store.last(one)
            rows.append(
                {
                    "id": one,
                    "game": header["game"],
                    "created": header["created"],
                    "players": header["players"],
                    "table": header["table"],
                    "events": number,
                    "last": kind,
                }
            )
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for row in rows:
        names = " – ".join(name or "?" for name in row["players"].values())
        click.echo(f"{row['id']:<28} {row['created'][:16]}  {row['events']:>5}  {names}")


def _tell_installed(as_json: bool) -> None:
    rows = [{"id": one, "title": dict(load_game(one).title)} for one in game_ids()]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for row in rows:
        click.echo(f"{row['id']:<20} {load_game(str(row['id'])).title[language()]}")


@click.command()
@click.argument("game")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="File to write; - or none: GAME.jsonl here."
)
@click.option("--key", "key_file", type=click.Path(path_type=Path), help="The table's private key (PEM).")
@store_options
@says_what_is_wrong
def export(
    game: str, output: Path | None, key_file: Path | None, store_path: str | None, config_path: Path | None
) -> None:
    """Write GAME as one signed JSON Lines file, readable by a person."""
    with open_reading(store_path, config_path) as store:
        loaded = settled(the_game(store, game))
        key = table_key(store, key_file, config_path)
    text = write(loaded.header, loaded.events, result_json(outcome_of(loaded)), key)
    if str(output) == "-":
        click.echo(text, nl=False)
        return
    path = output or Path(f"{loaded.header['id']}.jsonl")
    write_out(path, text.encode())
    click.echo(f"{path}: {len(loaded.events)} events, key {fingerprint(key.public)} ({key.public})")


@click.command()
@click.argument("game")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write; none: GAME.pdf here.")
@click.option("--key", "key_file", type=click.Path(path_type=Path), help="The table's private key (PEM).")
@click.option("--lang", type=SPOKEN, help="Language of the slip.")
@store_options
@says_what_is_wrong
def slip(
    game: str,
    output: Path | None,
    key_file: Path | None,
    lang: str | None,
    store_path: str | None,
    config_path: Path | None,
) -> None:
    """Make the signed match slip of GAME: one page of PDF."""
    from referee.archive.slip import make_slip

    with open_reading(store_path, config_path) as store:
        loaded = settled(the_game(store, game))
        key = table_key(store, key_file, config_path)
    made = make_slip(loaded, outcome_of(loaded), key, lang or language())
    path = output or Path(f"{loaded.header['id']}.pdf")
    write_out(path, made.pdf)
    click.echo(str(path))
    for remark in made.remarks:
        click.echo(remark, err=True)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@store_options
@says_what_is_wrong
def backup(folder: Path, store_path: str | None, config_path: Path | None) -> None:
    """Copy the whole record to FOLDER; safe while a game runs.

    With the address of a database server as --store: the record that an earlier program kept there.
    """
    from referee.store.copies import backup as copy
    from referee.store.copies import copy_server

    where = store_path or load(config_path).store
    if "://" in str(where):
        path, damaged = copy_server(str(where), folder)
        if damaged:
            raise StoreError(Text("store.server_copied_damaged", listed=", ".join(damaged), path=path))
        click.echo(str(path))
        return
    with open_reading(store_path, config_path):
        pass  # says so where there is none
    click.echo(str(copy(Path(where).expanduser().resolve(), folder)))
