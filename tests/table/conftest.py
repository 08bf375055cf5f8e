"""A table with the toy game, on a store of its own."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import toy_game
from table_bot import quick_folder

from referee.hall.table import Table
from referee.store.store import Store


@pytest.fixture
def store() -> Iterator[Store]:
    toy_game.register()
    folder = quick_folder()
    with Store.open(folder / "games.sqlite") as store:
        yield store
    shutil.rmtree(folder)


@pytest.fixture
def new_table(store: Store) -> Iterator[Callable[..., Table]]:
    """Makes tables: ``new_table(turns=8, tournament=False)``."""
    made: list[Table] = []

    def make(turns: int = 12, **more: Any) -> Table:
        players = {"white": "Änne", "black": "José"}
        table = Table.create(store, toy_game.GAME, options={"turns": turns}, players=players, **more)
        made.append(table)
        return table

    yield make
    for table in made:
        table.close()


@pytest.fixture
def table(new_table: Callable[..., Table]) -> Table:
    return new_table()
