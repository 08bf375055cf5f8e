"""Counting pips by their spots: in shadow, under a veil, turned and shifted; and not where there are
none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.kernel.dice import PIP_FACES
from vision.faces.describe import FACE_SHARE, SIZE
from vision.faces.pips import count_pips
from vision.virtual.drawings import DRAWINGS, drawing_of, pips, raster

WHITE, BLACK = (0.9, 0.9, 0.88), (0.08, 0.08, 0.09)


def crop(
    face: str, body: tuple[float, float, float], ink: tuple[float, float, float], turn: float
) -> np.ndarray:
    """A face as the reader cuts it: turned, a little off, on grey cloth; BGR float in 0..1."""
    drawing = pips(face) if face in PIP_FACES else drawing_of(face)
    image = raster(drawing, body, ink, 64, 1.0 if face in PIP_FACES else 0.66)
    m = cv2.getRotationMatrix2D((31.5, 31.5), turn, SIZE * FACE_SHARE / 64)
    m[:, 2] += (SIZE - 1) / 2 - 31.5 + np.array([1.2, -0.9])
    turned = cv2.warpAffine(image, m, (SIZE, SIZE), flags=cv2.INTER_AREA, borderValue=(0.4, 0.4, 0.4))
    return cv2.GaussianBlur(turned[..., ::-1], (0, 0), 0.9)


def as_bytes(image: np.ndarray) -> np.ndarray:
    grain = np.random.default_rng(1).normal(0, 0.01, image.shape)
    return np.clip((image + grain) * 255, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("face", PIP_FACES)
@pytest.mark.parametrize("look", [(WHITE, BLACK), (BLACK, WHITE)])
def test_each_number_is_counted_at_any_quarter_turn(face: str, look: tuple) -> None:  # type: ignore[type-arg]
    for turn in (3, 90, 177, 270):
        assert count_pips(as_bytes(crop(face, *look, turn))) == int(face)


@pytest.mark.parametrize("face", PIP_FACES)
@pytest.mark.parametrize("look", [(WHITE, BLACK), (BLACK, WHITE)])
def test_a_shadow_across_the_face_changes_nothing(face: str, look: tuple) -> None:  # type: ignore[type-arg]
    y, x = np.mgrid[0:SIZE, 0:SIZE]
    counted = []
    for angle in np.arange(0, 2 * np.pi, np.pi / 3):
        shade = np.where((x - 23.5) * np.cos(angle) + (y - 23.5) * np.sin(angle) > 4, 0.4, 1.0)
        shade = cv2.GaussianBlur(shade, (0, 0), 2.0)[..., None]
        counted.append(count_pips(as_bytes(crop(face, *look, 0) * shade)))
    assert counted.count(int(face)) >= 3 and set(counted) <= {int(face), None}


@pytest.mark.parametrize("face", PIP_FACES)
def test_a_veil_that_pales_the_pips_changes_nothing(face: str) -> None:
    veil = np.linspace(0.0, 0.55, SIZE)[None, :, None]
    veiled = crop(face, WHITE, BLACK, 2) * (1 - veil) + veil
    assert count_pips(as_bytes(veiled)) == int(face)


def test_hardly_a_drawing_is_taken_for_pips() -> None:
    """A lone disc in the middle may count as a one: whether it is one is the network's to say."""
    counted = [
        count_pips(as_bytes(crop(face, *look, 2)))
        for face in (*DRAWINGS, *(f"x{k}" for k in range(60)))
        for look in ((WHITE, BLACK), (BLACK, WHITE))
    ]
    assert sum(n is not None and n > 1 for n in counted) <= 2
    assert sum(n == 1 for n in counted) <= 24


def test_a_plain_or_dark_face_has_no_number() -> None:
    assert count_pips(np.full((SIZE, SIZE, 3), 90, np.uint8)) is None
    assert count_pips(as_bytes(np.full((SIZE, SIZE, 3), 0.02))) is None
