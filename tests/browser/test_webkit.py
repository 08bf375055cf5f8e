"""The same pages in WebKitGTK, the engine nearest to the tablets' Safari: a short game from end to end.

Needs ``webkit2gtk-driver`` and ``xvfb``; skipped without them, which
``REFEREE_REQUIRE_BROWSER=1`` makes a failure.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from driving import Seat
from selenium import webdriver
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service
from tables import RunningTable

DRIVER = shutil.which("WebKitWebDriver")
XVFB = shutil.which("Xvfb")
MINIBROWSER = next(iter(sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), reverse=True)), None)
TOOLBAR = 38
"""Height of MiniBrowser's toolbar in pixels."""


class WebKitSeat(Seat):
    """A seat whose browser speaks no Chrome protocol: sizes are window sizes, its console is not read."""

    def size(self, width: int, height: int) -> None:
        self.driver.set_window_rect(0, 0, width, height + TOOLBAR)

    def theme(self, name: str) -> None:
        self.driver.execute_script("document.documentElement.dataset.theme = arguments[0]", name)

    def cdp(self, command: str, data: dict[str, Any]) -> Any:
        raise NotImplementedError(command)

    def problems(self) -> list[str]:
        return []


def missing() -> str:
    """What is not installed, in a sentence; "" where all is there."""
    lacking = [
        name for name, found in (("webkit2gtk-driver", DRIVER and MINIBROWSER), ("xvfb", XVFB)) if not found
    ]
    return f"not installed: {', '.join(lacking)} (scripts/system_packages.sh)" if lacking else ""


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """A screen that nobody sees."""
    why = missing()
    if why and os.environ.get("REFEREE_REQUIRE_BROWSER") == "1":
        pytest.fail(f"{why}, but REFEREE_REQUIRE_BROWSER=1")
    if why:
        pytest.skip(why)
    reader, writer = os.pipe()
    screen = subprocess.Popen(
        [str(XVFB), "-displayfd", str(writer), "-screen", "0", "1600x1400x24", "-nolisten", "tcp"],
        pass_fds=(writer,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    with os.fdopen(reader) as told:
        number = told.readline().strip()
    assert number, "Xvfb did not start"
    yield f":{number}"
    screen.terminate()
    screen.wait(10)


@pytest.fixture(scope="module")
def webkits(display: str) -> Iterator[list[WebKitSeat]]:
    """Two browsers with sessions of their own: two devices."""
    opened = [_open(display) for _ in range(2)]
    yield opened
    for seat in opened:
        seat.driver.quit()


def _open(display: str) -> WebKitSeat:
    options = Options()
    options.binary_location = str(MINIBROWSER)
    options.add_argument("--automation")
    environment = {**os.environ, "DISPLAY": display, "NO_AT_BRIDGE": "1", "GDK_BACKEND": "x11"}
    service = Service(executable_path=str(DRIVER), env=environment)
    with warnings.catch_warnings():
        # selenium's own driver for WebKitGTK still uses what selenium has deprecated
        warnings.filterwarnings("ignore", "setting remote_server_addr", DeprecationWarning)
        return WebKitSeat(webdriver.WebKitGTK(options=options, service=service))


def sit(table: RunningTable, webkits: list[WebKitSeat]) -> tuple[WebKitSeat, WebKitSeat]:
    """The first seat in German and wide, the second in English and tall."""
    names = list(table.game.seats)
    webkits[0].sit(table, names[0], "de", (1180, 820))
    webkits[1].sit(table, names[1], "en", (820, 1180))
    return webkits[0], webkits[1]


def play(seats: tuple[WebKitSeat, WebKitSeat], done: Callable[[], bool], seconds: float = 100.0) -> set[str]:
    """Both do the next sensible thing until ``done``; the kinds of taps that were needed."""
    kinds: set[str] = set()
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, seats[0].text("main")[-600:]
        did = [name for seat in seats if (name := seat.sensible())]
        kinds |= {name.split()[0].split("-")[0] for name in did}
        if not did:
            time.sleep(0.05)
    return kinds


def test_a_whole_game_in_webkit(table: RunningTable, webkits: list[WebKitSeat]) -> None:
    """Two devices, both languages, both orientations, a reload and a restart of the server."""
    seats = sit(table, webkits)

    def revision() -> int:
        assert table.hall.table is not None
        return table.hall.table.revision

    kinds = play(seats, lambda: revision() >= 6)
    seats[0].driver.refresh()
    seats[0].until(lambda: seats[0].find("#prompt") is not None)
    before = revision()
    table.stop()
    seats[1].until(lambda: seats[1].find("#lost:not([hidden])"), "the red bar")
    seats[1].shot("webkit-lost")
    table.start()
    for seat in seats:
        seat.until(lambda seat=seat: seat.find("#lost") is None, "the line")
    assert revision() == before
    kinds |= play(seats, lambda: table.hall.table is not None and table.hall.table.outcome is not None)
    assert {"place", "confirm", "throw", "accept"} <= kinds
    for seat, name in zip(seats, ("wide", "tall"), strict=True):
        seat.shot(f"webkit-toy-{name}")
        assert seat.ids_on_screen() == []


def test_five_armies_in_webkit(five_armies: Callable[..., RunningTable], webkits: list[WebKitSeat]) -> None:
    """The real game: its board, its first turn, explanations and the set-up pages."""
    table = five_armies()
    seats = sit(table, webkits)
    seats[0].until(lambda: seats[0].find("#learn:not([hidden])"), "the words for a first game")
    seats[0].shot("webkit-five-armies-learn")
    seats[0].tap("learn-off")
    play(seats, lambda: table.hall.table is not None and table.hall.table.revision >= 12)
    for seat, name in zip(seats, ("wide", "tall"), strict=True):
        seat.until(lambda seat=seat: seat.find("svg.board"), "the board")
        seat.shot(f"webkit-five-armies-{name}")
        assert seat.ids_on_screen() == []
    seats[1].tap("menu")
    seats[1].tap("menu-help")
    seats[1].until(lambda: seats[1].find("[data-help]"), "the explanations")
    seats[1].driver.get(f"{table.url}/setup")
    seats[1].until(lambda: len(seats[1].text("main")) > 100)
    seats[1].shot("webkit-setup")
