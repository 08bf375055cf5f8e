"""Boards that the owner captured: kept beside the box book, one file a board, with a digest.

``boards/<game>/<name>.json`` holds the drawings; ``boards/<game>/<name>/<form>/`` the photograph and the
steps of a capture that is under way or done.  Nothing of it leaves the table but what a game's header needs:
names and numbers, never the photograph.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.capture import BoardCapture
from referee.journal.events import digest_of
from referee.kernel.capabilities import CapturesBoards
from referee.kernel.capturing import CaptureForm, Drawing, DrawnArea, DrawnPoint
from referee.kernel.errors import InvalidAnswer
from referee.kernel.files import write_whole
from referee.kernel.messages import Text
from vision.imagefile import UnreadableImage, decode_sent

NAME = re.compile(r"[\w-]{1,40}")
LEAST_PIXELS = 400
MOST_PIXELS = 2400
"""A larger photograph is made smaller."""
MOST_SENT_PIXELS = 60_000_000
"""Pixels of a photograph: more than a telephone takes, less than would fill the memory of a Pi."""


class BoardShelf:
    """The captured boards of one game.  Raises :class:`InvalidAnswer` for a game that captures none."""

    def __init__(self, game: Any, folder: Path) -> None:
        self.game = game
        if not isinstance(game, CapturesBoards):
            raise InvalidAnswer(Text("calibration.capture_nothing_to_capture"))
        self.folder = folder / "boards" / str(self.game.id)

    def names(self) -> list[str]:
        """The boards that can be played on."""
        return sorted(path.stem for path in self.folder.glob("*.json")) if self.folder.is_dir() else []

    def form(self, form: str) -> CaptureForm:
        """A form of the game.  Raises :class:`InvalidAnswer`."""
        forms: Sequence[CaptureForm] = self.game.capture_forms()
        found = next((one for one in forms if one.id == form), None)
        if found is None:
            raise InvalidAnswer(Text("calibration.capture_nothing_to_capture"))
        return found

    def begin(self, name: str, form: str, data: bytes) -> BoardCapture:
        """A new capture from the bytes of a photograph; an earlier one of that board and form goes."""
        capture = BoardCapture(self.form(form), picture_of(data))
        place = self._place(name, form)
        place.mkdir(parents=True, exist_ok=True)
        write_whole(place / "photo.png", cv2.imencode(".png", capture.photo)[1].tobytes())
        self.keep(name, form, capture)
        return capture

    def under_way(self, name: str, form: str) -> BoardCapture | None:
        """The capture as it was kept; None where there is none."""
        place = self._place(name, form)
        try:
            photo = picture_of((place / "photo.png").read_bytes())
            steps = json.loads((place / "steps.json").read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return BoardCapture(self.form(form), photo, steps)

    def keep(self, name: str, form: str, capture: BoardCapture) -> None:
        """Put the steps of a capture on disk."""
        write_whole(self._place(name, form) / "steps.json", json.dumps(capture.steps))

    def finish(self, name: str, form: str, capture: BoardCapture) -> str:
        """Keep what was captured as a board to play on; gives its digest.

        Raises :class:`InvalidAnswer` while something is missing.
        """
        wrong = capture.troubles(self.game)
        if wrong:
            raise InvalidAnswer(wrong[0].text)
        drawing = capture.drawing()
        drawings = {**self._drawings(name), form: asdict(drawing)}
        data = self._data(drawings)
        digest = digest_of(data)
        told = {"game": self.game.id, "digest": digest, "drawings": drawings}
        self._place(name, form)  # its name is checked
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.folder / f"{name}.json", json.dumps(told, ensure_ascii=False, indent=1))
        return digest

    def data(self, name: str) -> dict[str, Any]:
        """What ``options["board"]`` of a game on this board is.

        Raises :class:`InvalidAnswer` where there is none, or its file is not what was captured.
        """
        if name not in self.names():
            raise InvalidAnswer(Text("calibration.capture_unknown", name=name))
        try:
            told = json.loads((self.folder / f"{name}.json").read_text("utf-8"))
            data = self._data(told["drawings"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InvalidAnswer(Text("calibration.capture_not_ours", name=name, why=str(error))) from error
        if digest_of(data) != told.get("digest"):
            raise InvalidAnswer(Text("calibration.capture_not_ours", name=name, why="digest"))
        return data

    def _data(self, drawings: Mapping[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for form in sorted(drawings):
            found |= self.game.captured(form, drawing_of(drawings[form]))
        return found

    def _drawings(self, name: str) -> dict[str, Any]:
        path = self.folder / f"{name}.json"
        try:
            drawings: dict[str, Any] = json.loads(path.read_text("utf-8"))["drawings"]
        except (OSError, ValueError, KeyError):
            return {}
        return drawings

    def _place(self, name: str, form: str) -> Path:
        if not NAME.fullmatch(name):
            raise InvalidAnswer(Text("calibration.capture_bad_name", name=name))
        return self.folder / name / self.form(form).id


def picture_of(data: bytes) -> NDArray[np.uint8]:
    """A photograph (BGR) from the bytes of a file.  Raises :class:`InvalidAnswer` where it is none."""
    try:
        image = decode_sent(data, ("JPEG", "PNG"), MOST_SENT_PIXELS)
    except UnreadableImage as error:
        raise InvalidAnswer(Text("calibration.capture_no_picture")) from error
    height, width = image.shape[:2]
    if min(height, width) < LEAST_PIXELS:
        text = Text("calibration.capture_small_picture", width=width, height=height, least=LEAST_PIXELS)
        raise InvalidAnswer(text)
    scale = MOST_PIXELS / max(height, width)
    if scale < 1:
        return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    return image


def drawing_of(raw: Mapping[str, Any]) -> Drawing:
    """A drawing from its JSON."""

    def point(one: Any) -> tuple[float, float]:
        return float(one[0]), float(one[1])

    areas = {
        key: DrawnArea(
            one["group"],
            tuple(one["marks"]),
            one["name"],
            tuple(map(point, one["outline"])),
            point(one["at"]),
        )
        for key, one in raw["areas"].items()
    }
    points = tuple(
        DrawnPoint(one["mark"], one["value"], point(one["at"]), tuple(one["beside"])) for one in raw["points"]
    )
    numbers = {key: tuple(values) for key, values in raw["numbers"].items()}
    return Drawing(areas, tuple((a, b) for a, b in raw["joins"]), points, numbers)


class CaptureDesk:
    """Captures that are under way, for screens.  All methods may be called from any thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.RLock()
        self._open: dict[tuple[str, str, str], BoardCapture] = {}

    def shelf(self, game: Any) -> BoardShelf:
        """The captured boards of a game.  Raises :class:`InvalidAnswer` for one that captures none."""
        return BoardShelf(game, self._folder)

    def begin(self, game: Any, name: str, form: str, data: bytes) -> BoardCapture:
        """A new capture from a photograph's bytes."""
        with self._lock:
            found = self.shelf(game).begin(name, form, data)
            self._open = {(game.id, name, form): found}  # pictures are large: one at a time
            return found

    def capture(self, game: Any, name: str, form: str) -> BoardCapture:
        """The capture under way.  Raises :class:`InvalidAnswer` where there is none."""
        key = (game.id, name, form)
        with self._lock:
            if key not in self._open:
                found = self.shelf(game).under_way(name, form)
                if found is None:
                    raise InvalidAnswer(Text("calibration.capture_none"))
                self._open = {key: found}
            return self._open[key]

    def do(self, game: Any, name: str, form: str, step: Mapping[str, Any]) -> BoardCapture:
        """Take one step and keep it."""
        with self._lock:
            capture = self.capture(game, name, form)
            capture.do(step)
            self.shelf(game).keep(name, form, capture)
            return capture

    def back(self, game: Any, name: str, form: str) -> BoardCapture:
        """Take the last step back."""
        with self._lock:
            capture = self.capture(game, name, form).back()
            self._open = {(game.id, name, form): capture}
            self.shelf(game).keep(name, form, capture)
            return capture

    def finish(self, game: Any, name: str, form: str) -> str:
        """Keep the board to play on; gives its digest."""
        with self._lock:
            return self.shelf(game).finish(name, form, self.capture(game, name, form))
