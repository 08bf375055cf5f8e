"""Comparing board and record through the screens' own JSON: lights, words, differences, consent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import toy_game
from fake_hall import FakeHall, open_wide
from flask import Flask
from screens import Screen, untranslated

from referee.serving.hosting import NewGame
from web.app import create_app


def table_of(screen: Screen, seat: str) -> dict[str, Any]:
    """What the seat sees of the table; everything in words."""
    state = screen.state(seat)
    assert untranslated(state) == set()
    found: dict[str, Any] = state["table"]
    return found


def check(screen: Screen, seat: str, step: str, **data: Any) -> Any:
    return screen.post(f"/api/seat/{seat}/check/{step}", data)


def test_the_table_walks_from_place_to_place_and_says_what_should_stand_there(
    white: Screen, black: Screen
) -> None:
    assert table_of(white, "white")["check"] is None
    assert check(white, "white", "begin").status_code == 200
    shown = table_of(white, "white")
    north = {
        "place": "north", "name": "Norden", "markers": [],
        "pieces": [
            {"id": "white", "name": "Weiß", "short": "W", "count": 1, "seat": "white", "kind": "unit"}
        ],
    }  # fmt: skip
    lit = shown["check"].pop("lit")
    assert shown["check"] == {**north, "number": 1, "of": 2} and lit[0] == north
    assert [one["place"] for one in lit] == ["north", "south"], "a screenful at once"
    assert {one["meaning"] for one in shown["lights"].values()} == {"audit"}
    check(black, "black", "single")
    shown = table_of(white, "white")
    assert shown["check"]["lit"] == [north] and shown["lights"]["north"]["meaning"] == "audit"
    assert set(shown["lights"]) == {"north", "south"}, "besides, only who holds what"
    assert "draft" not in shown["ask"], "the game waits"
    assert shown["halted"] and white.client.get("/api/watch/state").json["table"]["halted"]
    assert table_of(black, "black")["check"]["pieces"][0]["name"] == "White"
    check(white, "white", "answer", place="north", says="right")
    assert table_of(black, "black")["lights"]["south"]["meaning"] == "audit"
    check(black, "black", "back")
    assert table_of(white, "white")["check"]["place"] == "north"
    check(black, "black", "answer", place="north", says="right")
    check(black, "black", "answer", place="south", says="right")
    shown = table_of(white, "white")
    assert shown["check"] is None and shown["differing"] == [] and not shown["halted"]
    assert shown["log"][0]["kind"] == "board_check" and shown["ask"]["draft"]


def test_a_screenful_of_places_is_confirmed_with_one_tap(
    white: Screen, black: Screen, hall: FakeHall
) -> None:
    check(white, "white", "begin")
    assert check(white, "white", "right", places=["south"]).status_code == 200
    assert table_of(white, "white")["check"]["number"] == 1, "that is not what is lit"
    assert check(white, "white", "right", places="north").status_code == 400
    check(white, "white", "right", places=["north", "south"])
    assert table_of(black, "black")["check"] is None
    assert hall.table is not None and hall.table.events()[-1].answer["places"] == ["north", "south"]


def test_no_answer_is_taken_meanwhile_and_breaking_off_is_recorded(white: Screen, hall: FakeHall) -> None:
    check(white, "white", "begin")
    refused = white.post("/api/seat/white/answer", {"values": ["east"], "revision": 0})
    assert refused.status_code in (409, 423) and "verglichen" in refused.json["error"]["sentence"]
    assert check(white, "white", "end").status_code == 200
    assert hall.table is not None
    assert hall.table.events()[-1].answer["complete"] is False
    revision = table_of(white, "white")["revision"]
    assert white.post("/api/seat/white/answer", {"values": ["east"], "revision": revision}).status_code == 200


def test_a_difference_leads_to_a_correction_that_the_other_seat_agrees_to(
    white: Screen, black: Screen, hall: FakeHall
) -> None:
    check(white, "white", "begin")
    check(white, "white", "answer", place="north", says="right")
    check(white, "white", "answer", place="south", says="differs")
    shown = table_of(black, "black")
    assert [one["id"] for one in shown["differing"]] == ["south"]
    items = check(black, "black", "form", place="south").json["items"]
    assert [(one["key"], one["name"], one["count"]) for one in items] == [
        ("white", "White", 0),
        ("black", "Black", 1),
    ]
    wish = {"place": "south", "counts": {"white": 1}, "reason": "we looked", "revision": shown["revision"]}
    assert check(black, "black", "propose", **wish).status_code == 200
    asked = table_of(white, "white")["standing"]["asked"]
    assert asked["kind"] == "correction_asked" and "Weiß" in asked["text"] and "we looked" in asked["text"]
    revision = table_of(white, "white")["revision"]
    assert white.post("/api/seat/white/consent", {"yes": True, "revision": revision}).status_code == 200
    shown = table_of(white, "white")
    assert shown["differing"] == [] and shown["standing"]["asked"] is None
    assert hall.table is not None and hall.table.play.state.at["white"] == "south"


def test_what_cannot_be_is_refused_in_words(white: Screen) -> None:
    wish = {"place": "south", "counts": {"white": 9}, "reason": "so", "revision": 0}
    assert "Möglich" in check(white, "white", "propose", **wish).json["error"]["sentence"]
    assert check(white, "white", "propose", **{**wish, "counts": [1]}).status_code == 400
    assert check(white, "white", "dance").status_code == 404
    assert check(white, "white", "answer", place="south", says="right").status_code == 409
    assert check(white, "black", "begin").status_code == 403
    assert white.post("/api/arbiter/check/begin", {}).status_code == 403


def test_the_arbiter_corrects_without_asking(app: Flask, hall: FakeHall) -> None:
    desk = Screen(app)
    key = app.extensions["table"].seats.new_arbiter_key()
    assert desk.post("/api/arbiter/enter", {"key": key}).status_code == 200
    assert desk.post("/api/arbiter/check/begin", {"everything": True}).status_code == 200
    assert desk.post("/api/arbiter/check/end", {}).status_code == 200
    wish = {"place": "south", "counts": {"white": 1}, "reason": "seen", "revision": 1}
    assert desk.post("/api/arbiter/check/propose", wish).status_code == 200
    assert hall.table is not None and hall.table.play.state.at["white"] == "south"
    assert hall.table.events()[-1].seat == "arbiter"


def test_after_a_restart_the_comparison_is_offered_and_can_be_skipped(tmp_path: Path) -> None:
    hall = FakeHall(tmp_path, [toy_game.register()])
    hall.start(NewGame("toy", {"white": "Anna", "black": "Bert"}))
    assert hall.table is not None
    hall.table.answer("white", "east", revision=0)
    game_id = hall.table.id
    hall.resume(game_id)
    hall.table.offer_board_check()
    screen = Screen(open_wide(create_app(hall)))
    screen.sit("white", "de")
    shown = table_of(screen, "white")
    assert shown["check"] == {"place": None} and "draft" not in shown["ask"]
    check(screen, "white", "end")
    shown = table_of(screen, "white")
    assert shown["check"] is None and shown["ask"]["draft"]
    assert hall.table.events()[-1].answer["skipped"] is True
    hall.close()
