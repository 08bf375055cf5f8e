"""A whole game of War of the Ring by two devices: German and wide, English and tall; pages are reloaded.

The Free Peoples hurry to Mordor and use the Ring, the Shadow hunts with all it has: so the game is whole and
still ends within a few turns.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import Seat
from tables import RunningTable
from test_whole_game import Match

HURRY = ["move_fellowship", "hide_fellowship", "character", "will_of_the_west", "use_ring"]
HUNT = [str(number) for number in range(10, 0, -1)]


@pytest.mark.timeout(400)
def test_a_whole_game_of_the_second_game(tmp_path: Path, devices: list[Seat]) -> None:
    table = RunningTable(tmp_path, "war_of_the_ring")
    for device in devices:  # these hands are faster than the stream: a stale tap is refused
        device.expected = ["409"]
    try:
        match = Match(table, devices[0], devices[1], 15)
        match.plans = (HURRY, HUNT)
        match.sit()
        match.look("ring-000")
        match.hands()
        for revision in (20, 60, 120):
            if not match.until(revision):
                break
            match.reload(match.seats[revision // 20 % 2])
            match.look(f"ring-{revision:03d}")
        match.until(20_000, 330)
        match.confirm()
        assert table.hall.table is not None and table.hall.table.outcome is not None
    finally:
        for device in devices:
            device.expected += ["ERR_", "Failed to load resource"]  # the line breaks off
            device.driver.get("about:blank")
        table.close()
    assert {"place", "option", "confirm", "throw", "accept"} <= match.tapped
