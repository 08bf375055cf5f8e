"""Tests of accepted corrections: examples for the next game, kept per box."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.vision.tray.dice import TYPES
from vision.corrections import Example, examples_of, learn
from vision.faces.builtin import rendered_examples
from vision.faces.taught import TaughtFaces
from vision.trayreader import TrayReader
from vision.virtual.tray import VirtualTray

BATTLE = TYPES[4]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two faces of a die, four examples each."""
    faces = TaughtFaces()
    for face in ("flag", "lore"):
        for crop, body in rendered_examples(BATTLE, face, 4):
            faces.add("battle", face, crop, body)
    path = tmp_path_factory.mktemp("box") / "taught_faces.npz"
    faces.save(path)
    return path


def accepted(reader: TrayReader, corrections: list[dict[str, Any]]) -> dict[str, Any]:
    """What the record keeps of a roll of three dice on the virtual tray."""
    tray = VirtualTray(TYPES, 3)
    reading = reader.read(tray.throw({"battle": 2, "combat_white": 1}, 6, "plain"))
    assert [d.type for d in reading.dice].count("battle") == 2
    return {"reading": reading.as_json(), "corrections": corrections}


def test_a_corrected_symbol_is_an_example(reader: TrayReader) -> None:
    evidence = accepted(reader, [])
    index = [d["type"] for d in evidence["reading"]["dice"]].index("battle")
    evidence["corrections"] = [{"die": index, "face": "lore"}]
    assert reader.last is not None
    (one,) = examples_of(evidence, reader.last.dice, TYPES)
    assert (one.die_type, one.face, one.crop.shape, one.body.shape) == ("battle", "lore", (48, 48, 3), (3,))
    seen = next(s for s in reader.last.dice if s.quad == evidence["reading"]["dice"][index]["quad"])
    assert (one.crop == seen.crop).all()


def test_what_teaches_nothing(reader: TrayReader) -> None:
    evidence = accepted(reader, [])
    assert reader.last is not None
    types = [d["type"] for d in evidence["reading"]["dice"]]
    battle, pip = types.index("battle"), types.index("combat_white")
    for one in (
        {"die": battle, "remove": True},
        {"add": {"type": "battle", "face": "lore"}},
        {"die": battle, "face": "no such face"},
        {"die": pip, "face": "3"},
        {"die": 9, "face": "lore"},
    ):
        assert examples_of({**evidence, "corrections": [one]}, reader.last.dice, TYPES) == []
    assert examples_of({**evidence, "corrections": [{"die": battle, "face": "lore"}]}, (), TYPES) == []
    assert examples_of({"manual": True}, reader.last.dice, TYPES) == []


def test_a_correction_is_kept_in_the_box(kept: Path, tmp_path: Path) -> None:
    path = tmp_path / "f.npz"
    path.write_bytes(kept.read_bytes())
    crop, body = rendered_examples(BATTLE, "lore", 6)[5]
    assert learn(path, [Example("battle", "lore", crop, body)]) == 1
    assert TaughtFaces.load(path).faces("battle") == {"flag": 4, "lore": 5}


def test_a_wrong_tap_teaches_nothing(kept: Path, tmp_path: Path) -> None:
    path = tmp_path / "f.npz"
    path.write_bytes(kept.read_bytes())
    crop, body = rendered_examples(BATTLE, "flag", 6)[5]
    assert learn(path, [Example("battle", "lore", crop, body)]) == 0
    assert learn(path, [Example("never_taught", "lore", crop, body)]) == 0
    assert path.read_bytes() == kept.read_bytes()
    assert learn(tmp_path / "none.npz", [Example("battle", "lore", crop, body)]) == 0
