"""Nothing that is not a sharp picture of dice may be read silently."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.commands.dice import dice, read
from vision.imagefile import UnreadableImage, expand, read_image
from vision.reader import DiceReader
from vision.training.scenes import scene


@pytest.fixture(scope="module")
def reader() -> DiceReader:
    return DiceReader()


def _thrown(seed: int) -> np.ndarray:
    return scene(np.random.default_rng(seed), 320)[0]


@pytest.mark.parametrize(
    ("value", "code"), [(0, "dark"), (8, "dark"), (255, "overexposed"), (127, "no_detail")]
)
def test_a_black_a_white_and_a_grey_frame_are_refused_with_the_reason(
    reader: DiceReader, value: int, code: str
) -> None:
    reading = reader.read(np.full((480, 640, 3), value, np.uint8))
    assert reading.status == "refused" and reading.dice == ()
    assert [r.code for r in reading.reasons] == [code]
    assert all(r.sentence_de and r.sentence_en for r in reading.reasons)


def test_one_pixel_is_refused(reader: DiceReader) -> None:
    assert [r.code for r in reader.read(np.zeros((1, 1, 3), np.uint8)).reasons] == ["too_small"]


@pytest.mark.parametrize("seed", range(2))
def test_noise_is_never_read_as_dice(reader: DiceReader, seed: int) -> None:
    noise = np.random.default_rng(seed).integers(0, 256, (480, 640, 3), dtype=np.uint8)
    reading = reader.read(noise)
    assert reading.status != "ok" or reading.dice == ()


def test_a_wrong_array_is_an_error_that_says_what_is_wanted(reader: DiceReader) -> None:
    with pytest.raises(ValueError, match="uint8"):
        reader.read(np.zeros((10, 10, 3), np.float32))  # type: ignore[arg-type]


def test_grey_pictures_and_pictures_with_alpha_are_taken(reader: DiceReader) -> None:
    grey = cv2.cvtColor(_thrown(3), cv2.COLOR_BGR2GRAY)
    assert reader.read(grey).width == 320
    assert reader.read(cv2.cvtColor(_thrown(3), cv2.COLOR_BGR2BGRA)).width == 320


def test_a_truncated_jpeg_is_refused(tmp_path: Path) -> None:
    ok, data = cv2.imencode(".jpg", _thrown(5))
    assert ok
    path = tmp_path / "half.jpg"
    path.write_bytes(data.tobytes()[: len(data) // 2])
    with pytest.raises(UnreadableImage) as error:
        read_image(path)
    assert error.value.code in ("truncated", "not_a_picture")


def test_a_text_file_a_missing_file_and_an_empty_folder_get_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "poem.jpg").write_text("no picture")
    (tmp_path / "empty.jpg").write_bytes(b"")
    for name, code in (
        ("poem.jpg", "not_a_picture"),
        ("empty.jpg", "not_a_picture"),
        ("gone.jpg", "missing"),
    ):
        with pytest.raises(UnreadableImage) as error:
            read_image(tmp_path / name)
        assert error.value.code == code and error.value.sentence_de
    (tmp_path / "folder").mkdir()
    with pytest.raises(UnreadableImage, match="holds no pictures"):
        expand([tmp_path / "folder"])


def test_read_goes_on_after_a_bad_file_and_exits_with_one(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "b.png"), _thrown(7))
    (tmp_path / "a.jpg").write_text("no picture")
    result = CliRunner().invoke(
        read, [str(tmp_path), str(tmp_path / "gone.png"), "--draw", str(tmp_path / "out")]
    )
    assert result.exit_code == 1
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [
        line["reasons"][0]["code"] for line in lines if line["image"].endswith(("a.jpg", "gone.png"))
    ] == [
        "not_a_picture",
        "missing",
    ]
    good = next(line for line in lines if line["image"].endswith("b.png"))
    assert good["width"] == 320 and {"status", "dice", "reasons"} <= good.keys()
    assert cv2.imread(str(tmp_path / "out" / "b.png.png")).shape == (320, 320, 3)


def test_bench_without_a_label_file_says_so(tmp_path: Path) -> None:
    result = CliRunner().invoke(dice, ["bench", str(tmp_path / "labels.csv")])
    assert result.exit_code != 0 and "no label file" in result.output
    broken = tmp_path / "labels.csv"
    broken.write_text("file,values\nx/a.jpg,1 two\n")
    result = CliRunner().invoke(dice, ["bench", str(broken)])
    assert result.exit_code != 0 and "Line 2" in result.output and "columns" in result.output
    broken.write_bytes(b"\xff\xd8\xff")
    result = CliRunner().invoke(dice, ["bench", str(broken)])
    assert result.exit_code == 1 and isinstance(result.exception, SystemExit) and "no text" in result.output


def test_a_wrong_number_of_dice_is_asked_about(reader: DiceReader) -> None:
    picture = _thrown(11)
    seen = len(reader.read(picture).dice)
    reading = reader.read(picture, {"d6": seen + 1})
    assert reading.status in ("ask", "refused")
    assert len(reading.dice) == seen  # the expectation changes nothing that was seen


def test_a_reading_is_the_same_each_time(reader: DiceReader) -> None:
    picture = _thrown(13)
    first, second = reader.read(picture), DiceReader().read(picture)
    assert (first.status, first.dice, first.reasons) == (second.status, second.dice, second.reasons)


def test_a_folder_that_cannot_be_made_gets_a_sentence(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("", encoding="utf-8")
    result = CliRunner().invoke(read, [str(tmp_path / "a.jpg"), "--draw", str(in_the_way / "out")])
    assert result.exit_code == 1 and isinstance(result.exception, SystemExit)
    assert "--draw" in result.output
