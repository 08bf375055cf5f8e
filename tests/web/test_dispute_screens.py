"""Decisions at the arbiter's desk and corrections from a seat, and showing any moment again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_hall import FakeHall, open_wide
from five_armies_positions import BRIDGE
from flask import Flask
from screens import Screen, at_desk, untranslated

from referee.kernel.registry import load_game
from referee.kernel.requests import ChooseSecretly
from referee.serving.hosting import NewGame
from web.app import create_app


@pytest.fixture
def desk(app: Flask) -> Screen:
    """The arbiter's device, in German."""
    return at_desk(app, "de")


def table_of(screen: Screen, seat: str) -> dict[str, Any]:
    shown: dict[str, Any] = screen.state(seat)["table"]
    return shown


def decide(screen: Screen, what: str, **data: Any) -> Any:
    return screen.post(f"/api/arbiter/{what}", data)


def test_only_the_arbiter_decides(white: Screen) -> None:
    for what in ("stands", "note", "note_stands", "check/propose", "rule"):
        assert decide(white, what, reason="so", revision=0).status_code == 403, what
    assert white.client.get("/api/arbiter/question").status_code == 403
    assert white.client.get("/api/arbiter/moment/1").status_code == 403


def test_every_decision_wants_the_csrf_token(desk: Screen) -> None:
    for what in ("stands", "note", "note_stands", "check/propose", "rule"):
        answer = desk.client.post(f"/api/arbiter/{what}", json={"reason": "so"})
        assert answer.status_code == 403 and answer.json["error"]["code"] == "csrf", what


def test_what_the_rules_refuse_stands_when_the_arbiter_says_so(
    desk: Screen, black: Screen, hall: FakeHall
) -> None:
    asked = desk.client.get("/api/arbiter/question").json
    assert asked["seat"] == "Weiß" and asked["refused"]
    far = asked["refused"][0]
    assert far["refused"]["text"]
    wish = {"value": far["value"], "revision": 0}
    assert decide(desk, "stands", reason=" ", **wish).status_code == 400
    assert decide(desk, "stands", reason="nobody minded", **wish).status_code == 200
    assert hall.table is not None
    assert hall.table.play.state.at["white"] == far["value"]
    event = hall.table.events()[-1]
    assert (event.kind, event.seat, event.answer["reason"]) == ("stands", "arbiter", "nobody minded")
    shown = table_of(black, "black")
    assert shown["notice"]["kind"] == "stands" == shown["log"][0]["kind"]
    assert "nobody minded" in shown["notice"]["text"] and far["value"].title() in shown["notice"]["text"]
    assert decide(desk, "stands", value=far["value"], reason="again", revision=0).status_code == 409


def test_what_is_allowed_or_no_answer_at_all_does_not_stand(desk: Screen, hall: FakeHall) -> None:
    assert hall.table is not None
    legal = hall.table.request.options[0]  # type: ignore[union-attr]
    assert "erlaubt" in decide(desk, "stands", value=legal, reason="so", revision=0).json["error"]["sentence"]
    for value in (None, "", [], 3, {"gold": 900}, {"gold": True}, {}):
        assert decide(desk, "stands", value=value, reason="so", revision=0).status_code == 400, value
    assert decide(desk, "stands", text="north", reason="so", revision=0).status_code == 409, "no notation"
    assert hall.table.revision == 0


def test_counts_beyond_the_limit_can_stand(desk: Screen, white: Screen, hall: FakeHall) -> None:
    assert hall.table is not None
    hall.table.answer("white", hall.table.request.options[0], revision=0)  # type: ignore[union-attr]
    asked = desk.client.get("/api/arbiter/question").json
    assert asked["refused"] == [] and {one["value"] for one in asked["items"]} >= {"men"}
    done = decide(desk, "stands", value={"men": 4}, reason="seen too late", revision=1)
    assert done.status_code == 200, done.json
    assert hall.table.request.dice["pip"] == 4  # type: ignore[union-attr]
    rolling = desk.client.get("/api/arbiter/question").json
    assert rolling["refused"] == [] and rolling["prompt"], "dice are no choice"


