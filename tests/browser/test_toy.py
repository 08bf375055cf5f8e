"""Two seats at a small game: a turn, reloads, tabs, loss of the line, a restart, dice, language, keyboard."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from driving import ENGINES, PATIENCE, Seat
from selenium.webdriver.common.keys import Keys
from tables import RunningTable
from wire import Wire

both_engines = pytest.mark.parametrize("devices", ENGINES, indirect=True)
"""What depends on the engine: touch, focus, streams, storage.  The table's part runs in Chromium only, and
reloads, two tabs and a server that is killed happen to a whole game in WebKit (``test_whole_game.py``)."""


def roll_and_accept(seat: Seat) -> None:
    seat.tap("throw")
    seat.tap("accept")


@both_engines
def test_a_turn_of_both_seats(table: RunningTable, devices: list[Seat]) -> None:
    white, black = devices
    white.sit_by_hand(table, "white", "de", (1180, 820))
    black.sit_by_hand(table, "black", "en", (820, 1180))
    assert white.prompt == "Wohin geht die Figur von Norden?"
    assert "North" in black.prompt and "Waiting for" in black.text("#ask")
    white.tap_place("south")
    assert "Ein Schritt" in white.text("[data-why]") and "S. 3" in white.text("[data-why]")
    white.shot("toy-why-not")
    white.tap_place("east")
    white.tap("more-men")
    white.tap("more-men")
    white.tap("confirm")
    white.tap("throw")
    white.until(lambda: white.find("[data-tray]"))
    black.until(lambda: black.find("[data-tray]"))
    white.shot("toy-dice-wide")
    black.shot("toy-dice-tall")
    white.tap("accept")
    black.until(lambda: black.find(".mine"))
    black.tap_place("west")
    black.tap("more-elves")
    black.tap("confirm")
    roll_and_accept(black)
    white.until(lambda: white.prompt == "Wohin geht die Figur von Osten?")
    assert "Weiß" in white.text("#seats") or "white" in white.text("#seats")


def test_back_at_every_stage(seats: tuple[Seat, Seat], table: RunningTable) -> None:
    white, _ = seats
    first = white.prompt
    white.tap_place("east")
    white.until(lambda: white.prompt == "Wie viele Marken?")
    white.tap("back")
    white.until(lambda: white.prompt == first)
    white.tap_place("west")
    white.until(lambda: white.prompt == "Wie viele Marken?")
    white.tap("step-0")
    white.until(lambda: white.prompt == first)
    assert table.hall.table is not None and table.hall.table.revision == 0


def test_reload_at_every_step(seats: tuple[Seat, Seat]) -> None:
    white, black = seats

    def reload() -> None:
        for seat in seats:
            before = seat.prompt
            seat.driver.refresh()
            seat.until(lambda: seat.prompt == before)  # noqa: B023  (called at once)

    reload()
    white.tap_place("east")
    white.until(lambda: white.prompt == "Wie viele Marken?")
    white.driver.refresh()
    white.until(lambda: white.prompt == "Wohin geht die Figur von Norden?")
    white.tap_place("east")
    white.tap("more-men")
    white.tap("confirm")
    white.until(lambda: white.prompt == "Bitte würfeln.")
    reload()
    white.tap("throw")
    white.until(lambda: white.find("[data-tray]"))
    reload()
    white.until(lambda: white.find("[data-tray]"))
    white.tap("accept")
    black.until(lambda: black.find(".mine"))
    reload()


def test_two_tabs_of_one_seat(table: RunningTable, seats: tuple[Seat, Seat]) -> None:
    white, _ = seats
    first = white.driver.current_window_handle
    white.driver.switch_to.new_window("tab")
    white.driver.get(f"{table.url}/seat/white")
    white.until(lambda: white.prompt)
    second = white.driver.current_window_handle
    white.tap_place("east")
    white.until(lambda: white.prompt == "Wie viele Marken?")
    white.driver.switch_to.window(first)
    white.tap_place("west")
    white.tap("more-men")
    white.tap("confirm")
    white.until(lambda: white.prompt == "Bitte würfeln.")
    white.driver.switch_to.window(second)
    white.until(lambda: white.prompt == "Bitte würfeln.")
    assert table.hall.table is not None
    assert table.hall.table.view(None, "en")["places"]["west"]["owner"] == "white"


def test_a_stale_tap_is_refused_and_the_screen_refreshed(table: RunningTable, devices: list[Seat]) -> None:
    """What the table says does not arrive, but the tap does: it belongs to a question that is gone."""
    white = devices[0]
    white.expected = ["409", "held"]
    white.sit(table, "white", "de", (1180, 820))
    white.tap_place("east")
    white.until(lambda: white.prompt == "Wie viele Marken?")
    white.tap("more-men")
    white.until(lambda: white.find('[data-key="confirm"]:not(:disabled)'))
    white.driver.execute_script(
        "window.holdStates = true;"
        "const add = window.JSON.parse; window.JSON.parse = (text) => {"
        "if (window.holdStates && text.includes('\"boot\"')) throw new Error('held'); return add(text); };"
        "window.addEventListener('error', (e) => { if (e.message.includes('held')) e.preventDefault(); });"
    )
    assert table.hall.table is not None
    table.hall.table.answer("white", "west", revision=0)
    assert white.prompt == "Wie viele Marken?"
    white.tap("confirm")
    white.until(lambda: "weiter" in white.text("#say"))
    assert table.hall.table.revision == 1
    assert table.hall.table.view(None, "en")["places"]["west"]["owner"] == "white"
    white.driver.execute_script("window.holdStates = false")
    white.until(lambda: not white.text(".trail"))


CLOCK = """
const real = Date.now;
let [at, from] = [real(), null];
Date.now = () => at + (from === null ? 0 : real() - from);
window.clock = { ahead: (ms) => { at += ms; }, run: () => { from = real(); } };
"""
"""The page's clock stands still; ``clock.ahead(ms)`` puts it forward, ``clock.run()`` lets it go on."""


