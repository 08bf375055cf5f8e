"""Tests of trays that are not the default one: measures, markers and dice come from the configuration."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.commands.dice import dice
from tests.vision.tray.dice import TYPES
from vision.faces.taught import TaughtFaces
from vision.reading import Reason
from vision.tray import DEFAULT, TraySpecError, TrayView, find_tray, load_spec, spec_from
from vision.trayreader import TrayReader
from vision.virtual.tray import VirtualTray


def test_the_default_table_is_what_an_empty_section_means() -> None:
    assert spec_from({}) == DEFAULT
    assert spec_from({"inner_mm": [240, 180], "marker_mm": 25}) == DEFAULT


def test_a_tray_of_twice_the_size_is_read_alike(taught: TaughtFaces) -> None:
    twice = spec_from(
        {
            "inner_mm": [480, 360],
            "die_mm": 32,
            "marker_mm": 50,
            "marker_centres_mm": [[2 * x, 2 * y] for x, y in DEFAULT.marker_centres_mm],
            "marker_plane_mm": -7.2,
            "camera_height_mm": 1300,
        }
    )
    tray = VirtualTray(TYPES, 2)
    image = tray.throw({"combat_white": 3, "battle": 3}, 5, "plain")
    reading = TrayReader(TYPES, taught, twice).read(image)
    assert reading.status == "ok"
    truth = Counter((d["type"], d["face"]) for d in tray.truth()["dice"])
    assert Counter((d.type, d.face) for d in reading.dice) == truth
    for die in reading.dice:
        assert die.centre_mm is not None
        near = min(
            np.hypot(*(2 * np.array(d["position_mm"][:2]) - die.centre_mm[:2])) for d in tray.truth()["dice"]
        )
        assert near < 3


def test_other_markers_are_looked_for() -> None:
    spec = spec_from({"marker_ids": [7, 3, 11, 30], "dictionary": "DICT_5X5_100"})
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    image = np.full((800, 1000), 220, np.uint8)
    for number, (x, y) in zip(spec.marker_ids, spec.marker_centres_mm, strict=True):
        left, top = round(500 + 3 * x - 37.5), round(400 - 3 * y - 37.5)
        image[top : top + 75, left : left + 75] = cv2.aruco.generateImageMarker(book, number, 75)
    assert isinstance(find_tray(image, spec), TrayView)
    lost = find_tray(image)
    assert isinstance(lost, Reason) and lost.code == "fiducials_lost"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("inner_mm", [240]),
        ("inner_mm", [240, "180"]),
        ("die_mm", 0),
        ("die_mm", True),
        ("marker_ids", [0, 1, 2, 2]),
        ("marker_ids", [0, 1, 2, 3.5]),
        ("marker_centres_mm", [[0, 0], [1, 1], [2, 2]]),
        ("dictionary", "DICT_OF_NOTHING"),
        ("dictionary", "__doc__"),
        ("colour", "green"),
    ],
)
def test_measures_that_cannot_be_get_a_sentence(key: str, value: Any) -> None:
    with pytest.raises(TraySpecError) as wrong:
        spec_from({key: value})
    assert wrong.value.key == key and key in wrong.value.sentence_en and key in wrong.value.sentence_de
    assert wrong.value.sentence_en.endswith(" is needed.") and wrong.value.sentence_de.endswith(" ist nötig.")


def test_the_tray_of_a_configuration_goes_to_the_commands(tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    table.write_text("[tray]\ndie_mm = 19\n")
    assert load_spec(table).die_mm == 19
    table.write_text("[tray]\ndie_mm = 190\n")
    for words in (["bench", str(tmp_path)], ["teach", "--from", str(tmp_path)]):
        result = CliRunner().invoke(dice, [*words, "--tray", str(table)])
        assert result.exit_code == 1 and "die_mm" in result.output and "--tray" in result.output
        result = CliRunner().invoke(dice, [*words, "--tray", str(tmp_path / "none.toml")])
        assert result.exit_code == 1 and "cannot be read" in result.output
