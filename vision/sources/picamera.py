"""The Raspberry Pi camera through picamera2, which is imported late and is needed only on the Pi.

Exposure, gain, colour gains and, where it can be moved, the lens are locked, and verified in the metadata of
each frame: the driver takes a few frames to follow, and some modes fall back to automatic.  So is the part of
the sensor that is used (``vision.sources.framing``).
"""

from __future__ import annotations

import logging
import threading
import time
from importlib import import_module
from typing import Any

from referee.kernel.messages import Text
from vision.sources.base import CameraLost, Frame
from vision.sources.framing import Crop, Framing, crop_of
from vision.sources.locks import Locks, not_kept

log = logging.getLogger(__name__)
WHOLE = (1280, 960)  # the picture where nothing is cut out
CROP_SLACK = 16  # sensor pixels by which the driver may round the part that is used
SETTLE_FRAMES = 20  # frames the driver may take to follow its controls


class PiCamera:
    """picamera2 behind the camera interface; ``module`` is the picamera2 module (a fake in tests)."""

    def __init__(
        self, locks: Locks | None = None, framing: Framing | None = None, module: Any = None
    ) -> None:
        self.locks = locks or Locks()
        self._module = module or _picamera2()
        self._sequence = 0
        self._unsettled = SETTLE_FRAMES
        self._camera: Any = None
        self._crop: Crop | None = None
        try:
            self._camera = self._module.Picamera2()
            self._start(framing or Framing())
        except (RuntimeError, OSError, IndexError) as error:
            if self._camera is not None:
                self._camera.close()
            raise _pi_lost(str(error)) from error

    def _start(self, framing: Framing) -> None:
        """Choose the sensor's mode and the part of it that is used, lock everything, and start."""
        self._controls = self.locks.controls()
        if "AfMode" in self._camera.camera_controls:  # Camera Module 3: its autofocus would hunt
            self._controls.update(self.locks.focus_controls())
        self._crop = self._part(framing)
        size, mode = WHOLE, {}
        if self._crop is not None:
            # all pixels of the sensor: its faster modes put four into one, too coarse for a part
            size, mode = self._crop.size, {"raw": {"size": self._pixels()}}
        configuration = self._camera.create_video_configuration(
            main={"size": size, "format": "RGB888"}, buffer_count=3, queue=False, **mode
        )
        self._camera.configure(configuration)
        if self._crop is not None:
            self._controls["ScalerCrop"] = self._crop.box
        self._camera.set_controls(self._controls)
        self._camera.start()

    def _pixels(self) -> tuple[int, int]:
        columns, rows = self._camera.camera_properties["PixelArraySize"]
        return int(columns), int(rows)

    def _part(self, framing: Framing) -> Crop | None:
        """The part of the sensor to use; all of it where nothing is asked for, or the lens is not known."""
        if framing.view_mm is None:
            return None
        model = str(self._camera.camera_properties.get("Model", ""))
        sensor = framing.sensor(*self._pixels(), model)
        if sensor is None:
            log.warning(
                "camera %s: whole picture used, since the angle of its lens is not known; say it: fov=55.3",
                model,
            )
            return None
        return crop_of(sensor, framing)

    def _broken(self, metadata: dict[str, Any]) -> list[str]:
        """Which settings a frame's metadata contradict."""
        broken = self.locks.broken(metadata)
        used = metadata.get("ScalerCrop")
        if self._crop is not None and used is not None:
            off = max(abs(int(a) - b) for a, b in zip(used, self._crop.box, strict=True))
            broken += ["ScalerCrop"] if off > CROP_SLACK else []
        return broken

    def frame(self, deadline_s: float) -> Frame | None:
        """The newest frame with its metadata; None in time, or while the locks are not yet in force.

        picamera2's "RGB888" has its bytes in the order blue, green, red, which is what OpenCV wants.
        """
        until = time.monotonic() + deadline_s
        while True:
            request = self._request(until - time.monotonic())
            if request is None:
                return None
            try:
                metadata = dict(request.get_metadata())
                broken = self._broken(metadata)
                if not broken:
                    self._unsettled = 0
                    self._sequence += 1
                    return Frame(
                        request.make_array("main").copy(), self._sequence, time.monotonic(), metadata
                    )
            finally:
                request.release()
            self._relock(broken)

    def _request(self, left_s: float) -> Any:
        """A completed request, waiting at most ``left_s``; a request that comes too late is given back."""
        if left_s <= 0:
            return None
        try:
            job = self._camera.capture_request(wait=False)
            return self._camera.wait(job, timeout=left_s)
        except TimeoutError:
            threading.Thread(target=self._return_late, args=(job,), daemon=True).start()
            return None
        except (RuntimeError, OSError) as error:
            raise _pi_lost(str(error)) from error

    def _return_late(self, job: Any) -> None:
        try:
            self._camera.wait(job, timeout=10.0).release()
        except (TimeoutError, RuntimeError, OSError):
            return  # the camera hangs; whoever owns it opens it again

    def _relock(self, broken: list[str]) -> None:
        self._unsettled -= 1
        if self._unsettled < 0:
            self._unsettled = SETTLE_FRAMES
            self._camera.set_controls(self._controls)
            raise not_kept(broken)

    def close(self) -> None:
        """Stop and give the camera back, also after an error."""
        try:
            self._camera.stop()
        finally:
            self._camera.close()


def _picamera2() -> Any:
    try:
        return import_module("picamera2")
    except ImportError as error:
        raise CameraLost(
            "no_picamera2",
            Text("vision.no_picamera2"),
        ) from error
    except Exception as error:  # whatever a library that was built for another numpy throws: it is no import
        log.exception("picamera2 cannot be loaded")
        raise CameraLost(
            "broken_picamera2",
            Text("vision.broken_picamera2", kind=type(error).__name__, error=str(error)),
        ) from error


def _pi_lost(detail: str) -> CameraLost:
    return CameraLost(
        "pi_camera",
        Text("vision.pi_camera_lost", detail=detail),
    )
