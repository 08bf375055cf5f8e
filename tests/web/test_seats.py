"""Joining, handing over, revoking; what is kept and what is not."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest
from fake_hall import FakeHall, open_wide
from flask import Flask
from screens import Screen

from web.app import create_app
from web.seats import MOST_WISHES, DeviceSession, SeatBook
from web.security import hashed


def wish_of(screen: Screen, seat: str) -> str:
    """The wish that a seat's screen asks about."""
    return str(screen.state(seat)["handover"]["wish"])


def token_of(screen: Screen, seat: str) -> str:
    url = screen.post(f"/api/seat/{seat}/link", {}).json["url"]
    assert "/join#" in url
    return str(url.split("#", 1)[1])


def test_a_link_opens_its_seat_on_another_device(app: Flask, white: Screen) -> None:
    token = token_of(white, "white")
    other = Screen(app)
    answer = other.post("/api/join", {"token": token})
    assert answer.json == {"seat": "white", "state": "taken"}
    assert other.state("white")["seat"] == "white"
    # the first device has lost it
    assert white.client.get("/api/seat/white/state").status_code == 403
    assert white.client.get("/seat/white").status_code == 403


def test_a_new_link_makes_the_old_one_void(app: Flask, white: Screen) -> None:
    old = token_of(white, "white")
    token_of(white, "white")
    answer = Screen(app).post("/api/join", {"token": old})
    assert answer.status_code == 403
    assert answer.json["error"]["code"] == "bad_link"


def test_revoking_throws_out_holder_and_links(app: Flask, white: Screen) -> None:
    token = token_of(white, "white")
    web = app.extensions["table"]
    arbiter = Screen(app)
    key = web.seats.new_arbiter_key()
    assert arbiter.post("/api/arbiter/enter", {"key": key}).status_code == 200
    assert arbiter.post("/api/arbiter/revoke", {"seat": "white"}).status_code == 200
    assert white.client.get("/api/seat/white/state").status_code == 403
    assert Screen(app).post("/api/join", {"token": token}).status_code == 403


def test_a_connected_holder_is_asked_first(app: Flask, white: Screen) -> None:
    web = app.extensions["table"]
    holder = web.seats.holder("white")
    web.hub.open(("seat:white", "de"), holder.id, None)  # as its stream does
    other = Screen(app)
    assert other.post("/api/sit", {"seat": "white"}).json["state"] == "asked"
    assert white.state("white")["handover"].items() > {"seat": "white", "away": False}.items()
    assert other.client.get("/api/wish/white").json["state"] == "asked"
    assert other.client.get("/api/seat/white/state").status_code == 403
    said = {"yes": False, "wish": wish_of(white, "white")}
    assert white.post("/api/seat/white/handover", said).status_code == 200
    assert other.client.get("/api/wish/white").json["state"] == "refused"
    other.post("/api/sit", {"seat": "white"})
    white.post("/api/seat/white/handover", {"yes": True, "wish": wish_of(white, "white")})
    assert other.client.get("/api/wish/white").json["state"] == "taken"
    assert white.client.get("/api/seat/white/state").status_code == 403


class Book(SeatBook):
    """Seats of a running game with two devices, a clock to turn and a switch for who is there."""

    def __init__(self, folder: Path) -> None:
        self.now, self.there, self.playing = 1000.0, True, True
        super().__init__(
            folder,
            connected=lambda device: self.there,
            in_play=lambda: self.playing,
            ticks=lambda: self.now,
        )
        _, self.first = self.new_device("de")
        _, self.second = self.new_device("de")
        _, self.third = self.new_device("de")
        self.take(self.first, "white")
        self.take(self.third, "black")

    def waits(self, seconds: int) -> str:
        """The second device waits and says so each second, as its page does; what it hears last."""
        heard = ""
        for _ in range(seconds):
            self.now += 1
            heard = self.wish_state(self.second, "white")
        return heard


def test_a_seat_whose_tablet_sleeps_is_not_given_to_a_stranger_at_once(tmp_path: Path) -> None:
    book = Book(tmp_path)
    book.there = False
    assert book.take(book.second, "white") == "asked"
    assert book.waits(59) == "asked"
    assert book.take(book.second, "white") == "asked", "asking again does not begin anew"
    assert book.holder("white") is book.first
    assert book.waits(2) == "taken"
    assert book.holder("white") is book.second


