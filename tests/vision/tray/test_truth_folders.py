"""Tests of ``dice teach --from`` and ``dice bench`` on folders that are not as they should be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from referee.commands.dice import dice
from referee.kernel.dice import DieType
from vision.faces.builtin import rendered_examples
from vision.faces.taught import TaughtFaces
from vision.reading import DiceReading, Die, Pose
from vision.teach import DATA_ENV, load_taught
from vision.tray_bench import Tally, types_in
from vision.virtual.tray import VirtualTray

SMALL = DieType("small", "symbol", ("muster", "event", "muster", "event", "muster", "event"), "red")
DIE = {"type": "small", "face": "muster", "centre_px": [1, 2], "cocked": False, "readable": True}


@pytest.fixture(scope="module")
def picture() -> bytes:
    tray = VirtualTray([SMALL], 50)
    return bytes(cv2.imencode(".jpg", tray.show("small", "muster", 1))[1].tobytes())


def call(*words: str | Path) -> Result:
    return CliRunner().invoke(dice, [str(word) for word in words])


def complains(result: Result, *words: str) -> None:
    assert result.exit_code == 1 and isinstance(result.exception, SystemExit), result.output
    assert result.output.startswith("Error:") and all(word in result.output for word in words), result.output


def write(folder: Path, images: Any) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "truth.json").write_text(json.dumps({"schema": 1, "images": images}))
    return folder


@pytest.mark.parametrize(
    "images",
    [
        5,
        "abc",
        {"a": 1},
        [],
        [None],
        [{"image": "x.jpg", "dice": "ab"}],
        [{"image": "x.jpg", "dice": [5]}],
        [{"image": "x.jpg", "dice": [{}]}],
        [{"image": 5, "dice": [DIE]}],
        [{"image": "x.jpg", "dice": [{**DIE, "face": None}]}],
        [{"image": "x.jpg", "dice": [{**DIE, "cocked": "no"}]}],
    ],
)
def test_a_truth_file_that_is_wrong_is_named_with_a_way_out(tmp_path: Path, images: Any) -> None:
    folder = write(tmp_path / "f", images)
    complains(call("teach", "--from", folder), "truth.json", "Mend it")
    complains(call("bench", folder), "truth.json", "Mend it")


def test_what_a_measured_die_needs(tmp_path: Path) -> None:
    for centre in (None, [1], [1, "x"], 3):
        folder = write(tmp_path / "f", [{"image": "x.jpg", "dice": [{**DIE, "centre_px": centre}]}])
        complains(call("bench", folder), "centre_px")
    (folder / "truth.json").write_bytes(b"\xff\xfe{")
    complains(call("bench", folder), "not JSON")


def test_folders_with_a_truth_file_below_are_named(tmp_path: Path) -> None:
    write(tmp_path / "test", [])
    write(tmp_path / "teach_battle", [])
    complains(call("bench", tmp_path), "teach_battle, test")
    complains(call("teach", "--from", tmp_path), "teach_battle, test")
    complains(call("teach", "--from", tmp_path / "nowhere"), "no folder")


def test_missing_and_broken_pictures_are_named(tmp_path: Path, picture: bytes) -> None:
    folder = write(tmp_path / "f", [{"image": "x.jpg", "dice": [DIE]}])
    complains(call("bench", folder), "x.jpg", "no file", "take it out of")
    (folder / "x.jpg").write_bytes(picture[: len(picture) // 2])
    complains(call("bench", folder), "x.jpg", "again")
    (folder / "x.jpg").write_bytes(b"no picture")
    complains(call("bench", folder), "x.jpg", "not a picture")


def test_teaching_that_comes_to_nothing_forgets_nothing(
    tmp_path: Path, picture: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DATA_ENV, str(tmp_path / "data"))
    good = write(tmp_path / "good", [{"image": "x.jpg", "dice": [DIE]}])
    (good / "x.jpg").write_bytes(picture)
    call("teach", "--from", good)
    assert load_taught().faces("small") == {"muster": 1}
    cv2.imwrite(str(tmp_path / "x.jpg"), np.full((960, 1280, 3), 90, np.uint8))
    bad = write(tmp_path, [{"image": "x.jpg", "dice": [DIE]}])
    complains(call("teach", "--from", bad), "nothing was changed", "markers")
    assert load_taught().faces("small") == {"muster": 1}


def test_a_byte_order_mark_does_no_harm(
    tmp_path: Path, picture: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DATA_ENV, str(tmp_path / "data"))
    folder = write(tmp_path / "f", [{"image": "x.jpg", "dice": [DIE]}])
    (folder / "x.jpg").write_bytes(picture)
    (folder / "truth.json").write_bytes(b"\xef\xbb\xbf" + (folder / "truth.json").read_bytes())
    assert "muster (1)" in call("teach", "--from", folder).output


def test_the_disk_that_takes_nothing_is_named(
    tmp_path: Path, picture: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").write_text("in the way")
    monkeypatch.setenv(DATA_ENV, str(tmp_path / "data"))
    folder = write(tmp_path / "f", [{"image": "x.jpg", "dice": [DIE]}])
    (folder / "x.jpg").write_bytes(picture)
    complains(call("teach", "--from", folder), "cannot be written", DATA_ENV)


def test_the_worst_pictures_are_drawn(tmp_path: Path, picture: bytes) -> None:
    """Nothing was taught: each picture is asked about, and one of three dice is not there at all."""
    away = {**DIE, "face": "event", "centre_px": [9, 9]}
    folder = write(
        tmp_path / "f", [{"image": "x.jpg", "dice": [DIE]}, {"image": "y.jpg", "dice": [DIE, away, away]}]
    )
    for name in ("x.jpg", "y.jpg"):
        (folder / name).write_bytes(picture)
    result = call("bench", folder, "--draw-worst", tmp_path / "worst", "--json")
    assert result.exit_code == 1, "the type was not taught"
    figures, _ = json.JSONDecoder().raw_decode(result.output)
    assert set(figures["worst"]) == {"x.jpg", "y.jpg"}
    drawn = sorted((tmp_path / "worst").iterdir())
    assert [p.name[:3] for p in drawn] == ["01_", "02_"]
    assert cv2.imread(str(drawn[0])).shape == (960, 1280, 3)


def test_numbers_are_pips_unless_taught_otherwise() -> None:
    pictures = [
        {"dice": [{"type": "d", "face": "1", "colour": "white"}, {"type": "n", "face": 2, "colour": "teal"}]}
    ]
    taught = TaughtFaces()
    assert [(t.id, t.kind, t.body) for t in types_in(pictures, taught)] == [
        ("d", "pip", "white"),
        ("n", "pip", "any"),  # a colour that the reader has no name for is any colour
    ]
    pips = DieType("d", "symbol", ("1", "2"), "white")
    drawn = DieType("n", "symbol", ("lore", "flag"), "white")
    for face, drawing in zip(("1", "2"), drawn.faces, strict=True):
        for crop, body in rendered_examples(pips, face, 2):
            taught.add("d", face, crop, body)
        for crop, body in rendered_examples(drawn, drawing, 2):
            taught.add("n", face, crop, body)
    assert [(t.id, t.kind) for t in types_in(pictures, taught)] == [("d", "pip"), ("n", "symbol")]


def test_the_worst_comes_first_and_what_is_right_never() -> None:
    tally = Tally()
    tally.badness = {"right": 0, "asked": 4, "silent": 101, "missed": 1}
    assert tally.worst() == ["silent", "asked", "missed"]
    assert tally.worst(1) == ["silent"]


def read_at(px: tuple[float, float], mm: tuple[float, float], pose: Pose) -> Die:
    x, y = px
    quad = ((x - 9, y - 9), (x + 9, y - 9), (x + 9, y + 9), (x - 9, y + 9))
    return Die("small", None, "red", quad, 0.5, pose, (), (*mm, 8.0))


@pytest.mark.parametrize(
    ("dice", "named", "counted", "missed"),
    [
        ([read_at((105, 100), (0.0, 0.0), "cocked")], 1, 1, 0),
        ([read_at((140, 100), (9.0, 0.0), "cocked")], 1, 1, 0),  # its other side looks up
        ([read_at((140, 100), (9.0, 0.0), "flat")], 0, 1, 0),
        ([read_at((160, 100), (14.0, 0.0), "cocked")], 0, 1, 1),  # another die, or none
        ([], 0, 1, 1),
    ],
)
def test_a_cocked_die_is_counted_by_either_side_and_where_it_is_missed(
    dice: list[Die], named: int, counted: int, missed: int
) -> None:
    truth = [{**DIE, "centre_px": [100, 100], "position_mm": [0, 0, 9], "cocked": True, "readable": False}]
    tally = Tally()
    tally.add("x", truth, DiceReading("ask", tuple(dice), (), 1280, 960, 1.0))
    assert (tally.cocked_named, tally.cocked, tally.missed) == (named, counted, missed)


def test_a_cocked_die_that_is_mostly_hidden_or_in_a_refused_picture_is_not_counted() -> None:
    truth = {**DIE, "cocked": True, "readable": False}
    tally = Tally()
    tally.add("hidden", [{**truth, "visible_fraction": 0.4}], DiceReading("ask", (), (), 1280, 960, 1.0))
    tally.add("refused", [truth], DiceReading("refused", (), (), 1280, 960, 1.0))
    assert tally.cocked == 0


def test_thrown_dice_can_be_drawn_too(tmp_path: Path) -> None:
    result = call("throws", "1", "--seed", "3", "--draw-worst", tmp_path / "worst", "--json")
    figures = json.loads(result.output)
    assert figures["pictures"] == 1
    assert len(list((tmp_path / "worst").iterdir())) == len(figures["worst"])
