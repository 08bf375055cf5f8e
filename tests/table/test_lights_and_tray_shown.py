"""The virtual table of a house: the LEDs that the firmware sent, a cut cable, and pictures that go wrong."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bridge.led_map import LedMap
from referee.config.settings import CameraSection, Config, RecordSection
from referee.kernel.dice import PIP_FACES, DieType
from referee.kernel.lights import PALETTE, Meaning
from referee.serving import runtime
from referee.serving.hosting import NewGame
from referee.serving.runtime import TableRuntime
from referee.store.store import Store
from vision.virtual.tray import VirtualTray

PATIENCE_S = 60.0


def until(true: Callable[[], object]) -> None:
    """Wait for it; that it never comes fails the test."""
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_leds_show_what_the_firmware_sent_and_go_dark_with_the_cable(tmp_path: Path) -> None:
    record = RecordSection(folder=str(tmp_path))
    config = Config(record=record, camera=CameraSection(source="virtual:"), lights={"driver": "emulator"})
    house = TableRuntime(config, Store.open(tmp_path / "games.sqlite"))
    try:
        house.start(NewGame("five_armies", {}))
        table = house.virtual_table
        assert table is not None
        until(lambda: (strip := table.strip()) is not None and any(map(any, strip.colours)))
        strip = table.strip()
        assert strip is not None
        lit = {place for place, leds in strip.places.items() if any(any(strip.colours[led]) for led in leds)}
        until(lambda: house.shown_lights())
        assert lit <= set(house.shown_lights()), "only what the game lights shines"
        assert any(one.id == "virtual" for one in house.examine())
        table.disturb("cable", True)
        dark = table.strip()
        assert dark is not None and not any(map(any, dark.colours)) and table.disturbed == {"cable"}
        until(lambda: any(one.id == "lights" and one.health == "away" for one in house.devices()))
        table.disturb("cable", False)
        until(lambda: any(one.id == "lights" and one.health == "ok" for one in house.devices()))
        until(lambda: (strip := table.strip()) is not None and any(map(any, strip.colours)))
        assert not table.disturbed
        with pytest.raises(KeyError):
            table.disturb("flood", True)
        # the page of the LED map lights them one by one: they are seen here, too
        show = house.lend_lights(LedMap({"here": (2,)}, 3))
        show({"here": PALETTE[Meaning.TARGET]})
        until(
            lambda: (strip := table.strip()) is not None and len(strip.colours) == 3 and any(strip.colours[2])
        )
        house.return_lights()
    finally:
        house.close()


def test_what_goes_wrong_in_the_picture_is_told_without_waiting_for_the_next_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime, "LOOK_AT_TRAY_S", 1e9)
    config = Config(record=RecordSection(folder=str(tmp_path)), camera=CameraSection(source="virtual:"))
    house = TableRuntime(config, Store.open(tmp_path / "games.sqlite"))

    def told(of: str = "tray") -> str:
        return " ".join(one.text.in_words("en") for one in house.devices() if one.id == of)

    try:
        house.start(NewGame("war_of_the_ring", {}))  # it begins with no roll
        table = house.virtual_table
        assert table is not None
        until(lambda: "gives pictures" in told("camera"))
        for kind, said in (("dark", "too dark"), ("bumped", "marker")):
            table.disturb(kind, True)
            until(lambda said=said: said in told())
            table.disturb(kind, False)
            until(lambda: not told())
    finally:
        house.close()


def test_pictures_stay_disturbed_whatever_is_thrown_until_they_are_let_be() -> None:
    kinds = (DieType("d6", "pip", "white", PIP_FACES),)
    calm, wrong = (VirtualTray(kinds, seed=3, width=320) for _ in range(2))
    wrong.disturb("dark")
    wrong.throw({"d6": 2}, 5, "plain")
    calm.throw({"d6": 2}, 5, "plain")
    seen, good = wrong.frame(1.0), calm.frame(1.0)
    assert seen is not None and good is not None
    assert seen.image.mean() < good.image.mean() / 4
    wrong.disturb(None)
    again = wrong.frame(1.0)
    assert again is not None and (again.image == good.image).all(), "the dice lie as they lay"
    with pytest.raises(KeyError):
        wrong.disturb("flood")