def test_a_holder_who_comes_back_in_time_is_asked_and_keeps_the_seat(tmp_path: Path) -> None:
    book = Book(tmp_path)
    book.there = False
    book.take(book.second, "white")
    book.there = True
    assert book.asked_of(book.first) == "white"
    assert book.waits(61) == "asked", "who is there is not passed over"
    assert book.decide("white", False)
    assert book.wish_state(book.second, "white") == "refused"
    assert book.holder("white") is book.first


def test_where_the_device_is_away_the_other_seat_is_asked_too(tmp_path: Path) -> None:
    book = Book(tmp_path)
    book.take(book.second, "white")
    assert book.asked_of(book.third) is None, "the holder is there and decides"
    book.there = False
    assert book.asked_of(book.third) == "white" and book.asked_of(book.second) is None
    _, stranger = book.new_device("de")
    assert book.asked_of(stranger) is None
    assert book.decide("white", True)
    assert book.holder("white") is book.second


def test_a_link_of_the_holder_gives_the_seat_at_once_where_its_device_is_away(tmp_path: Path) -> None:
    book = Book(tmp_path)
    assert book.take(book.second, "white", invited=True) == "asked", "it is there: it is asked"
    book.there = False
    assert book.take(book.second, "white", invited=True) == "taken"


def test_where_no_game_runs_an_absent_device_keeps_nobody_waiting(tmp_path: Path) -> None:
    book = Book(tmp_path)
    book.there = False
    book.take(book.second, "white")
    book.playing = False
    assert book.wish_state(book.second, "white") == "taken"
    assert book.take(book.first, "white") == "taken"


def test_a_holder_who_leaves_has_agreed(tmp_path: Path) -> None:
    book = Book(tmp_path)
    assert book.take(book.second, "white") == "asked"
    book.leave(book.first, "white")
    assert book.wish_state(book.second, "white") == "taken"
    assert book.holder("white") is book.second


def test_a_wish_runs_out(tmp_path: Path) -> None:
    book = Book(tmp_path)
    assert book.take(book.second, "white") == "asked"
    assert book.waits(90) == "asked"
    assert book.waits(1) == "lapsed"
    assert book.decide("white", True) is False
    assert book.holder("white") is book.first


def test_a_wish_goes_with_the_device_that_asked(tmp_path: Path) -> None:
    book = Book(tmp_path)
    assert book.take(book.second, "white") == "asked"
    assert book.waits(10) == "asked", "who waits is heard"
    book.now += 4.1
    assert book.asked_of(book.first) is None, "nobody is asked for a device that left"
    assert book.decide("white", True) is False
    assert book.wish_state(book.second, "white") == "lapsed", "nobody has refused it"
    book.there = False
    book.now += 60
    assert book.take(book.second, "white") == "asked", "the minute begins anew"
    assert book.wish_state(book.second, "white") == "asked"


def test_a_refused_wish_is_not_called_lapsed(tmp_path: Path) -> None:
    book = Book(tmp_path)
    book.take(book.second, "white")
    assert book.decide("white", False)
    assert book.wish_state(book.second, "white") == "refused"
    assert book.wish_state(book.third, "white") == "lapsed"
    assert book.take(book.second, "white") == "asked", "one may ask again"


