"""Answers, drafts, secrets, and what a restart gives back."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
import table_bot
import toy_game
from table_bot import advance_to, restarted

from referee.hall.table import Table
from referee.journal.errors import GameOver
from referee.journal.events import first_break
from referee.journal.line import line_of, replay
from referee.kernel.errors import (
    IllegalAnswer,
    InvalidAnswer,
    NotYourTurn,
    RefereeError,
    StaleAnswer,
)
from referee.kernel.requests import ChooseSecretly, Report, RollDice
from referee.store.store import Store


def test_an_answer_is_on_disk_when_it_is_acknowledged(table: Table) -> None:
    event = table.answer("white", "east", revision=0)
    assert (event.number, event.kind, event.seat, event.answer) == (1, "answer", "white", "east")
    assert event.request is not None and event.request["prompt"] == "prompt.place"
    stored = table.live_game.store.load(table.id).events
    assert stored == [event]
    assert event.digest == table.play.digest()


def test_every_event_follows_from_the_one_before(table: Table) -> None:
    table_bot.play(table, Random(2))
    assert table.outcome is not None
    assert first_break(table.header, table.events()) is None
    assert [event.number for event in table.events()] == list(range(1, table.revision + 1))


@pytest.mark.parametrize(
    ("seat", "value", "revision", "error"),
    [
        ("white", "east", 1, StaleAnswer),
        ("white", "east", -1, StaleAnswer),
        ("black", "east", 0, NotYourTurn),
        ("green", "east", 0, InvalidAnswer),
        ("white", "atlantis", 0, InvalidAnswer),
        ("white", 17, 0, InvalidAnswer),
        ("white", None, 0, InvalidAnswer),
        ("white", {"east": 1}, 0, InvalidAnswer),
        ("white", "south", 0, IllegalAnswer),
    ],
)
def test_a_wrong_answer_changes_nothing(
    table: Table, seat: str, value: Any, revision: int, error: type[RefereeError]
) -> None:
    before = table.play.digest()
    with pytest.raises(error) as caught:
        table.answer(seat, value, revision=revision)
    assert caught.value.sentence("de") != caught.value.sentence("en")
    assert table.revision == 0 and table.play.digest() == before
    table.answer("white", "east", revision=0)


def test_a_refusal_names_its_rule(table: Table) -> None:
    with pytest.raises(IllegalAnswer) as caught:
        table.answer("white", "south", revision=0)
    assert caught.value.refusal is not None and caught.value.refusal.rule == "step"


def test_a_tap_on_an_older_question_is_stale_but_a_remark_in_between_does_no_harm(table: Table) -> None:
    shown = table.revision
    table.note("black", "Kaffee?")
    table.answer("white", "east", revision=shown)
    with pytest.raises(StaleAnswer):
        table.answer("white", {"men": 1}, revision=shown)


def test_two_tabs_on_one_seat_only_one_answer_counts(table: Table) -> None:
    shown = table.revision
    results: list[str] = []

    def tap() -> None:
        try:
            table.answer("white", "east", revision=shown)
            results.append("ok")
        except StaleAnswer:
            results.append("stale")

    threads = [threading.Thread(target=tap) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == ["ok"] + ["stale"] * 5
    assert table.revision == 1


def test_a_draft_is_only_tried(table: Table) -> None:
    before = table.play.digest()
    preview = table.preview("white", ["east", {"men": 2}], language="de")
    assert isinstance(preview.request, RollDice) and not preview.open
    assert preview.view["places"]["east"]["pieces"][0]["name"] == "Weiß"
    assert table.preview("white", ["east"]).open
    assert table.preview("white", []).open
    assert table.revision == 0 and table.play.digest() == before
    with pytest.raises(IllegalAnswer):
        table.preview("white", ["south"])
    with pytest.raises(InvalidAnswer):
        table.preview("white", ["east", {"men": 1}, {"pip": ["6"], "sign": ["sun"]}])
    assert table.play.digest() == before


def test_a_draft_is_confirmed_in_one_piece_or_not_at_all(table: Table) -> None:
    with pytest.raises(IllegalAnswer):
        table.answer_many("white", ["east", {"men": 3, "elves": 2}], revision=0)
    assert table.revision == 0 and table.events() == []
    assert table.play.digest() == table.live_game.replayed([])[0].digest()
    made = table.answer_many("white", ["east", {"men": 2}], revision=0)
    assert [event.number for event in made] == [1, 2]
    assert {event.batch for event in made} == {1}
    assert table.play.digest() == made[-1].digest
    with pytest.raises(InvalidAnswer):
        table.answer_many("white", [], revision=2)


def test_a_draft_cannot_contain_chance(table: Table) -> None:
    with pytest.raises(InvalidAnswer):
        table.answer_many("white", ["east", {"men": 1}, {"pip": ["6"], "sign": ["sun"]}], revision=0)
    assert table.revision == 0


def test_a_secret_is_recorded_at_once_and_shown_when_all_are_in(table: Table) -> None:
    advance_to(table, ChooseSecretly)
    shown = table.revision
    part = table.answer("white", "rock", revision=shown)
    assert part.kind == "sealed_part"
    assert table.asked_seats == ("black",)
    said = json.dumps([event.as_json() for event in table.events(shown)])
    assert "rock" not in said.replace('"about"', "")
    with pytest.raises(StaleAnswer):
        table.answer("white", "paper", revision=table.revision)
    # the other seat was shown the question before the first part came in
    table.answer("black", "rock", revision=shown)
    combined = table.events()[-1]
    assert combined.kind == "answer" and combined.answer == {"white": "rock", "black": "rock"}
    assert combined.evidence is not None and set(combined.evidence["opened"]) == {"white", "black"}


def test_a_secret_part_survives_a_restart(table: Table) -> None:
    advance_to(table, ChooseSecretly)
    table.answer("black", "paper", revision=table.revision)
    again = restarted(table)
    assert again.asked_seats == ("white",)
    again.answer("white", "rock", revision=again.revision)
    assert again.events()[-1].answer == {"white": "rock", "black": "paper"}
    again.close()


def test_a_secret_part_can_be_taken_back_before_the_others_are_in(table: Table) -> None:
    advance_to(table, ChooseSecretly)
    digest = table.play.digest()
    table.answer("black", "paper", revision=table.revision)
    undo = table.undo_class("black")
    assert undo is not None and undo.kind == "free"
    table.take_back("black", revision=table.revision)
    assert table.asked_seats == ("white", "black") and table.play.digest() == digest
    again = restarted(table)
    assert again.asked_seats == ("white", "black")
    again.close()


@pytest.mark.parametrize("answers", [0, 1, 2, 7, 17, 30, 31, 32, 33, 48])
def test_a_restart_gives_the_same_position(new_table: Callable[..., Table], answers: int) -> None:
    table = table_bot.play(new_table(turns=30), Random(answers), answers)
    digest, request = table.play.digest(), table.request
    again = restarted(table)
    assert again.play.digest() == digest
    assert again.recovery == []
    assert again.request is not None and request is not None
    assert (again.request.kind, again.request.seat) == (request.kind, request.seat)
    again.close()


def test_a_replay_without_snapshots_gives_every_digest(new_table: Callable[..., Table]) -> None:
    table = table_bot.play(new_table(turns=30), Random(3))
    assert len(table.live_game.snapshots) > 2
    line = line_of(table.events())
    for place in range(1, len(line) + 1, 7):
        play, started = replay(toy_game.GAME, table.header["options"], line[:place], {})  # type: ignore[arg-type]
        assert started == 0 and play.digest() == line[place - 1].digest


def test_resuming_starts_from_a_late_snapshot(new_table: Callable[..., Table]) -> None:
    table = table_bot.play(new_table(turns=400), Random(3), 1000)
    again = restarted(table)
    after = [event for event in again.live_game.line if event.number > again.live_game.resumed_from]
    assert len(after) < 40
    again.close()


def test_a_damaged_snapshot_is_passed_over(new_table: Callable[..., Table]) -> None:
    table = table_bot.play(new_table(turns=30), Random(3), 60)
    digest = table.play.digest()
    late = max(table.live_game.snapshots)
    from sqlalchemy import text

    with table.live_game.store.engine.begin() as connection:
        connection.execute(text("UPDATE snapshots SET state='{' WHERE number=:n"), {"n": late})
    again = restarted(table)
    assert again.live_game.resumed_from < late and again.play.digest() == digest
    again.close()


def test_nothing_can_be_answered_when_the_game_is_over(table: Table) -> None:
    table_bot.play(table, Random(1))
    assert table.outcome is not None and table.outcome.rule == "win"
    with pytest.raises(GameOver):
        table.answer("white", "east", revision=table.revision)


def test_listeners_hear_each_event_once_in_order_and_may_fail(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[int] = []

    def broken(event: object) -> None:
        raise ValueError("a broken listener")

    table.subscribe(broken)
    stop = table.subscribe(lambda event: heard.append(event.number))
    table_bot.play(table, Random(1), 5)
    stop()
    stop()
    table_bot.play(table, Random(1), 1)
    assert heard == list(range(1, heard[-1] + 1)) and len(heard) >= 5
    assert "a listener failed" in caplog.text


def test_options_that_the_game_does_not_take_leave_no_game_behind(store: Store) -> None:
    with pytest.raises(ValueError):
        Table.create(store, toy_game.GAME, options={"turns": "many"})
    assert store.game_ids() == []


def test_who_is_asked_is_named_as_the_game_names_it(table: Table) -> None:
    with pytest.raises(NotYourTurn) as told:
        table.answer("black", "east", revision=0)
    messages = table.play.game.messages
    for language in ("en", "de"):
        assert f"{messages.text('seat.white', language)}." in told.value.sentence(language)


def test_the_status_is_json_in_both_languages(table: Table) -> None:
    advance_to(table, Report)
    for language in ("de", "en"):
        json.dumps(table.status(language))
    assert table.status("en")["asked"] == list(table.asked_seats)
    assert table.status("de")["undo"]["why"] != table.status("en")["undo"]["why"]
