"""Screens of a game of two to five seats: who plays, looks, boards, secret steps, wishes, silence."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import five_game
import pytest
import toy_game
from fake_hall import FakeHall, open_wide
from five_game import SEATS
from flask import Flask
from screens import Screen, untranslated

import web.context
from referee.hall import silence
from referee.kernel.requests import RollDice
from referee.serving.hosting import NewGame
from web.app import create_app


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[FakeHall]:
    hall = FakeHall(tmp_path, [five_game.register(), toy_game.register()])
    yield hall
    hall.close()


@pytest.fixture
def app(hall: FakeHall) -> Flask:
    return open_wide(create_app(hall))


def seated(app: Flask, hall: FakeHall, seats: tuple[str, ...] = SEATS, **options: Any) -> dict[str, Screen]:
    """A game on the table and a device at each seat."""
    hall.start(NewGame("five", {"green": "Ada"}, options=options, seats=seats))
    app.extensions["table"].follow()
    screens = {}
    for seat in seats:
        screens[seat] = Screen(app)
        screens[seat].sit(seat, "de" if seat in ("green", "pink") else "en")
    return screens


def test_fewer_sit_down_than_there_are_seats(app: Flask, hall: FakeHall) -> None:
    screen = Screen(app)
    games = {game["id"]: game for game in screen.client.get("/api/start").json["games"]}
    assert games["five"]["least"] == 2 and games["toy"]["least"] == 2
    assert games["five"]["seats"][0]["look"] == {"colour": "green", "shape": "round"}
    for wrong in (["green"], "all", ["x", "green"]):
        answer = screen.post("/api/games/new", {"game": "five", "players": {}, "seats": wrong})
        assert answer.status_code == 400, answer.json
    wanted = {"game": "five", "players": {"pink": "Ada"}, "seats": ["pink", "green", "grey"]}
    assert screen.post("/api/games/new", wanted).status_code == 200
    running = screen.client.get("/api/start").json["running"]
    assert [seat["id"] for seat in running["seats"]] == ["green", "pink", "grey"]
    assert screen.post("/api/sit", {"seat": "blue"}).status_code == 404
    screen.sit("pink")
    table = screen.state("pink")["table"]
    assert table["seats"] == ["green", "pink", "grey"] and set(table["people"]) == set(table["seats"])
    assert table["looks"]["grey"] == {"colour": "grey", "shape": "house"}


def test_a_whole_game_of_five_through_the_screens(app: Flask, hall: FakeHall) -> None:
    screens = seated(app, hall, waves=1)
    rng = random.Random(6)
    table = hall.table
    assert table is not None
    for _ in range(400):
        if table.outcome is not None:
            break
        for seat, screen in screens.items():
            state = screen.state(seat)
            assert untranslated(state) == set()
            screen.act(seat, state, rng)
    assert table.outcome is not None
    outcome = screens["pink"].state("pink")["table"]["outcome"]
    assert outcome["winners"] == list(table.outcome.winners)
    assert sorted(seat for place in outcome["ranking"] for seat in place) == sorted(SEATS)


def test_a_secret_of_several_steps_is_drafted_and_tells_nobody(app: Flask, hall: FakeHall) -> None:
    screens = seated(app, hall, ("green", "blue"))
    green = screens["green"]
    state = green.state("green")["table"]
    ask = state["ask"]
    assert ask["secret"] and ask["draft"]["ask"]["prompt"] == "Was tut dein Clan?"
    before = screens["blue"].state("blue")
    revision = state["revision"]
    step = green.post("/api/seat/green/preview", {"values": ["guard"], "revision": revision}).json
    assert step["ask"]["some"]["minimum"] == 3 and step["ask"]["domain"] == "place"
    share = {"cavern_0": 3}
    no = green.post("/api/seat/green/preview", {"values": ["guard", share], "revision": revision}).json
    assert no["refused"]["text"] == "Wer bewacht, bewacht zwei Höhlen."
    values = ["guard", {"cavern_0": 2, "cavern_2": 1}]
    last = green.post("/api/seat/green/preview", {"values": values, "revision": revision}).json
    assert [one["text"] for one in last["ask"]["options"]][:2] == ["Bragi", "Dvalin"]
    now = screens["blue"].state("blue")
    assert now["number"] == before["number"] and now["table"]["lights"] == before["table"]["lights"]
    done = green.post("/api/seat/green/answer", {"values": [*values, "galar"], "revision": revision})
    assert done.status_code == 200 and green.state("green")["table"]["ask"]["sealed"]
    assert "galar" not in str(screens["blue"].state("blue")["table"]["log"]).lower()


def test_counts_in_a_secret_are_drafted(app: Flask, hall: FakeHall) -> None:
    screens = seated(app, hall, ("green", "blue"))
    table = hall.table
    assert table is not None
    for seat in screens:
        table.answer(seat, ["rest"], revision=table.revision)
    ask = screens["blue"].state("blue")["table"]["ask"]
    assert ask["secret"] and ask["draft"]["ask"]["some"]["maximum"] == 3
    answer = {"values": [{"gold": 2}], "revision": table.revision}
    assert screens["blue"].post("/api/seat/blue/answer", answer).status_code == 200
    assert table.standing.sealed.keys() == {"blue"}


def test_the_board_goes_by_its_digest(app: Flask, hall: FakeHall) -> None:
    digests, places = [], []
    blue = seated(app, hall, ("green", "blue"))["blue"]
    for caverns in (6, 8, 6):
        hall.start(NewGame("five", {}, options={"caverns": caverns}, seats=("green", "blue")))
        app.extensions["table"].follow()
        board = blue.client.get("/api/board").json
        assert board["digest"] == blue.state("blue")["table"]["board"]
        digests.append(board["digest"])
        places.append({place["name"] for place in board["places"].values()})
    assert digests[0] == digests[2] != digests[1]
    assert places[1] - places[0] == {"Cold Forge", "Wide Nave"}
    lit = blue.client.get("/api/setup/lit/five").json["lit"]
    assert [one["name"] for one in lit if one["board"]][:2] == ["Echo Hall", "Deep Stair"]


def test_a_standing_wish_is_set_on_the_tablet(app: Flask, hall: FakeHall) -> None:
    screens = seated(app, hall, ("green", "blue"))
    (wish,) = screens["green"].state("green")["table"]["wishes"]
    assert (wish["id"], wish["says"]) == ("react", "always")
    assert [way["text"] for way in wish["ways"]] == [
        "immer fragen",
        "Fragen, wenn jemand zu mir kommt",
        "nie fragen",
    ]
    draft = screens["blue"].state("blue")["table"]["ask"]["key"]
    said = {"wish": "react", "says": "here"}
    assert screens["green"].post("/api/seat/blue/wish", said).status_code == 403, "only one's own"
    assert screens["green"].post("/api/seat/green/wish", said).status_code == 200
    assert screens["green"].post("/api/seat/green/wish", {**said, "says": "perhaps"}).status_code == 400
    table = screens["blue"].state("blue")["table"]
    assert table["log"][0]["text"] == (
        "Standing wish: React to others' steps: Ask me when somebody comes to me"
    )
    assert table["ask"]["key"] == draft, "nobody's draft is lost by it"


def test_a_sleeping_tablet_agrees_by_silence(
    app: Flask, hall: FakeHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(silence, "SILENCE_S", 1.0)
    monkeypatch.setattr(web.context, "LOOK_SECONDS", 0.05)
    seated(app, hall, ("green", "blue"), waves=20)
    table, rng = hall.table, random.Random(1)
    assert table is not None
    while not isinstance(table.request, RollDice):
        assert table.request is not None
        seat = table.asked_seats[0]
        table.answer(seat, table.own_part(seat).sample(rng), revision=table.revision)  # type: ignore[union-attr]
    seat = table.asked_seats[0]
    table.answer(seat, table.request.sample(rng), revision=table.revision)
    table.take_back(seat, revision=table.revision)
    assert table.standing.asked is not None
    end = time.monotonic() + 20
    while table.standing.asked is not None:  # no tablet holds a stream here: all of them are away
        assert time.monotonic() < end
        time.sleep(0.05)
    assert [event.kind for event in table.events()[-3:]] == ["take_back_asked", "consent", "take_back"]
    assert table.events()[-2].source == "table" and "silence_s" in (table.events()[-2].evidence or {})


def test_who_resigned_is_shown_so(app: Flask, hall: FakeHall) -> None:
    screens = seated(app, hall)
    assert screens["pink"].post("/api/seat/pink/resign", {}).status_code == 200
    table = screens["blue"].state("blue")["table"]
    assert table["standing"]["left"] == ["pink"] and table["outcome"] is None
    assert "pink" not in table["view"]["order"]
    assert table["log"][0]["text"].endswith("the others play on")
