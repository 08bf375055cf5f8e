"""Video files and V4L2 devices through OpenCV."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.kernel.files import is_text
from referee.kernel.messages import Text
from vision.sources.base import CameraLost, Frame
from vision.sources.framing import Crop, Framing, crop_of
from vision.sources.locks import Locks, not_kept

EXPOSURE_UNIT_US = 100  # of V4L2's exposure_time_absolute
USUAL_SIZE = (1280, 960)
UNPACKED_COLUMNS = 1280  # wider pictures do not fit through USB 2 unless each is compressed


class CaptureCamera:
    """``cv2.VideoCapture`` behind the camera interface.

    A device gives its newest frame (its own buffer is set to one frame); a file gives one frame after the
    other, and is lost at its end.
    """

    def __init__(
        self,
        capture: Any,
        name: str,
        ends: bool,
        locks: Locks | None = None,
        framing: Framing | None = None,
    ) -> None:
        self._capture = capture
        self._name = name
        self._ends = ends
        self._locks = locks
        self._framing = framing or Framing()
        self._sequence = 0

    @classmethod
    def file(cls, path: Path) -> CaptureCamera:
        """A video file."""
        capture = cv2.VideoCapture(str(path)) if path.is_file() and is_text(path) else None
        if capture is None or not capture.isOpened():
            raise CameraLost(
                "no_video",
                Text("vision.no_video", path=path),
            )
        return cls(capture, path.name, True)

    @classmethod
    def device(cls, number: int, locks: Locks | None = None, framing: Framing | None = None) -> CaptureCamera:
        """A V4L2 device, ``/dev/video<number>``.

        Its automatic exposure, white balance and focus are switched off; exposure is set, gain and colours
        stay as the driver has them.
        """
        locks = locks or Locks()
        capture = cv2.VideoCapture(number, cv2.CAP_V4L2)
        if not capture.isOpened():
            capture.release()
            raise CameraLost(
                "no_device",
                Text("vision.no_device", number=number),
            )
        width, height = (framing.capture if framing is not None else None) or USUAL_SIZE
        if width > UNPACKED_COLUMNS:
            capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        for key, value in (
            (cv2.CAP_PROP_FRAME_WIDTH, width),
            (cv2.CAP_PROP_FRAME_HEIGHT, height),
            (cv2.CAP_PROP_BUFFERSIZE, 1),
            (cv2.CAP_PROP_AUTO_EXPOSURE, 1),  # 1 is "manual" for V4L2
            (cv2.CAP_PROP_EXPOSURE, round(locks.steady_exposure_us / EXPOSURE_UNIT_US)),
            (cv2.CAP_PROP_AUTO_WB, 0),
            (cv2.CAP_PROP_AUTOFOCUS, 0),
        ):
            capture.set(key, value)  # False where the device has no such control; what it has is verified
        return cls(capture, f"/dev/video{number}", False, locks, framing)

    def frame(self, deadline_s: float) -> Frame | None:
        """The next frame.  OpenCV cannot be interrupted: the owner of the camera watches the clock."""
        done, image = self._capture.read()
        if not done or image is None:
            if self._ends:
                raise CameraLost(
                    "video_ended",
                    Text("vision.video_ended", name=self._name),
                )
            raise CameraLost(
                "no_frame",
                Text("vision.no_frame", name=self._name),
            )
        metadata = self._metadata()
        broken = self._locks.broken(metadata) if self._locks is not None else []
        if broken:
            raise not_kept(broken)
        self._sequence += 1
        image = self._framed(image)
        return Frame(image, self._sequence, time.monotonic(), {"source": self._name, **metadata})

    def _framed(self, image: np.ndarray) -> np.ndarray:
        """The part of the picture that is wanted, in the size that is wanted."""
        rows, columns = image.shape[:2]
        asked = self._framing.capture
        if asked is not None and (columns, rows) != asked:
            raise _other_size(self._name, asked, (columns, rows))
        sensor = self._framing.sensor(columns, rows)
        crop = crop_of(sensor, self._framing) if sensor is not None else None
        return image if crop is None else cut(image, crop)

    def _metadata(self) -> dict[str, Any]:
        """The exposure that the driver says, where it says one."""
        if self._locks is None:
            return {}
        exposure = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        return {"ExposureTime": round(exposure * EXPOSURE_UNIT_US)} if exposure > 0 else {}

    def close(self) -> None:
        """Release the device or file."""
        self._capture.release()


def cut(image: np.ndarray, crop: Crop) -> np.ndarray:
    """The part of a picture (height x width x 3) that ``crop`` names, in its size."""
    part = image[crop.y : crop.y + crop.height, crop.x : crop.x + crop.width]
    return cv2.resize(part, crop.size, interpolation=cv2.INTER_AREA)


def _other_size(name: str, asked: tuple[int, int], got: tuple[int, int]) -> CameraLost:
    wanted, given = (f"{w} x {h}" for w, h in (asked, got))
    return CameraLost(
        "other_size",
        Text("vision.other_size", name=name, given=given, wanted=wanted),
    )
