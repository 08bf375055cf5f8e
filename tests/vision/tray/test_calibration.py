"""Tests of the camera check and of the wizard that teaches faces."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.camera import bumped, check, load, save
from calibration.dice_faces import TeachSession
from referee.kernel.dice import DieType
from tests.vision.tray.dice import TYPES
from vision.faces.taught import TaughtFaces
from vision.teach import ENOUGH
from vision.virtual.tray import VirtualTray

TWO = DieType("two", "symbol", ("muster", "event", "muster", "event", "muster", "event"), "red")


def empty(seed: int = 3) -> np.ndarray:
    return VirtualTray(TYPES, seed, "diffuse", "green_felt").throw({}, 0)


def bad(image: np.ndarray) -> set[str]:
    findings, _ = check(image)
    for f in findings:
        assert (
            f.text.in_words("en").endswith(".")
            and f.text.in_words("de").endswith(".")
            and f.text.in_words("en") != f.text.in_words("de")
        )
    return {f.code for f in findings if not f.good}


def test_a_good_camera_passes() -> None:
    assert bad(empty()) == set()


def test_each_trouble_is_named() -> None:
    image = empty()
    assert "sharp" in bad(cv2.GaussianBlur(image, (0, 0), 2.5))
    assert "bright" in bad((image * 0.2).astype(np.uint8))
    half = image.copy()
    half[:, 640:] //= 8
    assert "even" in bad(half)
    shiny = image.copy()
    cv2.circle(shiny, (640, 480), 40, (255, 255, 255), -1)
    findings, _ = check(shiny)
    (glare,) = [f for f in findings if f.code == "glare"]
    assert not glare.good and glare.quad is not None
    assert np.abs(np.array(glare.quad).mean(axis=0) - [640, 480]).max() < 12
    assert check(np.zeros_like(image))[0][0].code == "fiducials_lost"
    small = np.full_like(image, 128)
    small[:480, :640] = cv2.resize(image, (640, 480), interpolation=cv2.INTER_AREA)
    assert "size" in bad(small)


def test_a_bumped_camera_differs_from_its_calibration(tmp_path: Path) -> None:
    image = empty()
    _, before = check(image)
    assert before is not None
    save(before, tmp_path / "c" / "camera.json")
    assert load(tmp_path / "c" / "camera.json") == before
    assert load(tmp_path / "nothing.json") is None
    (tmp_path / "broken.json").write_text("{")
    assert load(tmp_path / "broken.json") is None
    for shift, moved in ((3, False), (30, True)):
        matrix = np.array([[1, 0, shift], [0, 1, 0]], np.float32)
        pushed = cv2.warpAffine(image, matrix, (1280, 960), borderMode=cv2.BORDER_REPLICATE)
        _, now = check(pushed)
        assert now is not None and bumped(now, before) == moved
    assert bumped(replace(before, width=640), before)


def test_the_wizard_asks_for_each_face_until_it_has_enough(tmp_path: Path) -> None:
    taught = TaughtFaces()
    session = TeachSession(TWO, taught)
    assert session.missing() == {"muster": ENOUGH, "event": ENOUGH}
    number = 0
    while (face := session.next_face()) is not None:
        tray = VirtualTray([TWO], 20 + number % 5, "diffuse", "green_felt")
        verdict = session.offer(tray.show("two", face, number), face)
        assert verdict.taken and verdict.quad is not None, verdict
        number += 1
    assert number == 2 * ENOUGH
    result = session.finish(tmp_path / "faces.npz")
    assert (result.right, result.wrong, result.ask_for_more) == (2 * ENOUGH, 0, {})
    assert TaughtFaces.load(tmp_path / "faces.npz").faces("two") == {"muster": ENOUGH, "event": ENOUGH}


def test_the_wizard_refuses_with_words() -> None:
    session = TeachSession(TWO, TaughtFaces())
    tray = VirtualTray([TWO], 20)
    image = tray.show("two", "event", 1)
    assert not session.offer(image, "no_such_face").taken
    assert session.offer(image, "event").taken
    again = session.offer(image, "event")
    assert not again.taken and "moved" in again.text.in_words("en")
    none = session.offer(tray.throw({}, 1), "event")
    assert (
        not none.taken
        and "exactly one" in none.text.in_words("en")
        and "genau einen" in none.text.in_words("de")
    )
    with pytest.raises(ValueError, match="need no teaching"):
        TeachSession(TYPES[0], TaughtFaces())


def test_faces_that_are_confused_are_asked_for_again() -> None:
    taught = TaughtFaces()
    session = TeachSession(TWO, taught)
    for k in range(ENOUGH):
        image = VirtualTray([TWO], 20 + k % 5).show("two", "event", k)
        session.offer(image, "event")
        session.offer(image, "muster")  # the wrong face was named
    result = session.examine()
    assert set(result.ask_for_more) == {"event", "muster"}
    assert session.missing()
