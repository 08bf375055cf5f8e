"""Files as telephones and folders hold them: whole ones are read, others named, no drawing is lost."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

import vision.imagefile
from referee.commands.dice import read
from vision.imagefile import UnreadableImage, is_whole, read_image, write_drawing


@pytest.fixture(scope="module")
def picture() -> np.ndarray:
    rng = np.random.default_rng(2)
    return cv2.resize(rng.integers(0, 256, (30, 40, 3), dtype=np.uint8), (400, 300))


def _jpeg(picture: np.ndarray, *options: int) -> bytes:
    return bytes(cv2.imencode(".jpg", picture, list(options))[1])


@pytest.mark.parametrize(
    "options", [(), (cv2.IMWRITE_JPEG_PROGRESSIVE, 1), (cv2.IMWRITE_JPEG_RST_INTERVAL, 2)]
)
def test_a_motion_photograph_is_whole(picture: np.ndarray, tmp_path: Path, options: tuple[int, ...]) -> None:
    data = _jpeg(picture, *options)
    path = tmp_path / "motion.jpg"
    path.write_bytes(data + b"\x00\x00\x00\x18ftypmp42" + bytes(200_000))
    assert np.array_equal(read_image(path), cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR))


@pytest.mark.parametrize("options", [(), (cv2.IMWRITE_JPEG_PROGRESSIVE, 1)])
@pytest.mark.parametrize("tail", [b"", bytes(100_000)])
def test_a_jpeg_that_ends_early_is_not(
    picture: np.ndarray, tmp_path: Path, options: tuple[int, ...], tail: bytes
) -> None:
    path = tmp_path / "half.jpg"
    data = _jpeg(picture, *options)
    path.write_bytes(data[: len(data) * 2 // 3] + tail)
    with pytest.raises(UnreadableImage) as error:
        read_image(path)
    assert error.value.code == "truncated"


def test_the_end_of_a_thumbnail_is_not_the_end_of_the_picture(picture: np.ndarray) -> None:
    small, data = _jpeg(picture[:16, :16]), _jpeg(picture)
    thumbnail = b"\xff\xe1" + (len(small) + 2).to_bytes(2, "big") + small
    whole = data[:2] + thumbnail + data[2:]
    assert is_whole(whole)
    assert not is_whole(whole[:-2]) and not is_whole(whole[: len(thumbnail) + 40])


def test_a_png_that_ends_early_is_refused(picture: np.ndarray, tmp_path: Path) -> None:
    data = bytes(cv2.imencode(".png", picture)[1])
    path = tmp_path / "half.png"
    path.write_bytes(data + b"more")
    assert read_image(path).shape == picture.shape
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(UnreadableImage) as error:
        read_image(path)
    assert error.value.code in ("truncated", "not_a_picture")


def test_a_folder_names_the_pictures_that_it_skips(picture: np.ndarray, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "read.png"), picture)
    for name in ("a.HEIC", "b.avif", "c.gif", "d.dng"):
        (tmp_path / name).write_bytes(b"what nobody decodes")
    (tmp_path / "labels.csv").write_text("file\n")
    result = CliRunner().invoke(read, [str(tmp_path)])
    lines = {Path(line["image"]).name: line for line in map(json.loads, result.stdout.splitlines())}
    assert set(lines) == {"read.png", "a.HEIC", "b.avif", "c.gif", "d.dng"}
    for name in ("a.HEIC", "b.avif", "c.gif", "d.dng"):
        assert [r["code"] for r in lines[name]["reasons"]] == ["unsupported_format"], name
        assert name in result.stderr
    assert result.exit_code == 1


def test_heic_without_its_library_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vision.imagefile, "find_spec", lambda name: None)
    path = tmp_path / "telephone.jpg"  # many programs rename them without converting
    path.write_bytes(b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(64))
    with pytest.raises(UnreadableImage, match="pillow-heif") as error:
        read_image(path)
    assert error.value.code == "unsupported_format" and "pillow-heif" in error.value.sentence_de


@pytest.mark.skipif(find_spec("pillow_heif") is None, reason="pillow-heif is not installed")
def test_heic_is_read_where_its_library_is_installed(picture: np.ndarray, tmp_path: Path) -> None:
    import pillow_heif

    smooth = cv2.GaussianBlur(picture, (0, 0), 6)
    path = tmp_path / "telephone.heic"
    heif = pillow_heif.from_bytes("RGB", (400, 300), smooth[..., ::-1].tobytes())
    heif.save(path, quality=90)
    read_back = read_image(path)
    assert read_back.shape == smooth.shape
    assert float(np.abs(read_back.astype(int) - smooth).mean()) < 6


def test_a_drawing_never_replaces_that_of_another_picture(picture: np.ndarray, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        cv2.imwrite(str(tmp_path / folder / "roll.png"), picture)
    out = tmp_path / "out"
    runner = CliRunner()
    both = [str(tmp_path / "a" / "roll.png"), str(tmp_path / "b" / "roll.png"), "--draw", str(out)]
    assert runner.invoke(read, both).exit_code == 0
    assert len(list(out.iterdir())) == 2
    runner.invoke(read, both[1:])  # in a run of its own, too; and its own drawing it does replace
    assert len(list(out.iterdir())) == 2
    foreign = out / "other.png.png"
    cv2.imwrite(str(foreign), picture[:50])
    before = foreign.read_bytes()
    assert write_drawing(out, tmp_path / "other.png", picture) != foreign
    assert foreign.read_bytes() == before


def test_a_negative_expectation_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(read, [str(tmp_path), "--expect", "-3"])
    assert result.exit_code == 2 and "--expect" in result.output
