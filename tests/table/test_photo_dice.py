"""Pip dice read by the photograph reader get the names of the types that the roll wants."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import toy_game

from referee.config.settings import CameraSection
from referee.hall.dicehall import KeptDice
from referee.kernel.dice import PIP_FACES, DieType
from referee.serving.cameradice import CameraDice, PhotoDice, jpeg, kept_positions

WHITE = DieType("combat_white", "pip", PIP_FACES, "white")
BLACK = DieType("combat_black", "pip", PIP_FACES, "black")
SIGN = toy_game.DICE["sign"]


@dataclass(frozen=True)
class Die:
    type: str
    colour: str


@dataclass(frozen=True)
class Reading:
    dice: tuple[Die, ...]


class Reader:
    """Reads two dice; notes what it was told to expect."""

    expected: Any = "nothing"

    def read(self, image: Any, expected: Any) -> Reading:
        self.expected = expected
        return Reading((Die("d6", "white"), Die("d6", "black"), Die("d6", "green")))


@pytest.fixture
def photo(monkeypatch: pytest.MonkeyPatch) -> PhotoDice:
    monkeypatch.setattr("vision.reader.DiceReader", Reader)
    return PhotoDice((WHITE, BLACK, SIGN))


def test_one_wanted_type_names_every_die(photo: PhotoDice) -> None:
    reading = photo.read(None, {"combat_black": 3, "sign": 1})
    assert [die.type for die in reading.dice] == ["combat_black"] * 3
    assert photo._reader.expected == {"d6": 3}, "symbols are not for this reader"


def test_several_wanted_types_are_told_apart_by_their_colour(photo: PhotoDice) -> None:
    reading = photo.read(None, {"combat_white": 1, "combat_black": 1})
    assert [die.type for die in reading.dice] == ["combat_white", "combat_black", "d6"]
    reading = photo.read(None, None)
    assert [die.type for die in reading.dice] == ["combat_white", "combat_black", "d6"]
    assert photo._reader.expected is None


def test_the_reader_for_photographs_is_taken_where_the_file_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("vision.reader.DiceReader", Reader)
    dice = CameraDice(replace(CameraSection(), source="none", reader="photo"), lambda heard: None, tmp_path)
    dice._types = (WHITE,)
    assert isinstance(dice._reader(), PhotoDice)
    assert dice.taught_path() == tmp_path / "boxes" / "default" / "taught_faces.npz"
    dice.lay_die("combat_white", "6")  # no virtual tray: nothing lies anywhere
    assert dice.picture() is None
    assert "no camera" in str(dice.state()[1])


def test_of_equal_dice_that_stay_the_first_may_go() -> None:
    lying = [
        {"type": "pip", "face": "2", "centre_mm": [1, 2, 0]},
        {"type": "pip", "face": "2", "centre_mm": [3, 4, 0]},
        {"type": "pip", "face": "5", "centre_mm": None},
    ]
    assert kept_positions(KeptDice(tuple(lying), {("pip", "2"): 1})) == [("pip", 3.0, 4.0)]


def test_a_picture_is_kept_as_jpeg() -> None:
    import numpy as np

    data = jpeg(np.zeros((8, 8, 3), np.uint8))
    assert data is not None and data.startswith(b"\xff\xd8\xff")
