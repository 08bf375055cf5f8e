"""The fairness page: counts of what fell, the same answer as the command's, a file that the command reads."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import table_bot
from click.testing import CliRunner
from fake_hall import FakeHall, open_wide
from flask import Flask
from screens import Screen

from referee.archive.rolls import fallen
from referee.cli import main
from referee.journal.line import line_of
from referee.kernel.registry import load_game
from referee.serving.hosting import NewGame
from vision.fairness import stats_command
from web.app import create_app
from web.asks import by_name, face_text


@pytest.fixture
def played(tmp_path: Path) -> Iterator[tuple[FakeHall, Flask, Screen]]:
    hall = FakeHall(tmp_path, [load_game("five_armies")])
    hall.start(NewGame("five_armies", {}))
    table = hall.table
    assert table is not None
    table_bot.play(table, random.Random(3), 150)
    app = open_wide(create_app(hall))
    yield hall, app, Screen(app)
    hall.close()


def test_counts_are_those_of_the_record(played: tuple[FakeHall, Flask, Screen]) -> None:
    hall, _, screen = played
    table = hall.table
    assert table is not None
    fell: dict[str, Counter[str]] = {}
    for event in line_of(list(table.events())):
        if event.request and event.request["kind"] == "roll_dice":
            for die, faces in event.answer.items():
                fell.setdefault(die, Counter()).update(faces)
    dice = screen.client.get("/api/fairness").json["dice"]
    assert dice
    for one in dice:
        assert {face: n for face, n in one["counts"].items() if n} == dict(fell[one["id"]])
        assert sum(one["expected"].values()) == pytest.approx(one["rolls"])
        assert one["name"] != one["id"] and str(one["rolls"]) in one["sentence"]
        assert set(one["faces"]) == set(one["counts"])


def test_the_file_can_be_tested_again(played: tuple[FakeHall, Flask, Screen], tmp_path: Path) -> None:
    _, _, screen = played
    answer = screen.client.get("/fairness.jsonl")
    assert "attachment" in answer.headers["Content-Disposition"]
    path = tmp_path / "rolls.jsonl"
    path.write_bytes(answer.data)
    done = CliRunner().invoke(stats_command, [str(path)])
    assert done.exit_code == 0, done.output
    screen.post("/api/language", {"language": "en", "who": ""})
    for one in screen.client.get("/api/fairness").json["dice"]:
        assert f"{one['id']}: {one['sentence']}" in done.output


def test_what_the_reader_says_is_told_by_name() -> None:
    game = load_game("five_armies")
    said = "muster_army, muster of free_action and 3 of a muster_roll"
    told = by_name(game, ["free_action", "combat_white", "unknown"], said, "de")
    both, one = (face_text(game, "free_action", face, "de") for face in ("muster_army", "muster"))
    assert told.startswith(f"{both}, {one} of ") and told.endswith(" and 3 of a muster_roll")
    assert "free_action" not in told
    assert by_name(game, [], said, "de") == said


def test_a_roll_that_an_arbiter_let_stand_counts(played: tuple[FakeHall, Flask, Screen]) -> None:
    table = played[0].table
    assert table is not None
    types = table.play.game.dice
    before = fallen(list(table.events()), types)
    stood = replace(
        table.events()[-1],
        kind="stands",
        request={"kind": "roll_dice"},
        answer={"value": {"combat_white": ["6", "6", "7"], "pebble": ["1"]}, "reason": "seen", "rule": ""},
    )
    after = fallen([*table.events(), stood], types)
    assert after["combat_white"] == [*before.get("combat_white", []), (stood.number, ["6", "6"])]
    assert after.keys() == before.keys() | {"combat_white"}


def test_the_record_tells_what_fell(played: tuple[FakeHall, Flask, Screen], tmp_path: Path) -> None:
    screen = played[2]
    store = str(tmp_path / "games.sqlite")
    told = CliRunner().invoke(main, ["rolls", "last", "--store", store])
    assert told.exit_code == 0 and told.output == screen.client.get("/fairness.jsonl").text
    assert CliRunner().invoke(main, ["rolls", "--store", store]).output == told.output
    assert CliRunner().invoke(main, ["rolls", "nobody", "--store", store, "--lang", "de"]).exit_code == 2
    tested = CliRunner().invoke(main, ["dice", "stats", "-"], input=told.output)
    assert tested.exit_code == 0 and "rolls." in tested.output


def test_before_a_game_and_for_a_stranger(tmp_path: Path) -> None:
    hall = FakeHall(tmp_path, [load_game("five_armies")])
    app = open_wide(create_app(hall))
    assert app.test_client().get("/api/fairness").status_code == 403
    screen = Screen(app)
    assert screen.client.get("/fairness").status_code == 200
    assert screen.client.get("/api/fairness").json["dice"] == []
    assert screen.client.get("/fairness.jsonl").status_code == 409
    hall.close()
