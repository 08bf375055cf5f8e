"""The house with the owner's box book, a taught map of LEDs, and its camera looked at between rolls."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
import table_bot

from calibration.boxbook import Entry
from firmware_bridge.led_map import LedMap
from referee.config.settings import CameraSection, Config, RecordSection
from referee.journal.events import digest_of
from referee.kernel.registry import load_game
from referee.serving.hosting import NewGame
from referee.serving.runtime import TableRuntime
from referee.store.store import Store
from vision.trayscan import look
from vision.virtual.tray import VirtualTray

GAME = "five_armies"


@pytest.fixture
def house() -> Iterator[TableRuntime]:
    folder = table_bot.quick_folder()
    config = Config(
        camera=CameraSection(source="none"),
        record=RecordSection(folder=str(folder)),
        lights={"driver": "terminal"},
    )
    house = TableRuntime(config, Store.open(folder / "games.sqlite"))
    yield house
    house.close()
    shutil.rmtree(folder)


def test_the_box_book_goes_into_each_new_game(house: TableRuntime) -> None:
    house.start(NewGame(GAME, {}))
    assert house.table is not None and house.table.header["box_book"] == ""
    house.workbench.book(load_game(GAME)).write({"leadership.gandalf": Entry("3")})
    house.start(NewGame(GAME, {}, options={"house": {"rally_reroll": "failed"}}))
    header = house.table.header
    assert header["options"]["box"] == {"leadership.gandalf": "3"}
    assert header["box_book"] == digest_of({"leadership.gandalf": "3"})
    assert header["house_rules"] == ["rally_reroll = failed"]
    house.start(NewGame(GAME, {}, options={"box": {"leadership.gandalf": "1"}}))
    assert house.table.header["options"]["box"] == {"leadership.gandalf": "1"}


def test_lights_go_to_the_workbench_and_come_back_by_the_new_map(house: TableRuntime) -> None:
    house.start(NewGame(GAME, {}))
    _until(lambda: house.lights.sink is not None)
    places = list(load_game(GAME).board().places)
    house.workbench.map_leds(places, 2)
    assert house.lights.sink is None and house.lights.lent is not None
    house.workbench.decide("assign", "camp")
    house.workbench.save_map()
    _until(lambda: house.lights.sink is not None)
    assert house.lights.lent is None
    assert LedMap.load(house.led_map_path()).places == {"camp": (0,)}


def test_a_tray_that_cannot_be_read_is_told_on_every_screen(
    house: TableRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    dark = VirtualTray((), seed=1, width=640).throw({}, 3, "dark")
    monkeypatch.setattr(house, "picture", lambda: dark)
    monkeypatch.setattr(house, "_looked_at", 0.0)
    house._look_at_tray()
    tray = next(one for one in house.devices() if one.id == "tray")
    assert tray.health == "warn" and "dunkel" in tray.text.in_words("de")


def test_a_camera_bumped_since_its_calibration_is_told_at_the_next_reading(
    house: TableRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = VirtualTray((), seed=1).throw({}, 1)
    monkeypatch.setattr(house, "picture", lambda: image)
    assert house.workbench.calibrate() is not None
    for shift, told in ((0, False), (30, True), (0, False)):
        matrix = np.array([[1, 0, shift], [0, 1, 0]], np.float32)
        seen = look(cv2.warpAffine(image, matrix, (1280, 960), borderMode=cv2.BORDER_REPLICATE))
        house._camera.view = (seen.view, 1280, 960)
        house._look_at_tray()
        words = [one.text.in_words("en") for one in house.devices() if one.id == "tray"]
        assert ["Calibrate" in one for one in words] == ([True] if told else [])


def _until(done: object) -> None:
    end = time.monotonic() + 20
    while not done():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.02)
