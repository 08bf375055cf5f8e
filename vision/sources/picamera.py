"""The Raspberry Pi camera through picamera2, which is imported late and is needed only on the Pi.

Exposure, gain and colour gains are locked, and verified in the metadata of each frame: the driver takes a few
frames to follow, and some modes fall back to automatic.  Exposure is a whole number of mains half-periods
(10 ms at 50 Hz, 8.33 ms at 60 Hz), so that lamps do not flicker in the picture.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from vision.sources.base import CameraLost, Frame

SETTLE_FRAMES = 20  # frames the driver may take to follow its controls


@dataclass(frozen=True)
class Locks:
    """What is locked.  ``exposure_us`` is rounded to whole half-periods of ``mains_hz``."""

    exposure_us: int = 20000
    gain: float = 2.0
    colour_gains: tuple[float, float] = (1.8, 1.6)
    mains_hz: int = 50

    @property
    def steady_exposure_us(self) -> int:
        """The exposure as used: at least one half-period."""
        half = 1_000_000 / (2 * self.mains_hz)
        return round(max(1, round(self.exposure_us / half)) * half)

    def controls(self) -> dict[str, Any]:
        """Controls for ``Picamera2.set_controls``; all of them every time, since old ones survive a
        reconfiguration."""
        return {
            "AeEnable": False,
            "AwbEnable": False,
            "ExposureTime": self.steady_exposure_us,
            "AnalogueGain": self.gain,
            "ColourGains": self.colour_gains,
        }

    def broken(self, metadata: dict[str, Any]) -> list[str]:
        """Which locks a frame's metadata contradict; fields that the driver does not give count as kept."""
        found = []
        exposure = metadata.get("ExposureTime")
        if (
            exposure is not None
            and abs(exposure - self.steady_exposure_us) > 0.01 * self.steady_exposure_us + 50
        ):
            found.append("ExposureTime")
        gain = metadata.get("AnalogueGain")
        if gain is not None and abs(gain - self.gain) > 0.05 * self.gain:
            found.append("AnalogueGain")
        gains = metadata.get("ColourGains")
        if gains is not None and any(
            abs(a - b) > 0.02 * b for a, b in zip(gains, self.colour_gains, strict=True)
        ):
            found.append("ColourGains")
        return found


class PiCamera:
    """picamera2 behind the camera interface; ``module`` is the picamera2 module (a fake in tests)."""

    def __init__(
        self, locks: Locks | None = None, size: tuple[int, int] = (1280, 960), module: Any = None
    ) -> None:
        self.locks = locks or Locks()
        self._module = module or _picamera2()
        self._sequence = 0
        self._unsettled = SETTLE_FRAMES
        try:
            self._camera = self._module.Picamera2()
            configuration = self._camera.create_video_configuration(
                main={"size": size, "format": "RGB888"}, buffer_count=3, queue=False
            )
            self._camera.configure(configuration)
            self._camera.set_controls(self.locks.controls())
            self._camera.start()
        except (RuntimeError, OSError, IndexError) as error:
            raise _pi_lost(str(error)) from error

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
                broken = self.locks.broken(metadata)
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
            self._camera.set_controls(self.locks.controls())
            names = ", ".join(broken)
            raise CameraLost(
                "locks_broken",
                f"The camera does not keep its settings ({names}). They are set again.",
                f"Die Kamera hält ihre Einstellungen nicht ein ({names}). Sie werden neu gesetzt.",
            )

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
            "The Pi camera needs the package python3-picamera2 (sudo apt install python3-picamera2), and a "
            "virtual environment that sees system packages.",
            "Für die Pi-Kamera fehlt das Paket python3-picamera2 (sudo apt install python3-picamera2); die "
            "Python-Umgebung muss die Systempakete sehen.",
        ) from error


def _pi_lost(detail: str) -> CameraLost:
    return CameraLost(
        "pi_camera",
        f"The Pi camera does not answer ({detail}). Check its ribbon cable; it is opened again by itself.",
        f"Die Pi-Kamera antwortet nicht ({detail}). Bitte das Flachbandkabel prüfen; sie wird von selbst "
        "neu geöffnet.",
    )
