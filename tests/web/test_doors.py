"""Every door of the table at once: CSRF, garbage, keys that became void, and how often one may knock."""

from __future__ import annotations

import re
from typing import Any

import pytest
from fake_hall import FakeHall, open_wide
from flask import Flask
from screens import Screen

from web.app import create_app

GARBAGE: list[Any] = [
    None,
    [],
    "text",
    {},
    {"revision": "x", "seat": ["white"], "token": {}, "text": 7, "values": {}, "place": [], "id": None},
    {"revision": 10**40, "seat": "nobody", "token": "\x00" * 50, "text": "\ud83d" * 20, "values": [[[]]]},
    {"kind": {}, "about": [], "value": {"x": -1}, "reason": [], "counts": {"x": "y"}, "changes": {"a": 3}},
    {"language": "de\r\nSet-Cookie: a=b", "who": "seat:white", "game": "../../etc", "players": [], "key": []},
]


def doors(app: Flask) -> list[str]:
    """All addresses that change something, filled with names that exist."""
    filled = {"seat": "white", "step": "begin", "game_id": "toy"}
    found = set()
    for rule in app.url_map.iter_rules():
        if rule.methods and "POST" in rule.methods:
            found.add(re.sub(r"<(?:\w+:)?(\w+)>", lambda m: filled.get(m[1], "1"), str(rule)))
    return sorted(found)


def arbiter(app: Flask) -> Screen:
    """A device at the arbiter's desk that holds a seat too: nothing stops it but what it sends."""
    screen = Screen(app)
    key = app.extensions["table"].seats.new_arbiter_key()
    assert screen.post("/api/arbiter/enter", {"key": key}).status_code == 200
    screen.sit("white")
    return screen


def test_every_door_wants_the_token_of_its_own_page(app: Flask) -> None:
    screen = arbiter(app)
    assert len(doors(app)) > 30
    for door in doors(app):
        for headers in ({}, {"X-CSRF-Token": "0" * 64}):
            answer = screen.client.post(door, json={}, headers=headers)
            assert (answer.status_code, answer.json["error"]["code"]) == (403, "csrf"), door
        foreign = screen.post(door, {}, Origin="http://evil.example")
        assert (foreign.status_code, foreign.json["error"]["code"]) == (403, "foreign_page"), door


def test_no_door_falls_over_garbage(app: Flask, hall: FakeHall) -> None:
    screen = arbiter(app)
    for door in doors(app):
        for body in GARBAGE:
            answer = screen.post(door, body)
            assert answer.status_code < 500, (door, body, answer.json)
            if answer.status_code >= 400:
                assert answer.json["error"]["sentence"], (door, body)
            for value in answer.headers.values():
                assert "Set-Cookie: a=b" not in value
    assert hall.table is not None and hall.table.live_game.play.game.id == "toy"


@pytest.mark.parametrize("who", ["stranger", "other seat"])
def test_nobody_acts_through_a_door_of_others(app: Flask, hall: FakeHall, who: str) -> None:
    screen = Screen(app)
    if who == "other seat":
        screen.sit("black")
    assert hall.table is not None
    before = hall.table.revision
    for door in doors(app):
        if door.startswith(("/api/seat/white", "/api/arbiter/")) and door != "/api/arbiter/enter":
            answer = screen.post(door, {"revision": before, "reason": "so", "text": "x", "yes": True})
            assert answer.status_code == 403, (door, answer.json)
    assert hall.table.revision == before


def test_a_new_key_throws_the_old_arbiter_out(app: Flask) -> None:
    seats = app.extensions["table"].seats
    screen, old = Screen(app), seats.new_arbiter_key()
    assert screen.post("/api/arbiter/enter", {"key": old}).status_code == 200
    seats.new_arbiter_key()
    assert screen.client.get("/api/arbiter/state").status_code == 403
    assert screen.post("/api/arbiter/rule", {"reason": "so"}).status_code == 403
    assert screen.post("/api/arbiter/enter", {"key": old}).status_code == 403


def test_a_taken_link_still_asks_the_holder(app: Flask, white: Screen) -> None:
    """Whoever photographs a code does not get the seat of a device that is there."""
    seats = app.extensions["table"].seats
    token = white.post("/api/seat/white/link", {}).json["url"].partition("#")[2]
    seats.connected = lambda device: True
    thief = Screen(app)
    assert thief.post("/api/join", {"token": token}).json["state"] == "asked"
    assert thief.client.get("/api/seat/white/state").status_code == 403
    seats.revoke("white")
    assert thief.post("/api/join", {"token": token}).json["error"]["code"] == "bad_link"


def test_pages_are_limited_too(hall: FakeHall) -> None:
    app = create_app(hall)
    screen = Screen(app)
    app.extensions["table"].pages.per_second = 0.0
    codes = [screen.client.get("/api/start").status_code for _ in range(210)]
    assert codes[0] == 200 and codes[-1] == 429
    other = app.test_client()
    assert other.get("/", environ_overrides={"REMOTE_ADDR": "192.168.1.9"}).status_code == 200
    open_wide(app)


def test_a_new_cookie_for_each_knock_is_no_way_around_the_limit(hall: FakeHall) -> None:
    """Guessing the arbiter's key is counted by address, whatever device it claims to be."""
    app = create_app(hall)
    app.extensions["table"].seats.new_arbiter_key()
    codes = [Screen(app).post("/api/arbiter/enter", {"key": f"guess-{n}"}).status_code for n in range(12)]
    assert codes[:10] == [403] * 10 and codes[-1] == 429
