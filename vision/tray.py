"""The tray in the picture: four fiducials give the camera's pose, and so a picture in millimetres.

Frame of reference as in ``vision.reading``.  The focal length is rarely known; seen from nearly straight
above, focal length and height cannot be told apart, so the usual height is assumed (an error of 10 cm moves
the upper face of a die at the tray's edge by half a millimetre, which the dice finder takes up).  The more
the camera stands aside, the more the markers' own perspective tells, and the less is assumed.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.kernel.messages import Text
from referee.kernel.said import SaidError
from vision.reading import Quad, Reason

DIE_PX = 32  # a die's edge in the rectified picture
MARGIN_MM = 12.0  # beside the floor that it shows, at least
WHOLE_PX = 24  # the finder sees cells of 8 pixels, and three of them as one
NEARLY = 0.01  # of that is no reason for as much again
ASSUMED = 1e-3  # weight of the usual focal length: that of a view 10 degrees aside
FOCAL_SQUARE = (0.4, 2.5)  # between which the square of the focal length lies beside the usual one's
LARGE = 1000  # width in pixels from which markers are looked for at half the size first


@dataclass(frozen=True)
class TraySpec:
    """Measures of a tray, its fiducials and its dice, in millimetres; the defaults are the default
    table's."""

    inner_mm: tuple[float, float] = (240.0, 180.0)
    die_mm: float = 16.0
    marker_mm: float = 25.0
    marker_ids: tuple[int, int, int, int] = (0, 1, 2, 3)
    marker_centres_mm: tuple[tuple[float, float], ...] = (
        (-152.5, 82.5),
        (152.5, 82.5),
        (152.5, -82.5),
        (-152.5, -82.5),
    )
    marker_plane_mm: float = -3.6
    camera_height_mm: float = 650.0
    dictionary: str = "DICT_4X4_50"
    walled: bool = True  # whether walls stand round the floor, on which dice may lean

    @property
    def px_per_mm(self) -> float:
        """Scale of the rectified picture: a die's edge is ``DIE_PX`` pixels whatever its size."""
        return DIE_PX / self.die_mm

    @property
    def rectified_size(self) -> tuple[int, int]:
        """Width and height of the rectified picture, multiples of ``WHOLE_PX``."""
        w, h = ((side + 2 * MARGIN_MM) * self.px_per_mm / WHOLE_PX for side in self.inner_mm)
        return math.ceil(w - NEARLY) * WHOLE_PX, math.ceil(h - NEARLY) * WHOLE_PX


DEFAULT = TraySpec()
BESIDE_MM, BELOW_MM = 20.0, 5.0  # from the floor's edges to a marker's nearest edge, unless centres are given


class TraySpecError(SaidError, ValueError):
    """Measures that cannot be: ``key``, and what is needed there."""

    def __init__(self, key: str, needed: Text) -> None:
        self.key = key
        super().__init__(Text("vision.tray_needs", key=key, needed=needed))


def _number(low: float, high: float) -> Callable[[Any], bool]:
    def fits(value: Any) -> bool:
        return isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high

    return fits


def _numbers(count: int, low: float, high: float) -> Callable[[Any], bool]:
    one = _number(low, high)
    return lambda value: isinstance(value, list) and len(value) == count and all(map(one, value))


def _marker_ids(value: Any) -> bool:
    whole = _numbers(4, 0, 999)(value) and all(isinstance(one, int) for one in value)
    return whole and len(set(value)) == 4


