"""A store with two games of the toy, one of them in the middle, and copies of it to be damaged."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import table_bot
import toy_game
from exporting import KEY, eventful

from referee.archive.exchange import result_json, write
from referee.archive.verify import Verdict, verify_file
from referee.hall.table import Table
from referee.store.store import Store


@pytest.fixture(scope="module")
def played() -> Iterator[tuple[Path, str, list[str]]]:
    """A folder with a store of two games, the id of the one in the middle, and the hashes of its events."""
    toy_game.register()
    folder = table_bot.quick_folder()
    with Store.open(folder / "games.sqlite") as store:
        with Table.create(store, toy_game.GAME, options={"turns": 5}, game_id="toy-old") as old:
            table_bot.play(old, Random(1))
        with Table.create(store, toy_game.GAME, options={"turns": 60}, game_id="toy-now") as now:
            table_bot.play(now, Random(2), 150)
            hashes = [event.hash for event in now.events()]
    yield folder, "toy-now", hashes
    shutil.rmtree(folder)


@pytest.fixture
def copy(played: tuple[Path, str, list[str]]) -> Iterator[Path]:
    """The store's file in a fresh copy of the folder."""
    folder = table_bot.quick_folder()
    shutil.copytree(played[0], folder / "copy")
    yield folder / "copy" / "games.sqlite"
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def lines() -> list[dict[str, Any]]:
    """The lines of an eventful game's export."""
    toy_game.register()
    folder = table_bot.quick_folder()
    players = {"white": "Änne Größe", "black": "José Ñandú"}
    with (
        Store.open(folder / "games.sqlite") as store,
        Table.create(
            store, toy_game.GAME, options={"turns": 14}, players=players, table_name="Tisch 3",
            house_rules=["Kein Orkan"],
        ) as table,
    ):  # fmt: skip
        eventful(table)
        text = write(table.header, table.events(), result_json(table.outcome), KEY)
    shutil.rmtree(folder)
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def check(tmp_path: Path) -> Iterator[Callable[..., Verdict]]:
    """Writes lines to a file and checks it."""

    def checked(lines: list[Any], trusted: tuple[str, ...] = ()) -> Verdict:
        path = tmp_path / "game.jsonl"
        path.write_text(
            "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8"
        )
        return verify_file(path, trusted)

    yield checked
