"""A whole game of War of the Ring by two devices: German and wide, English and tall; pages are reloaded."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import Seat
from tables import RunningTable
from test_whole_game import Match

SEED = 4


@pytest.mark.timeout(400)
def test_a_whole_game_of_the_second_game(tmp_path: Path, devices: list[Seat]) -> None:
    table = RunningTable(tmp_path, "war_of_the_ring")
    try:
        match = Match(table, devices[0], devices[1], 0)
        match.seed = SEED
        match.sit()
        match.look("ring-000")
        match.hands()
        for revision in (40, 120, 300):
            if not match.until(revision):
                break
            match.reload(match.seats[revision % 2])
            match.look(f"ring-{revision:03d}")
        match.until(20_000, 330)
        match.confirm()
    finally:
        table.close()
    assert {"place", "option", "confirm", "throw", "accept"} <= match.tapped
