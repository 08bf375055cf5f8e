"""``referee restore BACKUP``: put a backup in the record's place."""

from __future__ import annotations

import json
from pathlib import Path

import click

from referee.archive.restoring import restore
from referee.commands.common import language, says_what_is_wrong, store_options
from referee.config.settings import load
from referee.journal.errors import StoreError
from referee.kernel.messages import Text


@click.command()
@click.argument("backup", type=click.Path(path_type=Path))
@click.option("--key", "key_file", type=click.Path(path_type=Path), help="table_key.pem of the old machine.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@store_options
@says_what_is_wrong
def restore_command(
    backup: Path, key_file: Path | None, as_json: bool, store_path: str | None, config_path: Path | None
) -> None:
    """Put BACKUP in the record's place; what was there is moved aside.  The table must not run."""
    where = store_path or load(config_path).store
    if "://" in str(where):
        raise StoreError(
            Text("store.server_refused"),
        )
    done = restore(backup, Path(where), key_file)
    if as_json:
        facts = {
            "games": done.games, "events": done.events, "pictures": done.pictures,
            "aside": None if done.aside is None else str(done.aside),
            "key": done.key.public, "key_came": done.key_came,
        }  # fmt: skip
        click.echo(json.dumps(facts, ensure_ascii=False))
        return
    if done.aside is None:
        aside = Text("commands.nothing_before")
    else:
        aside = Text("commands.put_aside", name=done.aside.name)
    put = Text("commands.restored", games=done.games, events=done.events, pictures=done.pictures)
    for text in (put, aside, done.key_sentence()):
        click.echo(text.in_words(language()))
