"""What is locked while a camera looks at dice: exposure, gain, colours, focus; and how that is checked.

Exposure is a whole number of mains half-periods (10 ms at 50 Hz, 8.33 ms at 60 Hz), so that lamps do not
flicker in the picture.  Names of controls and metadata are libcamera's, also for cameras that have others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.kernel.messages import Text
from vision.sources.base import CameraLost

FRAME_US = 33_333  # shortest time between two frames; a longer exposure makes it longer


@dataclass(frozen=True)
class Locks:
    """What is locked.  ``exposure_us`` is rounded to whole half-periods of ``mains_hz``.

    ``focus`` is in dioptres (1 / distance in m), for lenses that can be moved.
    """

    exposure_us: int = 20000
    gain: float = 2.0
    colour_gains: tuple[float, float] = (1.8, 1.6)
    mains_hz: int = 50
    focus: float = 1.54

    @property
    def steady_exposure_us(self) -> int:
        """The exposure as used: at least one half-period."""
        half = 1_000_000 / (2 * self.mains_hz)
        return round(max(1, round(self.exposure_us / half)) * half)

    def controls(self) -> dict[str, Any]:
        """Controls for ``Picamera2.set_controls``; all of them every time, since old ones survive a
        reconfiguration."""
        frame = max(FRAME_US, self.steady_exposure_us + 500)
        return {
            "AeEnable": False,
            "AwbEnable": False,
            "ExposureTime": self.steady_exposure_us,
            "AnalogueGain": self.gain,
            "ColourGains": self.colour_gains,
            "FrameDurationLimits": (frame, frame),
        }

    def focus_controls(self) -> dict[str, Any]:
        """Controls for a lens that can be moved (``AfMode`` 0 is manual)."""
        return {"AfMode": 0, "LensPosition": self.focus}

    def broken(self, metadata: Mapping[str, Any]) -> list[str]:
        """Which locks a frame's metadata contradict; fields that the driver does not give count as kept."""
        found = []
        exposure = metadata.get("ExposureTime")
        wanted = self.steady_exposure_us
        if exposure is not None and abs(exposure - wanted) > 0.01 * wanted + 50:
            found.append("ExposureTime")
        gain = metadata.get("AnalogueGain")
        if gain is not None and abs(gain - self.gain) > 0.05 * self.gain:
            found.append("AnalogueGain")
        gains = metadata.get("ColourGains")
        if gains is not None and any(
            abs(a - b) > 0.02 * b for a, b in zip(gains, self.colour_gains, strict=True)
        ):
            found.append("ColourGains")
        lens = metadata.get("LensPosition")
        if lens is not None and abs(lens - self.focus) > 0.1:
            found.append("LensPosition")
        return found


def not_kept(names: list[str]) -> CameraLost:
    """A camera that does not keep its settings; it is opened, and they are set, again."""
    broken = ", ".join(names)
    return CameraLost(
        "locks_broken",
        Text("vision.locks_broken", broken=broken),
    )


def _in(low: float, high: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        value = float(text)
        if not low <= value <= high:
            raise ValueError(f"{value:g} is not from {low:g} to {high:g}")
        return value

    return read


_OPTIONS: Mapping[str, Callable[[str], float]] = {
    "exposure": _in(100, 200_000),
    "gain": _in(1, 64),
    "red": _in(0.1, 16),
    "blue": _in(0.1, 16),
    "mains": _in(50, 60),
    "focus": _in(0, 20),
}


def locks_from(options: str) -> Locks:
    """Any of ``exposure=20000,gain=2,red=1.8,blue=1.6,mains=60,focus=1.54``.

    Exposure in microseconds, gains as factors, mains in hertz, focus in dioptres.  Raises ValueError with
    what is not understood.
    """
    given: dict[str, float] = {}
    for part in filter(None, (one.strip() for one in options.split(","))):
        name, _, value = part.partition("=")
        if name not in _OPTIONS:
            raise ValueError(part)
        try:
            given[name] = _OPTIONS[name](value)
        except ValueError as error:
            raise ValueError(f"{part}: {error}") from error
    usual = Locks()
    red, blue = usual.colour_gains
    return Locks(
        int(given.get("exposure", usual.exposure_us)),
        given.get("gain", usual.gain),
        (given.get("red", red), given.get("blue", blue)),
        int(given.get("mains", usual.mains_hz)),
        given.get("focus", usual.focus),
    )
