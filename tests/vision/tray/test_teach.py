"""Tests of teaching: from a folder, the self-test, keeping, corrections, bad folders."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.kernel.dice import DieType
from tests.vision.tray.dice import TYPES
from vision.faces.builtin import rendered_examples
from vision.faces.taught import MAX_EXAMPLES, TaughtFaces
from vision.teach import DATA_ENV, ENOUGH, load_taught, self_test, taught_path, teach_command
from vision.trayreader import TrayReader
from vision.virtual.tray import VirtualTray

BATTLE = TYPES[4]
SMALL = DieType("small", "symbol", ("muster", "event", "muster", "event", "muster", "event"), "red")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three pictures of each of two faces, as a wizard or a camera would leave them."""
    path = tmp_path_factory.mktemp("teach")
    images = []
    for face in SMALL.distinct_faces:
        for k in range(3):
            tray = VirtualTray([SMALL], 50 + k, "diffuse", ("green_felt", "black", "grey_felt")[k])
            name = f"{face}_{k}.png"
            cv2.imwrite(str(path / name), tray.show("small", face, k))
            images.append({"image": name, "dice": tray.truth()["dice"]})
    (path / "truth.json").write_text(json.dumps({"schema": 1, "images": images}))
    return path


def test_teach_command_learns_tests_and_keeps(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DATA_ENV, str(tmp_path))
    result = CliRunner().invoke(teach_command, ["--from", str(folder), "--as", "mine", "--json"])
    report = json.loads(result.output)
    assert report["types"]["mine"]["faces"] == {"muster": 3, "event": 3}
    assert report["types"]["mine"]["wrong"] == 0 and report["unused"] == {}
    assert result.exit_code == 1, "three pictures a face are not enough"
    assert str(ENOUGH) in report["types"]["mine"]["ask_for_more"]["event"][1]
    assert taught_path().is_file() and load_taught().types() == ["mine"]


@pytest.mark.parametrize("text", [None, "{", '{"images": [{}]}', '{"images": []}'])
def test_a_bad_folder_gets_a_sentence(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "truth.json").write_text(text)
    result = CliRunner().invoke(teach_command, ["--from", str(tmp_path)])
    assert result.exit_code == 1 and result.output.startswith("Error:") and "Traceback" not in result.output


def test_pictures_that_cannot_be_used_are_named(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DATA_ENV, str(tmp_path / "data"))
    cv2.imwrite(str(tmp_path / "dark.png"), np.zeros((960, 1280, 3), np.uint8))
    (tmp_path / "good.png").write_bytes((folder / "muster_0.png").read_bytes())
    names = ("dark.png", "gone.png", "good.png")
    truth = {"images": [{"image": n, "dice": [{"type": "t", "face": "f"}]} for n in names]}
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    result = CliRunner().invoke(teach_command, ["--from", str(tmp_path), "--json"])
    report = json.loads(result.output)
    assert "dark" in report["unused"]["dark.png"] and "no file" in report["unused"]["gone.png"]
    assert (report["pictures"], len(report["unused"])) == (1, 2)


def test_from_six_pictures_a_face_new_views_are_known_or_unsure(taught: TaughtFaces) -> None:
    """New lamps, cloths, places and turns: never another face, and hardly ever unsure."""
    right = unsure = 0
    reader = TrayReader(TYPES, taught)
    for kind in TYPES[2:]:
        for face in kind.distinct_faces:
            for k in range(2):
                tray = VirtualTray(TYPES, 900 + 7 * k, None, None)
                reading = reader.read(tray.show(kind.id, face, 77 + k), {kind.id: 1})
                answers = {(d.type, d.face) for d in reading.dice if d.face is not None}
                assert answers <= {(kind.id, face)}
                right += bool(answers)
                unsure += not answers
    assert unsure <= 0.06 * (right + unsure)


def test_self_test_says_which_faces_it_confuses() -> None:
    mixed = TaughtFaces()
    for k, (crop, body) in enumerate(rendered_examples(BATTLE, "flag", 6)):
        mixed.add("battle", "flag" if k % 2 else "lore", crop, body)
    test = self_test(mixed, "battle", ["flag", "lore", "red_helmet"])
    assert test.right < test.tested
    assert "red_helmet" in test.ask_for_more and "0 of 6" in str(test.ask_for_more["red_helmet"])
    assert {"flag", "lore"} <= set(test.ask_for_more)


def test_self_test_of_clean_faces(taught: TaughtFaces) -> None:
    for kind in TYPES[2:]:
        test = self_test(taught, kind.id, kind.distinct_faces)
        assert test.wrong == 0 and test.right >= 0.9 * test.tested, (kind.id, test)


def test_taught_faces_survive_the_disk(tmp_path: Path) -> None:
    faces = TaughtFaces()
    for crop, body in rendered_examples(BATTLE, "flag", 2):
        faces.add("battle", "flag", crop, body)
    faces.save(tmp_path / "f.npz")
    again = TaughtFaces.load(tmp_path / "f.npz")
    assert again.faces("battle") == {"flag": 2}
    assert np.allclose(again.body("battle"), faces.body("battle"))
    (tmp_path / "f.npz").write_bytes((tmp_path / "f.npz").read_bytes()[:200])
    with pytest.raises(ValueError, match="teach again"):
        TaughtFaces.load(tmp_path / "f.npz")


def test_corrections_are_examples_and_the_oldest_make_way() -> None:
    faces = TaughtFaces()
    (crop, body), *_ = rendered_examples(BATTLE, "lore", 1)
    for _ in range(MAX_EXAMPLES + 3):
        faces.add("battle", "lore", crop, body)
    assert faces.faces("battle") == {"lore": MAX_EXAMPLES}
    faces.forget("battle")
    assert faces.types() == []