def test_penalties_time_and_notes_are_seen_by_all(desk: Screen, white: Screen, app: Flask) -> None:
    web = app.extensions["table"]
    web.clock.set(10)
    assert decide(desk, "note", kind="penalty", about="black", value=-1, text="late").status_code == 200
    assert decide(desk, "note", kind="time", about="white", value=60, text="phone").status_code == 200
    assert decide(desk, "note", kind="note", text="lamp changed").status_code == 200
    lines = [event["text"] for event in table_of(white, "white")["log"]]
    assert lines[:3] == [
        "merkt an: lamp changed",
        "ändert die Uhr: Weiß +60 Sekunden: phone",
        "verhängt eine Strafe: Schwarz -1 Punkte: late",
    ]
    assert table_of(white, "white")["notice"]["kind"] == "time"
    left = web.clock.as_json(["white", "black"])["left"]
    assert left == {"white": 660.0, "black": 600.0}
    bad = (
        {"kind": "time", "about": "white", "text": "x"},
        {"kind": "time", "value": 3, "text": "x"},
        {"kind": "fine", "text": "x"},
        {"kind": "penalty", "text": ""},
        {"kind": "penalty", "text": "x", "about": "nobody"},
        {"kind": "penalty", "text": "x", "value": 10**9},
        {"kind": "penalty", "text": "x", "value": "1"},
    )
    for data in bad:
        assert decide(desk, "note", **data).status_code in (400, 404, 422), data


def test_an_event_found_illegal_later_is_noted_to_stand(desk: Screen, white: Screen, hall: FakeHall) -> None:
    assert hall.table is not None
    hall.table.answer("white", hall.table.request.options[0], revision=0)  # type: ignore[union-attr]
    assert decide(desk, "note_stands", about=1, reason="too late").status_code == 200
    assert table_of(white, "white")["log"][0]["text"] == "entscheidet: Ereignis 1 gilt trotzdem: too late"
    assert decide(desk, "note_stands", about=9, reason="none").status_code == 400


def test_a_correction_undone_tells_every_seat_which_answers_count_again(
    desk: Screen, white: Screen, hall: FakeHall
) -> None:
    table = hall.table
    assert table is not None
    table.answer("white", table.request.options[0], revision=0)  # type: ignore[union-attr]
    table.correct([{"do": "points", "seat": "white", "value": 5}], "slipped", revision=1)
    undo = desk.client.get("/api/arbiter/state").json["table"]["undo"]
    assert undo["class"] == "arbiter" and "gelten dann wieder" in undo["text"]
    assert decide(desk, "take_back", revision=2).status_code == 200
    shown = table_of(white, "white")
    assert shown["notice"]["text"] == (
        "nimmt zurück: die Berichtigung ist zurückgenommen, Ereignisse 1 gelten wieder"
    )
    assert shown["notice"]["text"] == shown["log"][0]["text"]
    assert [event.number for event in table.live_game.line] == [1]


def test_the_arbiter_sees_what_is_open_to_both_in_a_secret_choice_but_not_what_was_chosen(
    desk: Screen, white: Screen, hall: FakeHall
) -> None:
    table = hall.table
    assert table is not None
    rng = random.Random(1)
    while not isinstance(table.request, ChooseSecretly):
        request = table.request
        assert request is not None
        table.answer(request.seat, request.sample(rng), revision=table.revision)
    table.answer("white", "rock", revision=table.revision)
    asked = desk.client.get("/api/arbiter/question").json
    white_part, black_part = asked["secret"]
    assert (white_part["sealed"], black_part["sealed"]) == (True, False)
    for part in (white_part, black_part):
        assert [one["value"] for one in part["allowed"]] == ["rock", "paper"]
    # the same whatever white has sealed: nothing of the choice is in what the desk gets
    everything = [asked, desk.client.get("/api/arbiter/state").json]
    everything.append(desk.client.get(f"/api/arbiter/moment/{table.revision}").json)
    table.take_back("white", revision=table.revision)
    table.answer("white", "paper", revision=table.revision)
    again = [desk.client.get("/api/arbiter/question").json, desk.client.get("/api/arbiter/state").json]
    assert again[0] == everything[0]
    assert "nonce" not in str([*everything, *again])
    shown = everything[2]
    assert [one["text"][:5] for one in shown["allowed"]] == ["Weiß:", "Weiß:", "Schwa", "Schwa"]
    assert again[1]["table"]["log"][0]["text"] == everything[1]["table"]["log"][0]["text"]
    # a seat sees its own part only
    mine = white.client.get(f"/api/seat/white/moment/{table.revision}").json["allowed"]
    assert [one["value"] for one in mine] == ["rock", "paper"]