@both_engines
def test_a_lost_line_is_red_within_five_seconds_and_comes_back(
    table: RunningTable, devices: list[Seat]
) -> None:
    """Five seconds by the page's own clock, however busy this machine is."""
    white, black = devices
    wire = Wire(table.port)
    white.sit(wire, "white", "de", (1180, 820))
    black.sit(table, "black", "en", (820, 1180))
    white.expected = ["ERR_", "Failed to load resource"]
    assert white.find("#lost") is None
    wire.cut()
    white.driver.execute_script(CLOCK)
    white.driver.execute_script("clock.ahead(5000)")
    white.until(lambda: white.find("#lost"))
    white.driver.execute_script("clock.run()")
    assert "Keine Verbindung" in white.text("#lost")
    white.shot("line-lost")
    assert table.hall.table is not None
    table.hall.table.answer("white", "east", revision=0)
    assert white.prompt == "Wohin geht die Figur von Norden?"
    white.tap("again")
    wire.mend()
    white.until(lambda: white.find("#lost") is None)
    assert white.prompt == "Wie viele Marken?"
    wire.close()


def test_the_server_is_killed_and_started_again(table: RunningTable, seats: tuple[Seat, Seat]) -> None:
    white, black = seats
    for seat in seats:
        seat.expected = ["ERR_", "Failed to load resource"]
    white.tap_place("east")
    white.tap("more-men")
    white.tap("confirm")
    white.until(lambda: white.prompt == "Bitte würfeln.")
    table.stop()
    white.until(lambda: white.find("#lost"))
    table.start()
    for seat in seats:
        seat.until(lambda: seat.find("#lost") is None)  # noqa: B023  (called at once)
    assert white.prompt == "Bitte würfeln."
    roll_and_accept(white)
    black.until(lambda: black.find(".mine"))


