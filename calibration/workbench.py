"""The workbench of one table: camera check, dice, LED map, box book and battles behind the set-up pages.

It holds what is unfinished (a teaching session, a mapping) and asks the house for the
devices.  One lock: two tablets that set up at once wait for each other.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from calibration import camera
from calibration.battles import BattleShelf
from calibration.boards import CaptureDesk
from calibration.boxbook import BoxBook
from calibration.camera_check import CameraLook, live_jpeg, look, summary
from calibration.cards import CardDesk
from calibration.dice_faces import ShotVerdict, TeachSession
from calibration.led_map import ManualMapping, raw_map
from firmware_bridge.led_map import LedMap
from referee.kernel.errors import InvalidAnswer
from referee.kernel.files import FileUnwritable
from referee.kernel.messages import Text
from vision.faces.taught import TaughtFaces
from vision.reading import Quad
from vision.teach import SelfTest
from vision.tray import DEFAULT, TraySpec, TrayView

LOOK_EVERY_S = 0.4
"""A look at the camera costs some 30 ms: screens that ask more often see the last one."""
MOST_LEDS = 300


class Devices(Protocol):
    """What the house lends to the workbench."""

    def picture(self) -> np.ndarray | None:
        """The camera's newest picture (BGR), or None where none comes."""

    def lay_die(self, die_type: str, face: str) -> None:
        """Lay a die on the virtual tray; does nothing on a real one."""

    def taught_path(self) -> Path:
        """Where the taught faces of this box are kept."""

    def reload_reader(self) -> None:
        """Read dice by the newly taught faces from now on."""

    def lend_lights(self, led_map: LedMap) -> Callable[[Any], object]:
        """The lights, LED by LED, until :meth:`return_lights`; gives what shows a picture."""

    def return_lights(self) -> None:
        """The lights show the game again, by the newest map."""

    def led_map_path(self, layout: str = "") -> Path:
        """Where the LED map of the board called ``layout`` is kept; "": of the board that is lit now."""