def test_a_ruling_takes_a_resignation_back(desk: Screen, white: Screen, hall: FakeHall) -> None:
    assert white.post("/api/seat/white/resign", {}).status_code == 200
    assert hall.table is not None and hall.table.outcome is not None
    assert decide(desk, "rule", reason="by mistake", reopens=True).status_code == 200
    assert hall.table.outcome is None and table_of(white, "white")["notice"]["kind"] == "ruling"


def test_what_is_beside_the_board_is_corrected_by_consent(
    white: Screen, black: Screen, hall: FakeHall
) -> None:
    form = white.post("/api/seat/white/check/form", {"place": ""}).json["items"]
    assert [one["name"] for one in form] == ["Weiß, Punkte", "Schwarz, Punkte"]
    wish = {"place": "", "counts": {"points.black": 7}, "reason": "miscounted", "revision": 0}
    assert white.post("/api/seat/white/check/propose", wish).status_code == 200
    asked = table_of(black, "black")["standing"]["asked"]
    assert asked["text"] == "Black: 7 points (miscounted)"
    assert black.post("/api/seat/black/consent", {"yes": True, "revision": 1}).status_code == 200
    assert hall.table is not None and hall.table.play.state.points["black"] == 7
    notice = table_of(black, "black")["notice"]
    assert notice["seat"] == "white"
    assert notice["text"] == "corrects the position: Black: 7 points: miscounted"


def test_whoever_is_asked_reads_what_would_be_taken_back(
    desk: Screen, white: Screen, black: Screen, hall: FakeHall
) -> None:
    table = hall.table
    assert table is not None
    correction = {"place": "", "counts": {"points.black": 7}, "reason": "miscounted", "revision": 0}
    assert white.post("/api/seat/white/check/propose", correction).status_code == 200
    assert black.post("/api/seat/black/consent", {"yes": True, "revision": 1}).status_code == 200
    undo = table_of(white, "white")["undo"]
    assert undo["class"] == "consent" and "einvernehmlich" in undo["text"]
    assert white.post("/api/seat/white/take_back", {"revision": table.revision}).status_code == 200
    asked = table_of(black, "black")["standing"]["asked"]
    assert asked["kind"] == "take_back_asked"
    assert asked["text"] == "corrects the position: Black: 7 points: miscounted"
    seen = desk.client.get("/api/arbiter/state").json["table"]["standing"]["asked"]
    assert (seen["seat"], seen["kind"]) == ("white", "take_back_asked") and "miscounted" in seen["text"]
    assert black.post("/api/seat/black/consent", {"yes": True, "revision": table.revision}).status_code == 200
    assert table.play.state.points["black"] != 7


def play_some(hall: FakeHall, screens: dict[str, Screen], steps: int) -> None:
    rng = random.Random(5)
    done = 0
    while done < steps and hall.table is not None and hall.table.outcome is None:
        done += sum(bool(screen.act(seat, screen.state(seat), rng)) for seat, screen in screens.items())


def moment(screen: Screen, who: str, number: int) -> Any:
    return screen.client.get(f"/api/{who}/moment/{number}")


def test_show_me_gives_question_answer_source_and_the_picture_of_the_dice(
    desk: Screen, white: Screen, black: Screen, hall: FakeHall
) -> None:
    play_some(hall, {"white": white, "black": black}, 8)
    assert hall.table is not None
    roll = next(e for e in hall.table.events() if e.evidence and e.evidence.get("picture"))
    shown = moment(desk, "arbiter", roll.number).json
    assert shown["event"]["photo"] and shown["event"]["from"] == "mit der Kamera"
    assert shown["event"]["at"] == roll.at and shown["asked"]["prompt"] == "Bitte würfeln."
    assert shown["picture"].startswith("data:image/svg+xml")
    picture = white.client.get(f"/moment/{roll.number}.jpg")
    assert picture.status_code == 200 and picture.data[:2] == b"\xff\xd8"
    first = moment(desk, "arbiter", 1).json
    assert any(one["refused"] for one in first["allowed"]) and first["last"] == hall.table.revision
    assert first["event"]["seat"] == "white" and not first["undone"] and not first["event"]["photo"]
    assert not untranslated(first) and not untranslated(shown)
    assert white.client.get("/moment/1.jpg").status_code == 404
    for number in (0, 999):
        assert moment(desk, "arbiter", number).status_code == 404


