"""Is the camera fit to read dice?  A check in words, and the calibration that is kept with its test of
validity.

The check takes one picture (a fraction of a second), so it can be repeated whenever the camera may have been
bumped; the reader itself finds the markers anew in every picture.  Where the tray lay at the calibration is
kept, so that a camera that was moved since is noticed at the next reading.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np

from referee.kernel.files import write_whole
from referee.kernel.messages import Text, joined
from vision.reading import Quad, Reason
from vision.sources.framing import DIE_MM, MEASURED_HEIGHT_MM
from vision.tray import DEFAULT, TraySpec, TrayView, as_quad, find_markers, find_tray

MOVED_MM = 4.0  # of the camera's foot, or of the tray under it, from which it counts as bumped
FEW_PIXELS = 2.9  # pixels a millimetre (dice of 16 mm) down to which as many rolls are read as from nearer
UNSHARP = 90.0  # variance of the Laplacian on a marker's edges, at 3.4 pixels a millimetre
BLOWN, DARK = 250, 60
BORDER_MM = 1.8  # from a marker's edge to where its white border is looked at
BORDER_SHARE = 0.55  # of the brightness of a marker's other sides, under which one side is covered
RIM_MM = (26.0, 8.0)  # height and thickness of the highest rim that hides nothing; docs/build/tray_camera.md


@dataclass(frozen=True)
class CameraFinding:
    """One line of the check: what was looked at, whether it is well, and what to do."""

    code: str
    good: bool
    text: Text
    quad: Quad | None = None


@dataclass(frozen=True)
class CameraCalibration:
    """Where the tray lay in the picture when the camera was last found fit."""

    width: int
    height: int
    floor_px: Quad
    pixels_per_mm: float


def _finding(code: str, good: bool, words: Text, trouble: Text, quad: Quad | None = None) -> CameraFinding:
    return CameraFinding(code, good, words if good else trouble, None if good else quad)


def check(
    image: np.ndarray, spec: TraySpec = DEFAULT
) -> tuple[list[CameraFinding], CameraCalibration | None]:
    """Look at one picture (BGR) of the empty tray; the calibration is None where the tray was not found."""
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    markers = find_markers(gray, spec)
    view = find_tray(gray, spec)
    if isinstance(view, Reason):
        return [_lost(view), *_height(spec)], None
    height, width = gray.shape
    now = of_view(view, width, height)
    per_mm = now.pixels_per_mm
    findings = [
        _finding(
            "markers",
            len(markers) == 4,
            Text("calibration.markers_seen"),
            Text("calibration.markers_missing", markers=len(markers)),
        ),
        _borders(gray, view, markers),
        *_height(spec),
        _size(per_mm, spec),
        _sharp(gray, markers, per_mm),
        *_light(image, view),
    ]
    return findings, now


def _size(per_mm: float, spec: TraySpec) -> CameraFinding:
    """Whether a die is large enough in the picture, in pixels a millimetre for dice of 16 mm."""
    return _finding(
        "size",
        per_mm * spec.die_mm / DIE_MM >= FEW_PIXELS,
        Text("calibration.large_enough", per_mm=per_mm),
        Text("calibration.too_small", per_mm=per_mm),
    )


def _lost(why: Reason) -> CameraFinding:
    """The tray was not found; a rim that hides the markers is said only here, not while people play."""
    height, thick = RIM_MM
    said = [why.text]
    if why.code == "fiducials_lost":
        said.append(Text("calibration.rim_hides_markers", height=height, thick=thick))
    return CameraFinding(why.code, False, joined(said))


def _height(spec: TraySpec) -> list[CameraFinding]:
    """A height from which the reader was never measured: rims hide markers, and dice show more side."""
    low, high = MEASURED_HEIGHT_MM
    scaled = spec.camera_height_mm * DEFAULT.inner_mm[0] / spec.inner_mm[0]
    if low <= scaled <= high:
        return []
    factor = spec.inner_mm[0] / DEFAULT.inner_mm[0]
    lower, upper = round(low * factor), round(high * factor)
    return [
        CameraFinding(
            "height",
            False,
            Text(
                "calibration.bad_height",
                height=f"{spec.camera_height_mm:.0f}",
                lower=lower,
                upper=upper,
            ),
        )
    ]


def _borders(gray: np.ndarray, view: TrayView, markers: dict[int, np.ndarray]) -> CameraFinding:
    """Whether the rim hides part of a marker's white border, without which it is soon not found."""
    covered = [number for number in markers if _covered(gray, view, number)]
    names = ", ".join(map(str, covered))
    height, thick = RIM_MM
    return _finding(
        "border",
        not covered,
        Text("calibration.borders_free"),
        Text("calibration.borders_hidden", names=names, height=height, thick=thick),
    )


