"""The arbiter's desk: positions by hand and written moves; the same question at a seat."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_hall import FakeHall, open_wide
from five_armies_positions import BRIDGE
from flask import Flask
from screens import Screen, at_desk

from referee.kernel.registry import load_game
from referee.serving.hosting import NewGame
from web.app import create_app

IN_COMBAT = """\
  combat: {attacker: v_west_plain, defender: fallen_bridge, step: end_of_round, round: 1}
"""


@pytest.fixture
def five(tmp_path: Path) -> Iterator[Flask]:
    """An app whose table runs Five Armies."""
    game = load_game("five_armies")
    folder = tmp_path / "five"
    folder.mkdir()
    hall = FakeHall(folder, [game])
    hall.start(NewGame(game.id, {"free": "Anna", "shadow": "Bert"}, options={"box": {"leadership.dain": 3}}))
    yield open_wide(create_app(hall))
    hall.close()


@pytest.fixture
def desk(five: Flask) -> Screen:
    """The arbiter's device, in German."""
    return at_desk(five, "de")


def check(screen: Screen, text: str) -> Any:
    answer = screen.post("/api/arbiter/position/check", {"text": text})
    assert answer.status_code == 200, answer.json
    return answer.json


def test_only_the_arbiter_sets_up_positions(five: Flask) -> None:
    seat = Screen(five)
    seat.sit("free")
    for path in ("position/check", "position/start", "explain"):
        assert seat.post(f"/api/arbiter/{path}", {"text": BRIDGE}).status_code == 403
    assert seat.client.get("/api/arbiter/position").status_code == 403
    assert seat.post("/api/seat/shadow/explain", {"text": "pass"}).status_code == 403
    bare = seat.client.post("/api/seat/free/explain", json={"text": "pass"})
    assert bare.status_code == 403 and bare.json["error"]["code"] == "csrf"


@pytest.mark.parametrize(("language", "line"), [("de", "Zeile 9: "), ("en", "line 9: ")])
def test_every_mistake_in_a_position_is_named_with_its_line(five: Flask, language: str, line: str) -> None:
    desk = at_desk(five, language)
    found = check(desk, BRIDGE.replace("orcs: 2", "trolls: 2").replace("phase: 5", "phase: 9"))
    assert {one["line"] for one in found["problems"]} == {5, 9}
    assert found["problems"][-1]["text"].startswith(line)
    refused = desk.post("/api/arbiter/position/start", {"text": BRIDGE.replace("orcs: 2", "trolls: 2")})
    assert refused.status_code == 422
    assert five.extensions["table"].hall.table.header["players"]["free"] == "Anna"


def test_a_position_is_shown_and_a_game_begins_from_it(desk: Screen, five: Flask) -> None:
    found = check(desk, BRIDGE)
    assert found["problems"] == [] and found["title"] == "The bridge"
    picture = base64.b64decode(found["picture"].partition(",")[2]).decode()
    assert picture.startswith("<svg")
    before = five.extensions["table"].hall.table.id
    assert desk.post("/api/arbiter/position/start", {"text": BRIDGE}).status_code == 200
    table = five.extensions["table"].hall.table
    assert table.id != before
    assert table.header["players"] == {"free": "Anna", "shadow": "Bert"}
    assert table.request.seat == "shadow"
    state = desk.client.get("/api/arbiter/state").json
    camp = state["table"]["view"]["places"]["camp"]
    assert {one["id"]: one["count"] for one in camp["pieces"]} == {"lake_men": 2, "bard": 1}


def test_the_position_on_the_table_can_be_fetched_and_is_the_same(desk: Screen, five: Flask) -> None:
    desk.post("/api/arbiter/position/start", {"text": BRIDGE})
    before = five.extensions["table"].hall.table.play.digest()
    text = desk.client.get("/api/arbiter/position").json["text"]
    assert check(desk, text)["problems"] == []
    assert desk.post("/api/arbiter/position/start", {"text": text}).status_code == 200
    assert five.extensions["table"].hall.table.play.digest() == before


