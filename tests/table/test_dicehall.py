"""Between table and reader: which readings become offers, and which do not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from table_bot import advance_to

from referee.hall.dicehall import DiceHall, DiceUpdate, KeptDice, corrected_dice, kept_of
from referee.hall.table import Table
from referee.journal.errors import NotPossible
from referee.kernel.requests import RollDice


class Source:
    """A reader that only notes what it is asked."""

    def __init__(self, virtual: bool = True) -> None:
        self.virtual = virtual
        self.asked: list[tuple[int, Mapping[str, int]]] = []
        self.thrown: list[Mapping[str, int]] = []
        self.stopped = 0

    def ask(self, number: int, expected: Mapping[str, int], types: object, kept: KeptDice) -> None:
        self.asked.append((number, expected))
        self.kept = kept

    def stop(self) -> None:
        self.stopped += 1

    def throw(self, expected: Mapping[str, int]) -> None:
        self.thrown.append(expected)


@dataclass
class Die:
    type: str
    face: str | None
    x: float


@dataclass
class Lying:
    dice: list[Die]
    status: str = "ok"
    reasons: tuple[()] = ()

    def as_json(self) -> dict[str, Any]:
        quads = [[(die.x, 0.0), (die.x + 40, 0.0), (die.x + 40, 40.0), (die.x, 40.0)] for die in self.dice]
        dice = [{"type": d.type, "face": d.face, "quad": q} for d, q in zip(self.dice, quads, strict=True)]
        return {"status": self.status, "dice": dice}


def lying(table: Table, at: float = 0.0, face: str = "6") -> Lying:
    request = table.request
    assert isinstance(request, RollDice)
    dice = [Die("pip", face, at + 60 * n) for n in range(request.dice["pip"])]
    return Lying([*dice, Die("sign", "sun", at + 300)])


@pytest.fixture
def desk(table: Table) -> tuple[DiceHall, Source]:
    source = Source()
    hall = DiceHall(source)

    def on_event(event: Any) -> None:
        if event.request and event.request["kind"] == "roll_dice":
            hall.accepted(event.evidence)
        hall.follow(table)

    table.subscribe(on_event)
    advance_to(table, RollDice)
    return hall, source


def test_a_roll_is_asked_for_once_with_what_it_expects(table: Table, desk: tuple[DiceHall, Source]) -> None:
    hall, source = desk
    request = table.request
    assert isinstance(request, RollDice)
    assert [expected for _, expected in source.asked] == [dict(request.dice)]
    table.note("white", "a remark does not start it again")
    assert len(source.asked) == 1
    assert hall.state == "idle"


def test_a_settled_reading_becomes_an_offer_and_touching_the_dice_withdraws_it(
    table: Table, desk: tuple[DiceHall, Source]
) -> None:
    hall, source = desk
    told: list[str] = []
    leave = hall.subscribe(lambda: told.append(hall.state))
    number = source.asked[-1][0]
    hall.hear(DiceUpdate(number, "settled", lying(table), b"jpg"))
    assert table.offer is not None and told == ["settled"]
    hall.hear(DiceUpdate(number, "moving"))
    assert table.offer is None and told == ["settled", "moving"]
    leave()
    leave()
    hall.hear(DiceUpdate(number, "settled", lying(table), b"jpg"))
    assert len(told) == 2


def test_what_was_read_for_another_roll_is_not_offered(table: Table, desk: tuple[DiceHall, Source]) -> None:
    hall, source = desk
    hall.hear(DiceUpdate(source.asked[-1][0] - 1, "settled", lying(table), None))
    assert table.offer is None


def accept_and_go_on(table: Table, hall: DiceHall, source: Source) -> Lying:
    reading = lying(table)
    hall.hear(DiceUpdate(source.asked[-1][0], "settled", reading, None))
    assert table.request is not None
    table.accept_dice(table.request.seat, revision=table.revision)
    first = table.request.seat  # type: ignore[union-attr]
    near = table.request.options[0]  # type: ignore[union-attr]
    many = {"men": sum(die.type == "pip" for die in reading.dice)}
    table.answer_many(first, [near, many], revision=table.revision)
    assert isinstance(table.request, RollDice)
    return reading


def test_dice_left_lying_from_the_last_roll_are_not_offered_again(
    table: Table, desk: tuple[DiceHall, Source]
) -> None:
    hall, source = desk
    advance_to(table, RollDice)
    reading = accept_and_go_on(table, hall, source)
    number = source.asked[-1][0]
    reading.dice = [Die(die.type, die.face, die.x + 1.5) for die in reading.dice]  # the camera trembles
    hall.hear(DiceUpdate(number, "settled", reading, None))
    assert table.offer is None and hall.state == "old"
    hall.look()  # somebody says: do look
    hall.hear(DiceUpdate(source.asked[-1][0], "settled", reading, None))
    assert table.offer is not None


def test_dice_thrown_anew_are_offered(table: Table, desk: tuple[DiceHall, Source]) -> None:
    hall, source = desk
    reading = accept_and_go_on(table, hall, source)
    number = source.asked[-1][0]
    hall.hear(DiceUpdate(number, "settled", lying(table, at=25.0), None))
    assert table.offer is not None
    table.withdraw_reading()
    hall.hear(DiceUpdate(number, "moving"))
    hall.hear(DiceUpdate(number, "settled", reading, None))  # by chance exactly as before, but they did move
    assert table.offer is not None


def test_only_a_virtual_tray_throws_and_only_when_dice_are_wanted(
    table: Table, desk: tuple[DiceHall, Source]
) -> None:
    hall, source = desk
    hall.throw()
    assert len(source.thrown) == 1
    real = DiceHall(Source(virtual=False))
    real.follow(table)
    with pytest.raises(NotPossible):
        real.throw()
    hall.follow(None)
    assert source.stopped >= 1
    with pytest.raises(NotPossible):
        hall.throw()
    hall.hear(DiceUpdate(1, "settled", None, None))
    hall.look()


def seen(kind: str, face: str | None, x: float) -> dict[str, Any]:
    return {"type": kind, "face": face, "quad": [[x, 0.0], [x + 40, 0.0], [x + 40, 40.0], [x, 40.0]]}


def test_dice_that_a_re_roll_keeps_are_those_of_the_accepted_reading_as_corrected() -> None:
    dice = [seen("pip", "2", 0), seen("pip", "5", 60), seen("pip", None, 120), seen("pip", "2", 180)]
    corrections = [{"die": 2, "face": "6"}, {"add": {"type": "pip", "face": "1"}}]
    lying = corrected_dice({"reading": {"dice": dice}, "corrections": corrections})
    assert [die["face"] for die in lying] == ["2", "5", "6", "2"]
    kept = kept_of(lying, {"pip": ["5", "6"]})
    assert [die["face"] for die in kept.dice] == ["5", "6"] and not kept.may_go
    # one of two twos is rolled again: either may move
    kept = kept_of(lying, {"pip": ["2", "5", "6"]})
    assert len(kept.dice) == 4 and kept.may_go == {("pip", "2"): 1}
    assert kept_of(lying, {"pip": ["1"]}) == KeptDice(), "what was typed in lies nowhere"
    assert (
        corrected_dice({"reading": {"dice": dice}, "corrections": [{"die": 0, "remove": True}]}) == dice[1:]
    )
    assert corrected_dice({}) == []


def test_a_re_roll_asks_for_its_dice_and_names_those_that_stay(
    table: Table, desk: tuple[DiceHall, Source]
) -> None:
    hall, source = desk
    reading = lying(table)
    hall.hear(DiceUpdate(source.asked[-1][0], "settled", reading, None))
    assert table.request is not None and source.kept == KeptDice()
    table.accept_dice(table.request.seat, revision=table.revision)
    advance_to(table, RollDice)
    request = table.request
    assert isinstance(request, RollDice)
    request.kept = {"sign": ["sun"]}
    hall.look()
    assert [die["type"] for die in source.kept.dice] == ["sign"]
    hall.accepted({"reading": reading.as_json()})
    left = Lying([die for die in reading.dice if die.type == "pip"])
    hall.hear(DiceUpdate(source.asked[-1][0], "settled", left, None))
    assert hall.state == "old" and table.offer is None, "nothing was rolled yet"
    hall.hear(DiceUpdate(source.asked[-1][0], "moving"))
    hall.hear(DiceUpdate(source.asked[-1][0], "settled", left, None))
    assert table.offer is not None
