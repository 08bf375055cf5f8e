"""A picture that somebody's own device took of a roll: offered, recorded and checked like the camera's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from test_throws import JPG, checked, discarded, other, reading, roller, strict

from referee.archive.happenings import roll_remarks
from referee.config.settings import CameraSection
from referee.hall.dicehall import DiceHall, DiceUpdate
from referee.hall.table import Table
from referee.journal.errors import NotPossible
from referee.kernel.dice import PIP_FACES, DieType
from referee.kernel.requests import RollDice
from referee.serving.cameradice import CameraDice, PhotoDice
from vision.reading import DiceReading

__all__ = ["strict"]


class Device:
    """A source whose camera is away; ``shows`` is what a picture shows."""

    virtual = False
    shows: DiceReading

    def ask(self, *_: object) -> None:
        pass

    def stop(self) -> None:
        pass

    def photograph(self, data: bytes, expected: Mapping[str, int], types: object) -> tuple[Any, bytes]:
        assert all(expected.values())
        return replace(self.shows, handheld=True), data


def roll_of(table: Table) -> RollDice:
    request = table.request
    assert isinstance(request, RollDice)
    return request


@pytest.fixture
def desk(table: Table) -> tuple[DiceHall, Device]:
    source = Device()
    hall = DiceHall(source)  # type: ignore[arg-type]
    roller(table)
    hall.follow(table)
    return hall, source


def test_a_photographed_roll_is_evidence_and_the_same_dice_from_elsewhere_are_no_second_throw(
    table: Table, desk: tuple[DiceHall, Device], tmp_path: Path
) -> None:
    hall, source = desk
    told: list[str] = []
    hall.subscribe(lambda: told.append("offer"))
    source.shows = reading(table, "3")
    hall.photograph(JPG)
    source.shows = reading(table, "3", at=333)  # nobody holds a telephone twice in the same place
    hall.photograph(JPG + b"2")
    assert len(told) == 2 and not discarded(table)
    source.shows = reading(table, "5", at=333)
    hall.photograph(JPG + b"3")
    event = table.accept_dice(roll_of(table).seat, revision=table.revision)
    assert [one.answer["why"] for one in discarded(table)] == ["thrown_again"]
    assert (
        event.evidence is not None and event.evidence["reading"]["handheld"] and not event.evidence["manual"]
    )
    assert table.pictures is not None and table.pictures.read(event.evidence["picture"]) == JPG + b"3"
    assert any("hand-held" in one for one in roll_remarks(event.evidence, "en"))
    assert checked(table, tmp_path).ok, checked(table, tmp_path).findings
    with pytest.raises(NotPossible):
        hall.photograph(JPG)  # no roll is awaited


def test_dice_that_were_photographed_and_still_lie_there_are_not_the_next_roll(
    table: Table, desk: tuple[DiceHall, Device]
) -> None:
    hall, source = desk
    source.shows = lying = reading(table, "3")
    hall.photograph(JPG)
    event = table.accept_dice(roll_of(table).seat, revision=table.revision)
    roller(table)
    while roll_of(table).dice["pip"] != len(lying.dice) - 1:
        request = roll_of(table)
        table.answer(request.seat, request.sample(Random(1)), revision=table.revision)
        roller(table)
    hall.follow(table)
    hall.accepted(event.evidence)
    hall.hear(DiceUpdate(hall._number, "settled", replace(lying, handheld=False), JPG))
    assert hall.state == "old" and table.offer is None


def test_in_a_tournament_a_picture_needs_a_yes_while_the_camera_reads(strict: Table, tmp_path: Path) -> None:
    seat = roller(strict)
    strict.offer_reading(replace(reading(strict, "6"), handheld=True), JPG)
    asked = strict.accept_dice(seat, revision=strict.revision)
    assert asked.kind == "roll_asked" and asked.answer["why"] == "photographed"
    assert asked.evidence is not None and asked.evidence["camera"] == "reads"
    strict.consent(other(seat), True, revision=strict.revision)
    seat = roller(strict)
    strict.camera_reads = lambda: False
    strict.offer_reading(replace(reading(strict, "6"), handheld=True), JPG)
    event = strict.accept_dice(seat, revision=strict.revision)
    assert event.kind == "answer" and event.evidence is not None and event.evidence["camera"] == "away"
    assert checked(strict, tmp_path).ok, checked(strict, tmp_path).findings


def test_pictures_that_devices_send(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    white = DieType("combat_white", "pip", PIP_FACES, "white")
    dice = CameraDice(replace(CameraSection(), source="none"), lambda heard: None, tmp_path)
    seen: list[tuple[int, ...]] = []

    class Reader:
        def read(self, image: np.ndarray, expected: Any) -> DiceReading:
            seen.append(image.shape)
            if len(seen) == 1:  # a second picture while this one is being read
                with pytest.raises(NotPossible, match="moment"):
                    dice.photograph(sent, {}, {"w": white})
            return DiceReading("ok", (), (), 64, 48)

    monkeypatch.setattr("vision.reader.DiceReader", Reader)
    sent = cv2.imencode(".jpg", np.full((48, 64, 3), 90, np.uint8))[1].tobytes()
    found, kept = dice.photograph(sent, {"combat_white": 0}, {"w": white})
    assert found.handheld and seen == [(48, 64, 3)]
    assert kept is not None and kept != sent, "what a device adds to its picture is not kept"
    assert dice._handheld is not None and isinstance(dice._handheld[1], PhotoDice)
    # a whole JPEG of few bytes that claims 65,000 x 65,000 pixels
    claims = sent.replace((48).to_bytes(2, "big") + (64).to_bytes(2, "big"), b"\xfd\xe8\xfd\xe8")
    for bad in (b"", b"no picture", sent[:-40], claims):
        with pytest.raises(NotPossible, match="whole picture"):
            dice.photograph(bad, {}, {"w": white})
