"""``referee games | export | slip | backup``: the record on the command line."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import Any

import click

from referee.archive.exchange import result_json, shown_at_length, write
from referee.archive.results import outcome_of, told_result
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
from referee.hall.live_game import RULES_FAULTS
from referee.journal.errors import StoreError
from referee.journal.signing import TableKey, fingerprint
from referee.kernel.at_table import game_of
from referee.kernel.errors import RefereeError
from referee.kernel.messages import Text
from referee.kernel.registry import game_ids, load_game
from referee.kernel.seats import seats_of
from referee.store.backups import copy_beside
from referee.store.copies import backup as copy
from referee.store.servers import copy_server
from referee.store.store import Store

log = logging.getLogger(__name__)


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
        rows = [_row(store, one) for one in store.game_ids()]
    if as_json:
        click.echo(json.dumps([row for row, _ in rows], ensure_ascii=False, indent=2))
        return
    for row, told in rows:
        names = " – ".join(name or "?" for name in row["players"].values())
        line = f"{row['id']:<28} {row['created'][:16]}  {row['events']:>5}  {names}  {told}"
        click.echo(shown_at_length(line.rstrip()))


def _row(store: Store, game_id: str) -> tuple[dict[str, Any], str]:
    """A game of the list: its data, and how it ended in words."""
    header = store.header(game_id)
    number, kind = store.last(game_id)
    row = {
        "id": game_id,
        "game": header["game"],
        "created": header["created"],
        "players": header["players"],
        "table": header["table"],
        "tournament": header["tournament"],
        "events": number,
        "last": kind,
        "result": None,
    }
    try:
        row["players"] = {seat: header["players"][seat] for seat in seats_of(game_of(header), header)}
        outcome = outcome_of(store.load(game_id), store.snapshots(game_id))
        told = told_result(game_of(header), header, outcome, language())
    except RULES_FAULTS as error:  # a game of other rules, or a damaged one, is listed all the same
        log.debug("%s has no result to tell", game_id, exc_info=True)
        return row, Text("commands.no_result", why=str(error)).in_words(language())
    row["result"] = result_json(outcome)
    return row, told


def _tell_installed(as_json: bool) -> None:
    rows = [{"id": one, "title": dict(load_game(one).title)} for one in game_ids()]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for row in rows:
        click.echo(f"{row['id']:<20} {load_game(str(row['id'])).title[language()]}")


@click.command()
@click.argument("game", required=False)
@click.option(
    "--all", "everything", is_flag=True, help="Each game of the record, into the folder -o or here."
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="File to write; - or none: GAME.jsonl here."
)
@click.option("--key", "key_file", type=click.Path(path_type=Path), help="The table's private key (PEM).")
@store_options
@says_what_is_wrong
def export(
    game: str | None,
    everything: bool,
    output: Path | None,
    key_file: Path | None,
    store_path: str | None,
    config_path: Path | None,
) -> None:
    """Write GAME as one signed JSON Lines file, readable by a person."""
    if everything == (game is not None):
        raise StoreError(Text("commands.export_what"))
    with open_reading(store_path, config_path) as store:
        key = table_key(store, key_file, config_path)
        if everything:
            _export_all(store, output or Path(), key)
            return
        loaded = settled(the_game(store, str(game)))
    text = write(loaded.header, loaded.events, result_json(outcome_of(loaded)), key)
    if str(output) == "-":
        click.echo(text, nl=False)
        return
    path = output or Path(f"{loaded.header['id']}.jsonl")
    write_out(path, text.encode())
    click.echo(f"{path}: {len(loaded.events)} events, key {fingerprint(key.public)} ({key.public})")


def _export_all(store: Store, folder: Path, key: TableKey) -> None:
    """Each game into ``folder``; one that cannot be is named, then the exit code is 1."""
    failed = False
    for one in store.game_ids():
        try:
            loaded = settled(store.load(one))
            text = write(loaded.header, loaded.events, result_json(outcome_of(loaded)), key)
            folder.mkdir(parents=True, exist_ok=True)
            write_out(folder / f"{one}.jsonl", text.encode())
        except (*RULES_FAULTS, OSError) as error:
            why = error.sentence(language()) if isinstance(error, RefereeError) else str(error)
            click.echo(f"{one}: {why}", err=True)
            failed = True
        else:
            click.echo(f"{folder / one}.jsonl: {len(loaded.events)} events")
    click.echo(f"key {fingerprint(key.public)} ({key.public})")
    if failed:
        sys.exit(1)


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
    """Copy the whole record to FOLDER, with its pictures; safe while a game runs.

    With the address of a database server as --store: the record that an earlier program kept there.
    """
    where = store_path or load(config_path).store
    if "://" in str(where):
        path, damaged = copy_server(str(where), folder)
        if damaged:
            raise StoreError(Text("store.server_copied_damaged", listed=", ".join(damaged), path=path))
        click.echo(str(path))
        return
    with open_reading(store_path, config_path):
        pass  # says so where there is none
    path = Path(where).expanduser().resolve()
    made = copy(path, folder)
    copy_beside(path, folder)
    click.echo(str(made))
