"""A program that was changed while a game ran."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
import table_bot
import toy_game
from table_bot import restarted

from referee.hall.table import Table
from referee.store.store import Store


class Newer(toy_game.ToyGame):
    """The toy game under other rules, or with another form of its state."""

    rules_version = "2"

    def __init__(self, change: str) -> None:
        self.change = change

    def to_json(self, state: toy_game.State) -> dict[str, Any]:
        data = super().to_json(state)
        return {**data, "form": 2} if self.change == "form" else data

    def from_json(self, data: Any) -> toy_game.State:
        data = dict(data)
        if self.change == "form":
            del data["form"]
        return super().from_json(data)

    def _turn(self, state: toy_game.State, seat: str) -> toy_game.Flow:
        yield from super()._turn(state, seat)
        if self.change == "points" and state.turn == 3:
            state.points[seat] += 1
        if self.change == "refuses" and state.turn == 3:
            state.at = {"white": "nowhere", "black": "nowhere"}


def forget_snapshots(store: Store) -> None:
    """What happened before a snapshot does not concern a running game; here it shall."""
    with store.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM snapshots")


@pytest.mark.parametrize("change", ["form", "points"])
def test_a_rules_fix_does_not_break_a_running_game_and_is_told(
    new_table: Callable[..., Table], change: str
) -> None:
    from referee.kernel.registry import register

    table = table_bot.play(new_table(turns=30), Random(3), 60)
    hashes = [event.hash for event in table.events()]
    forget_snapshots(table.live_game.store)
    try:
        register(Newer(change))  # type: ignore[arg-type]
        again = restarted(table)
        assert [event.hash for event in again.events()] == hashes
        assert again.live_game.differs_at is not None
        assert (again.live_game.differs_at == 1) == (change == "form")
        assert any("version 2" in str(text) for text in again.recovery)
        table_bot.play(again, Random(4), 30)
        digest = again.play.digest()
        third = restarted(again)
        assert third.play.digest() == digest
        third.close()
    finally:
        toy_game.register()


def test_a_game_that_todays_rules_refuse_says_at_which_event_and_is_unharmed(
    new_table: Callable[..., Table],
) -> None:
    from referee.journal.errors import StoreError
    from referee.kernel.registry import register

    table = table_bot.play(new_table(turns=30), Random(3), 60)
    digest, store, game_id = table.play.digest(), table.live_game.store, table.id
    table.close()
    forget_snapshots(store)
    try:
        register(Newer("refuses"))  # type: ignore[arg-type]
        with pytest.raises(StoreError, match=r"version 2 refuses its event \d+"):
            Table.open(store, game_id)
    finally:
        toy_game.register()
    again = Table.open(store, game_id)  # it was given back, and the older program goes on
    assert again.play.digest() == digest
    again.close()
