"""Tests of the at-rest gate, the frozen dice of a re-roll, and the watcher, on scripted frames and
readings."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from vision.motion import MotionGate
from vision.reading import DiceReading, Die, Quad
from vision.sources.base import Frame
from vision.tray_reasons import wrong_count
from vision.trayreader import TrayReader
from vision.watch import DiceWatcher, Roll, WatchMessage, _Session, frozen_reasons, same_dice


@cache
def _noise(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(-5, 6, (960, 1280, 3)).astype(np.int16)


def noisy(base: np.ndarray, seed: int) -> np.ndarray:
    return (base + np.roll(_noise(seed % 3), 7 * seed, axis=0)).astype(np.uint8)


def table(x: int | None = None) -> np.ndarray:
    image = np.full((960, 1280, 3), 90, np.int16)
    if x is not None:
        image[400:452, x : x + 52] = 220
    return image


def test_noise_is_no_motion_and_a_die_is() -> None:
    gate = MotionGate(rest_s=0.2)
    for k in range(10):
        result = gate.feed(noisy(table(300), k), k / 15)
    assert gate.at_rest(result) and result.still_s > 0.5
    moved = gate.feed(noisy(table(330), 99), 10 / 15)
    assert moved.moving and moved.box is not None
    x0, y0, x1, y1 = moved.box
    assert x0 <= 330 and x1 >= 352 and y0 <= 410 and y1 >= 440 and x1 - x0 < 200
    assert not gate.at_rest(gate.feed(noisy(table(330), 100), 11 / 15))


def test_a_lamp_that_dims_evenly_is_no_motion() -> None:
    gate = MotionGate(rest_s=0.2)
    for k in range(10):
        result = gate.feed(noisy(table(300) - k, k), k / 15)
    assert gate.at_rest(result)


def test_slow_creep_adds_up_to_motion() -> None:
    """A die that slides by a pixel a frame changes little between frames, but much since the rest began."""
    gate = MotionGate(rest_s=0.2)
    seen = [gate.feed(table(300 + k).astype(np.uint8), k / 15).moving for k in range(12)]
    assert any(seen[1:])


def die(face: str, x: float, y: float = 0.0, turn: float = 0.0, kind: str = "d") -> Die:
    c, s = 26 * np.cos(turn), 26 * np.sin(turn)
    px, py = 640 + 3.3 * x, 480 - 3.3 * y
    quad: Quad = (
        (px - c + s, py - s - c),
        (px + c + s, py + s - c),
        (px + c - s, py + s + c),
        (px - c - s, py - s + c),
    )
    return Die(kind, face, "white", quad, 0.99, "flat", (), (x, y, 8.0))


def test_dice_that_stay_may_not_move_turn_or_change() -> None:
    kept = (die("3", 0), die("5", 50))
    assert frozen_reasons(kept, [die("3", 0.5), die("5", 50), die("1", 90)]) == []
    # a quarter turn of the quad's corners is the same square
    assert frozen_reasons(kept, [die("3", 0, turn=np.pi / 2), die("5", 50)]) == []
    for moved in (die("3", 6), die("3", 0, turn=0.4), die("4", 0), die("3", 0, kind="other")):
        (why,) = frozen_reasons(kept, [moved, die("5", 50)])
        assert why.code == "bumped" and "3" in why.sentence_en and why.quad == kept[0].quad


def test_readings_agree_by_what_they_say() -> None:
    one = DiceReading("ok", (die("3", 0), die("5", 50)))
    assert same_dice(one, DiceReading("ok", (die("5", 50), die("3", 0))))
    assert not same_dice(one, DiceReading("ok", (die("5", 50), die("5", 0))))
    assert not same_dice(one, DiceReading("ask", one.dice))


class Script:
    """A camera that gives (what lies there, seconds) as frames; the last one for ever."""

    def __init__(self, steps: list[tuple[int, int]]) -> None:
        self.steps = [what for what, count in steps for _ in range(count)]
        self.number = 0
        self.done = threading.Event()

    def frame(self, deadline_s: float) -> Frame | None:
        what = self.steps[min(self.number, len(self.steps) - 1)]
        self.number += 1
        if self.number > len(self.steps) + 10:
            self.done.set()
        if what < 0:
            return None
        return Frame(noisy(table(200 + 100 * what), self.number), self.number, self.number / 15)

    def close(self) -> None:
        pass


class Reader(TrayReader):
    """Reads the place of the bright square as the face."""

    def __init__(self) -> None:
        self.calls = 0

    def read(self, image: np.ndarray, expected: Mapping[str, int] | None = None) -> DiceReading:
        self.calls += 1
        what = round((float(image[425].mean(axis=1).argmax()) - 200) / 100)
        return DiceReading("ok", (die(str(what), 10.0 * what),))


def watch(steps: list[tuple[int, int]], roll: Roll | None = None) -> tuple[list[WatchMessage], Reader]:
    told: list[WatchMessage] = []
    camera, reader = Script(steps), Reader()
    watcher = DiceWatcher(camera, reader, told.append)
    watcher.ask(roll or Roll(1))
    assert camera.done.wait(60)
    watcher.close()
    return told, reader


def test_a_roll_is_told_once_when_it_lies_still() -> None:
    told, reader = watch([(1, 1), (2, 1), (3, 1), (4, 30)])
    assert [t.state for t in told] == ["moving", "settled"]
    reading = told[-1].reading
    assert reading is not None and reading.dice[0].face == "4" and not told[-1].reopened
    assert reader.calls <= 3, "a settled tray is not read again and again"
    assert told[-1].image is not None


def test_the_first_look_comes_while_the_rest_is_still_waited_for_and_is_never_told_alone() -> None:
    class Hasty(Reader):
        """What it sees in the first picture is not what lies there afterwards."""

        def read(self, image: np.ndarray, expected: Mapping[str, int] | None = None) -> DiceReading:
            self.calls += 1
            return DiceReading("ok", (die("6" if self.calls == 1 else "4", 40.0),))

    told: list[WatchMessage] = []
    camera, reader = Script([(1, 1), (2, 1), (3, 1), (4, 30)]), Hasty()
    watcher = DiceWatcher(camera, reader, told.append)
    watcher.ask(Roll(1))
    assert camera.done.wait(60)
    watcher.close()
    assert [t.state for t in told] == ["moving", "settled"]
    assert told[-1].reading is not None and told[-1].reading.dice[0].face == "4"
    assert reader.calls == 3

    feeding = _Session(Roll(1), Reader(), MotionGate(0.25))
    steps = [feeding.feed(Frame(noisy(table(600), k), k, k / 15)) for k in range(5)]
    assert steps[-1] is not None and steps[-1].state == "settled", "told with the first picture at rest"
    assert all(one is None for one in steps[1:-1])


def test_nothing_is_missed_in_an_empty_tray() -> None:
    """The complaint: "0 seen, 5 expected" stood there before anybody had rolled."""

    class Empty(Reader):
        def read(self, image: np.ndarray, expected: Mapping[str, int] | None = None) -> DiceReading:
            self.calls += 1
            reasons = tuple(wrong_count(kind, 0, count) for kind, count in (expected or {}).items())
            return DiceReading("ask", (), reasons)

    told: list[WatchMessage] = []
    camera, reader = Script([(4, 30)]), Empty()
    watcher = DiceWatcher(camera, reader, told.append)
    watcher.ask(Roll(1, {"d": 5}))
    assert camera.done.wait(60)
    watcher.close()
    assert [t.state for t in told] == ["moving", "empty"]
    assert reader.calls <= 3, "an empty tray is not read again and again"


def test_a_late_change_reopens_the_reading() -> None:
    told, _ = watch([(1, 30), (2, 30)])
    assert [t.state for t in told] == ["moving", "settled", "moving", "settled"]
    assert told[-1].reopened and told[-1].reading is not None and told[-1].reading.dice[0].face == "2"


def test_no_camera_is_said_once() -> None:
    told, _ = watch([(1, 3), (-1, 5), (1, 30)])
    assert [t.state for t in told].count("no_camera") == 1
    assert told[-1].state == "settled"


def test_a_bumped_die_of_a_re_roll_is_shown() -> None:
    told, _ = watch([(4, 30)], Roll(2, None, (die("2", 20.0),)))
    reading = told[-1].reading
    assert reading is not None and reading.status == "ask"
    assert [r.code for r in reading.reasons] == ["bumped"]
    told, _ = watch([(4, 30)], Roll(2, None, (replace(die("4", 40.0), confidence=0.9),)))
    assert told[-1].reading is not None and told[-1].reading.status == "ok"


class Several(Reader):
    """Gives the same dice for each picture, and says what was expected of it."""

    def __init__(self, dice: tuple[Die, ...]) -> None:
        super().__init__()
        self.dice = dice
        self.expected: list[Mapping[str, int] | None] = []

    def read(self, image: np.ndarray, expected: Mapping[str, int] | None = None) -> DiceReading:
        self.expected.append(expected)
        return DiceReading("ok", self.dice)


def reread(dice: tuple[Die, ...], roll: Roll) -> tuple[DiceReading, Several]:
    told: list[WatchMessage] = []
    camera, reader = Script([(4, 30)]), Several(dice)
    watcher = DiceWatcher(camera, reader, told.append)
    watcher.ask(roll)
    assert camera.done.wait(60)
    watcher.close()
    reading = told[-1].reading
    assert reading is not None
    return reading, reader


def test_a_re_roll_tells_only_the_dice_that_were_rolled() -> None:
    kept = (die("5", 0), die("6", 50))
    reading, reader = reread((die("5", 0.3), die("6", 50), die("1", 90)), Roll(2, {"d": 1}, kept))
    assert reading.status == "ok" and [one.face for one in reading.dice] == ["1"]
    assert reader.expected[0] == {"d": 3}


def test_a_bumped_die_stays_in_the_reading_beside_the_rolled_one() -> None:
    kept = (die("5", 0), die("6", 50))
    reading, _ = reread((die("5", 20), die("6", 50), die("1", 90)), Roll(2, {"d": 1}, kept))
    assert reading.status == "ask" and [one.face for one in reading.dice] == ["5", "1"]
    assert [why.code for why in reading.reasons] == ["bumped"]


def test_dice_put_aside_during_a_re_roll_are_not_missed() -> None:
    reading, reader = reread((die("1", 90),), Roll(2, {"d": 1}, (die("5", 0), die("6", 50))))
    assert reading.status == "ok" and [one.face for one in reading.dice] == ["1"]
    assert reader.expected[-1] == {"d": 1}


def test_of_equal_dice_any_one_may_be_rolled_again() -> None:
    roll = Roll(2, {"d": 1}, (die("2", 0), die("2", 50)), {("d", "2"): 1})
    assert roll.left_lying == {"d": 1}
    for left in (0, 50):
        reading, _ = reread((die("2", left), die("4", 90)), roll)
        assert reading.status == "ok" and [one.face for one in reading.dice] == ["4"]
    reading, _ = reread((die("2", 20), die("4", 90)), roll)
    assert [why.code for why in reading.reasons] == ["bumped"]


def test_one_bad_frame_does_not_end_the_watching(caplog: pytest.LogCaptureFixture) -> None:
    class Fragile(Reader):
        def read(self, image: np.ndarray, expected: Mapping[str, int] | None = None) -> DiceReading:
            if self.calls == 0:
                self.calls += 1
                raise ZeroDivisionError
            return super().read(image, expected)

    told: list[WatchMessage] = []
    camera = Script([(3, 40)])
    watcher = DiceWatcher(camera, Fragile(), told.append)
    watcher.ask(Roll(1))
    assert camera.done.wait(60)
    watcher.close()
    assert told[-1].state == "settled"
    assert "reading a frame failed" in caplog.text
