"""One look at the camera's picture as lines of pass or fail in words: set-up page, health page and
``referee doctor`` say the same."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera import CameraCalibration, CameraFinding, check
from referee.kernel.messages import Text, joined
from vision.quality import why_not_readable
from vision.reading import Quad
from vision.tray import DEFAULT, TraySpec, find_markers

LIVE_WIDTH = 720
JPEG_QUALITY = 70


@dataclass(frozen=True)
class CameraLook:
    """What one picture says: its size, the fiducials found in it (id to corners), all findings, and where the
    tray lies (None where it was not found)."""

    width: int
    height: int
    markers: dict[int, list[tuple[float, float]]]
    findings: tuple[CameraFinding, ...]
    calibration: CameraCalibration | None = None

    @property
    def good(self) -> bool:
        """Whether everything passes."""
        return all(one.good for one in self.findings)

    def troubles(self) -> list[CameraFinding]:
        """What does not pass."""
        return [one for one in self.findings if not one.good]


def look(image: np.ndarray, spec: TraySpec = DEFAULT) -> CameraLook:
    """Look at one picture (BGR, height x width x 3)."""
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    markers = find_markers(gray, spec)
    unreadable = [CameraFinding(why.code, False, why.text) for why in why_not_readable(image)]
    calibration = None
    if not unreadable:
        unreadable, calibration = check(image, spec)
    height, width = gray.shape
    corners = {number: [(float(x), float(y)) for x, y in quad] for number, quad in sorted(markers.items())}
    return CameraLook(width, height, corners, tuple(unreadable), calibration)


def live_jpeg(image: np.ndarray, marked: CameraLook | None = None, quad: Quad | None = None) -> bytes:
    """The picture for the set-up page, at most 720 pixels wide: fiducials in green, ``quad`` in amber."""
    drawn = image.copy() if marked is not None or quad is not None else image
    thick = max(2, drawn.shape[1] // 320)
    if marked is not None:
        for corners in marked.markers.values():
            cv2.polylines(drawn, [np.array(corners, np.int32)], True, (90, 200, 60), thick, cv2.LINE_AA)
        for trouble in marked.troubles():
            if trouble.quad is not None:
                around = np.array(trouble.quad, np.int32)
                cv2.polylines(drawn, [around], True, (40, 60, 230), thick, cv2.LINE_AA)
    if quad is not None:
        cv2.polylines(drawn, [np.array(quad, np.int32)], True, (40, 170, 240), thick, cv2.LINE_AA)
    scale = LIVE_WIDTH / drawn.shape[1]
    if scale < 1:
        drawn = cv2.resize(drawn, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes())


def summary(seen: CameraLook) -> Text:
    """One sentence each in English and German: all well, or everything that does not pass."""
    if seen.good:
        return Text("calibration.all_right")
    troubles = seen.troubles()
    return joined(one.text for one in troubles)
