"""Plays a table at random, through the same doors as people do."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

from referee.hall.table import Table
from referee.journal.events import Event
from referee.kernel.requests import ChooseSecretly


def quick_folder() -> Path:
    """A folder of its own; in memory where there is room (see ``conftest.py``)."""
    return Path(tempfile.mkdtemp())


def one_answer(table: Table, rng: Random) -> list[Event]:
    """Answer whatever is asked next, once hands have done what there is to do; gives the events that were
    acknowledged."""
    if table.hands_hold:
        table.hands_done(table.live_game.playing[0], revision=table.revision)
    request = table.request
    assert request is not None
    if isinstance(request, ChooseSecretly):
        seat = rng.choice(table.asked_seats)
        value = request.of[seat].sample(rng)
    else:
        seat, value = request.seat, request.sample(rng)
    return [table.answer(seat, value, revision=table.revision)]


def play(table: Table, rng: Random, answers: int = 100_000) -> Table:
    """Play on for so many answers, or to the end."""
    for _ in range(answers):
        if table.request is None:
            break
        one_answer(table, rng)
    return table


def advance_to(table: Table, kind: type, rng: Random | None = None) -> None:
    """Play until a question of this kind is open."""
    rng = rng or Random(1)
    while not isinstance(table.request, kind):
        one_answer(table, rng)


def restarted(table: Table) -> Table:
    """The same game after closing and opening it."""
    store, game_id = table.live_game.store, table.id
    table.close()
    return Table.open(store, game_id)
