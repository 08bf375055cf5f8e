"""Explanations, the summary of a turn, words for a first game, and the clock."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_hall import FakeHall, open_wide
from flask import Flask
from screens import ID_LIKE, Screen

from referee.kernel.registry import load_game
from referee.serving.hosting import NewGame
from web.app import create_app
from web.areas.help import topics
from web.clock import Clock


@pytest.fixture
def five(tmp_path: Path) -> Iterator[tuple[FakeHall, Flask, Screen]]:
    hall = FakeHall(tmp_path, [load_game("five_armies")])
    hall.start(NewGame("five_armies", {}))
    app = open_wide(create_app(hall))
    screen = Screen(app)
    screen.sit("free", "de")
    screen.sit("shadow", "de")
    yield hall, app, screen
    hall.close()


@pytest.mark.parametrize("language", ["de", "en"])
def test_everything_on_the_board_is_explained(five: tuple[FakeHall, Flask, Screen], language: str) -> None:
    hall, _, screen = five
    screen.post("/api/language", {"language": language, "who": ""})
    table = hall.table
    assert table is not None
    rng = random.Random(5)
    kinds = set()
    for _ in range(400):
        request = table.request
        if request is None:
            break
        value = request.sample(rng)
        if request.kind == "choose_secretly":
            for seat, part in value.items():
                table.answer(seat, part, revision=table.revision)
        else:
            table.answer(request.seat, value, revision=table.revision)
        view = table.view(None, "en")
        for place in view["places"].values():
            kinds |= {(piece["kind"], piece["id"]) for piece in place["pieces"]}
            kinds |= {("marker", marker["id"]) for marker in place["markers"]}
        kinds |= {("track", one["id"]) for one in view["tracks"]}
        kinds |= {("score", one["id"]) for one in view["scores"]}
    assert len(kinds) > 15
    for kind, name in kinds:
        answer = screen.client.get(f"/api/help/{kind}/{name}")
        assert answer.status_code == 200, (kind, name)
        assert answer.json["rule"]["page"] and len(answer.json["text"]) > 30, (kind, name)


def test_an_explanation_is_found_by_words(five: tuple[FakeHall, Flask, Screen]) -> None:
    _, _, screen = five
    found = screen.client.get("/api/help?q=wut beorn").json["found"]
    assert ("marker", "wrath") in {(one["kind"], one["id"]) for one in found}
    first = screen.client.get("/api/help?q=beorn").json["found"][0]
    assert (first["kind"], first["id"]) == ("character", "beorn"), (
        "what is called so stands above what tells of it"
    )
    assert screen.client.get("/api/help?q=klingone").json["found"] == []
    assert screen.client.get("/api/help/unit/balrog").status_code == 404


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("game", ["five_armies", "war_of_the_ring"])
def test_a_first_game_explains_each_phase_fights_and_what_is_odd_in_its_order(
    game: str, language: str
) -> None:
    told = topics(load_game(game), language)
    ids = [one["id"] for one in told]
    assert ids[:8] == ["setup", "1", "2", "3", "4", "5", "end", "over"]
    odd = {"five_armies": {"combat", "char.printed_values"}, "war_of_the_ring": {"combat", "hunt.roll"}}
    assert set(ids[8:]) == odd[game] | {"cards.rules_still_apply"}
    assert all(len(one["text"]) > 40 and not ID_LIKE.search(f"{one['text']} {one['title']}") for one in told)
    assert len({one["text"] for one in told}) == len({one["title"] for one in told}) == len(ids), "each once"


def test_explanations_come_in_the_language_of_the_seat(five: tuple[FakeHall, Flask, Screen]) -> None:
    _, _, screen = five
    told = {one["id"]: one for one in screen.client.get("/api/learn").json["topics"]}
    assert told["5"]["title"] == "Phase 5: Aktionen" and told["combat"]["title"] == "Kampf"


def test_every_topic_of_a_first_game_comes_up_in_play() -> None:
    """Whatever is explained is a phase, a fight or a rule that some question asks by."""
    for game in map(load_game, ("five_armies", "war_of_the_ring")):
        rules = {one["id"] for one in topics(game, "en")} - {"setup", "end", "over", "combat", *"12345"}
        assert rules <= set(game.catalogue)


def test_a_game_without_words_for_a_first_game_explains_nothing(white: Screen) -> None:
    assert white.client.get("/api/learn").json["topics"] == []


def test_a_game_without_explanations_says_so(white: Screen) -> None:
    assert white.client.get("/api/help").json["found"] == []
    assert white.client.get("/api/help/unit/men").status_code == 404


def test_the_turn_in_summary(white: Screen, black: Screen) -> None:
    rng = random.Random(3)
    before = white.client.get("/api/turn").json
    for _ in range(12):
        for screen, seat in ((white, "white"), (black, "black")):
            screen.act(seat, screen.state(seat), rng)
    after = white.client.get("/api/turn").json
    assert before["lines"] == [] and after["lines"]
    assert after["turn"] != before["turn"]
    assert all(line["text"] for line in after["lines"])


# --- the clock ------------------------------------------------------------------------------------------


class Watch:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_only_the_seat_that_is_asked_is_charged(hall: FakeHall, tmp_path: Path) -> None:
    watch = Watch()
    clock = Clock(tmp_path, watch)
    clock.follow(hall.table)
    assert clock.as_json(("white", "black")) is None
    clock.set(10)
    watch.now += 50
    clock.moved(hall.table)
    assert clock.as_json(("white", "black"))["left"] == {"white": 600, "black": 600}  # type: ignore[index]
    clock.pause(False, hall.table)
    watch.now += 61.5
    found = clock.as_json(("white", "black"))
    assert found is not None and found["running"] == ["white"]
    assert found["left"] == {"white": 538.5, "black": 600}
    clock.pause(True, hall.table)
    watch.now += 1000
    again = Clock(tmp_path, watch)
    again.follow(hall.table)
    assert again.as_json(("white", "black"))["left"]["white"] == 538.5  # type: ignore[index]
    again.pause(False, hall.table)
    watch.now += 600
    assert again.as_json(("white",))["left"]["white"] == -61.5  # type: ignore[index]


def test_the_clock_stands_still_in_an_objection(hall: FakeHall, tmp_path: Path) -> None:
    watch = Watch()
    clock = Clock(tmp_path, watch)
    clock.follow(hall.table)
    clock.set(5)
    clock.pause(False, hall.table)
    assert hall.table is not None
    hall.table.raise_objection("black", "Moment")
    clock.moved(hall.table)
    watch.now += 100
    assert clock.as_json(("white", "black"))["running"] == []  # type: ignore[index]


def test_a_spectator_cannot_stop_the_clock(app: Flask, white: Screen) -> None:
    app.extensions["table"].clock.set(5)
    stranger = Screen(app)
    assert stranger.post("/api/clock/pause", {"paused": False}).status_code == 403
    running = white.post("/api/clock/pause", {"paused": False}).json["clock"]
    assert running["running"] == ["white"] and not running["paused"]


def test_a_spoiled_clock_file_costs_nothing(hall: FakeHall, tmp_path: Path) -> None:
    (tmp_path / "clocks.json").write_text('{"x": {"minutes": "many"}}')
    clock = Clock(tmp_path)
    clock.follow(hall.table)
    assert clock.minutes == 0
