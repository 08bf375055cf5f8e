"""On the table now: what hands have to do is listed at both seats, lit, and confirmed with one tap."""

from __future__ import annotations

import random
from pathlib import Path

from driving import Seat
from tables import RunningTable, answer
from test_pages import SIZES, overflow, serious, small_targets

from referee.hall.hands import LISTED


def test_both_seats_are_told_what_hands_have_to_do_and_one_tap_goes_on(
    tmp_path: Path, devices: list[Seat]
) -> None:
    table, chance = RunningTable(tmp_path, "five_armies", hands=LISTED), random.Random(4)
    free, shadow = devices
    hall = table.hall.table
    assert hall is not None
    try:
        free.sit(table, "free", "de", SIZES["wide"])
        shadow.theme("dark")
        shadow.sit(table, "shadow", "en", SIZES["tall"])
        with table.web.hub.lock:
            while not hall.hands_hold:
                assert hall.request is not None
                answer(hall, hall.request.sample(chance))
        for seat in (free, shadow):
            seat.until(lambda s=seat: s.find("[data-deed]"), "what is to be done")
        assert free.prompt == "Jetzt am Tisch" and shadow.prompt == "On the table now"
        assert len(free.driver.find_elements("css selector", "[data-deed]")) == len(hall.hands("de"))
        assert not free.find(".hit.can") and not shadow.find(".hit.can"), "nothing else can be chosen"
        for seat in (free, shadow):
            for name, size in SIZES.items():
                seat.size(*size)
                seat.shot(f"hands-{(seat is free and 'light') or 'dark'}-{name}")
                assert overflow(seat) <= 0 and small_targets(seat) == [] and serious(seat) == []
                assert seat.find('[data-key="hands-done"]')
        free.tap("hands-done")
        for seat in (free, shadow):
            seat.until(lambda s=seat: not s.find("[data-deed]"), "the game goes on")
        free.size(*SIZES["wide"])
        free.tap("menu")
        free.tap("hands-line")
        free.until(lambda: free.find('[data-key="hands-line"][aria-pressed=true]'))
        assert not hall.hands_hold
    finally:
        for seat in devices:
            seat.leave()
        table.close()


def test_no_place_is_said_to_be_lit_where_none_is(tmp_path: Path, devices: list[Seat]) -> None:
    """The first deed of War of the Ring is a die that goes to the Hunt Box, beside the board."""
    table, chance, seat = (
        RunningTable(tmp_path, "war_of_the_ring", hands=LISTED),
        random.Random(4),
        devices[0],
    )
    hall = table.hall.table
    assert hall is not None
    try:
        with table.web.hub.lock:
            while not hall.hands_hold:
                assert hall.request is not None
                answer(hall, hall.request.sample(chance))
        assert not any(deed.places for deed in hall.hands("en"))
        seat.sit(table, "free", "en", SIZES["wide"])
        seat.until(lambda: seat.find("[data-deed]"), "what is to be done")
        assert "can be ticked" in seat.text("#ask") and "lit" not in seat.text("#ask")
    finally:
        seat.leave()
        table.close()
