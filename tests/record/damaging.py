"""Damaging files, and looking at what comes back."""

from __future__ import annotations

from pathlib import Path
from random import Random

import table_bot

from referee.hall.table import Table
from referee.journal.events import first_break
from referee.store.store import Store


def hashes_after(path: Path, game_id: str) -> tuple[list[str], list[str]]:
    """Open the store and the table; gives the hashes found and the English remarks."""
    with Store.open(path) as store, Table.open(store, game_id) as table:
        assert first_break(table.header, table.events()) is None
        table_bot.one_answer(table, Random(5))  # it can be played on
        return [one.hash for one in table.events()], [str(text) for text in table.recovery]


def flip(path: Path, place: int, bit: int) -> None:
    raw = bytearray(path.read_bytes())
    raw[place] ^= 1 << bit
    path.write_bytes(raw)
