"""A lore battle of BattleLore by two devices on its board of hexes, from the first question to the result."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from driving import Seat
from tables import RunningTable

from referee.games.battlelore.box.scenario import field_of, load, write_scenario

WIDE, TALL = (1180, 820), (820, 1180)
A_BATTLE_S = 240.0


def first_blood() -> dict[str, Any]:
    """The shipped lore battle, won by the first banner; nobody is asked for its lines."""
    field = load("own_05")
    goals = {"victory_banners": {"south": 1, "north": 1}}
    return {"scenario": write_scenario(field_of({**field.data, **goals})), "box": {"sections": "fifth"}}


@pytest.mark.timeout(400)
@pytest.mark.parametrize(("devices", "short"), [("chromium", 70), ("webkit", 30)], indirect=["devices"])
def test_a_lore_battle_to_its_end(tmp_path: Path, devices: list[Seat], short: int) -> None:
    """Units are tapped on the board, dice thrown in the tray; German and wide, English and tall."""
    table = RunningTable(tmp_path, "battlelore", short_of_the_end=short, seed=3, options=first_blood())
    try:
        south, north = devices
        south.sit(table, "south", "de", WIDE)
        north.sit(table, "north", "en", TALL)
        hall = table.hall.table
        assert hall is not None
        assert len(south.driver.find_elements("css selector", "[data-place]")) >= 113
        for number, seat in enumerate(devices):
            seat.play_on(20 + number, 5)
        end = time.monotonic() + A_BATTLE_S
        while hall.outcome is None:
            assert time.monotonic() < end, " | ".join(seat.text("#ask")[:200] for seat in devices)
            time.sleep(0.2)
        tapped = {what for seat in devices for what in seat.played()}
        assert {"place", "throw", "accept"} <= tapped
        for seat in devices:
            seat.until(lambda seat=seat: seat.find('[data-key="confirm-result"]'), "the result")
            assert seat.ids_on_screen() == []
            seat.tap("confirm-result")
            seat.until(lambda seat=seat: seat.find('[data-key="confirm-result"]') is None, "the end")
    finally:
        table.close()