def _centres(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 4 and all(map(_numbers(2, -2000, 2000), value))


def _dictionary(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("DICT_") and hasattr(cv2.aruco, value)


# key -> whether a value will do, and what is needed
_KEYS: Mapping[str, tuple[Callable[[Any], bool], Text]] = {
    "inner_mm": (
        _numbers(2, 40, 2000),
        Text("vision.width_and_depth", low=40, high=2000),
    ),
    "die_mm": (_number(4, 100), Text("vision.number_from", low=4, high=100)),
    "marker_mm": (_number(5, 200), Text("vision.number_from", low=5, high=200)),
    "marker_ids": (_marker_ids, Text("vision.four_numbers")),
    "marker_centres_mm": (_centres, Text("vision.four_pairs")),
    "marker_plane_mm": (_number(-200, 200), Text("vision.number_from", low=-200, high=200)),
    "camera_height_mm": (_number(100, 5000), Text("vision.number_from", low=100, high=5000)),
    "dictionary": (_dictionary, Text("vision.aruco_dictionary")),
}


def spec_from(values: Mapping[str, Any]) -> TraySpec:
    """The tray of a ``[tray]`` section; what it leaves out is as on the default table.

    Where it gives no ``marker_centres_mm``, the markers lie beside the floor's corners as they do there.
    Raises :class:`TraySpecError`.
    """
    for key, value in values.items():
        if key not in _KEYS:
            raise TraySpecError(key, Text("vision.known_key", known=", ".join(_KEYS)))
        fits, needed = _KEYS[key]
        if not fits(value):
            raise TraySpecError(key, needed)
    given: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in values.items()
    }
    spec = replace(DEFAULT, **given)
    if "marker_centres_mm" in values:
        return replace(spec, marker_centres_mm=tuple((float(x), float(y)) for x, y in spec.marker_centres_mm))
    x = spec.inner_mm[0] / 2 + BESIDE_MM + spec.marker_mm / 2
    y = spec.inner_mm[1] / 2 + BELOW_MM - spec.marker_mm / 2
    return replace(spec, marker_centres_mm=((-x, y), (x, y), (x, -y), (-x, -y)))


def load_spec(path: Path) -> TraySpec:
    """The tray of a table's configuration (TOML, section ``[tray]``).

    Raises OSError, ValueError (no TOML) or :class:`TraySpecError`.
    """
    section = tomllib.loads(path.read_text("utf-8")).get("tray", {})
    if not isinstance(section, dict):
        raise TraySpecError("tray", Text("vision.section"))
    return spec_from(section)


@dataclass(frozen=True)
class TrayView:
    """How the tray lies in the picture.

    ``plane`` takes millimetres in the plane of the fiducials to pixels, exactly as they were seen;
    ``position`` (the camera's place in millimetres, from an assumed height) serves only to correct the
    parallax of what lies above that plane.
    """

    spec: TraySpec
    plane: np.ndarray
    position: np.ndarray
    error_px: float

    def project(self, points: np.ndarray) -> np.ndarray:
        """Millimetres (... x 3) to pixels (... x 2)."""
        points = np.asarray(points, float)
        share = (self.position[2] - self.spec.marker_plane_mm) / (self.position[2] - points[..., 2:3])
        flat = self.position[:2] + share * (points[..., :2] - self.position[:2])
        mapped = np.concatenate([flat, np.ones_like(flat[..., :1])], axis=-1) @ self.plane.T
        pixels: np.ndarray = mapped[..., :2] / mapped[..., 2:3]
        return pixels

    def rectifier(self, height_mm: float) -> np.ndarray:
        """Homography from the picture to the rectified picture of the plane ``height_mm`` above the floor."""
        w, h = self.spec.rectified_size
        corners = np.array([[0, 0], [w - 1, 0], [w - 1, h - 1], [0, h - 1]], float)
        mm = self.to_mm(corners)
        world = np.column_stack([mm, np.full(4, height_mm)])
        return cv2.getPerspectiveTransform(self.project(world).astype(np.float32), corners.astype(np.float32))

    def to_mm(self, rectified: np.ndarray) -> np.ndarray:
        """Pixels of the rectified picture (N x 2) to millimetres."""
        w, h = self.spec.rectified_size
        scale = self.spec.px_per_mm
        return np.column_stack(
            [(rectified[:, 0] - (w - 1) / 2) / scale, ((h - 1) / 2 - rectified[:, 1]) / scale]
        )

    def from_mm(self, mm: np.ndarray) -> np.ndarray:
        """Millimetres (N x 2) to pixels of the rectified picture."""
        w, h = self.spec.rectified_size
        scale = self.spec.px_per_mm
        return np.column_stack([mm[:, 0] * scale + (w - 1) / 2, (h - 1) / 2 - mm[:, 1] * scale])

    def rectify(self, image: np.ndarray, height_mm: float | None = None) -> np.ndarray:
        """The picture of the plane through the dice's upper faces (or ``height_mm``), seen from above."""
        m = self.rectifier(self.spec.die_mm if height_mm is None else height_mm)
        return cv2.warpPerspective(
            image, m, self.spec.rectified_size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT
        )

    def floor_quad(self) -> Quad:
        """The tray floor's corners in the picture."""
        hx, hy = self.spec.inner_mm[0] / 2, self.spec.inner_mm[1] / 2
        corners = self.project(np.array([[-hx, hy, 0], [hx, hy, 0], [hx, -hy, 0], [-hx, -hy, 0.0]]))
        return as_quad(corners)


def as_quad(points: np.ndarray) -> Quad:
    """Four points as plain floats."""
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return (a, b, c, d)


@cache
def _detector(dictionary: str) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 4
    parameters.adaptiveThreshWinSizeMin = 13
    parameters.adaptiveThreshWinSizeMax = 53
    parameters.adaptiveThreshWinSizeStep = 20
    parameters.minMarkerPerimeterRate = 0.1
    return cv2.aruco.ArucoDetector(
        cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary)), parameters
    )


def find_markers(gray: np.ndarray, spec: TraySpec = DEFAULT) -> dict[int, np.ndarray]:
    """Corners (4 x 2, clockwise from the marker's top left) of each of the tray's markers that is seen."""
    if gray.shape[1] >= LARGE:  # a quarter of the time, and as exact, since corners are refined in the whole
        half = cv2.resize(gray, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        found = {k: _refined(gray, 2 * c + 0.5) for k, c in _detect(half, spec).items()}
        if len(found) == len(spec.marker_ids):
            return found
    return _detect(gray, spec)


def _refined(gray: np.ndarray, corners: np.ndarray) -> np.ndarray:
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 0.02)
    exact: np.ndarray = cv2.cornerSubPix(
        gray, corners.astype(np.float32).reshape(4, 1, 2), (4, 4), (-1, -1), stop
    )
    return exact.reshape(4, 2).astype(float)


