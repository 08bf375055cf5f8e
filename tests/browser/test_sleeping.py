"""Tablets that sleep, and screens kept from it: the page's own life cycle, Wake Lock, the table's HTTPS."""

from __future__ import annotations

import random
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from driving import ENGINES, Seat, open_browser
from flask import request
from served import Served
from tables import RunningTable, answer, free_port
from test_pages import SIZES
from wire import Wire

from web.context import RequestRefused

SHOWN = "return document.querySelector('#prompt')?.dataset.revision"
STREAMED = """
window.streamed = [];
window.EventSource = class extends window.EventSource {
  constructor(path) {
    super(path);
    this.addEventListener('state', (event) => window.streamed.push(JSON.parse(event.data).table.revision));
  }
};
"""
TELLING = """
window.woke = 0;
document.addEventListener('resume', () => { window.woke += 1; });
"""


@pytest.fixture(scope="module")
def chromiums(windowed: list[Seat]) -> list[Seat]:
    """Browsers with windows, since a page is hidden and shown here."""
    return windowed


def play_on(running: RunningTable, answers: int) -> str:
    """The others play on meanwhile; the revision after that."""
    table, chance = running.hall.table, random.Random(2)
    assert table is not None
    with running.web.hub.lock:
        for _ in range(answers):
            assert table.request is not None
            answer(table, table.request.sample(chance))
    return str(table.revision)


@pytest.mark.parametrize("line", ["kept", "lost"])
def test_after_sleep_the_right_state_is_there_by_itself(
    five_armies: Callable[..., RunningTable], devices: list[Seat], line: str
) -> None:
    """The browser freezes the page; the game goes on; no tap is needed when the page wakes."""
    running, seat = five_armies(until="choose_die", seed=1), devices[0]
    seat.expected = ["ERR_"]
    wire = Wire(running.port)
    try:
        running_by_wire = type("ByWire", (), {"url": wire.url})()
        seat.sit(running_by_wire, "shadow", "de", SIZES["tall"])
        seat.driver.execute_script(TELLING)
        before = seat.driver.execute_script(SHOWN)
        seat.cdp("Page.setWebLifecycleState", {"state": "frozen"})
        if line == "lost":
            wire.cut()
        now = play_on(running, 3)
        assert before != now and seat.driver.execute_script(SHOWN) == before, "it sleeps"
        if line == "lost":
            wire.mend()
        seat.cdp("Page.setWebLifecycleState", {"state": "active"})
        seat.until(lambda: seat.driver.execute_script(SHOWN) == now, "what happened meanwhile")
        assert seat.driver.execute_script("return window.woke") == 1, "it did sleep"
    finally:
        seat.leave()
        seat.seen_again()
        wire.close()


@pytest.mark.parametrize("devices", ENGINES, indirect=True)
def test_a_stream_that_died_without_goodbye_is_opened_anew(
    five_armies: Callable[..., RunningTable], devices: list[Seat]
) -> None:
    """After a power cut the old connection looks open for ever; asking now and then is no stream."""
    running, seat = five_armies(until="choose_die", seed=1), devices[0]
    wire = Wire(running.port)
    try:
        seat.sit(type("ByWire", (), {"url": wire.url})(), "shadow", "de", SIZES["tall"])
        seat.driver.execute_script(STREAMED)
        wire.forget()
        for _ in range(3):
            now = play_on(running, 1)
            seat.until(lambda now=now: seat.driver.execute_script(SHOWN) == now, "what happened")
        # however slow the machine: at most the first was asked for
        assert seat.driver.execute_script("return window.streamed.length"), "the stream told of the others"
    finally:
        seat.leave()
        wire.close()


HIDE = """
Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => arguments[0] });
document.dispatchEvent(new Event('visibilitychange'));
"""


def test_six_forgotten_tabs_took_all_connections_of_the_seventh(
    five_armies: Callable[..., RunningTable], devices: list[Seat]
) -> None:
    """A browser has six connections for a table: a hidden tab gives its stream back, and takes it up."""
    running, seat = five_armies(until="choose_die", seed=1), devices[0]
    streams = running.web.hub.streams
    seat.sit(running, "shadow", "de", SIZES["tall"])
    seat.until(lambda: len(streams()) == 1, "one stream")
    seat.driver.execute_script(HIDE.replace("arguments[0]", "'hidden'"))
    seat.until(lambda: not streams(), "given back")
    now = play_on(running, 1)
    seat.driver.execute_script(HIDE.replace("arguments[0]", "'visible'"))
    seat.until(lambda: seat.driver.execute_script(SHOWN) == now, "what happened meanwhile")
    seat.until(lambda: len(streams()) == 1, "taken up again")


