"""Networks give each thread its own numbers, wherever their file lies and whatever size a picture has."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from vision.faces.describe import MODEL
from vision.network import MODELS, F, Network

DETECTOR = MODELS / "detector.onnx"
NO_TEXT = b"dice\xff"
"""A folder's name that no encoding explains: OpenCV crashes where it is given one, so it is given bytes, and
then uses its newer engine."""


def in_folder(place: Path, name: bytes, file: Path) -> Network:
    """The network of a copy of the file in a folder of that name."""
    folder = place / os.fsdecode(name)
    folder.mkdir()
    return Network(Path(shutil.copy(file, folder)))


@pytest.mark.parametrize("folder", [b"dice", NO_TEXT])
@pytest.mark.parametrize("file", [MODEL, MODELS / "faces.onnx"], ids=["describer", "faces"])
def test_a_roll_was_read_with_the_numbers_of_a_photograph_read_at_the_same_time(
    tmp_path: Path, file: Path, folder: bytes
) -> None:
    network = in_folder(tmp_path, folder, file)
    chance = np.random.default_rng(1)
    inputs: list[F] = [chance.random((1, 3, 48, 48), np.float32) for _ in range(40)]
    alone = [network.run(one) for one in inputs]

    def differing(_: int) -> int:
        together = [network.run(one) for one in inputs]
        return sum(not np.array_equal(*pair) for pair in zip(together, alone, strict=True))

    with ThreadPoolExecutor(3) as threads:
        assert list(threads.map(differing, range(9))) == [0] * 9


@pytest.mark.parametrize("folder", ["Würfel".encode(), NO_TEXT])
def test_a_folder_whose_name_is_no_text_crashed_the_reader(tmp_path: Path, folder: bytes) -> None:
    face = np.random.default_rng(1).random((1, 3, 48, 48), np.float32)
    there, here = (network.run(face) for network in (in_folder(tmp_path, folder, MODEL), Network(MODEL)))
    assert np.allclose(there, here, atol=1e-3)


@pytest.mark.parametrize("size", [(480, 640), (16, 16), (336, 48), (640, 640)])
def test_the_detector_has_a_map_of_a_quarter_of_any_size_by_either_engine(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    """Its larger maps are woven of smaller ones, without the size of a picture in the file."""
    picture = np.random.default_rng(1).random((1, 3, *size), np.float32)
    older, newer = (
        network.run(picture) for network in (Network(DETECTOR), in_folder(tmp_path, NO_TEXT, DETECTOR))
    )
    assert older.shape == (1, 9, size[0] // 4, size[1] // 4)
    assert np.allclose(older, newer, atol=1e-3)


def test_the_detector_has_no_transposed_convolution() -> None:
    """The older engine of OpenCV takes three quarters of its time for two of them."""
    kinds = Network(DETECTOR)._net.getLayerTypes()
    assert "Convolution" in kinds and "Deconvolution" not in kinds


def test_each_reading_of_a_photograph_printed_warnings_of_opencv(capfd: pytest.CaptureFixture[str]) -> None:
    Network(DETECTOR).run(np.zeros((1, 3, 64, 96), np.float32))
    assert capfd.readouterr().err == ""
