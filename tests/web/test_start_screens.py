"""The start page, joining by a link, and the health page: what a person reads there."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_hall import FakeHall, open_wide
from flask import Flask
from given_text import given
from screens import Screen

from referee.config.settings import Config, RecordSection, TableSection
from referee.kernel.registry import game_ids, load_game
from referee.serving import runtime
from referee.serving.health import HealthCheck, machine
from referee.serving.hosting import NewGame
from referee.serving.runtime import TableRuntime
from referee.store.store import Store
from web.app import create_app
from web.areas.health import thing_name

NEW = {"game": "toy", "players": {}}


def test_names_stand_at_the_seats_and_with_saved_games(hall: FakeHall, app: Flask, white: Screen) -> None:
    shown = white.client.get("/api/start").json
    assert [seat["player"] for seat in shown["running"]["seats"]] == ["Anna", "Bert"]
    assert shown["saved"] == []  # the running game is no saved one
    assert hall.table is not None
    before = hall.table.header
    assert white.post("/api/games/new", {"game": "toy", "players": {"white": "Cleo"}}).status_code == 200
    (saved,) = white.client.get("/api/start").json["saved"]
    assert saved["id"] == before["id"] and saved["players"] == ["Anna", "Bert"]
    assert saved["began"] == before["created"]
    assert saved["stand"]["asked"] == ["Weiß"], "who is to act there"


def test_a_link_says_whose_seat_it_opens_before_it_is_taken(app: Flask, white: Screen, black: Screen) -> None:
    token = white.post("/api/seat/white/link", {}).json["url"].partition("#")[2]
    other = Screen(app)
    seen = other.post("/api/join/look", {"token": token}).json
    assert (seen["seat"], seen["name"]) == ("white", "Weiß")
    holder = app.extensions["table"].seats.holder("white")
    assert holder is not None and holder.seats == ["white"], "looking takes nothing"
    assert other.post("/api/join/look", {"token": "x" * 43}).json["error"]["code"] == "bad_link"


def test_looking_at_links_is_no_way_to_guess_them(hall: FakeHall) -> None:
    app = create_app(hall)
    screen = Screen(app)
    codes = [screen.post("/api/join/look", {"token": f"{n:043d}"}).status_code for n in range(12)]
    assert codes[:10] == [403] * 10 and codes[-1] == 429


def test_the_address_of_the_table_for_the_next_device(hall: FakeHall, app: Flask, white: Screen) -> None:
    hall.addresses = ["http://192.168.1.7:8000/", "http://10.42.0.1:8000"]
    found = white.client.get("/api/address").json
    assert found["url"] == "http://192.168.1.7:8000"
    assert found["qr"].startswith("data:image/svg+xml")
    assert [other["url"] for other in found["others"]] == ["http://10.42.0.1:8000"]
    assert found["others"][0]["qr"] not in ("", found["qr"])
    link = white.post("/api/seat/white/link", {}).json
    assert link["url"].startswith("http://192.168.1.7:8000/join#") and link["qr"] != found["qr"]


@pytest.mark.parametrize(
    "here", ["localhost:8000", "127.0.0.1:8000", "127.0.1.1", "[::1]:8000", "0.0.0.0:8000"]
)
def test_localhost_was_handed_out_as_a_qr_code(app: Flask, hall: FakeHall, here: str) -> None:
    """In no network the code led each device to itself."""
    client = app.test_client()
    assert client.get("/", base_url=f"http://{here}").status_code == 200
    found = client.get("/api/address", base_url=f"http://{here}").json
    assert found == {"url": f"http://{here}", "qr": "", "others": []}
    hall.addresses = ["http://10.42.0.1:8000"]  # a hotspot that came up later
    assert client.get("/api/address", base_url=f"http://{here}").json["url"] == "http://10.42.0.1:8000"


def test_a_device_hands_on_the_address_by_which_it_came_itself(app: Flask, hall: FakeHall) -> None:
    hall.addresses = ["http://192.168.1.7:8000", "http://10.42.0.1:8000"]
    found = app.test_client().get("/api/address", base_url="http://10.42.0.1:8000").json
    assert (found["url"], found["others"]) == ("http://10.42.0.1:8000", [])


def test_the_opener_policy_is_only_sent_where_browsers_take_it(app: Flask) -> None:
    here = app.test_client().get("/", headers={"Host": "localhost:8000"})
    assert here.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    network = app.test_client().get("/", headers={"Host": "192.168.1.7:8000"})
    assert "Cross-Origin-Opener-Policy" not in network.headers


def test_a_device_in_trouble_stands_beside_the_examination(hall: FakeHall, app: Flask) -> None:
    screen = Screen(app)
    hall.camera = "away"
    shown = screen.client.get("/api/health").json
    names = {one["id"]: (one["name"], one["health"]) for one in shown["devices"]}
    assert names["camera"] == ("Kamera", "away") and names["disk"] == ("Platz auf dem Datenträger", "ok")
    assert names["tray.glare"] == ("Schale, Spiegelung", "warn") and not shown["ok"]


def test_the_health_page_says_what_the_doctor_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config(record=RecordSection(folder=str(tmp_path)))
    bad = HealthCheck(
        "write",
        "fail",
        given("It cannot be written.", "Nicht beschreibbar."),
        given("Mount it.", "Einhängen."),
    )
    with_house = TableRuntime(config, Store.open(config.store, port=1))
    try:
        app = open_wide(create_app(with_house))  # type: ignore[arg-type]
        screen = Screen(app)
        shown = {one["id"]: one for one in screen.client.get("/api/health").json["devices"]}
        for check in machine(config):
            assert (shown[check.id]["health"], check.id) == (check.verdict, check.id)
            if check.id not in ("write", "clock", "disk"):  # they measure something new each time
                assert shown[check.id]["text"].startswith(check.text.in_words("de"))
        assert {"camera", "disk", "write", "record"} <= set(shown)
        for one in shown.values():
            assert one["name"] and "." not in one["name"]
        monkeypatch.setattr(runtime, "machine", lambda config: [bad])
        monkeypatch.setattr(runtime, "EXAMINE_AGAIN_S", -1.0)
        again = {one["id"]: one for one in screen.client.get("/api/health").json["devices"]}
        assert (
            again["write"]["text"] == "Nicht beschreibbar. Einhängen." and again["write"]["health"] == "fail"
        )
    finally:
        with_house.close()


@pytest.mark.parametrize("language", ["de", "en"])
def test_everything_on_the_health_page_has_a_name(tmp_path: Path, language: str) -> None:
    for check in machine(Config(record=RecordSection(folder=str(tmp_path)))):
        assert thing_name(check.id, language) != f"device.{check.id}"


def test_no_place_of_a_board_that_can_be_corrected_is_without_a_name(tmp_path: Path) -> None:
    for game_id in game_ids():
        game = load_game(game_id)
        (tmp_path / game_id).mkdir()
        hall = FakeHall(tmp_path / game_id, [game])
        hall.start(NewGame(game_id, {}))
        app = open_wide(create_app(hall))
        for language in ("de", "en"):
            screen = Screen(app)
            screen.post("/api/language", {"language": language, "who": ""})
            places = screen.client.get("/api/board").json["places"]
            unnamed = [
                p["name"] for p in places.values() if p["kind"] != "rock" and "." in p["name"].rstrip(".")
            ]
            assert unnamed == []
        hall.close()


def test_a_tournament_game_needs_the_arbiters_key_and_is_recorded(
    hall: FakeHall, app: Flask, white: Screen, black: Screen
) -> None:
    key = app.extensions["table"].seats.new_arbiter_key()
    wanted = {"game": "toy", "players": {}, "tournament": True}
    for wrong in ({}, {"key": "guessed"}):
        refused = white.post("/api/games/new", {**wanted, **wrong})
        assert (refused.status_code, refused.json["error"]["code"]) == (403, "wrong_key")
    assert hall.table is not None and not hall.table.header["tournament"], "the running game stays"
    assert not black.state("black")["table"]["tournament"]
    assert white.post("/api/games/new", {**wanted, "key": key}).status_code == 200
    assert hall.table.header["tournament"] is True, "in the record"
    assert white.state("white")["table"]["tournament"] and black.state("black")["table"]["tournament"]
    assert black.client.get("/api/watch/state").json["table"]["tournament"]
    assert white.client.get("/api/start").json["running"]["tournament"]
    assert white.client.get("/api/arbiter/state").status_code == 403, (
        "who brought the key is no arbiter by it"
    )


def test_a_running_tournament_game_is_replaced_by_the_arbiter_only(
    hall: FakeHall, app: Flask, white: Screen
) -> None:
    key = app.extensions["table"].seats.new_arbiter_key()
    assert hall.table is not None
    before = hall.table.header["id"]
    white.post("/api/games/new", {"game": "toy", "players": {}, "tournament": True, "key": key})
    assert not white.client.get("/api/start").json["may_start"]
    for path, data in (("new", {"game": "toy", "players": {}}), ("resume", {"id": before})):
        assert white.post(f"/api/games/{path}", data).status_code == 403
    arbiter = Screen(app)
    arbiter.post("/api/arbiter/enter", {"key": key})
    assert arbiter.client.get("/api/start").json["may_start"]
    assert arbiter.post("/api/games/new", {**NEW, "tournament": True}).status_code == 200, "without the key"
    assert hall.table.header["tournament"]
    hall.table.resign("white")
    assert not white.client.get("/api/start").json["may_start"], "nothing was handed over yet"
    hall.table.hand_over("slip")
    assert white.client.get("/api/start").json["may_start"], "it is over"


def test_keys_cannot_be_guessed_by_starting_games(hall: FakeHall) -> None:
    screen = Screen(create_app(hall))
    screen.sit("white")
    tries = [screen.post("/api/games/new", {**NEW, "tournament": True, "key": f"{n}"}) for n in range(12)]
    assert [one.status_code for one in tries[:10]] == [403] * 10 and tries[-1].status_code == 429


def test_where_each_game_is_a_tournament_game_nothing_is_chosen(hall: FakeHall, app: Flask) -> None:
    hall.always_tournament = True
    arbiter = Screen(app)
    arbiter.post("/api/arbiter/enter", {"key": app.extensions["table"].seats.new_arbiter_key()})
    assert arbiter.client.get("/api/start").json["always_tournament"]
    assert arbiter.post("/api/games/new", NEW).status_code == 200
    assert hall.table is not None and hall.table.header["tournament"]


@pytest.mark.parametrize("always", [False, True])
def test_the_house_begins_tournament_games(tmp_path: Path, always: bool) -> None:
    config = Config(table=TableSection(tournament=always), record=RecordSection(folder=str(tmp_path)))
    with_house = TableRuntime(config, Store.open(config.store, port=1))
    try:
        for wanted in (False, True):
            with_house.start(NewGame("five_armies", {}, tournament=wanted))
            assert with_house.table is not None
            assert with_house.table.header["tournament"] is (wanted or always)
    finally:
        with_house.close()


def test_a_tournament_table_that_is_closed_begins_no_other_game_for_anybody(
    hall: FakeHall, app: Flask
) -> None:
    hall.start(NewGame("toy", {"white": "Anna", "black": "Bert"}, tournament=True))
    web = app.extensions["table"]
    player, referee = Screen(app), Screen(app)
    player.sit("white")
    referee.post("/api/arbiter/enter", {"key": web.seats.new_arbiter_key()})
    assert hall.table is not None
    revision = hall.table.revision
    lost = {"how": "left", "seat": "black", "winners": ["white"], "reason": "ging", "revision": revision}
    assert player.post("/api/arbiter/end", lost).status_code == 403
    assert referee.post("/api/arbiter/end", {**lost, "winners": ["black"]}).status_code == 400
    assert referee.post("/api/arbiter/end", lost).status_code == 200
    table = player.state("white")["table"]
    assert table["outcome"]["text"] == "Bert left; Anna wins: ging" and table["standing"]["closed"]
    for screen in (player, referee):
        for path, body in (("new", {"game": "toy", "players": {}}), ("resume", {"id": hall.table.id})):
            done = screen.post(f"/api/games/{path}", body)
            assert (done.status_code, done.json["error"]["code"]) == (409, "table_closed")
    assert player.post("/api/arbiter/handed_over", {"what": "slip"}).status_code == 403
    assert referee.post("/api/arbiter/handed_over", {"what": "slip"}).status_code == 200
    assert referee.post("/api/games/new", {"game": "toy", "players": {}}).status_code == 200
    player.sit("white")
    assert player.post("/api/seat/white/draw", {"revision": hall.table.revision}).status_code == 200
    assert player.state("white")["table"]["standing"]["asked"]["text"] == "offers a draw"
