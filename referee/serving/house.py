"""The house of one table: its store, the running game, dice, lights; what the screens call the hall."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.config import Config
from referee.hall.answers import Preview
from referee.hall.dicehall import DiceHall, Heard
from referee.kernel.play import Game
from referee.kernel.registry import game_ids, load_game
from referee.lights import PALETTE, Lights, Meaning, Selection
from referee.record.events import Event
from referee.record.pictures import Pictures
from referee.record.store import Store
from referee.serving.backups import Backups
from referee.serving.cameradice import CameraDice
from referee.table import Table

log = logging.getLogger(__name__)

WATCH_EVERY_S = 1.0


@dataclass(frozen=True, slots=True)
class Device:
    """One device and how it is: ``ok``, ``warn`` or ``away``, with a sentence in each language."""

    id: str
    health: str
    sentence_en: str
    sentence_de: str


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game on disk that can be continued."""

    id: str
    title: Any
    table_name: str
    revision: int
    finished: bool


class House:
    """Everything that runs at one table.  Implements the hall that ``web.hall.Hall`` describes."""

    def __init__(self, config: Config, store: Store) -> None:
        self.config = config
        self.store = store
        self.folder = _private(config.data_folder / "seats")
        self.table: Table | None = None
        self.address = ""
        """How tablets reach this table, for the links that screens show; "" where only this machine does."""
        self.backups = Backups(config, store)
        self._camera = CameraDice(config.camera, self._hear)
        self.dice = DiceHall(self._camera)
        self._lights: Any = None
        self._checking_board = False
        self._lights_of = ""
        self._no_lights: Device | None = None
        self._draft: tuple[Selection | None, Preview | None] = (None, None)
        self._listeners: list[Callable[[], None]] = []
        self._lock = threading.RLock()
        self._closing = threading.Event()
        self._devices: list[Device] = []
        self._watch = threading.Thread(target=self._watch_devices, name="devices", daemon=True)
        self._watch.start()
        self._warm_up()

    def _warm_up(self) -> None:
        """Load what the only game needs while people still take their seats."""
        known = game_ids()
        if len(known) == 1:
            game = load_game(known[0])
            self._camera.prepare(tuple(game.dice.values()))
            self._wake_lights(game)

    def _hear(self, heard: Heard) -> None:
        self.dice.hear(heard)

    # -- games -------------------------------------------------------------------------------------------

    def games(self) -> Sequence[Game[Any]]:
        """The games that can be started."""
        return [load_game(one) for one in game_ids()]

    def saved(self) -> Sequence[GameInfo]:
        """Games of this table, the newest first."""
        known = set(game_ids())
        found = []
        for game_id in reversed(self.store.game_ids()):
            header = self.store.header(game_id)
            if header["game"] in known:
                found.append(self._info(header))
        return found

    def _info(self, header: dict[str, Any]) -> GameInfo:
        number, kind = self.store.last(header["id"])
        title = load_game(header["game"]).title
        return GameInfo(
            header["id"], title, header["table"], number, kind in ("resignation", "result_confirmed")
        )

    def start(self, new: Any) -> None:
        """Start a game (``web.hall.NewGame``); it becomes :attr:`table`."""
        game = load_game(new.game)
        with self._lock:
            # made first: where that is refused, the running game stays
            table = Table.create(
                self.store,
                game,
                options=new.options,
                players=new.players,
                table_name=new.table_name or self.config.table.name,
                tournament=self.config.table.tournament,
            )
            self._leave()
            self._enter(table)

    def resume(self, game_id: str) -> None:
        """Continue a saved game; it becomes :attr:`table`."""
        with self._lock:
            if self.table is not None and self.table.id == game_id:
                return
            table = Table.open(self.store, game_id)
            self._leave()
            self._enter(table)

    def resume_latest(self) -> bool:
        """Continue the game that ran last, if it is not over; after a power cut nobody has to look for it."""
        saved = self.saved()
        try:
            last = self._last_game.read_text(encoding="utf-8").strip()
        except (OSError, ValueError):
            last = ""
        latest = next((one for one in saved if one.id == last), saved[0] if saved else None)
        if latest is None or latest.finished:
            return False
        self.resume(latest.id)
        return True

    @property
    def _last_game(self) -> Path:
        """Names the game that was on the table last; clocks cannot be trusted to tell."""
        return self.config.data_folder / "last_game"

    def _leave(self) -> None:
        if self.table is not None:
            self.dice.follow(None)
            self.table.close()
            self.table = None

    def _enter(self, table: Table) -> None:
        if table.pictures is None:  # the record is on a server, the pictures stay here
            table.pictures = Pictures(self.config.data_folder / "pictures")
        self.table = table
        # at worst the newest game is resumed instead
        with suppress(OSError):
            self._last_game.write_text(table.id, encoding="utf-8")
        self._draft = (None, None)
        self._camera.prepare(tuple(table.game.dice.values()))
        self._wake_lights(table.game)
        table.subscribe(lambda event: self._on_event(table, event))
        self.dice.follow(table)
        self._show()
        self._tell()

    def _on_event(self, table: Table, event: Event) -> None:
        if table is not self.table:
            return
        self._draft = (None, None)
        self._checking_board = False
        request = event.request
        if event.kind == "answer" and request is not None and request["kind"] == "roll_dice":
            self.dice.accepted(event.evidence)
        self.dice.follow(table)
        self._show()
        self.backups.changed()

    # -- lights ------------------------------------------------------------------------------------------

    def _wake_lights(self, game: Game[Any]) -> None:
        """Open the lights of this game's board in a thread: the emulator may have to be built first."""
        if self._lights_of == game.id:
            return
        self._lights_of = game.id
        threading.Thread(target=self._open_lights, args=(game,), name="open-lights", daemon=True).start()

    def _open_lights(self, game: Game[Any]) -> None:
        from firmware_bridge.drivers import open_lights

        board = getattr(game, "board", None)
        places = list(board().places) if board is not None else []
        section = dict(self.config.lights) or {"driver": "emulator"}
        try:
            fresh = open_lights(section, places, folder=self.config.folder)
        except Exception as error:  # the top of a thread: the game goes on without lights, and is told why
            log.exception("the lights could not be opened")
            self._no_lights = Device(
                "lights", "away", f"The lights could not be opened: {error}",
                f"Die Lichter ließen sich nicht öffnen: {getattr(error, 'sentence_de', error)}",
            )  # fmt: skip
            return
        with self._lock:
            if self._closing.is_set() or self._lights_of != game.id:
                fresh.close()
                return
            old, self._lights = self._lights, fresh
            self._no_lights = None
        if old is not None:
            old.close()
        self._show()
        self._tell()

    def show_draft(self, selection: Selection | None, preview: Preview | None) -> None:
        """What a seat has under its finger; None for both: no draft."""
        self._draft = (selection, preview)
        self._show()

    def shown_lights(self) -> Lights:
        """What the lights under the board show now."""
        table = self.table
        if table is None:
            return {}
        if self._checking_board:
            places = table.view(None, "en").get("places", {})
            held = (place for place, here in places.items() if here.get("pieces"))
            return dict.fromkeys(held, PALETTE[Meaning.AUDIT])
        return table.lights(*self._draft)

    def check_board(self, on: bool) -> None:
        """Light every place where figures must stand, so that people compare board and record; or end that.

        Ends by itself with the next answer.
        """
        self._checking_board = on
        self._show()
        self._tell()

    def _show(self) -> None:
        if self._lights is not None:
            self._lights.show(self.shown_lights())

    # -- devices -----------------------------------------------------------------------------------------

    def devices(self) -> Sequence[Device]:
        """Camera, lights and record, as they are now."""
        seen, english, german = self._camera.state()
        found = [Device("camera", "ok" if seen else "away", english, german)]
        if self._lights is not None:
            status = self._lights.status()
            health = "ok" if status.working else "away"
            if status.power_limited or status.state.name == "POOR":
                health = "warn"
            found.append(
                Device(
                    "lights",
                    health,
                    f"{status.sentence_en} {status.way_out_en}".strip(),
                    f"{status.sentence_de} {status.way_out_de}".strip(),
                )
            )
        elif self._no_lights is not None:
            found.append(self._no_lights)
        found += self._record_devices()
        return found

    def _record_devices(self) -> list[Device]:
        remarks = self.table.recovery if self.table is not None else self.store.remarks
        found = [Device("record", "warn", english, german) for english, german in remarks]
        mirror = self.store.mirror
        if mirror is not None and mirror.behind:
            found.append(
                Device(
                    "record",
                    "warn",
                    "The record's mirror cannot be written; the game goes on. Check the disk's room.",
                    "Der Spiegel des Protokolls ist nicht schreibbar; die Partie geht weiter. Bitte den "
                    "Platz auf dem Datenträger prüfen.",
                )
            )
        if self.backups.trouble is not None:
            found.append(Device("backup", "warn", *self.backups.trouble))
        return found

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call ``listener`` whenever :attr:`table` is another one, or a device changed its health."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return unsubscribe

    def _tell(self) -> None:
        for listener in list(self._listeners):
            listener()

    def _watch_devices(self) -> None:
        while not self._closing.wait(WATCH_EVERY_S):
            try:
                now = list(self.devices())
                if now != self._devices:
                    self._devices = now
                    self._tell()
                self.backups.tick()
            except Exception:  # the top of a thread: watching must go on
                log.exception("looking after the devices failed")

    # -- the end -----------------------------------------------------------------------------------------

    def close(self) -> None:
        """Dark lights, camera given back, a last backup, everything on disk.  May be called twice."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._watch.join(5)
        with self._lock:
            self._leave()
            self._camera.close()
            if self._lights is not None:
                self._lights.close()
            self.backups.last()
            self.store.close()


def _private(folder: Path) -> Path:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder
