"""A whole game of Five Armies from the first question to the confirmed result; the end of one in WebKit.

Two devices (German and wide, English and tall) play at the real house with its virtual tray, while pages are
reloaded, the server is killed, a second tab is opened and the network grows slow; and one tablet that is
passed around finishes a game.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from driving import Seat
from served import Served
from tables import RunningTable, play_nearly
from wire import Wire

from referee.kernel.requests import ChooseSecretly

GAME = "five_armies"
REAL_PAUSE_MS = 60
"""Rest after each tap at the real house: it takes 15 taps a second of one device for long, not more."""
A_GAME_S = 280.0
LONG = 600
"""Answers after which a game has gone on long enough."""
HURRY = ("skip", "pass")
DICE_TOO = {"place", "option", "confirm", "throw", "accept"}  # what a whole game is played with
WIDE, TALL = (1180, 820), (820, 1180)
STATE = """
const done = arguments[arguments.length - 1];
const found = ({ table }) => done([table.revision, Boolean(table.outcome), table.ask?.key ?? '']);
fetch(`/api/seat/${document.body.dataset.seat}/state`)
  .then((answer) => answer.json()).then(found, () => done([-1, false, '']));
"""


class Match:
    """Two devices in play, and what happens to them."""

    def __init__(self, house: Served | RunningTable, free: Seat, shadow: Seat, pause_ms: int) -> None:
        self.house = house
        self.pause_ms = pause_ms
        self.seats = (free, shadow)
        self.wire = Wire(house.port)
        self.tapped: set[str] = set()
        self.phases: set[str] = set()
        """What the screens called the phases that were seen, in both languages."""
        self.seed = 11
        self.plans: tuple[Sequence[str], Sequence[str]] = ((), ())
        """What each seat prefers where it has the choice."""

    def hands(self, *seats: Seat) -> None:
        """Let these (or both) play on."""
        for seat in seats or self.seats:
            self.seed += 1
            seat.driver.execute_script(
                "window.playerPrefers = arguments[0]", self.plans[self.seats.index(seat)]
            )
            seat.play_on(self.seed, self.pause_ms)

    def state(self) -> tuple[int, bool, str]:
        """Revision, whether the game is over, the key of the first seat's question."""
        found: Any = self.seats[0].driver.execute_async_script(STATE)
        return int(found[0]), bool(found[1]), str(found[2])

    def until(self, revision: int, seconds: float = A_GAME_S) -> bool:
        """Wait until that revision or the end, while no screen shows an id; True where the game goes on."""
        end = time.monotonic() + seconds
        while True:
            now, over, _ = self.state()
            for seat in self.seats:
                assert seat.ids_on_screen() == []
                self.phases.add(seat.text(".bar .phase"))
            if over or now >= revision:
                return not over
            asked = " | ".join(seat.text("#ask")[:200] for seat in self.seats)
            assert time.monotonic() < end, f"at {now}: {asked}"
            time.sleep(0.2)

    def note(self, seat: Seat) -> None:
        """Remember which kinds of taps were needed."""
        self.tapped |= set(seat.played())

    def reload(self, seat: Seat) -> None:
        """Reload in the middle of whatever is asked: the same question is there again."""
        for one in self.seats:
            one.rest()
        self.note(seat)
        before = self.state()
        seat.driver.refresh()
        seat.until(lambda: seat.find("#prompt"), "a question")
        assert self.state() == before
        self.hands()

    def kill(self) -> None:
        """Kill the server in the middle of play: both screens say so, and all is there again."""
        for one in self.seats:
            one.expected = ["ERR_", "Failed to load resource", "net::"]
            one.rest()
        before = self.state()
        self.house.kill()
        for one in self.seats:
            one.until(lambda one=one: one.find("#lost:not([hidden])"), "the red bar")
        self.house.start()
        for one in self.seats:
            one.until(lambda one=one: one.find("#lost") is None, "the line")
        assert self.state()[:2] == before[:2]
        self.hands()

    def two_tabs(self, seat: Seat, steps: int) -> None:
        """The same seat in two tabs, hands in both, then one is closed."""
        seat.expected = ["409", "Failed to load resource"]
        first = seat.driver.current_window_handle
        url = seat.driver.current_url
        seat.driver.switch_to.new_window("tab")
        seat.driver.get(url)
        seat.until(lambda: seat.find("#prompt"), "the second tab")
        self.hands(seat)
        self.until(self.state()[0] + steps)
        seat.rest()
        seat.driver.close()
        seat.driver.switch_to.window(first)

    def bring_near_the_end(self, house: Served | RunningTable) -> None:
        """Hands that do anything may go on for thousands of answers (the book has no last turn): the table
        answers by itself, and leaves them the last few."""
        assert isinstance(house, RunningTable) and house.hall.table is not None
        while True:
            for one in self.seats:
                one.rest()
            if not isinstance(house.hall.table.request, ChooseSecretly):
                break  # else one of them may have chosen already
            self.hands()
            time.sleep(0.2)
        with house.web.hub.lock:
            if house.hall.table.request is not None:
                play_nearly(house.hall.table, random.Random(self.seed), 8)
        self.hands()

    def sit(self) -> None:
        """German, wide and by day; English, tall and in the evening, by a network that can grow slow."""
        free, shadow = self.seats
        free.sit_by_hand(self.house, "free", "de", WIDE)
        shadow.theme("dark")
        shadow.sit_by_hand(self.wire, "shadow", "en", TALL)

    def look(self, name: str) -> None:
        """Pictures of both screens; no id on either."""
        for seat, size in zip(self.seats, ("wide", "tall"), strict=True):
            seat.shot(f"whole-{seat.engine}-{name}-{size}")
            assert seat.ids_on_screen() == []

    def confirm(self) -> None:
        """Both seats confirm the result; then nobody is asked any more."""
        for seat in self.seats:
            self.note(seat)
            seat.until(lambda seat=seat: seat.find('[data-key="confirm-result"]'), "the result")
        self.look("over")
        for seat in self.seats:
            seat.tap("confirm-result")
            seat.until(lambda seat=seat: seat.find('[data-key="confirm-result"]') is None, "the end")
        assert not any(seat.find(".mine") for seat in self.seats)
        self.wire.close()


