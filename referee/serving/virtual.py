"""The virtual table as one looks at it: what the camera sees, what the LEDs were sent, what goes wrong."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.serving.cameradice import CameraDice, jpeg

CABLE = "cable"
DISTURBANCES = ("hand", "dark", "glare", "bumped", CABLE)
"""What may go wrong: a hand in view, darkness, a lamp mirrored in the tray, a bumped camera, the cable of the
lights cut."""


@dataclass(frozen=True)
class SentLights:
    """The LEDs: ``colours`` as they were sent (red, green, blue of 0 to 255, linear), ``places`` with their
    LEDs, the estimated current, and what runs the firmware (``simavr`` or ``python``)."""

    colours: tuple[tuple[int, int, int], ...]
    places: Mapping[str, tuple[int, ...]]
    current_ma: float
    runs_in: str


class VirtualTable:
    """Tray and lights of a table that has neither, for one who wants to see how it works.

    ``lights`` gives the emulated lights as they are now, None where there are none; ``changed`` is called
    when the camera sees something else: whoever lets it go wrong waits to be told so.
    """

    def __init__(self, camera: CameraDice, lights: Callable[[], Any], changed: Callable[[], None]) -> None:
        self._camera = camera
        self._lights = lights
        self._changed = changed
        self._lock = threading.Lock()
        self._on: str = ""
        self._cut_off: Any = None
        """The controller whose cable is cut."""

    @property
    def disturbed(self) -> frozenset[str]:
        """What goes wrong now, of :data:`DISTURBANCES`."""
        cut = self._cut_off is not None and self._controller() is self._cut_off
        return frozenset(filter(None, (self._on, CABLE if cut else "")))

    def disturb(self, kind: str, on: bool) -> None:
        """Let something go wrong, or no longer.  Of what the camera sees one thing at a time."""
        if kind not in DISTURBANCES:
            raise KeyError(kind)
        with self._lock:
            if kind == CABLE:
                self._cut(on)
                return
            self._on = kind if on else "" if kind == self._on else self._on
            self._camera.disturb(self._on or None)
        self._changed()

    def _controller(self) -> Any:
        return getattr(self._lights(), "controller", None)

    def _cut(self, on: bool) -> None:
        controller = self._controller()
        if controller is None or on == (self._cut_off is controller):
            return
        if on:
            controller.kill()
        else:
            controller.restart()
        self._cut_off = controller if on else None

    def strip(self) -> SentLights | None:
        """The LEDs as the firmware sent them last, dark behind a cut cable; None without emulated lights."""
        lights = self._lights()
        controller = getattr(lights, "controller", None)
        if controller is None:
            return None
        sent = tuple(lights.strip())
        if controller is self._cut_off:
            sent = ((0, 0, 0),) * len(sent)
        current = 0.0 if controller is self._cut_off else lights.current_ma()
        return SentLights(sent, lights.places, current, controller.kind)

    def picture(self) -> bytes | None:
        """What the camera sees now (JPEG); None where it gives nothing."""
        image = self._camera.picture()
        return None if image is None else jpeg(image)
