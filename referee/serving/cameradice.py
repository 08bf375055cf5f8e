"""Dice read through a camera: the vision room behind the hall's ``DiceSource``."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.config.settings import CameraSection, Config
from referee.hall.dicehall import DiceUpdate, KeptDice
from referee.journal.errors import NotPossible
from referee.kernel.dice import DieType
from referee.kernel.messages import Text
from vision.reading import Die

log = logging.getLogger(__name__)

VIRTUAL_FRAME_S = 0.08
"""Time between two frames of the virtual tray, which by itself would give them without end."""
JPEG_QUALITY = 88


class CameraDice:
    """A camera, its owner thread, a reader and a watcher; made anew when the dice types change.

    Loading the reader takes seconds the first time, so it is done in a thread;
    a roll that is asked for meanwhile is watched as soon as the reader is there.
    ``hear`` is called from the watcher's thread.
    """

    def __init__(
        self,
        section: CameraSection,
        hear: Callable[[DiceUpdate], None],
        folder: Path | None = None,
        tray: Any = None,
    ) -> None:
        self._section = section
        self._spec = tray
        self._folder = folder
        self._hear = hear
        self._lock = threading.RLock()
        self._types: tuple[DieType, ...] = ()
        self._generation = 0
        self._owner: Any = None
        self._watcher: Any = None
        self._tray: Any = None
        self._reading: Any = None
        self._wanted: tuple[int, dict[str, int], KeptDice] | None = None
        self._failed = ""
        self._seen: Sequence[Any] = ()
        self._learned = False
        self._mishap: str | None = None
        self._handheld: tuple[tuple[DieType, ...], Any] | None = None
        self._one_picture = threading.Lock()
        self.view: tuple[Any, int, int] | None = None
        """How the last reading found the tray (``vision.tray.TrayView``), in a picture of that size."""

    @property
    def virtual(self) -> bool:
        """Whether the tray can throw by itself."""
        return self._section.source.startswith("virtual")

    @property
    def _off(self) -> bool:
        return self._section.source == "none"

    def prepare(self, types: Sequence[DieType], fresh: bool = False) -> None:
        """Open the camera and load the reader for these dice, in a thread; nothing where that is done.

        With ``fresh``, at the beginning of a game, also where corrections were learned meanwhile.
        """
        with self._lock:
            if self._off or (tuple(types) == self._types and not (fresh and self._learned)):
                return
            self._learned = False
            self.close()
            self._types = tuple(types)
            self._failed = ""
            worker = threading.Thread(target=self._load, args=(self._generation,), name="reader", daemon=True)
            worker.start()

    def _load(self, generation: int) -> None:
        try:
            reader = self._reader()
            with self._lock:
                if generation == self._generation:
                    self._begin(reader)
        except Exception as error:  # the top of a thread; the screens are told by state()
            log.exception("the dice reader could not be loaded")
            self._failed = f"{type(error).__name__}: {error}"

    def _begin(self, reader: Any) -> None:
        from vision.sources.owner import CameraOwner
        from vision.watch import DiceWatcher

        device = self._section.source.startswith(("v4l2:", "picamera2:"))
        self._reading = reader
        generation = self._generation
        self._owner = CameraOwner(lambda: self._open(generation), check_frozen=device)
        self._watcher = DiceWatcher(self._owner, reader, self._told)
        if self._wanted is not None:
            self._ask(*self._wanted)

    def _open(self, generation: int) -> Any:
        from vision.sources.framing import framed
        from vision.sources.opening import open_camera
        from vision.sources.process import open_apart
        from vision.tray import DEFAULT

        if self.virtual:
            # a slow drawing passes for a capture that hangs: opened again, it is the same tray with its dice
            tray: Any = self._tray or open_camera(self._section.source, self._types)
            with self._lock:
                if generation == self._generation:
                    tray = self._tray = self._tray or tray
                    tray.disturb(self._mishap)
            return _Paced(tray)
        if self._section.reader == "tray":
            return open_apart(framed(self._section.source, self._spec or DEFAULT))
        return open_apart(self._section.source)

    def _reader(self) -> Any:
        if self._section.reader == "photo":
            return PhotoDice(self._types)
        from vision.faces.builtin import builtin_faces
        from vision.tray import DEFAULT
        from vision.trayreader import TrayReader

        taught = builtin_faces(self._types) if self.virtual else self._taught()
        return TrayReader(self._types, taught, self._spec or DEFAULT)

    def _taught(self) -> Any:
        """The faces taught at this table, else those that ``referee dice teach`` learned."""
        from vision.faces.taught import TaughtFaces
        from vision.teach import load_taught

        own = self.taught_path()
        return TaughtFaces.load(own) if own.exists() else load_taught(self._section.box)

    def photograph(
        self, data: bytes, expected: Mapping[str, int], types: Mapping[str, DieType]
    ) -> tuple[Any, bytes | None]:
        """As :meth:`DiceSource.photograph`; one picture at a time, and readers stay loaded for the next."""
        from vision.imagefile import UnreadableImage, decode_sent

        try:
            image = decode_sent(data)
        except UnreadableImage as error:
            raise NotPossible(error.text) from error
        if not self._one_picture.acquire(blocking=False):
            raise NotPossible(Text("serving.picture_being_read"))
        try:
            reading = self._handheld_reader(tuple(types.values())).read(image, _counted(expected))
        finally:
            self._one_picture.release()
        return replace(reading, handheld=True), jpeg(image)

    def _handheld_reader(self, types: tuple[DieType, ...]) -> Any:
        """A reader of pictures without a tray: of pip dice alone, or of taught ones, too."""
        from vision.photodice import TaughtPhotoReader

        kept = self._handheld
        if kept is not None and kept[0] == types:
            return kept[1]
        try:
            pips = all(one.kind == "pip" for one in types)
            reader = PhotoDice(types) if pips else TaughtPhotoReader(types, self._taught())
        except ValueError as error:
            raise NotPossible(Text("serving.reader_not_loaded", failed=str(error))) from error
        self._handheld = types, reader
        return reader

    def taught_path(self) -> Path:
        """Where the faces taught at this table are kept."""
        from vision.teach import taught_path

        if self._folder is None:
            return taught_path(self._section.box)
        return self._folder / "boxes" / self._section.box / "taught_faces.npz"

    def accepted(self, evidence: Mapping[str, Any] | None) -> None:
        """A roll was accepted: what was corrected in its reading is learned, for the next game, in a thread.

        The virtual tray's drawings are known and need none of that.
        """
        if self.virtual or not evidence or not evidence.get("corrections"):
            return
        from vision.corrections import examples_of

        examples = examples_of(evidence, self._seen, self._types)
        if examples:
            threading.Thread(target=self._learn, args=(examples,), name="corrections", daemon=True).start()

    def _learn(self, examples: Sequence[Any]) -> None:
        from vision.corrections import learn
        from vision.teach import taught_path

        own = self.taught_path()
        try:
            # the file that the reader was loaded from: where nothing was taught here, by `referee dice teach`
            if learn(own if own.exists() else taught_path(self._section.box), examples):
                self._learned = True
        except (OSError, ValueError):
            log.exception("the corrections of a roll could not be learned")

    def picture(self) -> Any:
        """The newest picture (BGR), whatever lies there; None where none comes."""
        owner = self._owner
        frame = None if owner is None else owner.newest()
        return None if frame is None else frame.image

    def lay_die(self, die_type: str, face: str) -> None:
        """Lay one die on the virtual tray, somewhere else each time; nothing on a real one."""
        if self._tray is not None:
            self._tray.show(die_type, face, secrets.randbits(32))

    def disturb(self, mishap: str | None) -> None:
        """Let the virtual tray's pictures go wrong in this way, or no longer; nothing on a real one."""
        self._mishap = mishap
        if self._tray is not None:
            self._tray.disturb(mishap)

    def reload(self) -> None:
        """Load the reader anew, by what was taught meanwhile."""
        types = self._types
        self.close()
        self.prepare(types)

    def ask(
        self, number: int, expected: Mapping[str, int], types: Mapping[str, DieType], kept: KeptDice
    ) -> None:
        """Read this roll from now on; returns at once.

        The virtual tray is cleared for each roll, unless dice are kept: then all lie as they lay until the
        others are thrown again.
        """
        with self._lock:
            self.prepare(tuple(types.values()))
            again = self._wanted is not None and self._wanted[0] == number
            self._wanted = (number, _counted(expected), kept)
            if not again and self._tray is not None and not kept.dice:
                self._tray.clear()
            if self._watcher is not None:
                self._ask(*self._wanted)

    def _ask(self, number: int, expected: dict[str, int], kept: KeptDice) -> None:
        from vision.watch import Roll

        self._watcher.ask(Roll(number, expected, tuple(map(_die_from_json, kept.dice)), kept.may_go))

    def stop(self) -> None:
        """No dice are wanted any more."""
        with self._lock:
            self._wanted = None
            if self._watcher is not None:
                self._watcher.stop()

    def throw(self, expected: Mapping[str, int]) -> None:
        """Throw on the virtual tray, in a thread of its own: drawing takes a second."""
        work = threading.Thread(
            target=self._throw, args=(_counted(expected), self._generation), name="throw", daemon=True
        )
        work.start()

    def _throw(self, wanted: Mapping[str, int], generation: int) -> None:
        # a tray that is being opened is waited for, however slow the machine: a throw is never just lost
        while self._tray is None and generation == self._generation and not self._failed:
            time.sleep(0.05)
        try:
            if self._tray is not None:
                kept = KeptDice() if self._wanted is None else self._wanted[2]
                self._tray.throw(wanted, secrets.randbits(32), stay=kept_positions(kept))
        except Exception:  # the top of a thread
            log.exception("the virtual dice could not be thrown")

    def state(self) -> tuple[bool, Text]:
        """Whether pictures come, and what to say of it."""
        if self._off:
            return (
                False,
                Text("serving.no_camera"),
            )
        if self._failed:
            return (
                False,
                Text("serving.reader_not_loaded", failed=self._failed),
            )
        owner = self._owner
        if owner is None and self._types:
            return True, Text("serving.reader_loading")
        if owner is None:
            return True, Text("serving.camera_starts_game")
        state = owner.state
        return bool(state.ok), state.text

    @property
    def reads(self) -> bool:
        """Whether pictures come and a reader is there to read them."""
        owner = self._owner
        return owner is not None and self._watcher is not None and bool(owner.state.ok)

    @property
    def recovered(self) -> bool:
        """Whether the camera failed a moment ago and gives pictures again."""
        owner = self._owner
        return owner is not None and owner.state.code == "recovered"

    def _told(self, told: Any) -> None:
        if told.reading is not None:
            last = getattr(self._reading, "last", None)
            self._seen = () if last is None else last.dice
            self.view = None if last is None or last.view is None else _sized(last.view, told)
        picture = None if told.image is None else jpeg(told.image)
        self._hear(DiceUpdate(told.roll.number, told.state, told.reading, picture))

    def close(self) -> None:
        """End the threads and let the camera go.  May be called twice."""
        with self._lock:
            self._generation += 1
            watcher, owner = self._watcher, self._owner
            self._watcher = self._owner = self._tray = self._handheld = None
            self._types = ()
        # outside the lock: the watcher may be telling something just now
        if watcher is not None:
            watcher.close()
        if owner is not None:
            owner.close()


