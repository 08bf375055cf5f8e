"""The Battle of Five Armies in two browsers: taps counted, both languages, both sizes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from driving import Seat
from flask import request
from tables import RunningTable
from test_pages import CUT_OFF
from wire import Wire

from referee.kernel.naming import namer

Start = Callable[..., RunningTable]


def sit_down(table: RunningTable, devices: list[Seat]) -> tuple[Seat, Seat]:
    free, shadow = devices
    free.sit(table, "free", "de", (1180, 820))
    shadow.theme("dark")
    shadow.sit(table, "shadow", "en", (820, 1180))
    return free, shadow


def confirmed(seat: Seat) -> None:
    seat.tap("confirm")
    seat.until(lambda: seat.find(".mine") is None or seat.find('[data-key="back"]') is None)


def options_of(seat: Seat) -> list[str]:
    return list(
        seat.driver.execute_script(
            "return [...document.querySelectorAll('#ask .option:not(.refused)')].map((e) => e.dataset.option)"
        )
    )


def places_of(seat: Seat) -> list[str]:
    return list(
        seat.driver.execute_script(
            "return [...document.querySelectorAll('.hit.can')].map((e) => e.dataset.place)"
        )
    )


def test_two_whole_armies_move_in_six_taps(five_armies: Start, devices: list[Seat]) -> None:
    table = five_armies(until="choose_die", seed=2)
    seat = _until_strategic(table, devices)
    seat.taps = 0
    move = next(one for one in options_of(seat) if one.endswith("/strategic_move"))
    seat.tap_on(f'[data-option="{move}"]')
    seat.until(lambda: seat.find("#ask .hint"))
    for _ in range(2):
        _tap_a_place(seat)
        _tap_a_place(seat)
    seat.shot("five-two-armies")
    confirmed(seat)
    assert seat.taps <= 6, seat.taps


def _tap_a_place(seat: Seat) -> None:
    """Tap the first place that may be chosen, and wait for what follows."""
    seat.until(lambda: places_of(seat))
    before = seat.text("#ask .body")
    seat.tap_place(places_of(seat)[0])
    seat.until(lambda: seat.text("#ask .body") != before and not seat.find("#ask button.option:disabled"))


def _until_strategic(table: RunningTable, devices: list[Seat]) -> Seat:
    free, shadow = sit_down(table, devices)
    for _ in range(60):
        for seat in (free, shadow):
            if seat.find(".mine") and any(
                one.endswith("/strategic_move") for one in map(str, options_of(seat))
            ):
                return seat
            seat.sensible()
    raise AssertionError("no strategic move was possible")


def test_accepting_a_good_reading_takes_one_tap(five_armies: Start, devices: list[Seat]) -> None:
    table = five_armies(until="roll_action_dice", seed=1)
    free, shadow = sit_down(table, devices)
    seat = free if free.find(".mine") else shadow
    seat.tap("throw")
    seat.until(lambda: seat.find("[data-tray]"))
    before: Any = table.hall.table.revision if table.hall.table else 0
    seat.taps = 0
    seat.tap("accept")
    seat.until(lambda: table.hall.table is not None and table.hall.table.revision > before)
    assert seat.taps == 1


def test_a_die_of_another_roll_was_called_by_its_id(five_armies: Start, devices: list[Seat]) -> None:
    table = five_armies(until="roll_action_dice", seed=1)
    free, shadow = sit_down(table, devices)
    seat = free if free.find(".mine") else shadow
    table.hall.dice.script = [("foreign", 0, "combat_white", "5")]
    seat.tap("throw")
    seat.until(lambda: seat.find("[data-tray]"))
    name = {"de": "weißer Kampfwürfel", "en": "white combat die"}[seat.language()]
    seat.until(lambda: name in seat.text("#ask"), "its name")
    assert seat.ids_on_screen() == [] and free.ids_on_screen() == [] and shadow.ids_on_screen() == []


def test_a_die_of_the_other_side_shows_the_face_that_was_read(
    five_armies: Start, devices: list[Seat]
) -> None:
    """This roll has no words for its faces: they come with the reading."""
    table = five_armies(until="roll_action_dice", seed=1)
    free, shadow = sit_down(table, devices)
    seat, foreign, face = (
        (free, "shadow_action", "lidless_eye")
        if free.find(".mine")
        else (shadow, "free_action", "will_of_the_west")
    )
    table.hall.dice.script = [("foreign", 0, foreign, face)]
    seat.tap("throw")
    seat.until(lambda: seat.find("[data-tray]"))
    words = namer(table.game, seat.language()).face(foreign, face)
    seat.until(lambda: seat.find('[data-key="slot-0"]'), "the die")
    assert words in seat.find('[data-key="slot-0"]').get_attribute("aria-label")


def test_a_combat_with_secret_cards_and_dice(five_armies: Start, devices: list[Seat]) -> None:
    table = five_armies(until="manoeuvre_both", seed=1)
    free, shadow = sit_down(table, devices)
    for seat, name in ((free, "wide"), (shadow, "tall")):
        assert seat.find("[data-focus]")
        seat.shot(f"five-combat-{name}")
        assert seat.driver.execute_script(CUT_OFF) == [], "names stay in their buttons"
    for seat in (free, shadow):
        seat.taps = 0
        seat.tap_on("#ask .option:not(.refused)")
        assert seat.taps == 1, "a card that is laid needs no second tap"
    hall = table.hall.table
    assert hall is not None
    for seat in (free, shadow):
        seat.until(lambda: hall.request.kind != "choose_secretly")
    seats = {"free": free, "shadow": shadow}
    for _ in seats:  # each throws its dice into the tray and accepts what was read
        request = hall.request
        assert request is not None and request.kind == "roll_dice"
        before = hall.revision
        with table.web.hub.lock:
            table.hall.dice.throw()
        seats[request.seat].tap("accept")
        # called at once; the revision counts up a moment before the next question is there
        seats[request.seat].until(lambda: hall.revision > before and hall.request is not request)  # noqa: B023
    assert [seat.taps for seat in seats.values()] == [2, 2]
    free.shot("five-combat-later-wide")
    shadow.shot("five-combat-later-tall")


def test_a_line_lost_while_the_board_loads_shows_no_half_position(
    five_armies: Start, devices: list[Seat]
) -> None:
    """The snapshot came, the board did not, the line broke: nothing is drawn of it, and all of it later."""
    table = five_armies(until="casualties", seed=1)
    assert table.hall.table is not None and table.hall.table.request is not None
    wire, seat = Wire(table.port), devices[0]
    seat.sit(wire, table.hall.table.request.seat, "en", (1180, 820))
    seat.expected = ["ERR_", "Failed to load resource"]
    prompt = seat.prompt
    asked, may = threading.Event(), threading.Event()

    def hold_the_board() -> None:
        if request.path == "/api/board":
            asked.set()
            may.wait(20)

    table.app.before_request_funcs.setdefault(None, []).insert(0, hold_the_board)
    seat.driver.refresh()
    assert asked.wait(10)
    wire.cut()
    seat.until(lambda: seat.find("#lost"), "the red bar")
    assert seat.find("#prompt") is None
    may.set()
    wire.mend()
    seat.until(lambda: seat.find("#prompt") and seat.prompt == prompt, "the question")
    wire.close()


def test_groups_of_the_set_up_are_tapped_where_they_stand(five_armies: Start, devices: list[Seat]) -> None:
    table, seat = five_armies(), devices[0]
    seat.sit(table, "free", "en", (1180, 820))
    seat.until(lambda: seat.find('.hit.can[data-place="lower_slopes"]'), "the groups on the board")
    shown = [one for one in seat.driver.find_elements("css selector", "#ask .option") if one.is_displayed()]
    assert [one.text for one in shown] == ["All is right"]
    seat.tap_place("lower_slopes")
    seat.until(lambda: len(seat.driver.find_elements("css selector", ".hit.can")) > 10, "where it may go")
    assert seat.find('.hit.chosen[data-place="lower_slopes"]')
    assert "Group 10" in seat.text("#ask .trail")
    seat.tap_place("camp")
    seat.until(lambda: seat.find('#ask [data-option="ready"]'), "the question again, that group moved")
    drawn = str(seat.find("[data-stack=camp]").get_attribute("innerHTML"))
    assert "#sign-high-shot" in drawn and ">2<" in drawn, "two archers stand there"
