"""Playing through the screens: drafts, stale taps, two tabs, secrets, dice, disputes, both languages."""

from __future__ import annotations

import base64
import json
import random
from typing import Any

import table_bot
from fake_hall import FakeHall
from flask import Flask
from screens import Screen, untranslated

from referee.kernel.requests import RollDice
from referee.serving.hosting import NewGame

SEATS = ("white", "black")


def at(screen: Screen, seat: str) -> dict[str, Any]:
    found: dict[str, Any] = screen.state(seat)["table"]
    return found


def move(screen: Screen, seat: str, place: str, men: int = 1) -> Any:
    """Walk, spend and confirm in one draft."""
    return screen.post(
        f"/api/seat/{seat}/answer",
        {"values": [place, {"men": men}], "revision": at(screen, seat)["revision"]},
    )


def roll(screen: Screen, seat: str) -> dict[str, Any]:
    """Throw the virtual dice; the reading as the screen gets it."""
    assert screen.post(f"/api/seat/{seat}/dice/throw", {}).status_code == 200
    found: dict[str, Any] = at(screen, seat)["dice"]["roll"]
    return found


def accept(screen: Screen, seat: str, number: int, corrections: list[Any]) -> Any:
    return screen.post(
        f"/api/seat/{seat}/dice/accept",
        {"revision": at(screen, seat)["revision"], "offer": number, "corrections": corrections},
    )


def test_a_whole_game_in_both_languages(white: Screen, black: Screen) -> None:
    """Every text is translated except the toy's own ids, which have no dots."""
    rng = random.Random(5)
    for _ in range(200):
        for screen, seat in ((white, "white"), (black, "black")):
            state = screen.state(seat)
            assert untranslated(state) == set()
            if state["table"]["outcome"]:
                assert state["table"]["outcome"]["rule"]["title"]
                return
            screen.act(seat, state, rng)
    raise AssertionError("the toy game does not end")


def test_each_seat_reads_its_own_language(white: Screen, black: Screen) -> None:
    assert at(white, "white")["waiting"]["prompt"] == "Wohin geht die Figur von Norden?"
    assert "North" in at(black, "black")["waiting"]["prompt"]
    assert at(white, "white")["ask"]["rule"]["page"] == "3"
    assert at(black, "black")["ask"] is None


def test_a_draft_records_nothing_and_goes_back(white: Screen) -> None:
    first = white.post("/api/seat/white/preview", {"values": ["east"], "revision": 0}).json
    assert first["ask"]["some"]["maximum"] == 3
    assert first["view"]["places"]["east"]["pieces"][0]["seat"] == "white"
    assert at(white, "white")["revision"] == 0
    back = white.post("/api/seat/white/preview", {"values": [], "revision": 0}).json
    assert {o["value"] for o in back["ask"]["options"]} == {"east", "west", "north", "south"}
    done = white.post("/api/seat/white/preview", {"values": ["east", {"men": 2}], "revision": 0}).json
    assert done["ask"] is None and done["values"] == ["east", {"men": 2}]


def test_refused_candidates_say_why_with_the_page(white: Screen, black: Screen) -> None:
    option = next(o for o in at(white, "white")["ask"]["options"] if o["value"] == "south")
    assert option["refused"]["rule"]["title"] == "Ein Schritt"
    assert option["refused"]["rule"]["page"] == "3"
    answer = white.post("/api/seat/white/preview", {"values": ["south"], "revision": 0})
    assert answer.json["refused"]["text"] == "Man zieht auf ein Nachbarfeld."
    answer = white.post("/api/seat/white/answer", {"values": ["south"], "revision": 0})
    assert answer.status_code == 422
    assert answer.json["error"]["refusal"]["rule"]["id"] == "step"


def test_a_stale_tap_is_never_applied_to_a_newer_question(white: Screen) -> None:
    old = at(white, "white")["revision"]
    assert move(white, "white", "east").status_code == 200
    roll(white, "white")
    accept(white, "white", at(white, "white")["dice"]["roll"]["number"], [])
    for path in ("answer", "preview"):
        answer = white.post(f"/api/seat/white/{path}", {"values": ["west"], "revision": old})
        assert answer.status_code == 409, answer.json
        assert answer.json["error"]["code"] in ("stale", "not_your_turn")
    assert at(white, "white")["view"]["places"]["east"]["owner"] == "white"