def _covered(gray: np.ndarray, view: TrayView, number: int) -> bool:
    """Whether one side of a marker's border is much darker than the others."""
    spec = view.spec
    x, y = spec.marker_centres_mm[spec.marker_ids.index(number)]
    reach, along = spec.marker_mm / 2 + BORDER_MM, np.linspace(-spec.marker_mm / 2, spec.marker_mm / 2, 9)
    sides = []
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        points = [(x + dx * reach + dy * t, y + dy * reach + dx * t, spec.marker_plane_mm) for t in along]
        at = np.round(view.project(np.array(points))).astype(int)
        at = at.clip(0, [gray.shape[1] - 1, gray.shape[0] - 1])
        sides.append(float(np.median(gray[at[:, 1], at[:, 0]])))
    return min(sides) < BORDER_SHARE * float(np.median(sides))


def _sharp(gray: np.ndarray, markers: dict[int, np.ndarray], per_mm: float) -> CameraFinding:
    values = []
    for corners in markers.values():
        x, y, w, h = cv2.boundingRect(corners.astype(np.float32))
        patch = gray[max(0, y) : y + h, max(0, x) : x + w].astype(np.float32)
        contrast = float(np.percentile(patch, 95) - np.percentile(patch, 5)) + 1.0
        patch = cv2.GaussianBlur(patch, (0, 0), 0.8) * (200.0 / contrast)  # against sensor noise
        values.append(float(cv2.Laplacian(patch, cv2.CV_32F).var()))
    sharpness = float(np.median(values)) * min(1.0, per_mm / 3.4) if values else 0.0
    return _finding(
        "sharp",
        sharpness >= UNSHARP,
        Text("calibration.sharp"),
        Text("calibration.blurred"),
    )


def _light(image: np.ndarray, view: TrayView) -> list[CameraFinding]:
    """Brightness, evenness and glare on the floor and the papers."""
    flat = view.rectify(image, 0.0)
    tiles = cv2.resize(flat, (12, 9), interpolation=cv2.INTER_AREA).astype(np.float32).max(axis=2)[1:-1, 1:-1]
    white = max(_paper(image, view))
    ratio = float(np.percentile(tiles, 95)) / max(1.0, float(np.percentile(tiles, 5)))
    blown = (flat.min(axis=2) >= BLOWN).astype(np.uint8)
    spots = cv2.morphologyEx(blown, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    return [
        _finding(
            "bright",
            white >= DARK,
            Text("calibration.light_enough"),
            Text("calibration.too_dark"),
        ),
        _finding(
            "even",
            ratio <= 4.0,
            Text("calibration.light_even"),
            Text("calibration.shadow"),
        ),
        _finding(
            "glare",
            not spots.any(),
            Text("calibration.no_glare"),
            Text("calibration.glare"),
            _spot_quad(spots, view),
        ),
    ]


def _paper(image: np.ndarray, view: TrayView) -> list[float]:
    """Brightness (0 to 255) of the paper beside each marker."""
    out = [0.0]
    for x, y in view.spec.marker_centres_mm:
        at = view.project(np.array([x, y + view.spec.marker_mm / 2 + 1.8, view.spec.marker_plane_mm]))
        column, row = (round(float(v)) for v in at)
        if 0 <= row < image.shape[0] and 0 <= column < image.shape[1]:
            out.append(float(image[row, column].mean()))
    return out


def _spot_quad(spots: np.ndarray, view: TrayView) -> Quad | None:
    if not spots.any():
        return None
    x, y, w, h = cv2.boundingRect(spots)
    box = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], float)
    return as_quad(cv2.perspectiveTransform(box[None], np.linalg.inv(view.rectifier(0.0)))[0])


def of_view(view: TrayView, width: int, height: int) -> CameraCalibration:
    """Where the tray lies in a picture of that size."""
    floor = np.array(view.floor_quad())
    per_mm = float(np.linalg.norm(floor[1] - floor[0])) / view.spec.inner_mm[0]
    return CameraCalibration(width, height, view.floor_quad(), per_mm)


def place(now: CameraCalibration, before: CameraCalibration) -> CameraFinding:
    """Whether the tray still lies where it lay at the calibration."""
    return _finding(
        "place",
        not bumped(now, before),
        Text("calibration.in_place"),
        Text("calibration.moved"),
        now.floor_px,
    )


def bumped(now: CameraCalibration, before: CameraCalibration) -> bool:
    """Whether the tray lies elsewhere in the picture than when the camera was calibrated."""
    if (now.width, now.height) != (before.width, before.height):
        return True
    shift = np.linalg.norm(np.array(now.floor_px) - np.array(before.floor_px), axis=1).max()
    return bool(shift > MOVED_MM * before.pixels_per_mm)


def save(calibration: CameraCalibration, path: Path) -> None:
    """Keep a calibration as JSON; the old file stays until the new one is whole."""
    write_whole(path, json.dumps(asdict(calibration), indent=1))


def load(path: Path) -> CameraCalibration | None:
    """The kept calibration; None where there is none, or where it cannot be understood (calibrate anew)."""
    try:
        data = json.loads(path.read_text("utf-8"))
        corners = np.array(data["floor_px"], float)
        return CameraCalibration(
            int(data["width"]), int(data["height"]), as_quad(corners), float(data["pixels_per_mm"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
