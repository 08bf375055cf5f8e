"""The camera's dice without a camera: when the reader is loaded, asked, told of failures and let go."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from given_text import given

from referee.config.settings import CameraSection
from referee.hall.dicehall import DiceUpdate, KeptDice
from referee.kernel.dice import PIP_FACES, DieType
from referee.kernel.messages import languages
from referee.serving import cameradice
from referee.serving.cameradice import CameraDice
from vision.sources.framing import framed
from vision.tray import DEFAULT
from vision.watch import Roll

WHITE = DieType("combat_white", "pip", PIP_FACES, "white")
TYPES = {"combat_white": WHITE}


class Owner:
    """Stands in for the thread that owns a camera; opens it at once."""

    def __init__(self, opener: Callable[[], Any], check_frozen: bool) -> None:
        self.camera, self.check_frozen, self.closed = opener(), check_frozen, 0
        self.frame: Any = None
        self.state = SimpleNamespace(ok=False, text=given("lost", "verloren"))

    def newest(self) -> Any:
        return self.frame

    def close(self) -> None:
        self.closed += 1


class Watcher:
    """Stands in for the watcher; keeps what it was asked."""

    def __init__(self, owner: Owner, reader: Any, tell: Callable[[Any], None]) -> None:
        self.reader, self.tell, self.asked, self.stopped, self.closed = reader, tell, [], 0, 0

    def ask(self, roll: Any) -> None:
        self.asked.append(roll)

    def stop(self) -> None:
        self.stopped += 1

    def close(self) -> None:
        self.closed += 1


class Tray:
    """Stands in for the virtual tray."""

    def __init__(self) -> None:
        self.done: list[Any] = []

    def clear(self) -> None:
        self.done.append("clear")

    def disturb(self, mishap: str | None) -> None:
        assert mishap is None

    def show(self, die: str, face: str, seed: int) -> None:
        self.done.append((die, face))

    def throw(self, wanted: Any, seed: int, stay: Any) -> None:
        if "broken" in wanted:
            raise ValueError("no such die")
        self.done.append((dict(wanted), stay))

    def frame(self, deadline_s: float) -> str:
        return f"frame within {deadline_s}"

    def close(self) -> None:
        self.done.append("closed")


@pytest.fixture
def tray(monkeypatch: pytest.MonkeyPatch) -> Tray:
    tray = Tray()
    monkeypatch.setattr("vision.sources.owner.CameraOwner", Owner)
    monkeypatch.setattr("vision.watch.DiceWatcher", Watcher)
    monkeypatch.setattr("vision.sources.opening.open_camera", lambda source, types: tray)
    monkeypatch.setattr("vision.sources.process.open_apart", lambda source: f"apart {source}")
    monkeypatch.setattr("vision.faces.builtin.builtin_faces", lambda types: "builtin")
    monkeypatch.setattr("vision.faces.taught.TaughtFaces.load", lambda path: f"own {path.name}")
    monkeypatch.setattr("vision.teach.load_taught", lambda box: f"taught {box}")
    monkeypatch.setattr("vision.trayreader.TrayReader", lambda types, taught, tray: (types, taught))
    monkeypatch.setattr(cameradice, "VIRTUAL_FRAME_S", 0.0)
    return tray


@pytest.fixture
def heard() -> list[DiceUpdate]:
    return []


@pytest.fixture
def dice(tray: Tray, heard: list[DiceUpdate], tmp_path: Path) -> Iterator[CameraDice]:
    made = CameraDice(replace(CameraSection(), source="virtual"), heard.append, tmp_path)
    yield made
    made.close()


def loaded(dice: CameraDice) -> Watcher:
    """Waits for the thread that loads the reader."""
    for thread in threading.enumerate():
        if thread.name == "reader":
            thread.join()
    watcher: Watcher = dice._watcher
    return watcher


def test_a_roll_asked_for_before_the_reader_is_there_is_watched_when_it_is(
    dice: CameraDice, tray: Tray
) -> None:
    assert "starts with the game" in str(dice.state()[1])
    dice.ask(4, {"combat_white": 2, "other": 0}, TYPES, KeptDice())
    watcher = loaded(dice)
    (roll,) = watcher.asked
    assert (roll.number, dict(roll.expected)) == (4, {"combat_white": 2})
    assert watcher.reader == ((WHITE,), "builtin")
    ok, text = dice.state()
    assert not ok and [text.in_words(one) for one in ("en", "de")] == ["lost", "verloren"]
    assert tray.done == [], "what is opened only then lies empty"


def test_the_tray_is_cleared_for_each_new_roll_but_not_where_dice_are_kept(
    dice: CameraDice, tray: Tray
) -> None:
    dice.prepare((WHITE,))
    watcher = loaded(dice)
    lying = {
        "type": "combat_white", "face": "3", "colour": "white", "confidence": 0.9,
        "quad": [[0, 0], [1, 0], [1, 1], [0, 1]], "centre_mm": [10, 20, 8],
    }  # fmt: skip
    dice.ask(1, {"combat_white": 1}, TYPES, KeptDice())
    dice.ask(1, {"combat_white": 1}, TYPES, KeptDice())
    assert tray.done == ["clear"]
    dice.ask(2, {"combat_white": 1}, TYPES, KeptDice((lying,)))
    assert tray.done == ["clear"]
    kept = watcher.asked[-1].kept[0]
    assert (kept.type, kept.face, kept.centre_mm) == ("combat_white", "3", (10.0, 20.0, 8.0))
    dice._throw({"combat_white": 1}, dice._generation)
    assert tray.done[-1] == ({"combat_white": 1}, [("combat_white", 10.0, 20.0)])
    dice.stop()
    dice._throw({"combat_white": 2}, dice._generation)
    assert watcher.stopped == 1 and tray.done[-1] == ({"combat_white": 2}, [])


def test_dice_that_cannot_be_thrown_are_logged_and_do_no_harm(
    dice: CameraDice, tray: Tray, caplog: pytest.LogCaptureFixture
) -> None:
    dice.prepare((WHITE,))
    loaded(dice)
    dice._throw({"broken": 1}, dice._generation)
    assert "could not be thrown" in caplog.text
    dice.lay_die("combat_white", "6")
    assert tray.done == [("combat_white", "6")]


def test_other_dice_need_another_reader_and_the_same_dice_none(dice: CameraDice) -> None:
    dice.prepare((WHITE,))
    first = loaded(dice)
    dice.prepare((WHITE,))
    assert loaded(dice) is first
    dice.reload()
    second = loaded(dice)
    assert second is not first and first.closed == 1
    dice.close()
    dice.close()
    assert second.closed == 1 and "starts with the game" in str(dice.state()[1])


def test_a_reader_that_comes_after_the_dice_have_changed_is_not_used(dice: CameraDice) -> None:
    dice._load(dice._generation + 1)
    assert dice._watcher is None and dice.picture() is None


def test_a_reader_that_cannot_be_loaded_is_told_to_the_screens(
    dice: CameraDice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.trayreader.TrayReader", lambda *parts: 1 // 0)
    dice._types = (WHITE,)
    assert "being loaded" in str(dice.state()[1])
    dice._load(dice._generation)
    ok, text = dice.state()
    assert not ok and all("ZeroDivisionError" in text.in_words(language) for language in languages())


@pytest.mark.parametrize(("source", "watched"), [("v4l2:0", True), ("files:pictures", False)])
def test_faces_taught_at_this_table_come_before_those_of_the_box(
    source: str, watched: bool, tray: Tray, tmp_path: Path
) -> None:
    dice = CameraDice(replace(CameraSection(), source=source), lambda heard: None, tmp_path)
    dice.prepare((WHITE,))
    watcher = loaded(dice)
    assert watcher.reader[1] == "taught default"
    opened = framed(source, DEFAULT)
    assert ("view=" in opened) == watched, "a camera is told how much of its picture is wanted"
    assert dice._owner.camera == f"apart {opened}" and dice._owner.check_frozen is watched
    own = dice.taught_path()
    own.parent.mkdir(parents=True)
    own.write_bytes(b"")
    dice.reload()
    assert loaded(dice).reader[1] == f"own {own.name}"
    dice.ask(1, {"combat_white": 1}, TYPES, KeptDice())
    assert tray.done == [], "a real tray is cleared by people"
    dice.close()


def test_what_is_read_is_heard_with_its_picture(dice: CameraDice, heard: list[DiceUpdate]) -> None:
    dice.prepare((WHITE,))
    watcher = loaded(dice)
    image = np.zeros((8, 8, 3), np.uint8)
    for picture in (image, None):
        watcher.tell(
            SimpleNamespace(roll=SimpleNamespace(number=7), state="moving", reading=None, image=picture)
        )
    assert [(one.number, one.state, one.picture is None) for one in heard] == [
        (7, "moving", False),
        (7, "moving", True),
    ]
    assert dice.picture() is None
    dice._owner.frame = SimpleNamespace(image=image)
    assert dice.picture() is image


def test_a_throw_while_a_slow_machine_opened_its_tray_was_lost(
    dice: CameraDice, tray: Tray, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            dice._tray = tray

    clock = iter(range(0, 1000, 40))
    monkeypatch.setattr(
        cameradice, "time", SimpleNamespace(sleep=pause, monotonic=lambda: float(next(clock)))
    )
    dice._throw({"combat_white": 2}, dice._generation)
    assert tray.done == [({"combat_white": 2}, [])]
    dice.close()
    dice._throw({"combat_white": 2}, -1)
    assert len(tray.done) == 1, "a throw of a tray that was closed is not waited for"


def test_without_a_camera_nothing_is_loaded(tray: Tray, tmp_path: Path) -> None:
    dice = CameraDice(replace(CameraSection(), source="none"), lambda heard: None, None)
    dice.ask(1, {"combat_white": 1}, TYPES, KeptDice())
    dice.stop()
    assert dice._owner is None and not dice.state()[0]
    assert dice.taught_path().name.endswith(".npz"), "where `referee dice teach` keeps them"


def test_dice_were_lost_where_a_slow_drawing_passed_for_a_hung_camera(
    dice: CameraDice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.sources.opening.open_camera", lambda source, types: Tray())
    dice.prepare((WHITE,))
    loaded(dice)
    first = dice._owner.camera
    assert first.frame(2.0) == "frame within 2.0"
    again = dice._open(dice._generation)
    first.close()
    assert again._camera is first._camera is dice._tray and dice._tray.done == []


def test_corrections_of_an_accepted_roll_are_learned_for_the_next_game(
    tray: Tray, heard: list[DiceUpdate], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learned: list[tuple[str, Any]] = []
    monkeypatch.setattr(
        "vision.corrections.examples_of", lambda evidence, seen, types: [evidence["corrections"], seen, types]
    )
    monkeypatch.setattr("vision.corrections.learn", lambda path, one: learned.append((path.name, one)) or 1)
    reader = SimpleNamespace(last=SimpleNamespace(dice=("one die",), view="a view"))
    monkeypatch.setattr("vision.trayreader.TrayReader", lambda types, taught, tray: reader)
    dice = CameraDice(replace(CameraSection(), source="v4l2:0"), heard.append, tmp_path)
    dice.prepare((WHITE,))
    first = loaded(dice)
    first.tell(
        SimpleNamespace(roll=Roll(1), state="settled", reading=SimpleNamespace(width=4, height=3), image=None)
    )
    assert dice.view == ("a view", 4, 3)
    dice.accepted({"corrections": []})
    dice.accepted(None)
    dice.accepted({"corrections": ["one"]})
    for thread in threading.enumerate():
        if thread.name == "corrections":
            thread.join()
    assert learned == [("taught_faces.npz", [["one"], ("one die",), (WHITE,)])]
    dice.prepare((WHITE,))
    assert loaded(dice) is first, "the running game is read as before"
    dice.prepare((WHITE,), fresh=True)
    second = loaded(dice)
    assert second is not first
    dice.prepare((WHITE,), fresh=True)
    assert loaded(dice) is second, "nothing was learned since"
    dice.close()


def test_corrections_that_cannot_be_kept_do_no_harm(
    tray: Tray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(path: Path, examples: Any) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("vision.corrections.learn", full)
    dice = CameraDice(replace(CameraSection(), source="v4l2:0"), lambda heard: None, tmp_path)
    dice._learn(["one"])
    assert "could not be learned" in caplog.text and not dice._learned
