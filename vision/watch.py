"""Watch a camera until the dice lie still, read them, and tell; tell again when something changes later."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from referee.kernel.messages import Text
from vision.motion import MotionGate
from vision.reading import DiceReading, Die, Reason
from vision.sources.base import Camera, CameraLost, Frame
from vision.trayreader import TrayReader

log = logging.getLogger(__name__)
AGREEING = 2  # readings of different frames that must say the same
FIRST_LOOK_S = 0.1  # a first reading, while it is still waited whether anything moves again
SAME_PLACE_MM = 2.5
SAME_TURN_PX = 6.0


@dataclass(frozen=True)
class Roll:
    """What the dice reader is asked for.

    ``expected`` counts dice per type, None for "whatever lies there".  ``kept`` are dice of an accepted
    reading that may not be rolled again: they must still lie as they lay, or all be taken out of the tray.
    ``may_go`` says, by type and face, how many of ``kept`` may be rolled again all the same: of three twos
    of which one is rolled again, nobody knows which.
    """

    number: int
    expected: Mapping[str, int] | None = None
    kept: tuple[Die, ...] = ()
    may_go: Mapping[tuple[str, str | None], int] = field(default_factory=dict)

    @property
    def left_lying(self) -> Mapping[str, int]:
        """How many dice of each type have to lie still."""
        counts = Counter(die.type for die in self.kept)
        for (kind, _), number in self.may_go.items():
            counts[kind] -= number
        return +counts


@dataclass(frozen=True)
class WatchMessage:
    """One message of the watcher: a settled reading (``reopened`` if it replaces one), or the state alone.

    ``state`` is ``empty``, ``moving``, ``reading``, ``settled`` or ``no_camera``.
    """

    roll: Roll
    state: str
    reading: DiceReading | None = None
    image: np.ndarray | None = None
    reopened: bool = False


def same_dice(a: DiceReading, b: DiceReading) -> bool:
    """Whether two readings say the same of the same places."""
    if a.status != b.status or len(a.dice) != len(b.dice):
        return False
    if sorted(r.code for r in a.reasons) != sorted(r.code for r in b.reasons):
        return False
    return Counter((d.type, d.face, d.pose) for d in a.dice) == Counter(
        (d.type, d.face, d.pose) for d in b.dice
    )


def _place(die: Die) -> np.ndarray:
    if die.centre_mm is not None:
        return np.array(die.centre_mm[:2])
    middle: np.ndarray = np.array(die.quad).mean(axis=0)
    return middle


def lies_as_before(kept: Die, now: Sequence[Die]) -> bool:
    """Whether one of the dice lies where ``kept`` lay, turned as it was, and shows the same."""
    for die in now:
        if float(np.linalg.norm(_place(die) - _place(kept))) > SAME_PLACE_MM:
            continue
        corners, before = np.array(die.quad), np.array(kept.quad)
        turn = min(float(np.abs(np.roll(corners, k, axis=0) - before).max()) for k in range(4))
        return turn <= SAME_TURN_PX and die.type == kept.type and die.face in (kept.face, None)
    return False


def without_kept(roll: Roll, now: Sequence[Die]) -> tuple[Die, ...]:
    """``now`` without the dice that lie still as they had to: what was rolled."""
    stay = Counter((die.type, die.face) for die in roll.kept)
    stay.subtract(roll.may_go)
    rolled = list(now)
    for die in roll.kept:
        if stay[die.type, die.face] <= 0:
            continue
        twin = next((one for one in rolled if lies_as_before(die, [one])), None)
        if twin is not None:
            rolled.remove(twin)
            stay[die.type, die.face] -= 1
    return tuple(rolled)


def _moved(kept: Sequence[Die], now: Sequence[Die], may_go: Mapping[Any, int]) -> Iterator[Die]:
    left = dict(may_go)
    for die in kept:
        if lies_as_before(die, now):
            continue
        if left.get((die.type, die.face), 0) > 0:
            left[die.type, die.face] -= 1
        else:
            yield die


def frozen_reasons(
    kept: Sequence[Die], now: Sequence[Die], may_go: Mapping[tuple[str, str | None], int] | None = None
) -> list[Reason]:
    """A reason for each die that had to stay and did not; ``may_go`` as in :class:`Roll`."""
    return [
        Reason(
            "bumped",
            Text("vision.bumped", face=die.face),
            die.quad,
        )
        for die in _moved(kept, now, may_go or {})
    ]


class DiceWatcher:
    """A thread between a camera and whoever wants dice.

    ``tell`` is called from the watcher's thread.  ``ask`` starts watching for a roll, ``stop`` ends it.  A
    reading is told when nothing has moved for the gate's rest time and ``AGREEING`` frames were read alike,
    the first of them while that time still runs; a later change reopens it: the new reading is told with
    ``reopened`` set.
    """

    def __init__(
        self, camera: Camera, reader: TrayReader, tell: Callable[[WatchMessage], None], rest_s: float = 0.25
    ) -> None:
        self._camera = camera
        self._reader = reader
        self._tell = tell
        self._rest_s = rest_s
        self._lock = threading.Lock()
        self._roll: Roll | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="dice", daemon=True)
        self._thread.start()

    def ask(self, roll: Roll) -> None:
        """Watch for this roll from now on."""
        with self._lock:
            self._roll = roll

    def stop(self) -> None:
        """Ask for nothing any more."""
        with self._lock:
            self._roll = None

    def close(self) -> None:
        """End the thread; the camera stays open and belongs to its owner."""
        self._closing.set()
        self._thread.join(5.0)

    def _run(self) -> None:
        session: _Session | None = None
        while not self._closing.is_set():
            with self._lock:
                roll = self._roll
            if roll is None:
                session = None
                self._closing.wait(0.05)
                continue
            if session is None or session.roll is not roll:
                # the gate goes on watching: that dice are to be read anew moves none of them
                gate = MotionGate(self._rest_s) if session is None else session.gate
                session = _Session(roll, self._reader, gate)
            try:
                frame = self._camera.frame(1.0)
                told = session.no_camera() if frame is None else session.feed(frame)
            except CameraLost:
                told = session.no_camera()
                self._closing.wait(0.2)
            except Exception:  # top of a thread: one bad frame must not end the reading of dice
                log.exception("reading a frame failed")
                self._closing.wait(0.2)
                continue
            if told is not None:
                self._tell(told)


class _Session:
    """One roll being watched."""

    def __init__(self, roll: Roll, reader: TrayReader, gate: MotionGate) -> None:
        self.roll = roll
        self._reader = reader
        self.gate = gate
        self._votes: list[DiceReading] = []
        self._settled: DiceReading | None = None
        self._state = ""

    def no_camera(self) -> WatchMessage | None:
        """Say once that there are no pictures."""
        return self._change("no_camera")

    def feed(self, frame: Frame) -> WatchMessage | None:
        """Take in one frame; returns what there is to tell."""
        result = self.gate.feed(frame.image, frame.monotonic_s)
        if result.moving:
            self._votes.clear()
            return self._change("moving")
        at_rest = self.gate.at_rest(result)
        if not at_rest and (self._votes or result.still_s < FIRST_LOOK_S):
            return None
        if self._state == "empty" or (self._settled is not None and self._state == "settled"):
            return None
        reading = self._read(frame.image)
        if self._votes and not same_dice(self._votes[-1], reading):
            self._votes.clear()
        self._votes.append(reading)
        if not at_rest or len(self._votes) < AGREEING:
            return None
        # too few dice is no complaint where there are none: nobody has rolled yet
        if not reading.dice and all(reason.code == "wrong_count" for reason in reading.reasons):
            self._votes.clear()
            return self._change("empty")
        return self._settle(reading, frame.image)

    def _settle(self, reading: DiceReading, image: np.ndarray) -> WatchMessage | None:
        before, self._settled = self._settled, reading
        self._state = "settled"
        self._votes.clear()
        if before is not None and same_dice(before, reading):
            return WatchMessage(self.roll, "settled", reading, image, False)
        return WatchMessage(self.roll, "settled", reading, image, before is not None)

    def _read(self, image: np.ndarray) -> DiceReading:
        roll = self.roll
        wanted = None if roll.expected is None else Counter(roll.expected) + Counter(roll.left_lying)
        reading = self._reader.read(image, wanted if roll.kept else roll.expected)
        if not roll.kept:
            return reading
        if reading.status == "refused":
            return reading
        bumped = frozen_reasons(roll.kept, reading.dice, roll.may_go)
        if not bumped:
            return reading if wanted is None else replace(reading, dice=without_kept(roll, reading.dice))
        alone = Counter(die.type for die in reading.dice) == +Counter(roll.expected or {})
        if alone and not any(lies_as_before(die, reading.dice) for die in roll.kept):
            return self._reader.read(image, roll.expected)  # the others were taken out of the tray
        rolled = without_kept(roll, reading.dice)
        return replace(reading, status="ask", dice=rolled, reasons=(*reading.reasons, *bumped))

    def _change(self, state: str) -> WatchMessage | None:
        if state == self._state:
            return None
        self._state = state
        return WatchMessage(self.roll, state)