def test_a_die_is_corrected_with_two_taps(table: RunningTable, seats: tuple[Seat, Seat]) -> None:
    white, _ = seats
    table.hall.dice.script = [("refused",), ("unknown", 0)]
    white.tap_place("east")
    white.tap("more-men")
    white.tap("confirm")
    white.tap("throw")
    white.until(lambda: white.find("[data-tray]"))
    points = "return document.querySelector('.photo [data-why=dark]').getAttribute('points')"
    assert white.driver.execute_script(points) == "500,300 700,300 700,500 500,500", (
        "where it is stands in the picture"
    )
    white.shot("dice-refused")
    white.tap("throw")
    white.until(lambda: white.find("[data-die]"))
    assert not white.find("[data-why]"), "a die has its own mark"
    assert "Ein Würfel ist nicht klar." in white.text("#ask")
    assert white.find('[data-key="accept"]:disabled')
    white.taps = 0
    white.tap_on('[data-die="0"]')
    white.until(
        lambda: white.find('[data-tray] [data-die="0"] .picked'), "the die in question, in the picture"
    )
    white.shot("dice-correct")
    right = table.hall.dice.thrown["pip"][0]
    likeliest = white.driver.execute_script(
        "return document.querySelector('[data-picker] [data-face]').dataset.face"
    )
    assert likeliest == right
    white.tap_on(f'[data-picker] [data-face="{right}"]')
    assert white.taps == 2
    white.tap("accept")
    white.until(lambda: white.find(".mine") is None)
    assert table.hall.table is not None
    assert table.hall.table.events()[-1].answer["pip"] == [right]


def test_a_roll_is_photographed_by_the_devices_own_camera(
    table: RunningTable, seats: tuple[Seat, Seat], tmp_path: Path
) -> None:
    white, _ = seats
    table.hall.dice.virtual = False
    grain = np.random.default_rng(1).integers(0, 256, (1300, 2600, 3), dtype=np.uint8)
    cv2.imwrite(str(tmp_path / "roll.png"), cv2.GaussianBlur(grain, (0, 0), 2))
    white.tap_place("east")
    white.tap("more-men")
    white.tap("confirm")
    white.until(lambda: white.find('[data-key="photograph"]'))
    white.shot("dice-photograph")
    white.driver.find_element("css selector", "[data-key=file]").send_keys(str(tmp_path / "roll.png"))
    white.until(lambda: white.find("[data-tray]"))
    sent = cv2.imdecode(np.frombuffer(table.hall.dice.photographs[0], np.uint8), cv2.IMREAD_COLOR)
    assert sent is not None and sent.shape == (960, 1920, 3), "made smaller before it is sent"
    white.until(lambda: white.find('[data-key="photograph"]:enabled'))
    white.tap("accept")
    white.until(lambda: white.find(".mine") is None)


def test_dice_are_typed_in(table: RunningTable, seats: tuple[Seat, Seat]) -> None:
    white, _ = seats
    white.tap_place("east")
    white.tap("more-men")
    white.tap("confirm")
    white.tap("manual")
    white.shot("dice-typed")
    white.tap("type-pip-6")
    white.tap("type-sign-moon")
    white.tap("accept")
    white.until(lambda: white.find(".mine") is None)
    assert table.hall.table is not None
    assert table.hall.table.events()[-1].evidence == {"manual": True}


@both_engines
def test_a_whole_turn_by_keyboard_alone(table: RunningTable, seats: tuple[Seat, Seat]) -> None:
    white, black = seats
    active = "return document.activeElement.dataset.key || document.activeElement.id"

    def tab_to(key: str) -> None:
        for _ in range(60):
            now = white.driver.execute_script(active)
            if now == key or (key == "p-" and now.startswith(key)):  # the board is one stop
                return
            white.press(Keys.TAB)
        raise AssertionError(f"{key} cannot be reached by keyboard")

    def press(key: str, with_key: str = Keys.ENTER) -> None:
        white.until(lambda: white.find(f'[data-key="{key}"]:not(:disabled)'), key)
        tab_to(key)
        white.press(with_key)

    tab_to("p-")
    for arrow in (Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_LEFT, Keys.ARROW_UP) * 3:
        if white.driver.execute_script(active) == "p-east":
            break
        white.press(arrow)
    press("p-east")
    white.until(lambda: white.prompt == "Wie viele Marken?")
    press("more-men", Keys.SPACE)
    press("confirm")
    white.until(lambda: white.prompt == "Bitte würfeln.")
    press("throw")
    white.until(lambda: white.find("[data-tray]"))
    press("accept", Keys.SPACE)
    black.until(lambda: black.find(".mine"), "the other side's turn")


ASKED = "return document.querySelector('#prompt')?.dataset.revision"


