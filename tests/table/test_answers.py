"""Answers, drafts, secrets, dice, and what a restart gives back."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
import table_bot
import toy_game

from referee.hall.errors import GameOver, NotPossible
from referee.hall.line import line_of, replay
from referee.kernel.errors import (
    IllegalAnswer,
    InvalidAnswer,
    NotYourTurn,
    RefereeError,
    StaleAnswer,
)
from referee.kernel.requests import ChooseSecretly, Report, RollDice
from referee.record.events import first_break
from referee.record.store import Store
from referee.table import Table


def advance_to(table: Table, kind: type, rng: Random | None = None) -> None:
    """Play until a question of this kind is open."""
    rng = rng or Random(1)
    while not isinstance(table.request, kind):
        table_bot.one_answer(table, rng)


def restarted(table: Table) -> Table:
    """The same game after closing and opening it."""
    store, game_id = table.keeper.store, table.id
    table.close()
    return Table.open(store, game_id)


def test_an_answer_is_on_disk_when_it_is_acknowledged(table: Table) -> None:
    event = table.answer("white", "east", revision=0)
    assert (event.number, event.kind, event.seat, event.answer) == (1, "answer", "white", "east")
    assert event.request is not None and event.request["prompt"] == "prompt.place"
    stored = table.keeper.store.load(table.id).events
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
    assert table.play.digest() == table.keeper.replayed([])[0].digest()
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
    assert len(table.keeper.snapshots) > 2
    line = line_of(table.events())
    for place in range(1, len(line) + 1, 7):
        play, started = replay(toy_game.GAME, table.header["options"], line[:place], {})  # type: ignore[arg-type]
        assert started == 0 and play.digest() == line[place - 1].digest


def test_resuming_starts_from_a_late_snapshot(new_table: Callable[..., Table]) -> None:
    table = table_bot.play(new_table(turns=400), Random(3), 1000)
    again = restarted(table)
    after = [event for event in again.keeper.line if event.number > again.keeper.resumed_from]
    assert len(after) < 40
    again.close()


def test_a_damaged_snapshot_is_passed_over(new_table: Callable[..., Table]) -> None:
    table = table_bot.play(new_table(turns=30), Random(3), 60)
    digest = table.play.digest()
    late = max(table.keeper.snapshots)
    from sqlalchemy import text

    with table.keeper.store.engine.begin() as connection:
        connection.execute(text("UPDATE snapshots SET state='{' WHERE number=:n"), {"n": late})
    again = restarted(table)
    assert again.keeper.resumed_from < late and again.play.digest() == digest
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


# -- dice ------------------------------------------------------------------------------------------------


@dataclass
class FakeDie:
    type: str
    face: str | None


@dataclass
class FakeReason:
    code: str = "dark"
    sentence_en: str = "It is too dark."
    sentence_de: str = "Es ist zu dunkel."


@dataclass
class FakeReading:
    status: str
    dice: list[FakeDie]
    reasons: tuple[FakeReason, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {"status": self.status, "dice": [[die.type, die.face] for die in self.dice]}


PNG = b"\x89PNG not really"


def reading_for(table: Table, face: str = "6", **more: Any) -> FakeReading:
    request = table.request
    assert isinstance(request, RollDice)
    dice = [FakeDie("pip", face) for _ in range(request.dice["pip"])] + [FakeDie("sign", "sun")]
    return FakeReading(more.get("status", "ok"), dice, more.get("reasons", ()))


def roller(table: Table) -> str:
    advance_to(table, RollDice)
    assert table.request is not None
    return table.request.seat


def test_a_reading_is_accepted_with_its_picture(table: Table) -> None:
    seat = roller(table)
    offer = table.offer_reading(reading_for(table), PNG)
    event = table.accept_dice(seat, revision=table.revision, offer=offer.number)
    assert event.source == "camera" and set(event.answer["pip"]) == {"6"}
    assert event.evidence is not None and event.evidence["manual"] is False
    assert table.pictures is not None and table.pictures.read(event.evidence["picture"]) == PNG
    assert table.offer is None


def test_a_corrected_reading_keeps_what_was_read_and_what_counts(table: Table) -> None:
    seat = roller(table)
    table.offer_reading(reading_for(table), PNG)
    event = table.accept_dice(seat, revision=table.revision, corrections=[{"die": 0, "face": "2"}])
    assert "2" in event.answer["pip"]
    assert event.evidence is not None
    assert event.evidence["reading"]["dice"][0] == ["pip", "6"]
    assert event.evidence["corrections"] == [{"die": 0, "face": "2"}]


def test_dice_can_be_added_and_taken_out(table: Table) -> None:
    seat = roller(table)
    reading = reading_for(table)
    reading.dice.insert(0, FakeDie("sign", "star"))  # a reflection
    reading.dice.pop()  # and the real one not seen
    table.offer_reading(reading)
    fix = [{"die": 0, "remove": True}, {"add": {"type": "sign", "face": "moon"}}]
    event = table.accept_dice(seat, revision=table.revision, corrections=fix)
    assert event.answer["sign"] == ["moon"]
    assert event.evidence is not None and event.evidence["picture"] is None


@pytest.mark.parametrize(
    "fix",
    [[{"die": 99, "face": "2"}], [{"die": "0", "face": "2"}], [{"die": 0}], [{"add": {"type": "pip"}}], [{}]],
)
def test_a_correction_that_makes_no_sense_is_refused(table: Table, fix: list[dict[str, Any]]) -> None:
    seat = roller(table)
    table.offer_reading(reading_for(table))
    with pytest.raises(InvalidAnswer):
        table.accept_dice(seat, revision=table.revision, corrections=fix)
    assert table.offer is not None


def test_a_die_that_was_not_understood_must_be_named_first(table: Table) -> None:
    seat = roller(table)
    reading = reading_for(table, status="ask")
    reading.dice[0].face = None
    table.offer_reading(reading)
    with pytest.raises(InvalidAnswer, match="Die 1"):
        table.accept_dice(seat, revision=table.revision)
    table.accept_dice(seat, revision=table.revision, corrections=[{"die": 0, "face": "1"}])


def test_a_refused_picture_cannot_be_accepted_and_says_why(table: Table) -> None:
    seat = roller(table)
    table.offer_reading(reading_for(table, status="refused", reasons=(FakeReason(),)))
    with pytest.raises(NotPossible) as caught:
        table.accept_dice(seat, revision=table.revision)
    assert "zu dunkel" in caught.value.sentence("de")


def test_too_many_dice_are_refused_and_nothing_is_kept(table: Table) -> None:
    seat = roller(table)
    reading = reading_for(table)
    reading.dice.append(FakeDie("pip", "1"))
    table.offer_reading(reading, PNG)
    with pytest.raises(InvalidAnswer, match="Dice do not match"):
        table.accept_dice(seat, revision=table.revision)
    assert table.pictures is not None and not table.pictures.folder.exists()


def test_a_reading_of_an_earlier_roll_or_another_picture_is_stale(table: Table) -> None:
    seat = roller(table)
    first = table.offer_reading(reading_for(table))
    table.offer_reading(reading_for(table, "1"))
    with pytest.raises(StaleAnswer):
        table.accept_dice(seat, revision=table.revision, offer=first.number)
    table.withdraw_reading()
    with pytest.raises(StaleAnswer):
        table.accept_dice(seat, revision=table.revision)
    with pytest.raises(NotYourTurn):
        table.accept_dice("black" if seat == "white" else "white", revision=table.revision)


def test_who_is_asked_is_named_as_the_game_names_it(table: Table) -> None:
    with pytest.raises(NotYourTurn) as told:
        table.answer("black", "east", revision=0)
    messages = table.play.game.messages
    for language in ("en", "de"):
        assert f"{messages.text('seat.white', language)}." in told.value.sentence(language)


def test_a_roll_that_was_typed_in_is_marked_manual(table: Table) -> None:
    seat = roller(table)
    request = table.request
    assert request is not None
    event = table.answer(seat, request.sample(Random(1)), revision=table.revision)
    assert event.evidence == {"manual": True}


def test_a_reading_is_not_awaited_where_no_dice_are_rolled(table: Table) -> None:
    with pytest.raises(NotPossible):
        table.offer_reading(FakeReading("ok", []))


def test_a_picture_that_was_changed_is_not_shown(table: Table) -> None:
    assert table.pictures is not None
    digest = table.pictures.keep(PNG)
    path = table.pictures.find(digest)
    assert path is not None
    path.write_bytes(b"another")
    assert table.pictures.read(digest) is None
    assert table.pictures.read("0" * 64) is None


def test_the_status_is_json_in_both_languages(table: Table) -> None:
    advance_to(table, Report)
    for language in ("de", "en"):
        json.dumps(table.status(language))
    assert table.status("en")["asked"] == list(table.asked_seats)
    assert table.status("de")["undo"]["why"] != table.status("en")["undo"]["why"]


# -- a program that was changed while a game ran ---------------------------------------------------------


class Newer(toy_game.ToyGame):
    """The toy game under other rules, or with another form of its state."""

    rules_version = "2"

    def __init__(self, change: str) -> None:
        self.change = change

    def to_json(self, state: toy_game.State) -> dict[str, Any]:
        data = super().to_json(state)
        return {**data, "form": 2} if self.change == "form" else data

    def from_json(self, data: Any) -> toy_game.State:
        data = dict(data)
        if self.change == "form":
            del data["form"]
        return super().from_json(data)

    def _turn(self, state: toy_game.State, seat: str) -> toy_game.Flow:
        yield from super()._turn(state, seat)
        if self.change == "points" and state.turn == 3:
            state.points[seat] += 1
        if self.change == "refuses" and state.turn == 3:
            state.at = {"white": "nowhere", "black": "nowhere"}


def forget_snapshots(store: Store) -> None:
    """What happened before a snapshot does not concern a running game; here it shall."""
    with store.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM snapshots")


@pytest.mark.parametrize("change", ["form", "points"])
def test_a_rules_fix_does_not_break_a_running_game_and_is_told(
    new_table: Callable[..., Table], change: str
) -> None:
    from referee.kernel.registry import register

    table = table_bot.play(new_table(turns=30), Random(3), 60)
    hashes = [event.hash for event in table.events()]
    forget_snapshots(table.keeper.store)
    try:
        register(Newer(change))  # type: ignore[arg-type]
        again = restarted(table)
        assert [event.hash for event in again.events()] == hashes
        assert again.keeper.differs_at is not None
        assert (again.keeper.differs_at == 1) == (change == "form")
        assert any("version 2" in english for english, _ in again.recovery)
        table_bot.play(again, Random(4), 30)
        digest = again.play.digest()
        third = restarted(again)
        assert third.play.digest() == digest
        third.close()
    finally:
        toy_game.register()


def test_a_game_that_todays_rules_refuse_says_at_which_event_and_is_unharmed(
    new_table: Callable[..., Table],
) -> None:
    from referee.hall.errors import StoreError
    from referee.kernel.registry import register

    table = table_bot.play(new_table(turns=30), Random(3), 60)
    digest, store, game_id = table.play.digest(), table.keeper.store, table.id
    table.close()
    forget_snapshots(store)
    try:
        register(Newer("refuses"))  # type: ignore[arg-type]
        with pytest.raises(StoreError, match=r"version 2 refuses its event \d+"):
            Table.open(store, game_id)
    finally:
        toy_game.register()
    again = Table.open(store, game_id)  # it was given back, and the older program goes on
    assert again.play.digest() == digest
    again.close()
