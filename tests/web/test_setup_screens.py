"""Set-up pages: who may change what, box book, house rules, camera in words, teaching, LED map."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from fake_devices import Bench
from fake_hall import FakeHall, open_wide
from flask import Flask
from given_text import given
from screens import ID_LIKE, Screen

from calibration.workbench import Workbench
from firmware_bridge.led_map import LedMap
from referee.kernel.lights import lit_places
from referee.kernel.registry import load_game
from referee.serving.hosting import NewGame
from vision.teach import SelfTest
from web.app import create_app

GAME = "five_armies"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "bench")


@pytest.fixture
def setup_hall(tmp_path: Path, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHall]:
    hall = FakeHall(tmp_path, [load_game(GAME)])
    bench.folder.mkdir()
    monkeypatch.setattr("calibration.workbench.LOOK_EVERY_S", 0.0)
    hall.workbench = Workbench(bench, bench.folder)  # type: ignore[attr-defined]
    yield hall
    hall.close()


@pytest.fixture
def setup_app(setup_hall: FakeHall) -> Flask:
    return open_wide(create_app(setup_hall))


@pytest.fixture
def owner(setup_app: Flask) -> Screen:
    """Whoever comes first to a table without a game may set it up."""
    return Screen(setup_app)


def texts(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        for key, value in data.items():
            if key in ("label", "text", "title", "why", "face") and isinstance(value, str):
                yield value
            else:
                yield from texts(value)
    elif isinstance(data, list):
        for one in data:
            yield from texts(one)


# --- who may --------------------------------------------------------------------------------------------


def test_who_does_not_sit_here_changes_nothing(setup_hall: FakeHall, setup_app: Flask, owner: Screen) -> None:
    setup_hall.start(NewGame(GAME, {}))
    setup_app.extensions["table"].follow()
    owner.sit("free")
    stranger = Screen(setup_app)
    for path, data in (
        (f"/api/setup/book/{GAME}/write", {"changes": {}}),
        ("/api/setup/leds/begin", {"game": GAME, "leds": 5}),
        ("/api/setup/dice/begin", {"game": GAME, "type": "free_action"}),
        ("/api/setup/camera/calibrate", {}),
    ):
        refused = stranger.post(path, data)
        assert (refused.status_code, refused.json["error"]["code"]) == (403, "may_not_set_up"), path
    assert stranger.client.get("/setup/live.jpg").status_code == 403
    assert owner.post(f"/api/setup/book/{GAME}/write", {"changes": {}}).status_code == 200


def test_a_table_without_a_workbench_says_so(app: Flask, white: Screen) -> None:
    answer = white.client.get("/api/setup/camera")
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "no_workbench")
    assert white.client.get("/api/setup").json["ready"] is False
    assert white.client.get("/setup/nowhere").status_code == 404


def test_the_pages_of_one_game_begin_with_the_one_on_the_table(app: Flask, white: Screen) -> None:
    """LED map and box book began with whichever comes first in the alphabet."""
    assert white.client.get("/api/setup").json["game"] == "toy"


# --- box book -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_entry_of_the_box_book_is_in_words(owner: Screen, language: str) -> None:
    owner.post("/api/language", {"language": language, "who": ""})
    book = owner.client.get(f"/api/setup/book/{GAME}").json
    house = owner.client.get(f"/api/setup/house/{GAME}").json
    assert len(book["groups"]) == 7
    found = [*texts(book), *texts(house)]
    assert len(found) > 300
    assert [text for text in found if ID_LIKE.search(text) or "{" in text or not text] == []


def test_an_entry_is_kept_with_its_source_and_goes_into_the_next_game(
    owner: Screen, setup_hall: FakeHall
) -> None:
    entry = {"value": "3", "certainty": "medium", "source": 'die "Karte" selbst\n'}
    kept = owner.post(f"/api/setup/book/{GAME}/write", {"changes": {"leadership.gandalf": entry}})
    assert kept.status_code == 200, kept.json
    again = setup_hall.workbench.book(load_game(GAME))  # type: ignore[attr-defined]
    assert again.values == {"leadership.gandalf": "3"}
    assert again.entries["leadership.gandalf"].source == 'die "Karte" selbst'
    assert again.digest == kept.json["digest"] != ""
    owner.post(f"/api/setup/book/{GAME}/write", {"changes": {"leadership.gandalf": None}})
    assert setup_hall.workbench.book(load_game(GAME)).digest == ""  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "changes",
    [
        {"leadership.sauron": {"value": "3"}},
        {"leadership.gandalf": {"value": "99"}},
        {"leadership.gandalf": {"value": "3", "certainty": "divine"}},
        {"setup.free_1": {"value": "camp"}},  # another group stands there
        {"leadership.gandalf": {"value": 3}},
        {"leadership.gandalf": "3"},
        [],
    ],
)
def test_what_cannot_be_is_refused_whole(owner: Screen, changes: Any) -> None:
    good = {"leadership.bard": {"value": "2"}}
    both = {**good, **changes} if isinstance(changes, dict) else changes
    refused = owner.post(f"/api/setup/book/{GAME}/write", {"changes": both})
    assert refused.status_code == 400
    assert owner.client.get(f"/api/setup/book/{GAME}").json["known"] == 0


def test_an_ability_and_a_reach_are_kept_as_lists(owner: Screen, setup_hall: FakeHall) -> None:
    program = [
        {"do": "move", "armies": 1, "need": "men"},
        {"do": "shoot", "dice": 3, "target": 5, "by": "bard", "reach": "ruler"},
    ]
    changes = {"ability.bard": {"value": program}, "reach.camp": {"value": ["ravenhill"]}}
    kept = owner.post(f"/api/setup/book/{GAME}/write", {"changes": changes})
    assert kept.status_code == 200, kept.json
    again = setup_hall.workbench.book(load_game(GAME))  # type: ignore[attr-defined]
    assert again.values == {"ability.bard": program, "reach.camp": ["ravenhill"]}
    field = next(f for g in kept.json["groups"] for f in g["fields"] if f["key"] == "ability.bard")
    shoot = next(kind for kind in kept.json["steps"][field["steps"]] if kind["id"] == "shoot")
    assert {slot["id"]: slot["kind"] for slot in shoot["slots"]} == {
        "dice": "number", "target": "number", "by": "choice", "reach": "choice"
    }  # fmt: skip
    wrong = {"ability.bard": {"value": [{"do": "shoot"}]}}
    assert owner.post(f"/api/setup/book/{GAME}/write", {"changes": wrong}).status_code == 400


def test_what_was_written_by_hand_is_never_lost(bench: Bench, owner: Screen) -> None:
    """Entries that the form does not know or take stay in the file when the page writes it."""
    path = bench.folder / "boxes/default" / f"{GAME}.toml"
    path.parent.mkdir(parents=True)
    path.write_text(
        'note = "lent from Ana"\n["ability.dain"]\nvalue = [{do = "shift_character", character = "bilbo", '
        'spaces = 2, otherwise = [{do = "draw_event"}]}]\n'
        '["ability.sauron"]\nvalue = [{do = "shoot", dice = 9}]\nwhen = 2026-11-28\n'
        '["leadership.gandalf"]\nvalue = "77"\n'
    )
    book = owner.client.get(f"/api/setup/book/{GAME}").json
    assert (book["known"], len(book["trouble"])) == (1, 3)
    owner.post(f"/api/setup/book/{GAME}/write", {"changes": {"leadership.bard": {"value": "2"}}})
    file = tomllib.loads(path.read_text())
    assert file["note"] == "lent from Ana"
    assert file["ability.dain"]["value"][0]["otherwise"] == [{"do": "draw_event"}]
    assert file["ability.sauron"] == {"value": [{"do": "shoot", "dice": 9}], "when": date(2026, 11, 28)}
    assert (file["leadership.gandalf"]["value"], file["leadership.bard"]["value"]) == ("77", "2")
    owner.post(f"/api/setup/book/{GAME}/write", {"changes": {"leadership.gandalf": {"value": "3"}}})
    assert tomllib.loads(path.read_text())["leadership.gandalf"]["value"] == "3"


def test_two_groups_may_change_places(owner: Screen) -> None:
    changes = {"setup.free_1": {"value": "eb_ridge_mid"}, "setup.free_2": {"value": "front_gate"}}
    assert owner.post(f"/api/setup/book/{GAME}/write", {"changes": changes}).status_code == 200


def test_a_spoiled_book_is_set_aside_and_told(bench: Bench, setup_hall: FakeHall, owner: Screen) -> None:
    path = bench.folder / "boxes/default" / f"{GAME}.toml"
    path.parent.mkdir(parents=True)
    path.write_text("[half")
    assert len(owner.client.get(f"/api/setup/book/{GAME}").json["trouble"]) == 1
    assert path.with_suffix(".unreadable").read_text() == "[half"
    path.write_text('["leadership.gandalf"]\nvalue = "77"\n["leadership.bard"]\nvalue = "2"\n')
    book = owner.client.get(f"/api/setup/book/{GAME}").json
    assert book["known"] == 1 and "77" in book["trouble"][0]


def test_house_rules_and_clock_of_a_new_game(owner: Screen, setup_hall: FakeHall) -> None:
    body = {"game": GAME, "players": {}, "house": {"rally_reroll": "failed", "bolg_ready": "army_in_valley"}}
    assert owner.post("/api/games/new", {**body, "clock": 30}).status_code == 200
    assert setup_hall.table is not None
    assert setup_hall.table.header["options"] == {"house": {"rally_reroll": "failed"}}
    clock = owner.client.get("/api/clock").json["clock"]
    assert clock["left"] == {"free": 1800.0, "shadow": 1800.0} and clock["paused"]
    refused = owner.post("/api/games/new", {**body, "house": {"rally_reroll": "never"}})
    assert refused.status_code == 400


# --- camera ---------------------------------------------------------------------------------------------


def test_the_camera_check_says_pass_and_fail(owner: Screen, bench: Bench) -> None:
    assert owner.client.get("/api/setup/camera").json["picture"] is False
    assert owner.client.get("/setup/live.jpg").status_code == 404
    bench.image = bench.tray.throw({}, 1)
    seen = owner.client.get("/api/setup/camera").json
    assert seen["good"] and seen["markers"] == 4 and len(seen["findings"]) == 8
    assert seen["findings"][-1]["code"] == "place", "the first good place is kept"
    live = owner.client.get("/setup/live.jpg")
    picture = cv2.imdecode(np.frombuffer(live.data, np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape[1] == 720


@pytest.mark.parametrize(
    ("mishap", "code"),
    [("dark", "dark"), ("defocus", "fiducials_lost"), ("marker_hidden", "fiducials_lost")],
)
def test_what_is_wrong_with_the_picture_is_named(owner: Screen, bench: Bench, mishap: str, code: str) -> None:
    bench.image = bench.tray.throw({}, 3, mishap)
    assert _failed(owner) == {code}


def test_a_bumped_camera_is_named_until_it_is_calibrated_anew(owner: Screen, bench: Bench) -> None:
    assert owner.post("/api/setup/camera/calibrate", {}).json["picture"] is False
    bench.image = bench.tray.throw({}, 1)
    owner.client.get("/api/setup/camera")
    matrix = np.array([[1, 0, 25], [0, 1, 10]], np.float32)
    height, width = bench.image.shape[:2]
    bench.image = cv2.warpAffine(bench.image, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    assert _failed(owner) == {"place"}
    (place,) = [f for f in owner.client.get("/api/setup/camera").json["findings"] if f["code"] == "place"]
    assert "Calibrate" in place["text"] and place["name"] == "Place"
    assert owner.post("/api/setup/camera/calibrate", {}).json["good"]
    assert _failed(owner) == set()
    good, bench.image = bench.image, np.full_like(bench.image, 128)
    refused = owner.post("/api/setup/camera/calibrate", {})
    assert refused.status_code == 400 and "nothing at all" in refused.json["error"]["sentence"]
    bench.image = good
    assert _failed(owner) == set(), "the kept place is still the last good one"


def test_soft_focus_glare_and_shadow_are_told_apart(owner: Screen, bench: Bench) -> None:
    empty = bench.tray.throw({}, 1)
    height, width = empty.shape[:2]
    bench.image = cv2.circle(empty.copy(), (width // 2, height // 2), 25, (255, 255, 255), -1)
    assert _failed(owner) == {"glare"}
    shadow = empty.copy()
    third = slice(width // 3, width // 2)
    shadow[:, third] = (shadow[:, third] * 0.12).astype(np.uint8)
    bench.image = shadow
    assert _failed(owner) == {"even"}
    bench.image = cv2.GaussianBlur(empty, (0, 0), 2.2)
    assert "sharp" in _failed(owner)


def _failed(owner: Screen) -> set[str]:
    """Codes of what the camera page shows as failed, each with a sentence in both languages."""
    failed: set[str] = set()
    for language in ("de", "en"):
        owner.post("/api/language", {"language": language, "who": ""})
        seen = owner.client.get("/api/setup/camera").json
        bad = [one for one in seen["findings"] if not one["good"]]
        assert seen["good"] is (not bad) and all(len(one["text"]) > 20 for one in bad)
        failed |= {one["code"] for one in bad}
    return failed


# --- teaching -------------------------------------------------------------------------------------------


def test_faces_are_asked_for_taken_tested_and_kept(owner: Screen, bench: Bench) -> None:
    begun = owner.post("/api/setup/dice/begin", {"game": GAME, "type": "free_action"}).json
    faces = [one["id"] for one in begun["session"]["faces"]]
    assert len(faces) == 5 and {one["missing"] for one in begun["session"]["faces"]} == {6}
    none = owner.post("/api/setup/dice/take", {"face": faces[0]}).json
    assert none["taken"] is False
    for _ in range(2):
        for face in faces:
            owner.post("/api/setup/dice/lay", {"face": face})
            taken = owner.post("/api/setup/dice/take", {"face": face}).json
            assert taken["taken"], taken["text"]
    same = owner.post("/api/setup/dice/take", {"face": faces[-1]}).json
    assert same["taken"] is False and same["text"]
    tested = owner.post("/api/setup/dice/test", {}).json["test"]
    assert tested["tested"] == 10
    assert {one["face"] for one in tested["more"]}, "two pictures a face are not enough"
    done = owner.post("/api/setup/dice/finish", {}).json
    assert done["finished"] and done["session"] is None
    assert bench.taught_path().exists() and bench.reloaded == 1


def test_confused_faces_are_told_by_name(
    owner: Screen, setup_hall: FakeHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner.post("/api/setup/dice/begin", {"game": GAME, "type": "free_action"})
    mixed = SelfTest(12, 11, 1, [("muster", "muster_army", 1)])
    mixed.ask_for_more["muster"] = given(
        "is confused with event, muster_army", "wird mit event, muster_army verwechselt"
    )
    monkeypatch.setattr(setup_hall.workbench, "examine", lambda: mixed)  # type: ignore[attr-defined]
    said = owner.post("/api/setup/dice/test", {}).json["test"]
    assert "muster_army" not in str(said) and "wird mit" in said["more"][0]["why"]
    assert said["confused"][0]["read"] in said["more"][0]["why"]


def test_dice_with_pips_are_not_taught(owner: Screen) -> None:
    refused = owner.post("/api/setup/dice/begin", {"game": GAME, "type": "combat_white"})
    assert refused.status_code == 400
    assert owner.post("/api/setup/dice/take", {"face": "army"}).status_code == 400


# --- LED map --------------------------------------------------------------------------------------------


def test_leds_are_mapped_by_tapping(owner: Screen, bench: Bench) -> None:
    begun = owner.post("/api/setup/leds/begin", {"game": GAME, "leds": 3}).json["mapping"]
    assert begun["current"] == 0 and bench.lent == 3 and set(bench.shown) == {"0"}
    owner.post("/api/setup/leds/assign", {"place": "camp"})
    owner.post("/api/setup/leds/skip", {})
    owner.post("/api/setup/leds/undo", {})
    assert owner.post("/api/setup/leds/assign", {"place": "moria"}).status_code == 400
    owner.post("/api/setup/leds/assign", {"place": "ravenhill"})
    saved = owner.post("/api/setup/leds/save", {}).json
    assert saved["mapping"] is None and bench.lent == 0
    assert LedMap.load(bench.led_map_path()).places == {"camp": (0,), "ravenhill": (1,)}


def test_a_strip_has_a_sensible_length(owner: Screen) -> None:
    for leds in (0, 301, -1):
        assert owner.post("/api/setup/leds/begin", {"game": GAME, "leds": leds}).status_code == 400
    assert owner.post("/api/setup/leds/save", {}).status_code == 400


def test_leds_of_everything_that_lights_can_show(owner: Screen, bench: Bench) -> None:
    """Boxes, the tray and the seats too; rock has no light and is never missing."""
    lit = {one["id"]: one for one in owner.client.get(f"/api/setup/lit/{GAME}").json["lit"]}
    game = load_game(GAME)
    wanted = set(lit_places(game)) - {
        key for key, place in game.board().places.items() if place.kind == "rock"
    }
    assert set(lit) == wanted and {"tray", "seat_free", "eyrie"} <= wanted
    assert not lit["tray"]["board"] and lit["eyrie"]["board"]
    owner.post("/api/setup/leds/begin", {"game": GAME, "leds": len(lit)})
    for place in lit:
        answer = owner.post("/api/setup/leds/assign", {"place": place})
        assert answer.status_code == 200, answer.json
    assert answer.json["mapping"]["missing"] == [] and answer.json["mapping"]["current"] is None
    owner.post("/api/setup/leds/save", {})
    assert set(LedMap.load(bench.led_map_path()).places) == wanted


@pytest.mark.parametrize("language", ["de", "en"])
def test_all_that_has_lights_has_a_name(owner: Screen, language: str) -> None:
    owner.post("/api/language", {"language": language})
    names = [one["name"] for one in owner.client.get(f"/api/setup/lit/{GAME}").json["lit"]]
    assert all(names) and len(set(names)) == len(names)
    assert not any(ID_LIKE.search(name) for name in names)
