"""A power cut is normal use: nothing that was acknowledged is missing afterwards."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
import table_bot
import toy_game
from table_screens import screens

from referee.hall.table import Table
from referee.kernel.registry import load_game
from referee.store.store import Store

KILLS = int(os.environ.get("REFEREE_KILLS", "40"))


@pytest.mark.parametrize("game", ["toy", "five_armies"])
def test_after_kill_9_at_random_instants_nothing_acknowledged_is_missing_and_the_screens_are_the_same(
    tmp_path: Path, game: str
) -> None:
    script = Path(__file__).with_name("kill_loop.py")
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path), str(KILLS), "7", game],
        capture_output=True,
        text=True,
        timeout=280 + KILLS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["problems"] == []
    assert said["rounds"] == KILLS
    # so that the test cannot pass on a child that never played
    assert said["acknowledged"] > KILLS
    assert said["screens_compared"] > KILLS // 3
    assert said["events"] >= said["acknowledged"]


def test_a_list_on_screen_stands_in_the_same_order_after_a_restart(tmp_path: Path) -> None:
    """Cards in play were listed in another order when the game was resumed from a snapshot."""
    rng = Random(21)
    with Store.open(tmp_path / "games.sqlite") as store:
        table = Table.create(store, load_game("five_armies"))
        for _ in range(16):
            table_bot.play(table, rng, 10)
            before = screens(table)
            table.close()
            table = Table.open(store, table.id)
            assert screens(table) == before, f"after event {table.revision}"
        assert table.live_game.resumed_from > 0
        table.close()


def test_the_question_has_the_same_name_after_a_restart_behind_a_correction(tmp_path: Path) -> None:
    toy_game.register()
    with Store.open(tmp_path / "games.sqlite") as store:
        table = Table.create(store, toy_game.GAME, options={"turns": 100})
        table_bot.play(table, Random(5), 30)
        table.correct([{"do": "points", "seat": "white", "value": 7}], "as agreed", revision=table.revision)
        for answers in (0, 60):
            table_bot.play(table, Random(6), answers)
            before, counted = screens(table), table.play.answered
            table.close()
            table = Table.open(store, table.id)
            assert (screens(table), table.play.answered) == (before, counted)
            assert counted == len(table.live_game.line)
        table.close()