def test_two_tabs_of_one_seat(white: Screen) -> None:
    """Both tabs show the same question; the second tap finds it answered."""
    revision = at(white, "white")["revision"]
    first = white.post("/api/seat/white/answer", {"values": ["east"], "revision": revision})
    second = white.post("/api/seat/white/answer", {"values": ["west"], "revision": revision})
    assert first.status_code == 200
    assert second.status_code == 409
    assert second.json["error"]["code"] == "stale"


def test_lights_follow_the_draft_and_go_back(white: Screen, black: Screen) -> None:
    before = at(black, "black")["lights"]
    assert before["north"]["meaning"] == "origin" and before["east"]["meaning"] == "target"
    assert before["east"]["text"] == "can be chosen"
    white.post("/api/seat/white/preview", {"values": ["east"], "revision": 0})
    assert at(black, "black")["lights"]["east"]["meaning"] == "selected"
    white.post("/api/seat/white/preview", {"values": [], "revision": 0})
    assert at(black, "black")["lights"] == before


def test_a_picture_of_a_roll_is_taken_from_its_seat_alone(
    hall: FakeHall, white: Screen, black: Screen
) -> None:
    asked, path = b"\xff\xd8\xff a picture larger than any other body" * 2000, "/api/seat/{}/dice/photograph"
    move(white, "white", "east", 2)
    picture = {"picture": base64.b64encode(asked).decode()}
    assert black.post(path.format("black"), picture).status_code == 409
    assert black.post(path.format("white"), picture).status_code == 403
    assert white.post(path.format("white"), {"picture": "no base64!"}).status_code == 400
    assert white.post(path.format("white"), {"picture": "A" * 1024 * 1024}).status_code == 413
    assert not hall.dice.photographs
    assert white.post(path.format("white"), picture).status_code == 200
    assert hall.dice.photographs == [asked] and at(white, "white")["dice"]["roll"]["picture"]


def test_dice_are_accepted_as_read(hall: FakeHall, white: Screen, black: Screen) -> None:
    move(white, "white", "east", 2)
    seen = roll(white, "white")
    assert [die["face"] for die in seen["dice"]] == [*hall.dice.thrown["pip"], *hall.dice.thrown["sign"]]
    assert white.client.get(f"/dice/{seen['number']}.jpg").mimetype == "image/jpeg"
    assert at(black, "black")["dice"]["roll"]["number"] == seen["number"]
    assert accept(white, "white", seen["number"], []).status_code == 200
    assert hall.table is not None
    event = hall.table.events()[-1]
    assert event.answer == hall.dice.thrown
    assert event.source == "camera" and event.evidence is not None and event.evidence["picture"]


def test_a_die_is_corrected_and_the_record_keeps_both(hall: FakeHall, white: Screen) -> None:
    move(white, "white", "east", 2)
    hall.dice.script = [("wrong", 0, "6")]
    hall.dice.random.seed(3)
    seen = roll(white, "white")
    right = hall.dice.thrown["pip"][0]
    assert seen["dice"][0]["face"] == "6"
    assert seen["dice"][0]["faces"][0]["id"] == "6"
    assert {f["id"] for f in seen["dice"][0]["faces"]} == set("123456")
    done = accept(white, "white", seen["number"], [{"die": 0, "face": right}])
    assert done.status_code == 200
    assert hall.table is not None
    evidence = hall.table.events()[-1].evidence
    assert evidence is not None
    assert evidence["corrections"] == [{"die": 0, "face": right}]
    assert evidence["reading"]["dice"][0]["face"] == "6"


def test_an_unclear_die_must_be_looked_at(hall: FakeHall, white: Screen) -> None:
    move(white, "white", "east", 2)
    hall.dice.script = [("unknown", 1)]
    seen = roll(white, "white")
    assert seen["status"] == "ask" and seen["dice"][1]["face"] is None
    assert seen["reasons"][0]["text"] == "Ein Würfel ist nicht klar."
    assert accept(white, "white", seen["number"], []).status_code == 400
    face = hall.dice.thrown["pip"][1]
    assert accept(white, "white", seen["number"], [{"die": 1, "face": face}]).status_code == 200