def _detect(gray: np.ndarray, spec: TraySpec) -> dict[int, np.ndarray]:
    corners, ids, _ = _detector(spec.dictionary).detectMarkers(gray)
    found: dict[int, np.ndarray] = {}
    for quad, number in zip(corners, [] if ids is None else ids.ravel(), strict=False):
        if int(number) in spec.marker_ids and int(number) not in found:
            found[int(number)] = quad.reshape(4, 2).astype(float)
    return found


def marker_world(spec: TraySpec) -> dict[int, np.ndarray]:
    """Corners of each marker in millimetres, 4 x 2."""
    h = spec.marker_mm / 2
    square = np.array([[-h, h], [h, h], [h, -h], [-h, -h]])
    return {k: np.array(c) + square for k, c in zip(spec.marker_ids, spec.marker_centres_mm, strict=True)}


def find_tray(gray: np.ndarray, spec: TraySpec = DEFAULT) -> TrayView | Reason:
    """The camera's view of the tray, or why there is none.

    At least three markers must be seen, and all must agree with one flat tray to about a pixel.
    """
    markers = find_markers(gray, spec)
    missing = [k for k in spec.marker_ids if k not in markers]
    if len(missing) > 1:
        names = ", ".join(str(k) for k in missing)
        return Reason(
            "fiducials_lost",
            Text("vision.fiducials_lost", names=names),
        )
    return view_of(markers, gray.shape[1], gray.shape[0], spec)


def view_of(
    markers: Mapping[int, np.ndarray], width: int, height: int, spec: TraySpec = DEFAULT
) -> TrayView | Reason:
    """The view from the corners of the markers (4 x 2 pixels each) in a picture of that size."""
    world = marker_world(spec)
    mm = np.concatenate([world[k] for k in markers])
    px = np.concatenate([markers[k] for k in markers])
    matrix, _ = cv2.findHomography(mm, px, 0)
    centre = ((width - 1) / 2, (height - 1) / 2)
    if matrix is None or not np.isfinite(matrix).all():
        return _distorted()
    fitted = cv2.perspectiveTransform(mm[None].astype(np.float64), matrix)[0]
    error = float(np.sqrt(((fitted - px) ** 2).sum(axis=1).mean()))
    if error > 0.004 * width:
        return _distorted()
    middle = matrix @ np.array([0, 0, 1.0])
    per_mm = float(np.sqrt(abs(np.linalg.det(matrix))) / abs(middle[2]) ** 1.5)
    focal = _focal(matrix, centre, per_mm * (spec.camera_height_mm - spec.marker_plane_mm))
    camera = np.array([[focal, 0, centre[0]], [0, focal, centre[1]], [0, 0, 1]])
    position = _camera_position(np.linalg.inv(camera) @ matrix, spec)
    return _distorted() if position is None else TrayView(spec, matrix, position, error)


def _focal(matrix: np.ndarray, centre: tuple[float, float], usual: float) -> float:
    """The focal length in pixels, from the homography of a plane as far as that tells it, else the usual one.

    The plane's axes are seen as unit vectors at right angles (Zhang, 2000): two equations for the square of
    the focal length, whose weight grows with the fourth power of the sine of the camera's tilt.
    """
    shift = np.array([[1, 0, -centre[0]], [0, 1, -centre[1]], [0, 0, 1.0]])
    (a, b), (c, d), (e, f) = (np.diag([1 / usual, 1 / usual, 1.0]) @ shift @ matrix)[:, :2]
    unit = (a * a + b * b + c * c + d * d + e * e + f * f) / 2
    across = np.array([2 * (a * b + c * d), a * a + c * c - b * b - d * d]) / unit
    deep = np.array([2 * e * f, e * e - f * f]) / unit
    square = (ASSUMED - float(across @ deep)) / (ASSUMED + float(deep @ deep))
    return usual * float(np.sqrt(np.clip(square, *FOCAL_SQUARE)))


def _camera_position(pose: np.ndarray, spec: TraySpec) -> np.ndarray | None:
    """The camera's place from K^-1 H = [r1 r2 t] up to scale; None where that is no view from above."""
    scale = 2.0 / (np.linalg.norm(pose[:, 0]) + np.linalg.norm(pose[:, 1]))
    if pose[2, 2] < 0:
        scale = -scale
    first, second, shift = (scale * pose[:, k] for k in range(3))
    u, _, vt = np.linalg.svd(np.stack([first, second, np.cross(first, second)], axis=1))
    position: np.ndarray = -(u @ vt).T @ shift
    if position[2] < 0.5 * spec.camera_height_mm:
        return None
    found: np.ndarray = position + np.array([0.0, 0.0, spec.marker_plane_mm])
    return found


def _distorted() -> Reason:
    return Reason(
        "fiducials_moved",
        Text("vision.fiducials_moved"),
    )
