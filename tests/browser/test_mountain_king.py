"""Fall of the Mountain King on tablets and a phone: five seats, sheets, tracks; a group is tapped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from driving import Seat
from tables import RunningTable
from test_many_seats_pages import SIZES, TRACKS, fits, play_to

from referee.games.mountain_king.box.components import SEATS


@pytest.fixture
def mountain(tmp_path: Path) -> Iterator[RunningTable]:
    running = RunningTable(tmp_path, "mountain_king", seats=SEATS)
    yield running
    running.close()


@pytest.mark.parametrize(("prompt", "language"), [("prompt.draft", "de"), ("prompt.group", "en")])
def test_sheets_and_tracks_fit(
    mountain: RunningTable, devices: list[Seat], prompt: str, language: str
) -> None:
    seat = devices[0]
    who = play_to(mountain, prompt)
    seat.sit(mountain, SEATS[0] if who == "*" else who, language, SIZES["wide"])
    for size, pixels in SIZES.items():
        seat.size(*pixels)
        seat.settle()
        fits(seat)
        if size == "wide":
            tracks = seat.driver.execute_script(TRACKS)
            assert len(tracks) == 7 and not [one for one in tracks if one["cut"] or not one["inside"]]


def test_a_group_is_tapped_on_the_sheet(mountain: RunningTable, devices: list[Seat]) -> None:
    seat = devices[0]
    who = play_to(mountain, "prompt.group", seed=5)
    table = mountain.hall.table
    assert table is not None and table.request is not None
    seat.sit(mountain, who, "en", SIZES["wide"])
    seat.until(lambda: seat.find(".sheets .cell.can"), "cells to cover")
    cells = list(table.request.limits)  # type: ignore[attr-defined]
    seat.tap_place(cells[0])
    seat.until(lambda: seat.find(".sheets .cell.chosen"), "a chosen cell")