def test_a_missing_die_is_added_and_a_surplus_one_removed(hall: FakeHall, white: Screen) -> None:
    move(white, "white", "east", 2)
    hall.dice.script = [("missing", 0)]
    seen = roll(white, "white")
    assert accept(white, "white", seen["number"], []).status_code == 400
    add = [{"add": {"type": "pip", "face": "3"}}]
    assert accept(white, "white", seen["number"], [*add, {"die": 0, "remove": True}]).status_code == 400
    assert accept(white, "white", seen["number"], add).status_code == 200


def test_a_corrected_roll_says_so_in_the_log_and_to_the_others(
    hall: FakeHall, white: Screen, black: Screen
) -> None:
    move(white, "white", "east", 2)
    assert at(black, "black")["roll_notice"] is None
    hall.dice.script = [("wrong", 0, "6")]
    hall.dice.random.seed(3)
    seen = roll(white, "white")
    fix = [{"die": 0, "face": hall.dice.thrown["pip"][0]}]
    assert accept(white, "white", seen["number"], fix).status_code == 200
    shown = at(black, "black")
    told = next(one for one in shown["log"] if one["source"] == "camera")
    assert told["text"].endswith("(1 die corrected)") and shown["roll_notice"] == told
    assert told["seat"] == "white"


def test_a_typed_roll_is_told_to_the_others_where_the_camera_reads(hall: FakeHall, black: Screen) -> None:
    table, rng = hall.table, random.Random(1)
    assert table is not None
    for source in ("camera", "tablet"):
        while not isinstance(table.request, RollDice):
            table_bot.one_answer(table, rng)
        request = table.request
        evidence = {"manual": False} if source == "camera" else None
        value = request.sample(rng)
        table.answer(request.seat, value, revision=table.revision, source=source, evidence=evidence)
        notice = at(black, "black")["roll_notice"]
        assert (notice is None) == (source == "camera")
    assert notice["number"] == table.revision and "(typed in by hand)" in notice["text"]


def test_a_typed_roll_says_so_in_the_log_and_is_no_news_where_no_camera_reads(
    hall: FakeHall, white: Screen, black: Screen
) -> None:
    move(white, "white", "east", 1)
    typed = {"revision": at(white, "white")["revision"], "faces": {"pip": ["4"], "sign": ["moon"]}}
    assert white.post("/api/seat/white/dice/accept", typed).status_code == 200
    shown = at(black, "black")
    assert any(one["text"].endswith("(typed in by hand)") for one in shown["log"])
    assert shown["roll_notice"] is None, "without a camera every roll is typed"


def test_nothing_is_taken_from_a_refused_picture_but_typing_goes_on(hall: FakeHall, white: Screen) -> None:
    move(white, "white", "east", 1)
    hall.dice.script = [("refused",)]
    seen = roll(white, "white")
    assert seen["status"] == "refused"
    assert seen["reasons"][0]["text"] == "Das Bild ist zu dunkel. Bitte Lampe an."
    assert accept(white, "white", seen["number"], []).status_code == 409
    typed = {"revision": at(white, "white")["revision"], "faces": {"pip": ["4"], "sign": ["moon"]}}
    assert white.post("/api/seat/white/dice/accept", typed).status_code == 200
    assert hall.table is not None
    assert hall.table.events()[-1].evidence == {"manual": True}


def test_an_older_picture_is_not_accepted(white: Screen) -> None:
    move(white, "white", "east", 1)
    first = roll(white, "white")["number"]
    second = roll(white, "white")["number"]
    assert second > first
    assert accept(white, "white", first, []).json["error"]["code"] == "stale"


def until_secret(white: Screen, black: Screen) -> None:
    rng = random.Random(1)
    for _ in range(60):
        if at(white, "white")["waiting"]["kind"] == "choose_secretly":
            return
        for screen, seat in ((white, "white"), (black, "black")):
            state = screen.state(seat)
            if state["table"]["waiting"]["kind"] != "choose_secretly":
                screen.act(seat, state, rng)
    raise AssertionError("no secret choice came up")


