"""Tests of the command that teaches dice from six pictures a face and reads new throws of them."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from click.testing import CliRunner

from referee.commands.dice import dice
from referee.kernel.dice import DieType
from vision.taught_bench import CUBES, Learned, teach, types_of
from vision.trayreader import TrayReader
from vision.virtual.drawings import drawing_of
from vision.virtual.tray import VirtualTray

FLAGS = DieType("flags", "symbol", ("flag", "lore", "flag", "lore", "flag", "lore"), "ivory")


def test_new_throws_are_read_and_counted_by_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.taught_bench.types_of", lambda seed: (FLAGS, CUBES[1]))
    result = CliRunner().invoke(dice, ["taught", "3", "--seed", "4", "--json"])
    figures = json.loads(result.output)
    assert figures["symbols"]["dice"] == 6 and figures["cubes"]["dice"] == 3
    assert figures["symbols"]["right"] == 1.0 and figures["wrong"] == []
    assert set(figures["by_type"]) == {"flags", "cube_blue"}
    assert result.exit_code == (0 if figures["cubes"]["right"] == 1.0 else 1)


def test_cubes_are_told_by_their_colour_and_symbols_are_not_plain() -> None:
    """Cubes of three colours on cloth of none of them, in three lights: nothing on them can be illegible."""
    types = (FLAGS, *CUBES)
    taught, _ = teach(types, 5)
    assert [taught.is_plain(kind.id) for kind in types] == [False, True, True, True]
    reader, roll = TrayReader(types, taught), {"flags": 1, **{kind.id: 2 for kind in CUBES}}
    for number, light in enumerate(("diffuse", "mixed", "dim")):
        image = VirtualTray(types, 60 + number, light, "grey_felt").throw(roll, 70 + number, "plain")
        reading = reader.read(image, roll)
        assert Counter(d.type for d in reading.dice if d.face is not None) == roll, reading.reasons


def test_the_aim_holds_for_symbols_and_for_cubes_each() -> None:
    good = {"flags": Counter(right=399, not_sure=1), "cube_red": Counter(right=200)}
    assert Learned(good).holds
    assert not Learned(good, ["throw 1: flag read as lore"]).holds
    assert not Learned({**good, "cube_red": Counter(right=198, not_sure=2)}).holds
    assert not Learned({**good, "flags": Counter(right=397, missed=3)}).holds
    assert Learned(good).figures()["right"] == pytest.approx(599 / 600, abs=1e-5)


def test_another_seed_has_other_drawings_and_cubes_have_none() -> None:
    def own(seed: int) -> set[str]:
        return {face for kind in types_of(seed) if kind.id.startswith("own") for face in kind.faces}

    assert len(own(1)) == 12 and not own(1) & own(2)
    assert [drawing_of(face) for kind in CUBES for face in kind.faces] == [(), (), ()]
