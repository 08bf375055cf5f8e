"""A table on a free port and browsers to sit down at it.  Tests whose browser is missing are skipped;
``REFEREE_REQUIRE_BROWSER=1`` makes that a failure."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "web"))
sys.path.insert(0, str(Path(__file__).parent.parent))

import webkit
from driving import CHROMIUM, Seat, open_browser
from tables import BEFORE_CLOSING, KEPT, RunningTable


def need(why: str) -> None:
    """Skips, or fails where browsers are required."""
    if why and os.environ.get("REFEREE_REQUIRE_BROWSER") == "1":
        pytest.fail(f"{why}, but REFEREE_REQUIRE_BROWSER=1")
    if why:
        pytest.skip(why)


@pytest.fixture(scope="session")
def chromium() -> None:
    """Skips (or fails) where there is no Chromium."""
    need("" if CHROMIUM is not None else "no Chromium here (apt-get install chromium chromium-driver)")


@contextmanager
def two_chromiums(folders: pytest.TempPathFactory, windows: bool = False) -> Iterator[list[Seat]]:
    """Two browsers with profiles of their own: two devices."""
    opened = [open_browser(folders.mktemp("profile"), windows=windows) for _ in range(2)]
    yield opened
    for seat in opened:
        seat.driver.quit()


@pytest.fixture(scope="session")
def chromiums(chromium: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Seat]]:
    """Two devices."""
    with two_chromiums(tmp_path_factory) as opened:
        yield opened


@pytest.fixture(scope="module")
def windowed(chromium: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Seat]]:
    """Two devices for a module whose pages are put to sleep."""
    with two_chromiums(tmp_path_factory, windows=True) as opened:
        yield opened


@pytest.fixture(scope="session")
def webkits(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Seat]]:
    """Two WebKit browsers with sessions of their own."""
    need(webkit.missing())
    with webkit.screen() as display:
        opened = [webkit.open_webkit(display, tmp_path_factory.mktemp("desktop")) for _ in range(2)]
        yield list[Seat](opened)
        for seat in opened:
            seat.quit()


@pytest.fixture(autouse=True)
def ports(request: pytest.FixtureRequest) -> Iterator[None]:
    """WebKit cannot be told to forget what a page stored: its tables listen where none did before."""
    kept = KEPT[:]
    if "webkit" in request.node.name or "webkits" in request.fixturenames:
        KEPT.clear()
    yield
    KEPT[:] = kept or KEPT


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RunningTable]:
    """A running toy game."""
    running = RunningTable(tmp_path, "toy")
    yield running
    running.close()


FAILED = pytest.StashKey[bool]()
"""Whether a test failed, told to the fixtures that end after it."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note a failure where the fixtures find it."""
    report = yield
    item.stash[FAILED] = report.failed
    return report


@pytest.fixture
def devices(request: pytest.FixtureRequest) -> Iterator[list[Seat]]:
    """Two browsers, empty; whatever they print on their consoles fails the test.

    They prefer reduced motion; tests of what moves say otherwise (``moving``).
    Tests of the end-to-end suite name the engine (``parametrize("devices", ENGINES, indirect=True)``).
    """
    browsers: list[Seat] = request.getfixturevalue(f"{getattr(request, 'param', 'chromium')}s")
    for device in browsers:
        device.forget()
        device.still()
    problems: list[str] = []

    def leave() -> None:
        for device in browsers:
            if isinstance(device, webkit.WebKitSeat):
                device.suspect = request.node.stash.get(FAILED, False)
            problems.extend(device.problems())
            device.leave()

    BEFORE_CLOSING.append(leave)
    yield browsers
    BEFORE_CLOSING.remove(leave)
    leave()
    assert problems == []


@pytest.fixture
def moving(devices: list[Seat]) -> None:
    """Devices on which the lights move, as most do."""
    for device in devices:
        device.still(False)


@pytest.fixture
def seats(table: RunningTable, devices: list[Seat]) -> tuple[Seat, Seat]:
    """Two devices sitting at the toy game: white in German, wide; black in English, tall."""
    first, second = devices
    first.sit(table, "white", "de", (1180, 820))
    second.sit(table, "black", "en", (820, 1180))
    return first, second


@pytest.fixture
def five_armies(tmp_path: Path) -> Iterator[Callable[..., RunningTable]]:
    """Starts Five Armies; skipped where that game is not installed."""
    opened: list[RunningTable] = []

    def start(**options: object) -> RunningTable:
        opened.append(RunningTable(tmp_path, "five_armies", **options))
        return opened[-1]

    yield start
    for one in opened:
        one.close()
