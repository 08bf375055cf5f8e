"""Every camera that the docs name sees the tray as large as the reader was measured on, and reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.camera import check
from referee.kernel.dice import PIP_FACES, DieType
from vision.faces.taught import TaughtFaces
from vision.sources import framing
from vision.sources.capture import cut
from vision.sources.framing import (
    SETUPS,
    TOO_COARSE,
    CameraSetup,
    crop_of,
    framed,
    framing_of,
    picture_px_per_mm,
    view_mm,
)
from vision.tray import DEFAULT, TraySpec, spec_from
from vision.tray_bench import Tally
from vision.trayreader import TrayReader
from vision.virtual import render
from vision.virtual.scene import TRAY_MM, camera_at
from vision.virtual.tray import VirtualTray

PAGE = Path(__file__).resolve().parents[3] / "docs" / "build" / "tray_camera.md"
DICE = (DieType("pips", "pip", PIP_FACES, "white"), DieType("dark", "pip", PIP_FACES, "black"))
LOW, HIGH = framing.MEASURED_PX_PER_MM


@pytest.mark.parametrize("setup", SETUPS, ids=lambda s: s.name)
def test_a_documented_camera_sees_the_tray_as_large_as_the_reader_was_measured_on(setup: CameraSetup) -> None:
    assert LOW <= picture_px_per_mm(setup.sensor, DEFAULT) <= HIGH
    for height in (560.0, 650.0, 740.0):
        assert LOW <= picture_px_per_mm(setup.sensor, replace(DEFAULT, camera_height_mm=height)) <= HIGH


@pytest.mark.parametrize("setup", TOO_COARSE, ids=lambda s: s.name)
def test_a_camera_that_is_too_coarse_is_not_blown_up(setup: CameraSetup) -> None:
    per_mm = picture_px_per_mm(setup.sensor, DEFAULT)
    assert per_mm <= setup.sensor.px_per_mm(650) + 0.01 and per_mm < LOW


def test_the_page_has_the_table_of_the_code() -> None:
    page = PAGE.read_text("utf-8")
    assert framing.table() in page, "python -m vision.sources.framing"
    low, high = (f"{v:.0f}" for v in framing.MEASURED_HEIGHT_MM)
    assert f"{low} to {high} mm" in page


@pytest.mark.parametrize("spec", [DEFAULT, spec_from({"inner_mm": [300, 300]}), spec_from({"die_mm": 12})])
def test_the_picture_holds_every_marker_with_some_room(spec: TraySpec) -> None:
    across = view_mm(spec)
    reach = spec.marker_mm / 2 + framing.QUIET_MM + 20  # 20 mm is what the camera may stand aside
    assert all(
        abs(x) + reach < across / 2 and abs(y) + reach < across * 3 / 8 for x, y in spec.marker_centres_mm
    )
    columns = framing_of(spec).columns
    assert LOW <= columns / across * spec.die_mm / 16 <= HIGH


def test_what_a_line_says_itself_stays() -> None:
    spec = replace(DEFAULT, camera_height_mm=700.0)
    assert framed("picamera2:", spec) == "picamera2:view=388,height=700,columns=1280,focus=1.43"
    assert (
        framed("picamera2:view=500,focus=2", DEFAULT) == "picamera2:view=500,focus=2,height=650,columns=1280"
    )
    for line in ("virtual:3", "files:/x", "mjpeg:http://h/", "none", "video:a.mp4"):
        assert framed(line, DEFAULT) == line


# --- read as rendered --------------------------------------------------------------------------------------


def seen_by(
    setup: CameraSetup, tray: VirtualTray, roll: Mapping[str, int], seed: int
) -> tuple[np.ndarray, list[Any]]:
    """A throw as that camera gives it: drawn in the sensor's pixels and made smaller; its truth."""
    crop = crop_of(setup.sensor, framing_of(DEFAULT))
    assert crop is not None
    before = tray.scene.camera
    share = setup.sensor.px_per_mm(DEFAULT.camera_height_mm) * TRAY_MM[0] / crop.width
    height = float(before.position[2])
    fine = camera_at(height, 2.0, 70.0 * seed, 0.5, share * DEFAULT.camera_height_mm / height, crop.width)
    photo = tray._empty.photo
    tray._empty = replace(
        tray._empty, camera=fine, photo=replace(photo, defocus_px=0.8 * crop.width / crop.size[0])
    )
    image = tray.throw(roll, seed, "plain")
    scale = crop.size[0] / crop.width
    truth = tray.truth()["dice"]
    for die in truth:
        die["centre_px"] = [scale * v for v in die["centre_px"]]
    return cut(image, replace(crop, x=0, y=0, width=image.shape[1], height=image.shape[0])), truth


@pytest.mark.parametrize("setup", SETUPS, ids=lambda s: s.name)
def test_a_documented_camera_reads_like_the_virtual_one(setup: CameraSetup) -> None:
    reader, tally = TrayReader(DICE, TaughtFaces()), Tally()
    for seed, (light, cloth) in enumerate((("diffuse", "green_felt"), ("mixed", "wood"))):
        tray = VirtualTray(DICE, 40 + seed, light, cloth)
        image, truth = seen_by(setup, tray, {"pips": 4, "dark": 3}, seed)
        assert image.shape == (960, 1280, 3)
        tally.add(f"{setup.name} {seed}", truth, reader.read(image, {"pips": 4, "dark": 3}))
    assert (tally.exact, tally.silent, tally.asked, tally.refused) == (2, [], [], []), tally.codes


# --- what the check refuses in words -----------------------------------------------------------------------


def troubles(image: np.ndarray, spec: TraySpec = DEFAULT) -> dict[str, str]:
    return {one.code: one.text.in_words("en") for one in check(image, spec)[0] if not one.good}


def picture(tray: VirtualTray | None = None) -> np.ndarray:
    return (tray or VirtualTray(DICE, 3)).throw({}, 0)


def test_a_camera_without_a_crop_is_told_what_to_do() -> None:
    image = picture()
    small = cv2.resize(image, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    wide = cv2.copyMakeBorder(small, 192, 192, 256, 256, cv2.BORDER_REPLICATE)
    assert wide.shape == image.shape
    assert "camera_height_mm" in troubles(wide)["size"] and "fov=" in troubles(wide)["size"]


@pytest.mark.parametrize(
    ("height", "bad"), [(390, True), (540, False), (650, False), (760, False), (900, True)]
)
def test_a_height_that_was_never_measured_is_refused(height: float, bad: bool) -> None:
    said = troubles(picture(), replace(DEFAULT, camera_height_mm=height))
    assert ("height" in said) == bad
    if bad:
        assert f"{height} mm above this tray" in said["height"] and "540 to 760 mm" in said["height"]


@pytest.mark.parametrize(
    ("high", "thick", "hidden"),
    [(26, 8, False), (20, 10, False), (40, 10, True), (26, 12, True), (40, 14, True)],
)
def test_a_rim_that_hides_the_markers_is_named(
    monkeypatch: pytest.MonkeyPatch, high: float, thick: float, hidden: bool
) -> None:
    monkeypatch.setattr(render, "WALL_HEIGHT_MM", high)
    monkeypatch.setattr(render, "WALL_WIDTH_MM", thick)
    said = troubles(picture())
    assert bool({"border", "fiducials_lost", "markers"} & said.keys()) == hidden, said
    assert not hidden or "rim" in " ".join(said.values()).lower()
