"""Video files and V4L2 devices through OpenCV."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import cv2

from vision.sources.base import CameraLost, Frame
from vision.sources.locks import Locks, not_kept

EXPOSURE_UNIT_US = 100  # of V4L2's exposure_time_absolute


class CaptureCamera:
    """``cv2.VideoCapture`` behind the camera interface.

    A device gives its newest frame (its own buffer is set to one frame); a file gives one frame after the
    other, and is lost at its end.
    """

    def __init__(self, capture: Any, name: str, ends: bool, locks: Locks | None = None) -> None:
        self._capture = capture
        self._name = name
        self._ends = ends
        self._locks = locks
        self._sequence = 0

    @classmethod
    def file(cls, path: Path) -> CaptureCamera:
        """A video file."""
        capture = cv2.VideoCapture(str(path)) if path.is_file() else None
        if capture is None or not capture.isOpened():
            raise CameraLost(
                "no_video",
                f"{path} cannot be opened as a video. Check the path and the format (mp4, avi, mjpg).",
                f"{path} lässt sich nicht als Video öffnen. Bitte Pfad und Format (mp4, avi, mjpg) prüfen.",
            )
        return cls(capture, path.name, True)

    @classmethod
    def device(
        cls, number: int, width: int = 1280, height: int = 960, locks: Locks | None = None
    ) -> CaptureCamera:
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
                f"/dev/video{number} cannot be opened. Is the camera plugged in, and is no other "
                "program using it?",
                f"/dev/video{number} lässt sich nicht öffnen. Ist die Kamera angesteckt, und benutzt sie "
                "kein anderes Programm?",
            )
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
        return cls(capture, f"/dev/video{number}", False, locks)

    def frame(self, deadline_s: float) -> Frame | None:
        """The next frame.  OpenCV cannot be interrupted: the owner of the camera watches the clock."""
        done, image = self._capture.read()
        if not done or image is None:
            if self._ends:
                raise CameraLost(
                    "video_ended",
                    f"The video {self._name} has ended.",
                    f"Das Video {self._name} ist zu Ende.",
                )
            raise CameraLost(
                "no_frame",
                f"{self._name} gives no pictures any more. Check cable and power; it is opened again "
                "by itself.",
                f"{self._name} liefert keine Bilder mehr. Bitte Kabel und Strom prüfen; sie wird von selbst "
                "neu geöffnet.",
            )
        metadata = self._metadata()
        broken = self._locks.broken(metadata) if self._locks is not None else []
        if broken:
            raise not_kept(broken)
        self._sequence += 1
        return Frame(image, self._sequence, time.monotonic(), {"source": self._name, **metadata})

    def _metadata(self) -> dict[str, Any]:
        """The exposure that the driver says, where it says one."""
        if self._locks is None:
            return {}
        exposure = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        return {"ExposureTime": round(exposure * EXPOSURE_UNIT_US)} if exposure > 0 else {}

    def close(self) -> None:
        """Release the device or file."""
        self._capture.release()
