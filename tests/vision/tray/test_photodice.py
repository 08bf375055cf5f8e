"""Taught dice in photographs: no markers, any side up, any size; nothing is read wrongly without a word."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from referee.commands.dice import read
from tests.vision.tray.dice import TYPES
from vision.faces.taught import TaughtFaces
from vision.imagefile import write_picture
from vision.photo_bench import photographed
from vision.photodice import BoxReader, _agreed_faces, edge_of_dice
from vision.reading import Die
from vision.virtual.tray import VirtualTray

ROLL = {"action_a": 2, "battle": 2, "combat_white": 1}


@pytest.fixture(scope="module")
def photograph() -> tuple[np.ndarray, list[tuple[str, str]]]:
    tray = VirtualTray(TYPES, seed=5, light="diffuse", cloth="green_felt")
    image = tray.throw(ROLL, 1, "plain")
    truth = tray.truth()
    picture, dice = photographed(image, {**truth, "dice": truth["dice"]}, 1)
    return picture, [("d6" if die["type"] == "combat_white" else die["type"], die["face"]) for die in dice]


def test_a_photograph_of_taught_dice_is_read_by_the_box(
    photograph: tuple[np.ndarray, list[tuple[str, str]]],
    taught: TaughtFaces,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    picture, wanted = photograph
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path))
    write_picture(tmp_path / "roll.png", picture)
    found = CliRunner().invoke(read, [str(tmp_path / "roll.png"), "--box", "default"])
    assert found.exit_code == 1 and "No dice of the box 'default'" in found.output
    taught.save(tmp_path / "boxes" / "default" / "taught_faces.npz")
    found = CliRunner().invoke(read, [str(tmp_path / "roll.png"), "--box", "default", "--expect", "5"])
    reading = json.loads(found.output)
    assert Counter((die["type"], die["face"]) for die in reading["dice"]) == Counter(wanted), reading
    assert reading["status"] == "ok" and all(die["centre_mm"] is None for die in reading["dice"])


def test_what_shows_no_dice_is_never_read(taught: TaughtFaces) -> None:
    rng = np.random.default_rng(1)
    even = np.full((240, 320, 3), (70, 110, 60), np.uint8) + rng.integers(0, 5, (240, 320, 1), dtype=np.uint8)
    assert edge_of_dice(even) is None
    reading = BoxReader(taught).read(even, {"d6": 2})
    assert (reading.status, reading.dice) == ("refused", ())


def test_of_two_looks_only_what_both_believe_is_believed() -> None:
    quad = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    one, other = (Die("battle", face, "ivory", quad, 0.99) for face in ("flag", "lore"))
    assert _agreed_faces(one, None, (one, None)) == (one, None)
    for twin in ((other, None), None):
        die, why = _agreed_faces(one, None, twin)
        assert die.face is None and why is not None and why.quad == quad