@pytest.mark.parametrize("page", ["seat", "watch"])
def test_a_board_that_did_not_come_left_a_page_with_nothing_to_tap(
    five_armies: Callable[..., RunningTable], devices: list[Seat], page: str
) -> None:
    """The table was too busy for the board: the page asks again, though nothing happens meanwhile."""
    running, seat = five_armies(until="choose_die", seed=1), devices[0]
    seat.expected = ["429"]
    board, asked = running.app.view_functions["rules.board"], []

    def busy() -> object:
        asked.append(1)
        return board() if len(asked) > 2 else ({"error": {"code": "too_many", "sentence": "zu viel"}}, 429)

    running.app.view_functions["rules.board"] = busy
    if page == "seat":
        seat.sit(running, "shadow", "de", SIZES["tall"])
    else:
        seat.driver.get(f"{running.url}/watch")
    seat.until(lambda: seat.find(".hit[data-place]"), "the board")
    assert len(asked) == 3


def test_a_browser_that_cannot_read_the_scripts_says_so_in_a_sentence(
    five_armies: Callable[..., RunningTable], devices: list[Seat]
) -> None:
    """As an old engine does: one script of the page does not parse, so none of them runs."""
    running, seat = five_armies(until="choose_die", seed=1, port=free_port()), devices[0]
    seat.expected = ["SyntaxError"]
    versioned = running.app.view_functions["versioned"]

    def old(version: str, name: str) -> object:
        if name.endswith("boardnames.js"):
            return "export const x = /(?<-)/;", 200, {"Content-Type": "text/javascript"}
        return versioned(version=version, name=name)

    running.app.view_functions["versioned"] = old
    seat.driver.get(f"{running.url}/watch")
    seat.until(lambda: "zu alt" in seat.text("[data-too-old]") or "too old" in seat.text("[data-too-old]"))


def outside() -> str:
    """The address under which other devices reach this machine; "" where it has none.  Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(way.getsockname()[0])


@pytest.mark.parametrize("https", [True, False])
def test_the_screen_stays_on_by_the_tables_own_https_and_the_menu_says_so(
    tmp_path: Path, chromium: None, https: bool
) -> None:
    """From another device's address: by HTTPS the Wake Lock is held; without, the menu says what helps."""
    host = outside()
    if not host:
        pytest.skip("this machine has no address but its loopback")
    house = Served(tmp_path, "five_armies", https=https)
    seat = open_browser(tmp_path / "profile", trusting=https, windows=True)
    seat.expected = [] if https else ["Cross-Origin-Opener-Policy"]
    try:
        seat.size(*SIZES["wide"])
        # who still comes by the plain address is shown the way
        seat.driver.get(f"http://{host}:{house.port}/")
        seat.until(lambda: seat.find('[data-key="language-en"]'))
        assert seat.driver.current_url == f"{house.url_at(host)}/"
        if seat.language() != "en":
            seat.tap("language-en")
            seat.until(lambda: seat.language() == "en")
        seat.tap_on('[data-key^="sit-"]')
        seat.until(lambda: seat.find("#prompt"))
        assert seat.driver.execute_script("return isSecureContext") is https
        seat.tap("menu")
        wanted = "stays on during the game" if https else "by HTTPS only"
        seat.until(lambda: wanted in seat.text("#dialog"), "what keeps the screen on")
        seat.shot(f"awake-{'https' if https else 'http'}")
        assert seat.problems() == []
    finally:
        seat.driver.quit()
        house.close()


def test_a_screen_that_was_refused_its_board_stayed_without_one(
    table: RunningTable, devices: list[Seat]
) -> None:
    """It is asked for again, at a seat and on the big screen."""
    player, big = devices
    player.expected = big.expected = ["429"]
    board, asked = table.app.view_functions["rules.board"], []

    def refused_once() -> Any:
        asked.append(request.path)
        if len(asked) % 2:
            raise RequestRefused("too_many", 429)
        return board()

    table.app.view_functions["rules.board"] = refused_once
    player.sit(table, "white", "en", (1180, 820))
    player.until(lambda: player.find('.hit[data-place="east"]'), "the board at the seat")
    assert len(asked) == 2
    big.driver.get(f"{table.url}/watch")
    big.until(lambda: big.find("svg.board"), "the board on the big screen")
    assert len(asked) == 4
