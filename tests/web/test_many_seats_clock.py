"""The clock of a game of five: whose time runs, in councils, turns, comparisons and after a resignation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import five_game
import pytest
from fake_hall import FakeHall, open_wide
from five_game import SEATS
from flask import Flask
from screens import Screen

from referee.hall.table import Table
from web.app import create_app


class Watch:
    """Seconds that pass when a test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[FakeHall]:
    hall = FakeHall(tmp_path, [five_game.register()])
    yield hall
    hall.close()


@pytest.fixture
def app(hall: FakeHall) -> Flask:
    return open_wide(create_app(hall))


@pytest.fixture
def watch(app: Flask) -> Watch:
    watch = app.extensions["table"].clock.now = Watch()
    return watch


def seated(app: Flask, seats: tuple[str, ...] = SEATS, minutes: int = 10) -> dict[str, Screen]:
    """A game with a clock that runs, begun from the start page, and a device at each seat."""
    screens = {seat: Screen(app) for seat in seats}
    game = {"game": "five", "players": {}, "seats": list(seats), "clock": minutes}
    assert screens[seats[0]].post("/api/games/new", game).status_code == 200
    for seat, screen in screens.items():
        screen.sit(seat, "en")
    assert screens[seats[0]].post("/api/clock/pause", {"paused": False}).status_code == 200
    return screens


def clock_of(screen: Screen) -> dict[str, Any]:
    found: dict[str, Any] = screen.client.get("/api/clock").json["clock"]
    return found


def spent(screen: Screen) -> dict[str, float]:
    """Seconds that each seat has used of its ten minutes."""
    return {seat: 600 - left for seat, left in clock_of(screen)["left"].items()}


def running(hall: FakeHall) -> Table:
    assert hall.table is not None
    return hall.table


def to_prompt(table: Table, prompt: str) -> str:
    """Play at random to a question; gives who is asked."""
    rng = Random(1)
    while table.request is None or table.request.prompt != prompt:
        seat = table.asked_seats[0]
        part = table.own_part(seat)
        assert part is not None
        table.answer(seat, part.sample(rng), revision=table.revision)
    return table.asked_seats[0]


def test_in_a_council_each_ones_time_runs_until_it_has_chosen(
    app: Flask, hall: FakeHall, watch: Watch
) -> None:
    screens = seated(app)
    assert clock_of(screens["pink"])["running"] == sorted(SEATS)
    for number, seat in enumerate(SEATS[:4]):
        watch.now += 10
        answer = {"values": ["rest"], "revision": running(hall).revision}
        assert screens[seat].post(f"/api/seat/{seat}/answer", answer).status_code == 200
        assert clock_of(screens[seat])["running"] == sorted(SEATS[number + 1 :])
    watch.now += 10
    assert spent(screens["green"]) == {"green": 10, "blue": 20, "pink": 30, "yellow": 40, "grey": 50}
    for screen in screens.values():
        assert clock_of(screen) == clock_of(screens["green"]), "all see the same"


def test_only_the_time_of_who_is_asked_runs(app: Flask, hall: FakeHall, watch: Watch) -> None:
    screens = seated(app)
    asked = to_prompt(running(hall), "prompt.walk")
    watch.now += 7
    assert spent(screens["grey"]) == {seat: 7 * (seat == asked) for seat in SEATS}
    state = screens["blue"].state("blue")["table"]["clock"]
    assert state["running"] == [asked] and set(state["left"]) == set(SEATS)


def test_what_a_standing_wish_answers_costs_no_time(app: Flask, hall: FakeHall, watch: Watch) -> None:
    screens = seated(app)
    for seat in SEATS[1:]:
        said = {"wish": "react", "says": "never"}
        assert screens[seat].post(f"/api/seat/{seat}/wish", said).status_code == 200
    asked = to_prompt(running(hall), "prompt.walk")
    assert asked == "green"
    watch.now += 3
    answer = {"values": ["cavern_1"], "revision": running(hall).revision}
    assert screens["green"].post("/api/seat/green/answer", answer).status_code == 200
    watch.now += 4
    assert spent(screens["blue"]) == {"green": 7, "blue": 0, "pink": 0, "yellow": 0, "grey": 0}


def test_while_five_compare_the_board_nobodys_time_runs(app: Flask, hall: FakeHall, watch: Watch) -> None:
    screens = seated(app)
    watch.now += 5
    assert screens["yellow"].post("/api/seat/yellow/check/begin", {}).status_code == 200
    assert clock_of(screens["blue"])["running"] == []
    watch.now += 100
    for number in range(5):
        seat = SEATS[number]
        told = {"place": f"cavern_{number}", "says": "right"}
        assert screens[seat].post(f"/api/seat/{seat}/check/answer", told).status_code == 200
    assert clock_of(screens["blue"])["running"] == sorted(SEATS), "it goes on where it was"
    watch.now += 2
    assert set(spent(screens["blue"]).values()) == {7.0}


def test_a_broken_off_comparison_lets_the_clock_run_again(app: Flask, hall: FakeHall, watch: Watch) -> None:
    screens = seated(app)
    screens["grey"].post("/api/seat/grey/check/begin", {})
    watch.now += 30
    assert screens["pink"].post("/api/seat/pink/check/end", {}).status_code == 200
    watch.now += 1
    assert set(spent(screens["pink"]).values()) == {1.0}


def test_who_resigned_has_its_time_stopped_and_cannot_stop_the_others(
    app: Flask, hall: FakeHall, watch: Watch
) -> None:
    screens = seated(app)
    watch.now += 5
    assert screens["pink"].post("/api/seat/pink/resign", {}).status_code == 200
    others = [seat for seat in SEATS if seat != "pink"]
    assert clock_of(screens["blue"])["running"] == sorted(others)
    watch.now += 5
    assert spent(screens["blue"]) == {**dict.fromkeys(others, 10.0), "pink": 5.0}
    assert screens["pink"].post("/api/seat/pink/check/begin", {}).status_code == 409
    assert screens["pink"].post("/api/clock/pause", {"paused": True}).status_code == 403
    assert screens["blue"].post("/api/clock/pause", {"paused": True}).status_code == 200


def test_any_of_the_five_may_stop_the_clock_and_nobody_else(app: Flask, hall: FakeHall, watch: Watch) -> None:
    screens = seated(app)
    assert Screen(app).post("/api/clock/pause", {"paused": True}).status_code in (401, 403)
    for seat in SEATS:
        assert screens[seat].post("/api/clock/pause", {"paused": True}).json["clock"]["paused"]
        watch.now += 50
        assert not screens[seat].post("/api/clock/pause", {"paused": False}).json["clock"]["paused"]
        watch.now += 1
    assert set(spent(screens["green"]).values()) == {5.0}


def test_only_who_plays_has_a_clock(app: Flask, hall: FakeHall, watch: Watch) -> None:
    screens = seated(app, ("blue", "pink", "grey"), minutes=3)
    assert clock_of(screens["pink"])["left"] == {"blue": 180, "pink": 180, "grey": 180}