@both_engines
def test_one_tablet_passed_around_with_a_curtain(table: RunningTable, devices: list[Seat]) -> None:
    tablet = devices[0]
    tablet.sit(table, "white", "de", (820, 1180))
    tablet.driver.get(table.url)
    tablet.tap("sit-black")
    tablet.until(lambda: tablet.find("#prompt"))
    curtains = 0
    end = time.monotonic() + 4 * PATIENCE

    def turn() -> int:
        assert table.hall.table is not None
        return int(table.hall.table.play.state.turn)

    while turn() < 4 and time.monotonic() < end:
        if tablet.find('[data-key="curtain"]'):
            curtains += 1
            tablet.shot("curtain")
            tablet.tap("curtain")
            tablet.tap_on('[data-option="rock"]')
            asked = tablet.driver.execute_script(ASKED)
            tablet.tap("confirm")
            # what was chosen last may be told by the next question alone: it may be this seat's own
            tablet.until(lambda: tablet.driver.execute_script(ASKED) != asked)  # noqa: B023  (called at once)
        elif tablet.find('[data-key="pass-on"]'):
            tablet.tap("pass-on")
            tablet.until(lambda: tablet.find("#prompt"))
        else:
            curtains += tablet.sensible() == "curtain"
            time.sleep(0.02)
    assert turn() >= 4
    assert curtains == 2


def test_taking_back_with_consent_and_objecting(table: RunningTable, seats: tuple[Seat, Seat]) -> None:
    white, black = seats
    white.tap_place("east")
    white.tap("more-men")
    white.tap("confirm")
    roll_and_accept(white)
    black.until(lambda: black.find(".mine"))
    white.tap("menu")
    white.shot("menu")
    white.tap("menu-undo")
    assert "zustimmen" in white.text("#dialog") and white.find("#dialog [data-step]"), "what is undone"
    white.tap("undo-now")
    black.until(lambda: black.find('[data-key="consent-yes"]'))
    black.shot("consent")
    black.tap("consent-yes")
    white.until(lambda: white.prompt == "Bitte würfeln.")
    black.tap("menu")
    black.tap("menu-wait")
    black.driver.execute_script(
        "document.querySelector('[data-key=objection-text]').value = arguments[0]", "<b>Halt!</b>"
    )
    black.tap("object-now")
    white.until(lambda: "<b>Halt!</b>" in white.text("#ask"))
    white.shot("objection")
    black.tap("withdraw")
    white.until(lambda: white.prompt == "Bitte würfeln.")


def test_a_seat_moves_to_another_device_when_its_holder_agrees(
    table: RunningTable, devices: list[Seat]
) -> None:
    first, second = devices
    second.expected = ["403"]
    first.expected = ["403"]
    first.sit(table, "white", "de", (1180, 820))
    second.size(820, 1180)
    second.driver.get(table.url)
    second.tap("sit-white")
    first.until(lambda: first.find('[data-key="handover-yes"]'))
    first.shot("handover")
    first.tap("handover-yes")
    second.until(lambda: second.find("#prompt"))
    first.until(lambda: first.find("#lost"))
    assert "anderen Gerät" in first.text("#lost")


def test_a_wish_for_a_seat_goes_with_the_device_that_asked(table: RunningTable, devices: list[Seat]) -> None:
    first, second = devices
    first.sit(table, "white", "de", (1180, 820))
    second.size(820, 1180)
    second.driver.get(table.url)
    second.tap("sit-white")
    first.until(lambda: first.find('[data-key="handover-yes"]'))
    second.driver.get("about:blank")
    first.until(lambda: not first.find('[data-key="handover-yes"]'), "nobody asks any more")
    assert not first.driver.execute_script("return document.querySelector('#dialog').open")


def test_joining_by_link(table: RunningTable, devices: list[Seat]) -> None:
    first, second = devices
    first.expected = ["403"]
    first.sit(table, "white", "de", (1180, 820))
    first.tap("menu")
    first.tap("menu-link")
    first.until(lambda: first.find("#dialog [data-url]"))
    first.shot("link-qr")
    url = first.text("#dialog [data-url]")
    first.driver.get("about:blank")
    second.driver.get(url)
    second.tap("join")
    second.until(lambda: second.find("#prompt"))
    assert "#" not in second.driver.current_url