@pytest.mark.timeout(700)
@pytest.mark.parametrize(
    ("devices", "short_of_the_end"), [("chromium", 0), ("webkit", 90)], indirect=["devices"]
)
def test_a_whole_game(
    five_armies: Callable[..., RunningTable], devices: list[Seat], short_of_the_end: int
) -> None:
    """From the first question in Chromium; the last third, with all that happens to it, in WebKit too."""
    match = Match(five_armies(short_of_the_end=short_of_the_end, seed=3), devices[0], devices[1], 5)
    match.sit()
    begun = match.state()[0]
    match.hands()
    free, shadow = match.seats
    happenings: list[tuple[int, Callable[[], None]]] = [
        (12, lambda: match.reload(free)),
        (30, lambda: match.reload(shadow)),
        (45, match.kill),
        (60, lambda: match.two_tabs(free, 15)),
        (85, lambda: setattr(match.wire, "delay", 0.04)),
        (105, lambda: setattr(match.wire, "delay", 0.0)),
        (130, lambda: match.reload(free)),
        (170, match.kill),
        (230, lambda: match.reload(shadow)),
    ]
    often = 3 if short_of_the_end else 1
    wanted = {"place", "option", "confirm"} if short_of_the_end else DICE_TOO
    for revision, happens in happenings:
        if not match.until(begun + revision // often):
            break
        happens()
        match.look(f"{revision:03d}")
    else:
        wanted = DICE_TOO  # a last third that a lucky attack ends early may have no dice
    # everything has happened: the rest of the game is as short as it may be, where it so comes to an end
    usual, match.plans = match.plans, (HURRY, HURRY)
    match.hands()
    if match.until(match.state()[0] + 300):
        match.plans = usual
        match.hands()
        while match.until(match.state()[0] + LONG):
            match.bring_near_the_end(match.house)
    match.confirm()
    assert wanted <= match.tapped
    assert short_of_the_end or len(match.phases) >= 6


@pytest.mark.timeout(400)
def test_the_real_house_to_the_end_of_a_game(tmp_path: Path, devices: list[Seat]) -> None:
    """``referee serve --virtual``: drawn dice read by the reader; killed in play and started again."""
    house = Served(tmp_path, GAME, short_of_the_end=20)
    try:
        match = Match(house, devices[0], devices[1], REAL_PAUSE_MS)
        match.sit()
        match.hands()
        begun = match.state()[0]
        if match.until(begun + 6):
            match.kill()
            match.look("real")
        match.until(10_000)
        match.confirm()
    finally:
        house.close()


def test_one_tablet_finishes_a_game(five_armies: Callable[..., RunningTable], devices: list[Seat]) -> None:
    """Both seats on one device: it is passed on at each change of who is asked, to the confirmed result."""
    table = five_armies(short_of_the_end=40, seed=3)
    tablet = devices[0]
    tablet.expected = ["409"]  # these hands are faster than the stream: a stale tap is refused
    tablet.sit(table, "free", "de", TALL)
    tablet.driver.get(table.url)
    tablet.tap("sit-shadow")
    tablet.until(lambda: tablet.find("#prompt"))
    hall = table.hall.table
    assert hall is not None
    passed = 0
    end = time.monotonic() + 150
    tablet.play_on(1)
    while hall.outcome is None:
        assert time.monotonic() < end, tablet.text("#ask")
        if tablet.find('[data-key="pass-on"]'):
            passed += 1
            tablet.tap("pass-on")
            tablet.until(lambda: tablet.find("#prompt"))
            tablet.play_on(passed)
        else:
            time.sleep(0.02)
    assert passed >= 2
    for seat in ("free", "shadow"):
        tablet.driver.get(f"{table.url}/seat/{seat}")
        tablet.tap("confirm-result")
        tablet.until(lambda seat=seat: seat in hall.standing.confirmed)