def test_screens_hear_when_a_wish_has_gone(
    app: Flask, white: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    web = app.extensions["table"]
    web.hub.open(("seat:white", "de"), web.seats.holder("white").id, None)
    now = [0.0]
    monkeypatch.setattr("web.context.LOOK_SECONDS", 0.01)
    monkeypatch.setattr(web.seats, "ticks", lambda: now[0])
    assert Screen(app).post("/api/sit", {"seat": "white"}).json["state"] == "asked"
    assert white.state("white")["handover"].items() > {"seat": "white", "away": False}.items()
    with web.hub.moved:
        told = web.hub.number
        now[0] = 4.1
        assert web.hub.moved.wait_for(lambda: web.hub.number > told, 10), "a new state for all screens"
    assert white.state("white")["handover"] is None


def test_the_other_seat_and_the_arbiter_decide_on_their_screens(
    app: Flask, white: Screen, black: Screen
) -> None:
    arbiter, other = Screen(app), Screen(app)
    key = app.extensions["table"].seats.new_arbiter_key()
    assert arbiter.post("/api/arbiter/enter", {"key": key}).status_code == 200
    assert black.post("/api/seat/black/handover", {"yes": True}).status_code == 409
    assert other.post("/api/sit", {"seat": "white"}).json["state"] == "asked"
    asked = {"seat": "white", "away": True, "wish": wish_of(black, "black")}
    assert black.state("black")["handover"] == asked
    assert arbiter.client.get("/api/arbiter/state").json["handover"] == asked
    assert black.post("/api/seat/black/handover", {**asked, "yes": True, "seat": "black"}).status_code == 409
    assert black.post("/api/seat/black/handover", {**asked, "yes": False}).status_code == 200
    assert other.client.get("/api/wish/white").json["state"] == "refused"
    other.post("/api/sit", {"seat": "white"})
    assert other.post("/api/arbiter/handover", {"yes": True}).status_code == 403
    assert arbiter.post("/api/arbiter/handover", {**asked, "yes": True}).status_code == 409, "another wish"
    again = {"yes": True, "seat": "white", "wish": wish_of(black, "black")}
    assert arbiter.post("/api/arbiter/handover", again).status_code == 200
    assert other.client.get("/api/wish/white").json["state"] == "taken"
    assert black.state("black")["handover"] is None


def test_tokens_are_stored_hashed_and_survive_a_restart(hall: FakeHall, app: Flask, white: Screen) -> None:
    token = token_of(white, "white")
    cookie = white.client.get_cookie(white.cookie)
    assert cookie is not None
    path = hall.folder / "seats.json"
    text = path.read_text()
    assert token not in text and cookie.value not in text
    assert hashed(token) in text and hashed(cookie.value) in text
    assert path.stat().st_mode & 0o077 == 0
    again = open_wide(create_app(hall))
    late = again.test_client()
    late.set_cookie(white.cookie, cookie.value)
    assert late.get("/api/seat/white/state").status_code == 200


def test_no_token_in_log_or_record(
    hall: FakeHall, app: Flask, caplog: pytest.LogCaptureFixture, white: Screen
) -> None:
    caplog.set_level(logging.DEBUG)
    token = token_of(white, "white")
    other = Screen(app)
    other.post("/api/join", {"token": token})
    cookie = other.client.get_cookie(other.cookie)
    assert cookie is not None and hall.table is not None
    record = json.dumps([event.as_json() for event in hall.table.events()])
    for secret in (token, cookie.value):
        assert secret not in caplog.text
        assert secret not in record


def test_a_damaged_seat_file_costs_a_round_of_joining_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "seats.json").write_text('{"devices": [{"id": 3')
    book = SeatBook(tmp_path)
    assert book.devices == {}
    assert (tmp_path / "seats.damaged").exists()


def test_closed_seats_open_by_link_only(hall: FakeHall) -> None:
    app = open_wide(create_app(hall, open_seats=False))
    screen = Screen(app)
    assert screen.post("/api/sit", {"seat": "white"}).json["error"]["code"] == "link_only"
    token = app.extensions["table"].seats.new_link("white")
    assert screen.post("/api/join", {"token": token}).json["state"] == "taken"


def test_one_tablet_may_hold_both_seats(app: Flask) -> None:
    screen = Screen(app)
    screen.sit("white", "de")
    screen.sit("black", "en")
    assert screen.state("white")["language"] == "de"
    assert screen.state("black")["language"] == "en"


def test_leaving_frees_the_seat(app: Flask, white: Screen) -> None:
    assert white.post("/api/seat/white/leave", {}).status_code == 200
    assert Screen(app).post("/api/sit", {"seat": "white"}).json["state"] == "taken"


# -- a link seats one device -------------------------------------------------------------------------------