class _Paced:
    """A camera that gives no more than so many frames a second."""

    def __init__(self, camera: Any) -> None:
        self._camera = camera

    def frame(self, deadline_s: float) -> Any:
        """The next frame, after a pause."""
        time.sleep(VIRTUAL_FRAME_S)
        return self._camera.frame(deadline_s)

    def close(self) -> None:
        """Nothing is held: what lies on the tray stays there for who opens it again."""


class PhotoDice:
    """Pip dice on any ground: the photograph reader, its ``d6`` named by the types this roll wants.

    A die is taken for the only pip type of the roll; where a roll wants several,
    by the colour of its body.
    """

    def __init__(self, types: Sequence[DieType]) -> None:
        from vision.reader import DiceReader

        self._reader = DiceReader()
        self._types = {one.id: one for one in types if one.kind == "pip"}

    def read(self, image: Any, expected: Mapping[str, int] | None = None) -> Any:
        """A reading whose dice bear this game's types."""
        wanted = {die: count for die, count in (expected or {}).items() if die in self._types and count}
        total = {"d6": sum(wanted.values())} if wanted else None
        reading = self._reader.read(image, total)
        return replace(reading, dice=tuple(self._named(die, wanted) for die in reading.dice))

    def _named(self, die: Any, wanted: Mapping[str, int]) -> Any:
        if len(wanted) == 1:
            return replace(die, type=next(iter(wanted)))
        for one in self._types.values():
            if one.body == die.colour and (not wanted or one.id in wanted):
                return replace(die, type=one.id)
        return die


