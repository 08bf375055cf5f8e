"""The virtual table: what its page is told, and that it can be let go wrong."""

from __future__ import annotations

from typing import Any

import pytest
from fake_hall import FakeHall
from flask import Flask
from screens import Screen

from referee.kernel.lights import TRAY, seat_light
from referee.serving.virtual import SentLights


class Desk:
    """A virtual table of two LEDs."""

    def __init__(self) -> None:
        self.on: set[str] = set()
        self.lights: dict[str, tuple[int, ...]] = {"north": (0,), "south": (1,)}

    @property
    def disturbed(self) -> frozenset[str]:
        return frozenset(self.on)

    def disturb(self, kind: str, on: bool) -> None:
        if kind not in ("hand", "cable"):
            raise KeyError(kind)
        (self.on.add if on else self.on.discard)(kind)

    def strip(self) -> SentLights:
        return SentLights(((0, 0, 0), (128, 0, 55)), self.lights, 12.4, "python")

    def picture(self) -> bytes:
        return b"\xff\xd8jpeg"


@pytest.fixture
def desk(hall: FakeHall) -> Desk:
    """The hall's virtual table."""
    desk = Desk()
    hall.virtual_table = desk  # type: ignore[assignment]
    return desk


def told(screen: Screen) -> Any:
    return screen.client.get("/api/virtual").json


def test_a_table_with_hardware_has_none(white: Screen) -> None:
    assert white.client.get("/api/virtual").status_code == 404
    assert not white.client.get("/api/start").json["virtual"]


def test_leds_are_shown_as_they_were_sent(white: Screen, desk: Desk) -> None:
    strip = told(white)["strip"]
    assert (strip["lit"], strip["leds"], strip["current_ma"]) == (1, 2, 12)
    assert strip["places"] == {"north": [0], "south": [1]}
    # a linear half of red is three quarters on a screen (the curve of sRGB), as for the lights of the board
    assert white.client.get("/api/virtual/strip").json == {"colours": ["#000000", "#bc0080"]}
    assert white.client.get("/api/virtual/picture.jpg").data.startswith(b"\xff\xd8")
    assert white.client.get("/api/start").json["virtual"]


def test_leds_beside_the_board_are_told_by_name(white: Screen, desk: Desk) -> None:
    """Not as LED 88: tray and seats, which no place of the board is."""
    desk.lights |= {TRAY: (2,), seat_light("white"): (3,)}
    assert list(told(white)["strip"]["beside"].values()) == ["Würfelschale", "Platz: Weiß"]


def test_what_may_go_wrong_is_turned_on_and_off_by_who_may_sit_here(
    white: Screen, desk: Desk, app: Flask
) -> None:
    on = white.post("/api/virtual/disturb", {"kind": "hand", "on": True})
    assert on.json["disturbed"] == ["hand"] and desk.on == {"hand"}
    assert white.post("/api/virtual/disturb", {"kind": "hand", "on": False}).json["disturbed"] == []
    assert white.post("/api/virtual/disturb", {"kind": "flood", "on": True}).status_code == 400
    app.extensions["table"].seats.open_seats = False
    assert Screen(app).post("/api/virtual/disturb", {"kind": "hand", "on": True}).status_code == 403