def test_a_secret_stays_secret_until_all_are_in(app: Flask, white: Screen, black: Screen) -> None:
    until_secret(white, black)
    ask = at(white, "white")["ask"]
    assert ask["secret"] and [o["value"] for o in ask["options"]] == ["rock", "paper"]
    revision = at(white, "white")["revision"]
    assert white.post("/api/seat/white/answer", {"values": ["rock"], "revision": revision}).status_code == 200
    own = at(white, "white")
    assert own["ask"]["sealed"] and own["waiting"]["seats"] == ["black"]
    watcher = Screen(app)
    for seen in (
        own,
        at(black, "black"),
        watcher.client.get("/api/watch/state").json["table"],
    ):
        without_options = {key: value for key, value in seen.items() if key != "ask"}
        assert not any(word in json.dumps(without_options).lower() for word in ("rock", "stein"))
    # the other part was asked at an older revision: that is the same question still
    assert (
        black.post("/api/seat/black/answer", {"values": ["paper"], "revision": revision}).status_code == 200
    )
    assert "Rock" in json.dumps(at(black, "black")["log"])


def test_a_sealed_choice_cannot_be_given_twice(white: Screen, black: Screen) -> None:
    until_secret(white, black)
    revision = at(white, "white")["revision"]
    white.post("/api/seat/white/answer", {"values": ["rock"], "revision": revision})
    again = white.post("/api/seat/white/answer", {"values": ["paper"], "revision": revision})
    assert again.status_code == 409


def test_spectators_and_the_other_seat_are_asked_nothing(app: Flask, white: Screen) -> None:
    watcher = Screen(app)
    table = watcher.client.get("/api/watch/state").json["table"]
    assert table["ask"] is None and table["waiting"]["seats"] == ["white"]


def test_taking_back_is_free_before_a_reveal_and_by_consent_after_it(white: Screen, black: Screen) -> None:
    assert at(white, "white")["undo"] is None
    move(white, "white", "east")
    assert at(white, "white")["undo"]["class"] == "free"
    assert "aufgedeckt" in at(white, "white")["undo"]["text"]
    done = white.post("/api/seat/white/take_back", {"revision": at(white, "white")["revision"]})
    assert done.status_code == 200
    assert at(white, "white")["view"]["places"]["north"]["owner"] == "white"
    move(white, "white", "east")
    accept(white, "white", roll(white, "white")["number"], [])
    assert at(white, "white")["undo"]["class"] == "consent"
    white.post("/api/seat/white/take_back", {"revision": at(white, "white")["revision"]})
    assert at(black, "black")["standing"]["asked"]["seat"] == "white"
    yes = {"yes": True, "revision": at(black, "black")["revision"]}
    assert black.post("/api/seat/black/consent", yes).status_code == 200
    assert at(white, "white")["waiting"]["kind"] == "roll_dice"


def test_taking_back_names_what_is_undone_whatever_happened_since(white: Screen, black: Screen) -> None:
    """Not the latest event: an objection that was withdrawn is nothing that is taken back."""
    move(white, "white", "east")
    made = at(white, "white")["log"][0]
    assert black.post("/api/seat/black/object", {"text": "hm"}).status_code == 200
    assert black.post("/api/seat/black/withdraw", {}).status_code == 200
    assert at(white, "white")["log"][0]["kind"] == "withdrawal"
    steps = at(white, "white")["undo"]["steps"]
    assert made in steps and {one["kind"] for one in steps} == {"answer"}


def test_an_objection_freezes_the_game_for_everybody(app: Flask, white: Screen, black: Screen) -> None:
    text = 'Das war <b>mein</b> "Zug"'
    assert black.post("/api/seat/black/object", {"text": text}).status_code == 200
    table = at(white, "white")
    assert table["standing"]["objection"] == {"seat": "black", "text": text, "appeal": None}
    assert "draft" not in table["ask"]
    answer = white.post("/api/seat/white/answer", {"values": ["east"], "revision": table["revision"]})
    assert answer.status_code == 423
    assert answer.json["error"]["sentence"].startswith("Ein Einspruch")
    assert white.post("/api/seat/white/withdraw", {}).status_code == 409
    arbiter = Screen(app)
    arbiter.post("/api/arbiter/enter", {"key": app.extensions["table"].seats.new_arbiter_key()})
    assert arbiter.post("/api/arbiter/rule", {"reason": ""}).status_code == 400
    assert arbiter.post("/api/arbiter/rule", {"reason": "Weiter."}).status_code == 200
    assert at(white, "white")["standing"]["objection"] is None
    assert "Weiter." in at(white, "white")["log"][0]["text"]