class Strict(Book):
    """The seats of a tournament game."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.strict = lambda: True


@pytest.mark.parametrize("kind", [Book, Strict])
def test_a_photographed_link_seated_a_second_device(tmp_path: Path, kind: type[Book]) -> None:
    """Whoever had seen the QR code took the seat as soon as its tablet slept."""
    book = kind(tmp_path)
    book.leave(book.first, "white")
    token = book.new_link("white")
    assert book.join(book.first, token) == ("white", "taken")
    book.there = False
    assert book.join(book.second, token) == ("white", "asked")
    assert book.join(book.first, token) == ("white", "taken"), "scanned again it leads to its seat"
    assert book.holder("white") is book.first
    again = kind(tmp_path)
    again.there = False
    _, stranger = again.new_device("de")
    assert again.join(stranger, token) == ("white", "asked"), "after a restart, too"


def test_in_a_tournament_only_the_holder_or_the_arbiter_gives_a_seat_away(tmp_path: Path) -> None:
    book = Strict(tmp_path)
    token = book.new_link("white")
    book.links[hashed(token)].device = book.first.id
    book.there = False
    assert book.join(book.second, token) == ("white", "asked")
    assert book.asked_of(book.third) is None, "the opponent has no say"
    arbiter = DeviceSession("x", arbiter=True)
    assert book.asked_of(arbiter) == "white" and book.asked_of(book.first) == "white"
    assert book.waits(80) == "asked", "nobody waits a sleeping tablet out"
    book.playing = False
    assert book.waits(5) == "asked"
    wish = book.handover("white")
    assert wish is not None and book.decide("white", True, wish.id)
    assert book.holder("white") is book.second


def test_in_a_tournament_an_old_link_opens_no_seat_that_was_left(tmp_path: Path) -> None:
    book = Strict(tmp_path)
    token = book.new_link("white")
    book.links[hashed(token)].device = book.first.id
    book.leave(book.first, "white")
    assert book.join(book.second, token) == ("white", "asked")
    assert book.waits(10) == "asked"
    assert book.join(book.first, token) == ("white", "taken"), "its own device comes back"


def test_a_yes_meant_for_one_device_seated_another(tmp_path: Path) -> None:
    """The holder was asked for the second device, the third asked meanwhile, and got the seat."""
    book = Book(tmp_path)
    _, late = book.new_device("de")
    assert book.take(book.second, "white") == "asked"
    asked = book.handover("white")
    assert asked is not None and asked.device == book.second.id
    assert book.take(late, "white") == "asked"
    still = book.handover("white")
    assert still is not None and still.id == asked.id, "others queue"
    book.now += 4.1  # the second device left: the question is the other one's now
    book.wish_state(late, "white")
    assert book.take(late, "white") == "asked"
    assert book.decide("white", True, asked.id) is False
    assert book.holder("white") is book.first


def test_wishes_queue_and_each_gets_its_own_answer(tmp_path: Path) -> None:
    book = Book(tmp_path)
    _, late = book.new_device("de")
    book.take(book.second, "white")
    book.take(late, "white")
    first = book.handover("white")
    assert first is not None and book.decide("white", False, first.id)
    assert book.wish_state(book.second, "white") == "refused"
    assert book.wish_state(late, "white") == "asked"
    second = book.handover("white")
    assert second is not None and second.device == late.id and book.decide("white", True, second.id)
    assert book.holder("white") is late


def test_a_queue_has_an_end(tmp_path: Path) -> None:
    book = Book(tmp_path)
    for _ in range(50):
        book.take(book.new_device("de")[1], "white")
    assert len(book.handovers["white"]) == MOST_WISHES


def test_links_of_an_earlier_program_are_good_for_one_device(tmp_path: Path) -> None:
    book = Book(tmp_path)
    token = book.new_link("white")
    path = tmp_path / "seats.json"
    data = json.loads(path.read_text())
    data["links"] = {hashed(token): "white"}
    path.write_text(json.dumps(data))
    again = SeatBook(tmp_path)
    assert again.file.lost is None
    assert again.join(again.new_device("de")[1], token) == ("white", "taken")
    assert SeatBook(tmp_path).links[hashed(token)].device
