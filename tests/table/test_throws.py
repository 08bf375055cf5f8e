"""Throwing until it pleases: what was not taken leaves a trace; in a tournament the others decide."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from given_text import given
from table_bot import advance_to, restarted

from referee.archive.exchange import result_json, write
from referee.archive.verify import Verdict, verify_file
from referee.hall import throws
from referee.hall.dicehall import DiceHall, DiceUpdate
from referee.hall.table import Table
from referee.journal.errors import NotAllowed, NotPossible, StoreUnwritable
from referee.journal.events import Event
from referee.journal.signing import load_or_make
from referee.kernel.errors import InvalidAnswer, StaleAnswer
from referee.kernel.requests import RollDice
from vision.reading import DiceReading, Die

sys.path.insert(0, str(Path(__file__).parent.parent / "record"))

from exporting import reseal

JPG = b"\xff\xd8\xff a picture of throw "


def die_at(kind: str, face: str | None, x: float, y: float = 0.0, **more: Any) -> Die:
    quad = ((x, y), (x + 40, y), (x + 40, y + 40), (x, y + 40))
    return Die(kind, face, "white", quad, 0.99, centre_mm=(x / 4, y / 4, 6.0), **more)


def reading(table: Table, face: str | None, at: float = 0.0, status: str = "ok") -> DiceReading:
    """A reading of all dice that are asked for: pips in a row from ``at`` (px, four a millimetre) on."""
    request = table.request
    assert isinstance(request, RollDice)
    pips = [die_at("pip", face, at + 60 * n) for n in range(request.dice["pip"])]
    return DiceReading(status, (*pips, die_at("sign", "sun", at + 400)), (), 800, 600)  # type: ignore[arg-type]


@pytest.fixture
def strict(new_table: Callable[..., Table]) -> Iterator[Table]:
    table = new_table(tournament=True)
    table.camera_reads = lambda: True
    yield table


def roller(table: Table) -> str:
    table.camera_reads = lambda: False
    advance_to(table, RollDice)
    table.camera_reads = lambda: bool(table.header["tournament"])
    assert table.request is not None
    return table.request.seat


def other(seat: str) -> str:
    return "black" if seat == "white" else "white"


def discarded(table: Table) -> list[Event]:
    return [event for event in table.events() if event.kind == "reading_discarded"]


def checked(table: Table, tmp_path: Path) -> Verdict:
    """What ``referee verify`` says of the game as it stands."""
    outcome = result_json(table.outcome)
    text = write(table.header, table.events(), outcome, load_or_make(tmp_path / "key.pem"))
    (tmp_path / "game.jsonl").write_text(text)
    return verify_file(tmp_path / "game.jsonl")


def test_a_player_threw_until_it_pleased_and_only_the_last_reading_was_recorded(
    table: Table, tmp_path: Path
) -> None:
    seat = roller(table)
    for number, face in enumerate(("1", "2", "6"), start=1):
        table.withdraw_reading()
        table.offer_reading(reading(table, face, at=50 * number), JPG + face.encode())
    event = table.accept_dice(seat, revision=table.revision)
    assert [(one.answer["throw"], one.answer["why"]) for one in discarded(table)] == [
        (1, "thrown_again"),
        (2, "thrown_again"),
    ]
    assert event.evidence is not None and event.evidence["throw"] == 3
    for one, face in zip(discarded(table), ("1", "2"), strict=True):
        assert one.evidence is not None and table.pictures is not None
        assert {die["face"] for die in one.evidence["reading"]["dice"]} == {face, "sun"}
        assert table.pictures.read(one.evidence["picture"]) == JPG + face.encode()
    verdict = checked(table, tmp_path)
    assert verdict.ok, verdict.findings


@pytest.mark.parametrize("way", ["typed", "taken out", "incomplete", "stands", "resigned", "corrected"])
def test_a_throw_that_was_read_cannot_be_got_rid_of(table: Table, tmp_path: Path, way: str) -> None:
    """Typing another roll in, emptying the tray, hiding a die, whatever ends the question."""
    seat = roller(table)
    table.offer_reading(reading(table, "1"), JPG)
    table.withdraw_reading(emptied=way == "taken out")
    request = table.request
    assert isinstance(request, RollDice)
    good = {"pip": ["6"] * request.dice["pip"], "sign": ["sun"]}
    if way in ("typed", "taken out"):
        table.answer(seat, good, revision=table.revision)
    elif way == "incomplete":
        short = reading(table, "6", at=200)
        table.offer_reading(DiceReading("ok", short.dice[:-1], (), 800, 600), None)
        add = [{"add": {"type": "sign", "face": "sun"}}]
        event = table.accept_dice(seat, revision=table.revision, corrections=add)
        assert event.evidence is not None and event.evidence["throw"] == 2
    elif way == "stands":
        table.correct([{"do": "points", "seat": seat, "value": 3}], "so", revision=table.revision)
    elif way == "resigned":
        table.resign(seat)
    else:
        table.correct([{"do": "points", "seat": seat, "value": 9}], "why", revision=table.revision)
    (lost,) = discarded(table)
    assert lost.evidence is not None and lost.evidence["picture"]
    assert checked(table, tmp_path).ok, checked(table, tmp_path).findings


def test_pulling_the_plug_does_not_make_a_throw_unseen(table: Table, tmp_path: Path) -> None:
    seat = roller(table)
    table.offer_reading(reading(table, "1"), JPG)
    again = restarted(table)  # nothing of the last throw is in the record yet
    try:
        assert not discarded(again)
        again.offer_reading(reading(again, "6", at=130), JPG + b"2")
        (lost,) = discarded(again)
        assert lost.answer == {"throw": 1, "why": "thrown_again"}
        again.accept_dice(seat, revision=again.revision)
        assert checked(again, tmp_path).ok
        assert again.throw_path is not None and not again.throw_path.exists()
    finally:
        again.close()


def test_after_a_restart_the_same_dice_are_the_same_throw(table: Table) -> None:
    roller(table)
    table.offer_reading(reading(table, "4"), JPG)
    again = restarted(table)
    try:
        again.offer_reading(reading(again, "4"), JPG + b"another picture of it")
        assert not discarded(again) and again.throw_number == 1
    finally:
        again.close()


def test_a_spoiled_file_of_the_last_throw_stops_nothing(table: Table) -> None:
    roller(table)
    table.offer_reading(reading(table, "4"), JPG)
    path = table.throw_path
    assert path is not None
    whole, rng = path.read_bytes(), Random(5)
    for cut in [0, 1, len(whole) // 2, len(whole) - 1, *rng.sample(range(len(whole)), 40)]:
        spoiled = whole[:cut] if cut % 2 else whole[:cut] + bytes([rng.randrange(256)]) + whole[cut + 1 :]
        path.write_bytes(spoiled)
        throws.load(path, table.id, table.live_game.question, table.play.digest())
    for strange in ("[]", "{}", '{"game": 1, "throws": [1]}', '{"throws": {"a": 1}}', "null"):
        path.write_text(strange)
        assert throws.load(path, table.id, table.live_game.question, table.play.digest()) == []
    data = json.loads(whole)
    data["throws"][0]["question"] += 1
    path.write_text(json.dumps(data))
    again = restarted(table)
    try:
        assert again.throw_number == 1 and not again._untold, "it belongs to another question"
    finally:
        again.close()


def test_a_full_disk_hides_no_throw(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = roller(table)
    table.offer_reading(reading(table, "1"), JPG)

    def full(*_: Any, **__: Any) -> Any:
        raise StoreUnwritable(given("The disk is full.", "Die Platte ist voll."))

    with monkeypatch.context() as patched:
        patched.setattr(table.live_game.store, "append", full)
        table.offer_reading(reading(table, "6", at=90), JPG + b"2")
        with pytest.raises(StoreUnwritable):
            table.accept_dice(seat, revision=table.revision)
        assert not discarded(table)
    table.accept_dice(seat, revision=table.revision)
    assert [one.answer["throw"] for one in discarded(table)] == [1]


# -- what stays as easy as it is ---------------------------------------------------------------------------


def test_dice_that_lie_still_are_no_new_throw(table: Table) -> None:
    roller(table)
    table.offer_reading(reading(table, "4"))
    table.offer_reading(reading(table, "4", at=7.9))  # within two millimetres, a hand passed over them
    assert not discarded(table)
    offer = table.offer_reading(reading(table, "5", at=7.9), moved=False, again=True)
    assert [one.answer["why"] for one in discarded(table)] == ["read_again"] and offer.throw == 1
    offer = table.offer_reading(reading(table, "6", at=7.9), moved=True)
    assert [one.answer["why"] for one in discarded(table)][1:] == ["thrown_again"], "turned over by a finger"
    assert offer.throw == 2


def test_only_the_cocked_die_is_thrown_again(strict: Table) -> None:
    seat = roller(strict)
    first = reading(strict, "4", status="ask")
    sign = first.dice[-1]
    cocked = Die(sign.type, None, sign.colour, sign.quad, 0.4, "cocked", centre_mm=sign.centre_mm)
    strict.offer_reading(DiceReading("ask", (*first.dice[:-1], cocked), (), 800, 600))
    strict.withdraw_reading()
    mended = DiceReading("ok", (*first.dice[:-1], die_at("sign", "moon", 700.0)), (), 800, 600)
    strict.offer_reading(mended)
    event = strict.accept_dice(seat, revision=strict.revision)
    assert event.kind == "answer" and not discarded(strict)


def test_after_a_questioned_reading_all_dice_may_be_thrown_again_and_it_is_told(strict: Table) -> None:
    seat = roller(strict)
    strict.offer_reading(reading(strict, "1", status="ask"))
    strict.offer_reading(reading(strict, "6", at=99))
    assert strict.accept_dice(seat, revision=strict.revision).kind == "answer"
    assert len(discarded(strict)) == 1


def test_a_refused_or_short_reading_is_no_throw(strict: Table) -> None:
    seat = roller(strict)
    strict.offer_reading(DiceReading("refused", reading(strict, "1").dice, (), 800, 600))
    strict.offer_reading(DiceReading("ask", reading(strict, "1").dice[1:], (), 800, 600))
    strict.offer_reading(reading(strict, "6", at=99))
    assert strict.accept_dice(seat, revision=strict.revision).kind == "answer" and not discarded(strict)


def test_a_die_that_a_shadow_hides_makes_no_second_throw(table: Table) -> None:
    roller(table)
    whole = reading(table, "4")
    table.offer_reading(whole)
    hidden = table.offer_reading(DiceReading("ask", whole.dice[:-1], (), 800, 600))
    other_dice = table.offer_reading(DiceReading("ask", reading(table, "5", at=99).dice[:-1], (), 800, 600))
    assert (hidden.throw, other_dice.throw) == (1, 2)
    assert table.offer_reading(whole).throw == 1 and not discarded(table)


# -- tournaments -------------------------------------------------------------------------------------------


def thrown_twice(table: Table) -> str:
    seat = roller(table)
    table.offer_reading(reading(table, "1"), JPG)
    table.offer_reading(reading(table, "6", at=99), JPG + b"2")
    return seat


def test_a_second_throw_in_a_tournament_needs_the_opponents(strict: Table, tmp_path: Path) -> None:
    seat = thrown_twice(strict)
    assert strict.why_others_agree() == "thrown_again"
    asked = strict.accept_dice(seat, revision=strict.revision)
    assert asked.kind == "roll_asked" and isinstance(strict.request, RollDice)
    with pytest.raises(NotPossible):
        strict.accept_dice(seat, revision=strict.revision)  # one question at a time
    with pytest.raises(NotPossible):
        strict.consent(seat, True, revision=strict.revision)
    event = strict.consent(other(seat), True, revision=strict.revision, asks=asked.number)
    assert event.kind == "answer" and set(event.answer["pip"]) == {"6"} and event.source == "camera"
    assert event.evidence is not None and event.evidence["agreed"] == asked.number
    assert checked(strict, tmp_path).ok, checked(strict, tmp_path).findings
    assert len(discarded(strict)) == 1, "the second one was taken"


def test_where_the_opponent_refuses_the_first_throw_counts(strict: Table, tmp_path: Path) -> None:
    seat = thrown_twice(strict)
    strict.accept_dice(seat, revision=strict.revision)
    strict.consent(other(seat), False, revision=strict.revision)
    event = strict.take_first_throw(seat, revision=strict.revision)
    assert set(event.answer["pip"]) == {"1"}
    assert [one.answer["why"] for one in discarded(strict)] == ["thrown_again", "not_taken"]
    assert checked(strict, tmp_path).ok, checked(strict, tmp_path).findings


def test_the_arbiter_may_agree_for_all(strict: Table, tmp_path: Path) -> None:
    seat = thrown_twice(strict)
    strict.accept_dice(seat, revision=strict.revision)
    assert strict.consent("arbiter", True, revision=strict.revision).kind == "answer"
    assert checked(strict, tmp_path).ok, checked(strict, tmp_path).findings


def test_the_yes_is_to_the_question_that_was_seen(strict: Table) -> None:
    seat = thrown_twice(strict)
    asked = strict.accept_dice(seat, revision=strict.revision)
    strict.consent(other(seat), False, revision=strict.revision)
    second = strict.accept_dice(seat, revision=strict.revision)
    with pytest.raises(StaleAnswer):
        strict.consent(other(seat), True, revision=strict.revision, asks=asked.number)
    assert strict.consent(other(seat), True, revision=strict.revision, asks=second.number).kind == "answer"


def test_an_arbiter_has_no_say_in_what_only_the_others_agree_to(strict: Table) -> None:
    with pytest.raises((NotPossible, NotAllowed, InvalidAnswer)):
        strict.consent("arbiter", True, revision=strict.revision)


def test_a_roll_typed_in_while_the_camera_is_well_needs_a_yes_in_a_tournament(
    strict: Table, tmp_path: Path
) -> None:
    seat = roller(strict)
    request = strict.request
    assert isinstance(request, RollDice)
    wish = {"pip": ["6"] * request.dice["pip"], "sign": ["sun"]}
    with pytest.raises(InvalidAnswer):
        strict.answer(seat, {"pip": ["9"]}, revision=strict.revision)
    asked = strict.answer(seat, wish, revision=strict.revision)
    assert asked.kind == "roll_asked" and asked.answer["why"] == "typed"
    event = strict.consent(other(seat), True, revision=strict.revision)
    assert event.kind == "answer" and event.evidence is not None and event.evidence["manual"]
    assert checked(strict, tmp_path).ok, checked(strict, tmp_path).findings
    roller(strict)
    strict.camera_reads = lambda: False  # it was unplugged
    request = strict.request
    assert isinstance(request, RollDice)
    event = strict.answer(request.seat, request.sample(Random(2)), revision=strict.revision)
    assert event.kind == "answer" and event.evidence == {"manual": True, "camera": "away"}
    assert checked(strict, tmp_path).ok, checked(strict, tmp_path).findings


def test_a_typed_roll_that_named_a_kind_without_faces_was_agreed_to_and_then_called_forged(
    strict: Table, tmp_path: Path
) -> None:
    """The others agreed to one form of it, another one was recorded."""
    seat = roller(strict)
    assert isinstance(strict.request, RollDice)
    faces = strict.request.sample(Random(1))
    asked = strict.answer(seat, {**faces, "none": []}, revision=strict.revision)
    assert asked.kind == "roll_asked" and asked.answer["value"] == faces
    strict.consent(other(seat), True, revision=strict.revision)
    assert checked(strict, tmp_path).ok, checked(strict, tmp_path).findings


def test_correcting_every_die_is_typing_the_roll_in(strict: Table) -> None:
    seat = roller(strict)
    offer = strict.offer_reading(reading(strict, "1"), JPG)
    every = [{"die": n, "face": "6"} for n in range(len(offer.reading.dice) - 1)]
    every.append({"die": len(offer.reading.dice) - 1, "face": "moon"})
    event = strict.accept_dice(seat, revision=strict.revision, corrections=every)
    assert event.kind == "roll_asked" and event.answer["why"] == "typed"
    strict.consent(other(seat), False, revision=strict.revision)
    assert strict.accept_dice(seat, revision=strict.revision, corrections=every[:1]).kind == "answer"


def test_a_forged_record_without_the_yes_is_found(table: Table, tmp_path: Path) -> None:
    """A forger who has a key and says that it was a tournament: the second throw was not agreed to."""
    seat = roller(table)
    table.offer_reading(reading(table, "1"), JPG)
    table.offer_reading(reading(table, "6", at=99), JPG + b"2")
    table.accept_dice(seat, revision=table.revision)
    assert checked(table, tmp_path).ok
    path = tmp_path / "game.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[0]["header"]["tournament"] = True
    path.write_text("".join(json.dumps(line) + "\n" for line in reseal(lines)))
    assert [one.code for one in verify_file(path).findings] == ["illegal"]


# -- through the dice desk ---------------------------------------------------------------------------------


class Source:
    """A reader that only notes what it is asked."""

    virtual = False

    def __init__(self) -> None:
        self.numbers: list[int] = []

    def ask(self, number: int, *_: object) -> None:
        self.numbers.append(number)

    def stop(self) -> None:
        pass

    def throw(self, expected: object) -> None:
        pass


@pytest.fixture
def desk(table: Table) -> tuple[DiceHall, Source]:
    source = Source()
    hall = DiceHall(source)  # type: ignore[arg-type]

    def on_event(event: Event) -> None:
        if event.kind == "answer" and event.request and event.request["kind"] == "roll_dice":
            hall.accepted(event.evidence)
        hall.follow(table)

    table.subscribe(on_event)
    roller(table)
    return hall, source


def test_read_again_of_dice_at_rest_is_no_throw_and_emptying_the_tray_is_told(
    table: Table, desk: tuple[DiceHall, Source]
) -> None:
    hall, source = desk
    hall.hear(DiceUpdate(source.numbers[-1], "settled", reading(table, "4"), JPG))
    hall.look()
    hall.hear(DiceUpdate(source.numbers[-1], "settled", reading(table, "5"), JPG))
    assert [one.answer["why"] for one in discarded(table)] == ["read_again"]
    hall.hear(DiceUpdate(source.numbers[-1], "moving"))
    hall.hear(DiceUpdate(source.numbers[-1], "empty"))
    assert [one.answer["why"] for one in discarded(table)] == ["read_again", "taken_out"]
    hall.hear(DiceUpdate(source.numbers[-1], "settled", reading(table, "6", at=80), JPG))
    assert table.offer is not None and table.offer.throw == 2


def test_a_hand_over_dice_left_lying_does_not_make_them_a_new_roll_unseen(
    table: Table, desk: tuple[DiceHall, Source]
) -> None:
    hall, source = desk
    lying = reading(table, "6")
    hall.hear(DiceUpdate(source.numbers[-1], "settled", lying, JPG))
    table.accept_dice(roller(table), revision=table.revision)
    while not (isinstance(table.request, RollDice) and table.request.dice["pip"] == len(lying.dice) - 1):
        advance_to(table, RollDice)
        assert isinstance(table.request, RollDice)
        if table.request.dice["pip"] != len(lying.dice) - 1:
            table.answer(table.request.seat, table.request.sample(Random(1)), revision=table.revision)
    hall.hear(DiceUpdate(source.numbers[-1], "settled", lying, JPG))
    assert hall.state == "old" and table.offer is None
    hall.hear(DiceUpdate(source.numbers[-1], "moving"))
    hall.hear(DiceUpdate(source.numbers[-1], "settled", lying, JPG))
    assert table.offer is not None and table.offer.as_before
    event = table.accept_dice(table.request.seat, revision=table.revision)
    assert event.evidence is not None and event.evidence["as_before"] is True