def test_resigning_and_confirming_the_result(white: Screen, black: Screen) -> None:
    assert white.post("/api/seat/white/resign", {}).status_code == 200
    assert at(black, "black")["outcome"]["winners"] == ["black"]
    assert black.post("/api/seat/black/confirm_result", {}).status_code == 200
    assert at(white, "white")["standing"]["confirmed"] == ["black"]


def test_continuing_after_a_restart(hall: FakeHall, app: Flask, white: Screen) -> None:
    move(white, "white", "east")
    before = at(white, "white")
    game_id = hall.table.id if hall.table else ""
    hall.resume(game_id)
    app.extensions["table"].follow()
    after = at(white, "white")
    assert after["revision"] == before["revision"] and after["waiting"] == before["waiting"]


def test_without_a_game_the_pages_say_so(tmp_path: Any) -> None:
    import toy_game
    from fake_hall import open_wide

    from web.app import create_app

    hall = FakeHall(tmp_path, [toy_game.register()])
    screen = Screen(open_wide(create_app(hall)))
    assert screen.client.get("/api/start").json["running"] is None
    assert screen.post("/api/sit", {"seat": "white"}).json["error"]["code"] == "no_game"
    assert screen.client.get("/api/watch/state").json["table"] is None
    assert screen.post("/api/games/new", {"game": "nothing", "players": {}}).status_code == 404
    assert screen.post("/api/games/new", {"game": "toy", "players": {}}).status_code == 200
    assert screen.client.get("/api/start").json["running"]["seats"][0]["id"] == "white"
    hall.close()


def test_searching_the_rules(white: Screen, black: Screen) -> None:
    found = white.client.get("/api/rules?q=nachbarfeld").json["rules"]
    assert [rule["id"] for rule in found] == ["step"]
    assert white.client.get("/api/rules?q=WUERFEL%20xyz").json["rules"] == []
    assert len(white.client.get("/api/rules?q=").json["rules"]) == 3
    assert white.client.get("/api/rules?q=%3Cscript%3E").json["rules"] == []


def test_lights_on_screen_look_like_those_under_the_board() -> None:
    """Linear light is brighter to the eye than its number says: half the light is 188 of 255 on a screen."""
    from web.snapshot import on_screen

    assert [on_screen(value) for value in (0, 1, 128, 255)] == [0, 13, 188, 255]


def test_a_second_throw_is_told_to_the_others_and_asked_of_them_in_a_tournament(
    hall: FakeHall, white: Screen, black: Screen
) -> None:
    """By the screens' own doors: what the roller, the opponent and the arbiter see and may do."""
    hall.start(NewGame("toy", {"white": "Anna", "black": "Bert"}, tournament=True))
    assert hall.table is not None
    hall.table.camera_reads = lambda: True
    move(white, "white", "east", men=2)
    first = roll(white, "white")
    second = roll(white, "white")
    assert (first["throw"], second["throw"], second["agree"]) == ("", "2.", "thrown_again")
    notice = at(black, "black")["roll_notice"]
    assert notice["text"].startswith("thrown again (2nd); the throw before:")
    assert accept(white, "white", second["number"], []).status_code == 200
    asked = at(black, "black")["standing"]["asked"]
    assert asked["kind"] == "roll_asked" and "asks whether" in asked["text"]
    said = {"yes": True, "revision": at(black, "black")["revision"]}
    assert black.post("/api/seat/black/consent", {**said, "asks": asked["number"] - 1}).status_code == 409
    assert white.post("/api/seat/white/consent", said).status_code == 409, "not to one's own question"
    assert black.post("/api/arbiter/consent", said).status_code == 403
    assert black.post("/api/seat/black/consent", {**said, "yes": False}).status_code == 200
    assert at(white, "white")["dice"]["first"]
    done = white.post("/api/seat/white/dice/first", {"revision": at(white, "white")["revision"]})
    assert done.status_code == 200
    assert at(black, "black")["roll_notice"]["text"].endswith("(the first throw counts)")
    typed = {"revision": 0, "values": [{"pip": ["6"], "sign": ["sun"]}]}
    move(black, "black", "east", men=1)
    # typing by the door of all other answers does not get round the question either
    typed["revision"] = at(black, "black")["revision"]
    assert black.post("/api/seat/black/answer", typed).status_code == 200
    assert at(white, "white")["standing"]["asked"]["kind"] == "roll_asked"
    assert isinstance(hall.table.request, RollDice)
