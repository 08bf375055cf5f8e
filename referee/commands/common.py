"""What several commands share: language, errors as sentences, options that name a record, one game of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from referee.config.settings import load
from referee.journal.errors import StoreError
from referee.journal.signing import TableKey, key_path, load_or_make
from referee.kernel.errors import RefereeError
from referee.kernel.files import FileUnwritable, write_whole
from referee.kernel.messages import SOURCE, Text, languages
from referee.store.recover import Loaded
from referee.store.store import Store


def language() -> str:
    """The terminal's language: German where the locale says so, else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value:
            named = value.partition("_")[0]
            return named if named in languages() else SOURCE
    return SOURCE


class Spoken(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic since click 8.2
    """A language that the program speaks: those that have catalogues."""

    name = "language"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """``[de|en]``"""
        return f"[{'|'.join(languages())}]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The code of the language."""
        if value not in languages():
            text = Text("commands.no_such_language", value=value, known=", ".join(languages()))
            self.fail(text.in_words(language()))
        return str(value)


SPOKEN = Spoken()


def says_what_is_wrong(command: Callable[..., Any]) -> Callable[..., Any]:
    """End a command with a sentence and exit code 2 where a person has to do something."""

    @wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except RefereeError as error:
            click.echo(error.sentence(kwargs.get("lang") or language()), err=True)
            sys.exit(2)

    return wrapped


def config_option(destination: str = "config_path") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """``--config``: the table's configuration, or what ``$REFEREE_CONFIG`` names."""
    return click.option(
        "--config",
        destination,
        type=click.Path(path_type=Path),
        envvar="REFEREE_CONFIG",
        help="The table's TOML file.  Default: what $REFEREE_CONFIG names.",
    )


def store_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--store`` and ``--config``: which record."""
    for option in (
        click.option("--store", "store_path", help="The record: a file or a database address."),
        config_option(),
    ):
        command = option(command)
    return command


def open_reading(store_path: str | None, config_path: Path | None) -> Store:
    """The store to look at."""
    return Store.open(store_path or load(config_path).store, write=False)


def as_typed(name: str) -> str:
    """A name from the command line: terminals of the C locale, too, mean UTF-8."""
    return os.fsencode(name).decode("utf-8", "replace")


def the_game(store: Store, name: str) -> Loaded:
    """The game called ``name``: an id, the unambiguous beginning of one, or ``last``."""
    known = store.game_ids()
    if name == "last" and known:
        return store.load(known[-1])
    matching = [one for one in known if one == name] or [one for one in known if one.startswith(name)]
    if len(matching) > 1:
        listed = ", ".join(matching[:8])
        raise StoreError(
            Text("commands.ambiguous_game", name=name, listed=listed),
        )
    return store.load(matching[0] if matching else name)


def settled(game: Loaded) -> Loaded:
    """``game``, if it may be signed: where there are two continuations of it, its arbiter is asked first."""
    if game.fork is not None:
        raise StoreError(Text("store.fork_unsettled", key=game.header["id"], after=game.fork.after))
    return game


def table_key(store: Store, key_file: Path | None, config_path: Path | None) -> TableKey:
    """The table's key: the named file, or the one beside the store."""
    if key_file is not None:
        return load_or_make(key_file)
    folder = store.path if store.path is not None else load(config_path).data_folder / "games.sqlite"
    return load_or_make(key_path(folder))


def write_out(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all; it was read again from the disk when this returns."""
    try:
        write_whole(path, data, new_folder=False)
    except FileUnwritable as error:
        raise StoreError(
            Text("commands.unwritable", path=path, why=error.why),
        ) from error
