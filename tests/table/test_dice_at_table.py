"""Dice at the table: what the camera read, what people corrected, what they typed in."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from given_text import given
from table_bot import advance_to

from referee.hall.table import Table
from referee.journal.errors import NotPossible
from referee.kernel.errors import (
    InvalidAnswer,
    NotYourTurn,
    StaleAnswer,
)
from referee.kernel.messages import Text
from referee.kernel.requests import RollDice

# -- dice ------------------------------------------------------------------------------------------------


@dataclass
class FakeDie:
    type: str
    face: str | None


@dataclass
class FakeReason:
    code: str = "dark"
    text: Text = field(default_factory=lambda: given("It is too dark.", "Es ist zu dunkel."))


@dataclass
class FakeReading:
    status: str
    dice: list[FakeDie]
    reasons: tuple[FakeReason, ...] = ()

    def as_json(self) -> dict[str, Any]:
        dice = [
            {"type": die.type, "face": die.face, "quad": [[60 * n, 0], [60 * n + 40, 40]]}
            for n, die in enumerate(self.dice)
        ]
        return {"status": self.status, "dice": dice}


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
    assert event.evidence["reading"]["dice"][0]["face"] == "6"
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