def test_a_seat_sees_what_was_open_to_itself_only_until_the_game_is_over(
    white: Screen, black: Screen, app: Flask, hall: FakeHall
) -> None:
    watcher = Screen(app)
    play_some(hall, {"white": white, "black": black}, 3)
    assert moment(white, "seat/white", 1).json["allowed"]
    assert moment(black, "seat/black", 1).json["allowed"] is None
    assert moment(black, "seat/white", 1).status_code == 403
    assert moment(watcher, "watch", 1).status_code == 403
    assert watcher.client.get("/moment/1.jpg").status_code == 403
    white.post("/api/seat/white/resign", {})
    assert moment(black, "seat/black", 1).json["allowed"]
    assert moment(watcher, "watch", 1).json["event"]["seat"] == "white"
    assert watcher.client.get("/moment/1.jpg").status_code == 404, "no dice there"


def test_what_was_taken_back_is_shown_as_such(desk: Screen, white: Screen, hall: FakeHall) -> None:
    assert hall.table is not None
    hall.table.answer("white", hall.table.request.options[0], revision=0)  # type: ignore[union-attr]
    assert decide(desk, "take_back", revision=1).status_code == 200
    assert moment(white, "seat/white", 1).json["undone"] is True
    assert moment(white, "seat/white", 2).json["undone"] is False


@pytest.fixture
def five(tmp_path: Path) -> Iterator[Flask]:
    """An app whose table runs Five Armies from a position by hand."""
    game = load_game("five_armies")
    hall = FakeHall(tmp_path, [game])
    hall.start(NewGame(game.id, {"free": "Anna", "shadow": "Bert"}))
    app = open_wide(create_app(hall))
    done = at_desk(app, "de").post("/api/arbiter/position/start", {"text": BRIDGE})
    assert done.status_code == 200, done.json
    yield app
    hall.close()


@pytest.mark.parametrize(("language", "said"), [("de", "Schicksalsleiste: 3"), ("en", "Fate track: 3")])
def test_all_that_is_beside_the_board_of_five_armies(five: Flask, language: str, said: str) -> None:
    desk = at_desk(five, language)
    table = five.extensions["table"].hall.table
    items = desk.post("/api/arbiter/check/form", {"place": ""}).json["items"]
    assert not untranslated({"items": items})
    for item in items:
        assert 0 <= item["least"] <= item["count"] <= item["most"], item
        assert not item["options"] or len(item["options"]) == item["most"] + 1, item
    counts = {
        "fate": 3,
        "to_act": 0,
        "hand.free.event": 2,
        "dice.shadow.used.event": 1,
        "eagles.valley": 0,
        "character.bard": next(
            n for n, name in enumerate(one_of(items, "character.bard")["options"]) if name == "eliminated"
        )
        if language == "en"
        else 1,
    }
    wish = {"place": "", "counts": counts, "reason": "looked", "revision": table.revision}
    done = desk.post("/api/arbiter/check/propose", wish)
    assert done.status_code == 200, done.json
    state = table.play.state
    assert (state.fate, state.active, state.hand_event[0]) == (3, 0, 2)
    text = desk.client.get("/api/arbiter/state").json["table"]["log"][0]["text"]
    assert said in text and "looked" in text and "{" not in text
    after = desk.post("/api/arbiter/check/form", {"place": ""}).json["items"]
    assert {key: one_of(after, key)["count"] for key in counts} == counts


def one_of(items: list[dict[str, Any]], key: str) -> dict[str, Any]:
    return next(one for one in items if one["key"] == key)


def test_a_written_move_that_the_rules_refuse_can_stand(five: Flask) -> None:
    desk = at_desk(five, "en")
    table = five.extensions["table"].hall.table
    revision = table.revision

    def stand(text: str) -> Any:
        return decide(desk, "stands", text=text, reason="agreed", revision=table.revision)

    assert stand("army: move v_west_plain > fallen_bridge 2 orcs").json["error"]["code"] == "is_allowed"
    assert stand("army: dance").status_code == 422
    assert table.revision == revision
    assert stand("army: move v_west_plain > fallen_bridge 3 orcs").json["error"]["code"] == "choose_from_list"
    done = stand("army: move v_west_plain > camp 2 orcs")
    assert done.status_code == 200, done.json
    *before, event = table.events()
    assert [one.source for one in before] == ["arbiter"] * 3
    assert (event.kind, event.answer["value"], event.answer["reason"]) == ("stands", "camp", "agreed")
