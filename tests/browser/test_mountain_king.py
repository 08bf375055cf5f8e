"""Fall of the Mountain King on tablets and a phone: five seats, sheets, tracks; a group is tapped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from driving import Seat
from fake_devices import Bench
from selenium.webdriver.common.by import By
from tables import RunningTable
from test_many_seats_pages import SIZES, TRACKS, fits, play_to

from calibration.workbench import Workbench
from referee.games.mountain_king.box.components import CLANS, SEATS
from vision.virtual.area_boards import SLATE, draw_board

TAP_AREA = """
const areas = document.querySelectorAll('.capture-area:not(.doubtful)');
areas[arguments[0]].dispatchEvent(new MouseEvent('click', { bubbles: true }));
"""
NAMES = """
const names = document.querySelectorAll('.capture-name:not(.small)');
return [...names].filter((one) => one.textContent !== '?').length;
"""


def named(seat: Seat) -> int:
    """How many areas bear a name: those that were told, and all once each colour was."""
    return int(seat.driver.execute_script(NAMES))


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
        seat.shot(f"mountain-{prompt.removeprefix('prompt.')}-{language}-{size}")
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
    seat.tap(f"p-{cells[0]}")
    seat.until(lambda: seat.find(".sheets .cell.chosen"), "a chosen cell")


def test_a_board_is_photographed_and_put_right_with_fingers(
    mountain: RunningTable, devices: list[Seat], tmp_path: Path
) -> None:
    seat, bench = devices[0], Bench(tmp_path / "bench")
    bench.folder.mkdir()
    mountain.hall.workbench = Workbench(bench, bench.folder)  # type: ignore[attr-defined]
    photo = tmp_path / "photo.jpg"
    cv2.imwrite(str(photo), draw_board(77, SLATE, areas=28).photo)
    seat.sit(mountain, SEATS[0], "de", SIZES["wide"])
    seat.driver.get(mountain.url + "/setup/board")
    name = seat.until(lambda: seat.find('[data-key="capture-name"]'))
    name.send_keys("Vorderseite\t")
    seat.until(lambda: seat.find('[data-key="capture-file"]:enabled'))
    seat.driver.find_element(By.CSS_SELECTOR, '[data-key="capture-file"]').send_keys(str(photo))
    seat.until(lambda: seat.find('[data-key="corner-3"]'), "four corners to drag")
    seat.tap("corners-right")
    seat.until(lambda: len(seat.driver.find_elements(By.CSS_SELECTOR, ".capture-area")) > 24, "areas")
    areas = len(seat.driver.find_elements(By.CSS_SELECTOR, ".capture-area"))
    for told, clan in enumerate(CLANS):
        seat.tap(f"tool-group-{clan}")
        seat.driver.execute_script(TAP_AREA, told)
        seat.until(lambda count=told + 1: named(seat) == (count if count < len(CLANS) else areas), clan)
    seat.tap("tool-mark-lair")
    seat.tap_on(".capture-area")
    seat.until(lambda: seat.find('[data-key="point-0"]'), "a lair")
    seat.until(lambda: seat.find('[data-key="troubles"]'), "what is missing")
    for theme in ("light", "dark"):
        seat.theme(theme)
        for size, pixels in SIZES.items():
            seat.size(*pixels)
            seat.settle()
            seat.shot(f"capture-{theme}-{size}")
            fits(seat)
    seat.tap("capture-back")
    seat.until(lambda: not seat.find('[data-key="point-0"]'), "taken back")
