"""A hall for tests: real table, real record, a tray that throws drawn dice, lights without hardware."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from flask import Flask
from given_text import given

from referee.hall.table import Table
from referee.kernel.lights import Lights, Selection
from referee.kernel.play import Game
from referee.kernel.requests import RollDice
from referee.serving.hosting import Device, NewGame, SavedGame
from referee.serving.saved import SavedGames
from referee.store.store import Store
from vision.reading import DiceReading, Die, Reason

COLOURS = {"white": (235, 238, 240), "black": (40, 38, 36), "blue": (170, 90, 40), "red": (50, 50, 170)}


class FakeDice:
    """Throws dice by its own generator and reads them as scripted.

    ``script`` holds what the next readings change: ``("wrong", index, face)``,
    ``("unknown", index)``, ``("missing", index)`` or ``("refused",)``.
    """

    def __init__(self, hall: FakeHall, seed: int = 7) -> None:
        self.hall = hall
        self.virtual = True
        self.random = random.Random(seed)
        self.script: list[tuple[Any, ...]] = []
        self.thrown: dict[str, list[str]] = {}
        self.listeners: list[Callable[[], None]] = []
        self.photographs: list[bytes] = []

    def photograph(self, data: bytes) -> None:
        self.photographs.append(data)
        self.throw()

    def throw(self) -> None:
        table = self.hall.table
        assert table is not None
        request = table.request
        if not isinstance(request, RollDice):
            return
        self.thrown = request.sample(self.random)
        self.look()

    def look(self) -> None:
        table = self.hall.table
        assert table is not None
        request = table.request
        if not isinstance(request, RollDice) or not self.thrown:
            return
        step = self.script.pop(0) if self.script else ()
        picture, dice = self._drawn(request)
        reading = _reading(dice, step, request)
        table.offer_reading(reading, picture)
        for listener in list(self.listeners):
            listener()

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)

    def _drawn(self, request: RollDice) -> tuple[bytes, list[Die]]:
        image = np.full((600, 800, 3), (58, 74, 70), np.uint8)
        dice = []
        index = 0
        for kind, faces in self.thrown.items():
            body = COLOURS.get(request.types[kind].body, (200, 200, 200))
            for face in faces:
                x, y = 110 + (index % 6) * 120, 130 + (index // 6) * 150
                angle = self.random.uniform(-40, 40)
                box = cv2.boxPoints(((x, y), (86, 86), angle))
                cv2.fillConvexPoly(image, box.astype(np.int32), body, cv2.LINE_AA)
                ink = (30, 30, 30) if sum(body) > 400 else (240, 240, 240)
                cv2.putText(
                    image, face[:4], (x - 26, y + 14), cv2.FONT_HERSHEY_SIMPLEX, 1.1, ink, 3, cv2.LINE_AA
                )
                quad = tuple((float(px), float(py)) for px, py in box)
                dice.append(Die(kind, face, request.types[kind].body, quad, 0.97))  # type: ignore[arg-type]
                index += 1
        return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes(), dice


DARK = given("The picture is too dark. Switch on the lamp.", "Das Bild ist zu dunkel. Bitte Lampe an.")
UNCLEAR = given("One die is not clear.", "Ein Würfel ist nicht klar.")


def _reading(dice: list[Die], step: tuple[Any, ...], request: RollDice) -> DiceReading:
    status, reasons = "ok", ()
    if step and step[0] == "refused":
        reasons = (
            Reason(
                "dark",
                DARK,
                ((500.0, 300.0), (700.0, 300.0), (700.0, 500.0), (500.0, 500.0)),
            ),
        )
        return DiceReading("refused", (), reasons, 800, 600, 5.0)
    if step:
        index = step[1]
        die = dice[index]
        if step[0] == "missing":
            dice.pop(index)
        elif step[0] == "foreign":
            dice[index] = Die(step[2], step[3], die.colour, die.quad, 0.97)
        else:
            face = step[2] if step[0] == "wrong" else None
            faces = request.types[die.type].distinct_faces
            other = tuple((f, 0.3) for f in (die.face, *faces) if f and f != face)[:2]
            dice[index] = Die(die.type, face, die.colour, die.quad, 0.5, "flat", other)
        if step[0] == "unknown":
            status = "ask"
            reasons = (Reason("doubt", UNCLEAR, die.quad),)
    return DiceReading(status, tuple(dice), reasons, 800, 600, 5.0)  # type: ignore[arg-type]


class FakeHall:
    """The hall; ``store`` may be on disk, so that another FakeHall can go on where this one was killed."""

    def __init__(self, folder: Path, games: Sequence[Game[Any]]) -> None:
        self.folder = folder
        self.store = Store.open(folder / "games.sqlite")
        self.table: Table | None = None
        self._saved = SavedGames(self.store)
        self.dice = FakeDice(self)
        self.virtual_table = None
        self.camera: str = "ok"
        self.addresses: list[str] = []
        self.always_tournament = False
        self._games = list(games)
        self._listeners: list[Callable[[], None]] = []
        self._draft: tuple[Selection | None, Any] = (None, None)
        self._lock = threading.Lock()

    def games(self) -> Sequence[Game[Any]]:
        return self._games

    def running_and_saved(self) -> tuple[Table | None, Sequence[SavedGame]]:
        running = self.table
        return running, [one for one in self._saved.all() if running is None or one.id != running.id]

    def start(self, new: NewGame) -> None:
        game = next(g for g in self._games if g.id == new.game)
        self._close()
        self.table = Table.create(
            self.store,
            game,
            options=new.options,
            players=new.players,
            seats=new.seats,
            table_name=new.table_name,
            tournament=self.always_tournament or new.tournament,
        )
        self._follow()

    def resume(self, game_id: str) -> None:
        self._close()
        self.table = Table.open(self.store, game_id)
        self._follow()

    def _close(self) -> None:
        if self.table is not None:
            self._saved.remember(self.table)
            self.table.close()

    def _follow(self) -> None:
        assert self.table is not None
        self.table.subscribe(lambda event: self.show_draft(None, None))
        self.tell()

    def close(self) -> None:
        """Let everything go."""
        self._close()
        self.store.close()

    def tell(self) -> None:
        """Say that a device or the table changed."""
        for listener in list(self._listeners):
            listener()

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def examine(self) -> Sequence[Device]:
        return [
            Device("disk", "ok", given("60 GB are free.", "60 GB sind frei.")),
            Device(
                "tray.glare",
                "warn",
                given("Something glares. Move the lamp.", "Etwas spiegelt. Bitte Lampe."),
            ),
        ]

    def devices(self) -> Sequence[Device]:
        camera = {
            "ok": ("The camera sees the tray.", "Die Kamera sieht die Schale."),
            "away": (
                "The camera is away. Check its cable; dice can be typed in meanwhile.",
                "Die Kamera ist weg. Bitte Kabel prüfen; Würfel lassen sich solange eintippen.",
            ),
        }[self.camera]
        return [
            Device("camera", self.camera, given(*camera)),  # type: ignore[arg-type]
            Device("lights", "ok", given("The lights answer.", "Die Lichter antworten.")),
        ]

    def show_draft(self, selection: Selection | None, preview: Any) -> None:
        self._draft = (selection, preview)

    def shown_lights(self) -> Lights:
        if self.table is None:
            return {}
        selection, preview = self._draft
        return self.table.lights(selection, preview)


def open_wide(app: Flask) -> Flask:
    """Rate limits that no test meets by accident."""
    web = app.extensions["table"]
    web.posts.per_second = web.pages.per_second = web.doors.per_second = 1e9
    return app