def tray_of(config: Config) -> Any:
    """The measures of the table's tray (``vision.tray.TraySpec``); the virtual one is always the default."""
    from vision.tray import DEFAULT, spec_from

    return DEFAULT if config.camera.source.startswith("virtual") else spec_from(config.tray)


def kept_positions(kept: KeptDice) -> list[tuple[str, float, float]]:
    """Type and place (mm) of each die that is not rolled again; of equal ones the first may go."""
    going, stay = dict(kept.may_go), []
    for die in kept.dice:
        kind = (str(die["type"]), die["face"])
        if going.get(kind, 0) > 0:
            going[kind] -= 1
        elif die.get("centre_mm") is not None:
            stay.append((kind[0], float(die["centre_mm"][0]), float(die["centre_mm"][1])))
    return stay


def _die_from_json(die: Mapping[str, Any]) -> Any:
    """A die of a recorded reading."""
    a, b, c, d = ((float(x), float(y)) for x, y in die["quad"])
    place = die.get("centre_mm")
    centre = None if place is None else (float(place[0]), float(place[1]), float(place[2]))
    return Die(die["type"], die["face"], die["colour"], (a, b, c, d), die["confidence"], centre_mm=centre)


def _counted(expected: Mapping[str, int]) -> dict[str, int]:
    """The types of which at least one die is expected."""
    return {die: count for die, count in expected.items() if count}


def _sized(view: Any, told: Any) -> tuple[Any, int, int]:
    return view, told.reading.width, told.reading.height


def jpeg(image: Any) -> bytes | None:
    import cv2

    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return bytes(data.tobytes()) if done else None
