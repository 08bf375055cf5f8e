"""A reader that was taught the product's own drawings, once for all tests of the tray."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.vision.tray.dice import TYPES
from vision.faces.builtin import CACHE_ENV, builtin_faces
from vision.faces.taught import TaughtFaces
from vision.trayreader import TrayReader


@pytest.fixture(scope="session")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TaughtFaces]:
    patch = pytest.MonkeyPatch()
    patch.setenv(CACHE_ENV, str(tmp_path_factory.mktemp("cache")))
    yield builtin_faces(TYPES)
    patch.undo()


@pytest.fixture(scope="session")
def reader(taught: TaughtFaces) -> TrayReader:
    return TrayReader(TYPES, taught)


@pytest.fixture(scope="session")
def shared() -> Path:
    return Path(__file__).resolve().parents[3] / ".." / "shared" / "dice" / "tray_alpha"
