"""A network that two threads use at once gives each its own numbers, wherever its file lies."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from vision.faces.describe import MODEL
from vision.network import MODELS, F, Network


@pytest.mark.parametrize("classic", [True, False])
@pytest.mark.parametrize("name", ["describer", "faces"])
def test_a_roll_was_read_with_the_numbers_of_a_photograph_read_at_the_same_time(
    name: str, classic: bool
) -> None:
    network = Network(MODEL if name == "describer" else MODELS / "faces.onnx", classic)
    chance = np.random.default_rng(1)
    inputs: list[F] = [chance.random((1, 3, 48, 48), np.float32) for _ in range(40)]
    alone = [network.run(one) for one in inputs]

    def differing(_: int) -> int:
        together = [network.run(one) for one in inputs]
        return sum(not np.array_equal(*pair) for pair in zip(together, alone, strict=True))

    with ThreadPoolExecutor(3) as threads:
        assert list(threads.map(differing, range(9))) == [0] * 9


@pytest.mark.parametrize("folder", ["Würfel".encode(), b"dice\xff"])
def test_a_folder_whose_name_is_no_text_crashed_the_reader(tmp_path: Path, folder: bytes) -> None:
    place = tmp_path / os.fsdecode(folder)
    place.mkdir()
    shutil.copy(MODEL, place)
    face = np.random.default_rng(1).random((1, 3, 48, 48), np.float32)
    there, here = (Network(file, classic=True).run(face) for file in (place / MODEL.name, MODEL))
    assert np.allclose(there, here, atol=1e-3)