@pytest.mark.parametrize(("language", "words"), [("de", "gewinnt"), ("en", "wins")])
def test_a_position_that_is_won_says_so_and_begins_no_game(five: Flask, language: str, words: str) -> None:
    desk = at_desk(five, language)
    won = BRIDGE + "  fate_marker: 15\n"
    found = check(desk, won)
    assert found["problems"] == [] and found["seat"] == "" and words in found["asked"]
    before = five.extensions["table"].hall.table.id
    refused = desk.post("/api/arbiter/position/start", {"text": won})
    assert refused.status_code == 422 and refused.json["error"]["code"] == "position_over"
    assert five.extensions["table"].hall.table.id == before


def test_the_moment_on_the_table_can_be_fetched_in_the_middle_of_an_action(desk: Screen, five: Flask) -> None:
    desk.post("/api/arbiter/position/start", {"text": BRIDGE})
    table = five.extensions["table"].hall.table
    for answer in ("army", "strategic_move", "v_west_plain"):
        table.answer("shadow", answer, revision=table.revision)
    asked, digest = table.request.prompt, table.play.digest()
    text = desk.client.get("/api/arbiter/position").json["text"]
    assert desk.post("/api/arbiter/position/start", {"text": text}).status_code == 200
    again = five.extensions["table"].hall.table
    assert (again.request.prompt, again.play.digest()) == (asked, digest)


def test_a_position_in_a_running_combat_is_played_to_and_recorded(desk: Screen, five: Flask) -> None:
    text = BRIDGE.replace("{tokens: {dwarves_and_men: 1}}", "{side: free, units: {dwarf_regulars: 2}}")
    answer = desk.post("/api/arbiter/position/start", {"text": text + IN_COMBAT})
    assert answer.status_code == 200, answer.json
    table = five.extensions["table"].hall.table
    assert table.play.state.combat is not None
    answers = [event for event in table.events() if event.kind == "answer"]
    assert "arbiter" in {event.source for event in answers} <= {"arbiter", "table"}  # the table opens secrets


def test_values_of_the_box_book_fill_what_a_position_does_not_tell() -> None:
    game = load_game("five_armies")
    book = {"leadership.dain": 3, "movement.beorn": 2}
    told = game.new_state({"position": BRIDGE + "  values: {leadership.bard: 4}\n", "box": book})
    names = [name for name, _ in sorted(_ratings(told).items()) if name in ("bard", "dain")]
    assert [_ratings(told)[name] for name in names] == [4, 3]
    assert told.values["movement.beorn"] == 2


def _ratings(state: Any) -> dict[str, int]:
    from referee.games.five_armies.box.components import CHARACTERS

    return dict(zip(CHARACTERS, state.ratings, strict=True))


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_written_move_is_allowed_or_refused_with_its_rule(five: Flask, language: str) -> None:
    desk = at_desk(five, language)
    desk.post("/api/arbiter/position/start", {"text": BRIDGE})
    table = five.extensions["table"].hall.table
    revision, digest = table.revision, table.play.digest()
    tries = {
        "army: move v_west_plain > fallen_bridge 2 orcs": "allowed",
        "character: move v_west_plain > fallen_bridge 2 orcs": "refused",
        "army: march off": "unclear",
    }
    for text, verdict in tries.items():
        found = desk.post("/api/arbiter/explain", {"text": text}).json
        assert found["verdict"] == verdict, found
        assert (found["refusal"] is not None) == (verdict == "refused")
        assert found["text"] and "{" not in found["text"]
    rule = desk.post("/api/arbiter/explain", {"text": "free: army: pass"}).json["refusal"]["rule"]
    assert rule["page"] and rule["sentence"]
    assert (table.revision, table.play.digest()) == (revision, digest)


def test_a_seat_may_ask_too_and_a_game_without_notation_says_so(five: Flask, white: Screen) -> None:
    seat = Screen(five)
    seat.sit("free", "de")
    answer = seat.post("/api/seat/free/explain", {"text": "pass"})
    assert answer.status_code == 200 and answer.json["verdict"] in ("refused", "unclear")
    assert seat.post("/api/seat/free/explain", {"text": "x" * 401}).status_code == 400
    assert white.post("/api/seat/white/explain", {"text": "north"}).json["error"]["code"] == "no_notation"


def test_texts_that_are_too_long_or_of_no_known_game(desk: Screen) -> None:
    long = desk.post("/api/arbiter/position/check", {"text": "a" * 30_001})
    assert long.status_code == 400
    other = desk.post("/api/arbiter/position/check", {"text": "game: chess\n"})
    assert other.status_code == 404 and other.json["error"]["sentence"]
