"""Faces in which a lamp is mirrored: pips counted by their rims, drawings known by their outlines."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from referee.kernel.dice import PIP_FACES
from vision.faces.builtin import builtin_faces, rendered_examples
from vision.faces.colour import RIM, body_colour
from vision.faces.describe import describe
from vision.faces.glare import count_rims, is_veiled, veiled
from vision.faces.pips import count_pips
from vision.faces.taught import KNOWN_IN_GLARE, Compared, TaughtFaces, crop_face, is_known
from vision.faces.templates import Likeness
from vision.throws_bench import THROWN, own_dice
from vision.virtual.tray import BLAZE, VirtualTray

BLACK, BATTLE = 1, 4


@cache
def blazing(number: int, face: str) -> tuple[np.ndarray, ...]:
    """Crops of a face of that one of ``THROWN``, its drawing cut into it, with lamps mirrored in it."""
    crops, kind = [], THROWN[number]
    for seed in range(6):
        tray = VirtualTray([kind], seed=seed, light=BLAZE, cloth="black", engraved=True)
        image, quad = tray.window(kind.id, face, seed)
        crop = crop_face(image, quad)
        if is_veiled(body_colour(crop, np.ones(3)), body_colour(crop, np.ones(3), RIM)):
            crops.append(crop)
    return tuple(crops)


@cache
def taught() -> TaughtFaces:
    return builtin_faces([THROWN[BATTLE]], engraved=True)


def test_pips_are_counted_by_their_rims_and_never_as_another_number() -> None:
    counted = [(int(face), count_rims(crop)) for face in PIP_FACES for crop in blazing(BLACK, face)]
    assert all(number in (face, None) for face, number in counted), counted
    assert sum(number is not None for _, number in counted) > len(counted) / 3


def test_most_of_these_cannot_be_counted_by_their_spots() -> None:
    crops = [(int(face), crop) for face in PIP_FACES for crop in blazing(BLACK, face)]
    assert sum(count_pips(crop) != face for face, crop in crops) > len(crops) / 3


def test_a_plain_face_has_no_rims() -> None:
    grey = np.full((48, 48, 3), 120, np.uint8)
    assert count_rims(grey) is None
    cv2.rectangle(grey, (8, 8), (39, 39), (250, 250, 250), -1)  # a lamp in the flat part of a dark face
    assert count_rims(cv2.GaussianBlur(grey, (0, 0), 0.8)) is None


def test_a_veil_laid_over_a_face_leaves_its_outlines() -> None:
    _, _, crop, _ = next(iter(taught().examples(THROWN[BATTLE].id)))
    lit = veiled(crop)
    inner = (slice(12, -12), slice(12, -12))
    assert lit[inner].max(axis=2).mean() > crop[inner].max(axis=2).mean() + 10
    assert np.abs(lit[:4].astype(int) - crop[:4]).mean() < 8  # what is not flat mirrors no lamp


@pytest.mark.parametrize("face", sorted(set(THROWN[BATTLE].faces)))
def test_drawings_that_differ_in_colour_only_are_told_apart_in_glare(face: str) -> None:
    known, name = [], THROWN[BATTLE].id
    for crop in blazing(BATTLE, face):
        near = taught().correlation(name, crop, glare=True)
        similar = taught().similarity(name, describe(crop[None])[0], glare=True)
        compared = Compared(near, similar, KNOWN_IN_GLARE)
        best = max(near, key=lambda one: compared.alike[one])
        known.append(best == face)
        assert best == face or not is_known(best, compared)
    assert known and sum(known) > 0.7 * len(known)


def test_what_is_unlike_its_examples_is_not_known_however_alike_its_outlines_are() -> None:
    near = {"sword": Likeness(0.75, 0.75), "flag": Likeness(0.1, 0.1)}
    assert is_known("sword", Compared(near, {"sword": 0.85, "flag": 0.2}))
    assert not is_known("sword", Compared(near, {"sword": 0.75, "flag": 0.2}))
    exact = {**near, "sword": Likeness(0.9, 0.9)}
    assert is_known("sword", Compared(exact, {"sword": 0.75, "flag": 0.2}))


@pytest.mark.parametrize("left_out", [1, 4])
def test_a_face_that_was_not_taught_is_not_taken_for_one_that_resembles_it(left_out: int) -> None:
    """These two were, every other time."""
    kind, _ = own_dice(515151)
    known = TaughtFaces()
    for face in (one for one in kind.faces if one != kind.faces[left_out]):
        for crop, body in rendered_examples(kind, face, 12):
            known.add(kind.id, face, crop, body)
    told = []
    for crop, _ in rendered_examples(kind, kind.faces[left_out], 20)[8:]:
        compared = Compared(
            known.correlation(kind.id, crop), known.similarity(kind.id, describe(crop[None])[0])
        )
        told.append(any(is_known(face, compared) for face in compared.near))
    assert not any(told)