class Workbench:
    """All methods may be called from any thread."""

    def __init__(
        self,
        devices: Devices,
        folder: Path,
        box: str = "default",
        tray: TraySpec = DEFAULT,
        camera_kind: str = "camera",
    ) -> None:
        self._devices = devices
        self._place_path = folder / f"{camera_kind}_place.json"
        self._tray = tray
        self._folder = folder
        self._box = box
        self._lock = threading.RLock()
        self._battles: dict[str, BattleShelf] = {}
        self._looked: tuple[float, np.ndarray, CameraLook] | None = None
        self._teaching: TeachSession | None = None
        self._taught: TaughtFaces | None = None
        self._quad: Quad | None = None
        self._mapping: ManualMapping | None = None
        self._layout = ""
        self._show: Callable[[Any], object] | None = None
        self.captures = CaptureDesk(folder)
        self.cards = CardDesk(folder, box)

    # the box book

    def book(self, game: Any) -> BoxBook:
        """The box book of ``game``, as it is on disk now."""
        return BoxBook(game, self._folder, self._box)

    # battles

    def battles(self, game: Any) -> BattleShelf:
        """The battles of ``game`` that are made and kept at this table."""
        with self._lock:
            if game.id not in self._battles:
                self._battles[game.id] = BattleShelf(game, self._folder)
            return self._battles[game.id]

    def close(self) -> None:
        """What still works in the background ends."""
        with self._lock:
            for shelf in self._battles.values():
                shelf.playouts.stop()

    # the camera

    def picture(self) -> np.ndarray | None:
        """The newest picture (BGR); None where none comes."""
        return self._devices.picture()

    def look(self) -> CameraLook | None:
        """What the newest picture says; None where no picture comes."""
        with self._lock:
            now = time.monotonic()
            if self._looked is not None and now - self._looked[0] < LOOK_EVERY_S:
                return self._looked[2]
            image = self._devices.picture()
            if image is None:
                self._looked = None
                return None
            self._looked = (now, image, self._placed(look(image, self._tray)))
            return self._looked[2]

    def _placed(self, seen: CameraLook) -> CameraLook:
        """The look, with whether the place is that of the calibration; the first good one is kept as such."""
        if seen.calibration is None:
            return seen
        before = camera.load(self._place_path)
        if before is None and not seen.good:
            return seen
        if before is None:
            before = seen.calibration
            with suppress(FileUnwritable):  # a full disk is told elsewhere; the next look tries again
                camera.save(before, self._place_path)
        return replace(seen, findings=(*seen.findings, camera.place(seen.calibration, before)))

    def calibrate(self) -> CameraLook | None:
        """Keep where the tray lies in the newest picture; None where no picture comes.

        Raises :class:`InvalidAnswer` where the tray is not found.
        """
        with self._lock:
            image = self._devices.picture()
            if image is None:
                return None
            seen = look(image, self._tray)
            if seen.calibration is None or len(seen.markers) < len(self._tray.marker_ids):
                raise InvalidAnswer(summary(seen))
            camera.save(seen.calibration, self._place_path)
            self._looked = None
            return self.look()

    def moved(self, view: TrayView, width: int, height: int) -> camera.CameraFinding | None:
        """What to say where a reading found camera and tray elsewhere than at the calibration; else None."""
        before = camera.load(self._place_path)
        found = None if before is None else camera.place(camera.of_view(view, width, height), before)
        return None if found is None or found.good else found

    def jpeg(self) -> bytes | None:
        """The newest picture with what was found in it; None where no picture comes."""
        with self._lock:
            if self.look() is None or self._looked is None:
                return None
            _, image, seen = self._looked
            return live_jpeg(image, None if self._teaching else seen, self._quad)

    # teaching dice

    @property
    def teaching(self) -> TeachSession | None:
        """The open session."""
        return self._teaching

    def teach(self, die_type: Any, fresh: bool) -> TeachSession:
        """Begin to teach a die type; ``fresh`` forgets what was known of it.

        Raises :class:`InvalidAnswer`.
        """
        if die_type is None or die_type.kind != "symbol":
            raise InvalidAnswer(Text("calibration.pips_need_no_teaching"))
        with self._lock:
            path = self._devices.taught_path()
            try:
                self._taught = TaughtFaces.load(path) if path.exists() else TaughtFaces()
            except ValueError:
                self._taught = TaughtFaces()
            self._quad = None
            self._teaching = TeachSession(die_type, self._taught, self._tray, fresh)
            return self._teaching

    def offer(self, face: str) -> ShotVerdict:
        """Take the newest picture as an example of ``face``.  Raises :class:`InvalidAnswer`."""
        with self._lock:
            session = self._open_session()
            image = self._devices.picture()
            if image is None:
                return ShotVerdict(False, Text("calibration.camera_silent"))
            verdict = session.offer(image, face)
            self._quad = verdict.quad
            self._looked = None
            return verdict

    def lay_die(self, face: str) -> None:
        """A die that shows ``face`` is laid on the virtual tray."""
        with self._lock:
            session = self._open_session()
            if face not in session.die_type.distinct_faces:
                raise InvalidAnswer(Text("calibration.no_such_face", face=face))
            self._quad = None
            self._devices.lay_die(session.die_type.id, face)
            self._looked = None

    def examine(self) -> SelfTest:
        """Test what was taught so far: confused faces are asked for again."""
        with self._lock:
            return self._open_session().examine()

    def finish(self) -> SelfTest:
        """Keep what was taught; the reader uses it at once."""
        with self._lock:
            result = self._open_session().finish(self._devices.taught_path())
            self._teaching = self._taught = self._quad = None
        self._devices.reload_reader()
        return result

    def give_up_teaching(self) -> None:
        """Forget the open session; what is on disk stays."""
        with self._lock:
            self._teaching = self._taught = self._quad = None

    def _open_session(self) -> TeachSession:
        if self._teaching is None:
            raise InvalidAnswer(Text("calibration.nothing_taught_now"))
        return self._teaching

    # the LED map

    @property
    def mapping(self) -> ManualMapping | None:
        """The open mapping."""
        return self._mapping

    def map_leds(self, places: list[str], leds: int, layout: str = "") -> None:
        """Begin to map the board called ``layout``; the lights go to the workbench.

        Raises :class:`InvalidAnswer`.
        """
        if not 1 <= leds <= MOST_LEDS:
            raise InvalidAnswer(Text("calibration.strip_length", most=MOST_LEDS))
        with self._lock:
            self._mapping, self._layout = ManualMapping(leds, places), layout
            self._show = self._devices.lend_lights(raw_map(leds))
            self._light()

    def decide(self, what: str, place: str = "") -> None:
        """``assign`` (to ``place``), ``skip`` or ``undo`` the lit LED.  Raises :class:`InvalidAnswer`."""
        with self._lock:
            mapping = self._open_mapping()
            steps: Mapping[str, Callable[[], None]] = {
                "assign": lambda: mapping.assign(place),
                "skip": mapping.skip,
                "undo": mapping.undo,
            }
            try:
                steps[what]()
            except (KeyError, ValueError) as error:
                raise InvalidAnswer(Text("calibration.led_or_place_unknown", why=error)) from error
            self._light()

    def save_map(self) -> None:
        """Keep the map of what is decided; the lights show the game by it."""
        with self._lock:
            self._open_mapping().result().save(self._devices.led_map_path(self._layout))
        self.give_up_mapping()

    def give_up_mapping(self) -> None:
        """End the mapping; the map on disk stays as it is."""
        with self._lock:
            was_open, self._mapping, self._show = self._mapping is not None, None, None
        if was_open:
            self._devices.return_lights()

    def _open_mapping(self) -> ManualMapping:
        if self._mapping is None:
            raise InvalidAnswer(Text("calibration.no_mapping"))
        return self._mapping

    def _light(self) -> None:
        if self._show is not None and self._mapping is not None:
            self._show(self._mapping.lights())
