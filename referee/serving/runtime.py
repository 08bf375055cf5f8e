"""The house of one table: its store, the running game, dice, lights; what the screens call the hall."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from calibration.camera_check import summary
from calibration.workbench import Workbench
from referee.config.settings import Config
from referee.hall.answers import Preview
from referee.hall.dicehall import DiceHall, DiceUpdate
from referee.hall.hands import WAYS
from referee.hall.table import Table
from referee.journal.events import Event
from referee.kernel.files import FileUnwritable, write_whole
from referee.kernel.lights import Lights, Selection
from referee.kernel.listeners import Listeners
from referee.kernel.messages import Text, joined
from referee.kernel.odds import ODDS
from referee.kernel.play import Game
from referee.kernel.registry import game_ids, load_game
from referee.kernel.requests import RollDice
from referee.serving.box_answers import answers_of, is_about_the_box, keep_answers
from referee.serving.cameradice import CameraDice, tray_of
from referee.serving.health import HealthCheck, machine
from referee.serving.hosting import Device, Health, NewGame, SavedGame
from referee.serving.saved import SavedGames
from referee.serving.tablelights import TableLights
from referee.serving.virtual import VirtualTable
from referee.store.backups import Backups
from referee.store.pictures import Pictures
from referee.store.store import Store

log = logging.getLogger(__name__)

WATCH_EVERY_S = 1.0
LOOK_AT_TRAY_S = 20.0
"""Between two looks whether tray and light are still right."""
CURIOUS_S = 5.0
"""How long these looks follow each other where something was changed: the newest picture may be of before."""
EXAMINE_AGAIN_S = 10.0
"""Between two looks at machine, disk and record, however many health pages are open."""


class TableRuntime:
    """Everything that runs at one table.  Implements the hall that ``web.host.TableHost`` describes."""

    def __init__(self, config: Config, store: Store) -> None:
        self.config = config
        self.store = store
        self.folder = _private(config.data_folder / "seats")
        self.table: Table | None = None
        self._saved = SavedGames(store)
        self.find_addresses: Callable[[], list[str]] = list
        """How tablets reach this table now; found by whoever listens for them."""
        self.backups = Backups(config, store)
        self.workbench = Workbench(
            self,
            config.data_folder,
            config.camera.box,
            tray_of(config),
            config.camera.source.partition(":")[0],
        )
        """Camera check, teaching dice, LED map, box book: for the set-up pages."""
        self._camera = CameraDice(config.camera, self._hear, config.data_folder, tray_of(config))
        self.dice = DiceHall(self._camera)
        self.lights = TableLights(config, self.shown_lights, self._tell)
        self.virtual_table = (
            VirtualTable(self._camera, lambda: self.lights.lent or self.lights.sink, self._look_soon)
            if self._camera.virtual
            else None
        )
        """What only a table without camera has: all of it can be looked at, and let go wrong."""
        self._draft: tuple[Selection | None, Preview | None] = (None, None)
        self._listeners: Listeners[Callable[[], None]] = Listeners()
        self._lock = threading.RLock()
        self._closing = threading.Event()
        self._devices: list[Device] = []
        self._looked_at = time.monotonic()
        self._curious_until = 0.0
        self._examined: list[Device] = []
        self._examined_at = 0.0
        self._tray_trouble: Text | None = None
        self._moved: Text | None = None
        self._watch = threading.Thread(target=self._watch_devices, name="devices", daemon=True)
        self._watch.start()
        self._warm_up()

    def _warm_up(self) -> None:
        """Load what the only game needs while people still take their seats."""
        known = game_ids()
        if len(known) == 1:
            game = load_game(known[0])
            self._camera.prepare(tuple(game.dice.values()))
            self.lights.wake(game, {})

    def _hear(self, heard: DiceUpdate) -> None:
        self.dice.hear(heard)

    # -- games -------------------------------------------------------------------------------------------

    def games(self) -> Sequence[Game[Any]]:
        """The games that can be started."""
        return [load_game(one) for one in game_ids()]

    def saved(self) -> Sequence[SavedGame]:
        """Games of this table, the newest first."""
        return self._saved.all()

    def running_and_saved(self) -> tuple[Table | None, Sequence[SavedGame]]:
        """The game on the table and the others of this table, the newest first.

        While a game is started or continued this waits: half way the new one is on disk and the old one runs.
        """
        with self._lock:
            running = self.table
            return running, [one for one in self.saved() if running is None or one.id != running.id]

    def start(self, new: NewGame) -> None:
        """Start a game; it becomes :attr:`table`."""
        game = load_game(new.game)
        with self._lock:
            # made first: where that is refused, the running game stays
            table = Table.create(
                self.store,
                game,
                options=self._with_box_book(game, new.options),
                players=new.players,
                seats=new.seats,
                table_name=new.table_name or self.config.table.name,
                house_rules=[f"{rule} = {way}" for rule, way in _house_rules(new.options).items()],
                tournament=self.always_tournament or new.tournament,
            )
            table.offer_laying()
            self._leave()
            self._enter(table)

    @property
    def addresses(self) -> Sequence[str]:
        """How tablets reach this table now, the likeliest first; none where only this machine does."""
        return self.find_addresses()

    @property
    def always_tournament(self) -> bool:
        """Whether the configuration makes each game of this table a tournament game."""
        return self.config.table.tournament

    def _with_box_book(self, game: Game[Any], options: Mapping[str, Any]) -> dict[str, Any]:
        """``options`` with what the owner's box book knows, unless they bring values of their own."""
        known = self.workbench.book(game).values
        return {**options, "box": known} if known and "box" not in options else dict(options)

    def resume(self, game_id: str) -> None:
        """Continue a saved game; it becomes :attr:`table`.  The board is to be compared before it goes on."""
        with self._lock:
            if self.table is not None and self.table.id == game_id:
                return
            table = Table.open(self.store, game_id)
            self._kept_here(table)
            table.offer_board_check()
            self._leave()
            self._enter(table)

    def resume_latest(self) -> bool:
        """Continue the game that ran last, if it is not over; after a power cut nobody has to look for it.

        A tournament game that is over comes back, too, until its slip or export was handed over.
        """
        saved = self.saved()
        try:
            last = self._last_game.read_text(encoding="utf-8").strip()
        except (OSError, ValueError):
            last = ""
        latest = next((one for one in saved if one.id == last), saved[0] if saved else None)
        if latest is None or (latest.finished and not latest.closed):
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
            self._saved.remember(self.table)
            self.table.close()
            self.table = None

    def _enter(self, table: Table) -> None:
        self._kept_here(table)
        self.table = table
        log.info("game %s is on the table, after event %s", table.id, table.revision)
        for remark in table.recovery:
            log.warning("%s", remark)
        # at worst the newest game is resumed instead
        with suppress(FileUnwritable):
            write_whole(self._last_game, table.id)
        self._draft = (None, None)
        self._camera.prepare(tuple(table.game.dice.values()), fresh=True)
        self.lights.wake(table.game, table.header["options"])
        table.subscribe(lambda event: self._on_event(table, event))
        self.dice.follow(table)
        self.lights.show()
        self._tell()

    def _kept_here(self, table: Table) -> None:
        """Where the record is on a server, its pictures and a comparison under way stay on this machine."""
        if table.pictures is None:
            table.pictures = Pictures(self.config.data_folder / "pictures")
        table.pictures.limit_bytes = self.config.record.picture_megabytes * 1_000_000
        if table.walk_path is None:
            table.walk_path = self.config.data_folder / f"{table.id}.walk"
        if table.throw_path is None:
            table.throw_path = self.config.data_folder / f"{table.id}.throw"
            table.recall_throw()
        table.camera_reads = self.camera_reads
        table.hands_path = self.config.data_folder / "hands"
        if self.config.table.hands != "off":
            table.follow_hands(self._way_of_hands(table.hands_path))

    def _way_of_hands(self, path: Path) -> str:
        """How what hands have to do is told: as the table last wished, at first as the configuration says."""
        try:
            kept = path.read_text(encoding="utf-8").strip()
        except (OSError, ValueError):
            kept = ""
        return kept if kept in WAYS else self.config.table.hands

    def _on_event(self, table: Table, event: Event) -> None:
        if table is not self.table:
            return
        self._draft = (None, None)
        request = event.request
        if event.kind == "answer" and request is not None and request["kind"] == "roll_dice":
            self.dice.accepted(event.evidence)
            self._camera.accepted(event.evidence)
        if is_about_the_box(event):
            keep_answers(self.workbench.book(table.game), table.id, answers_of(table.events()))
        self.dice.follow(table)
        self.lights.show()
        self.backups.changed()

    def camera_reads(self) -> bool:
        """Whether the camera is there and well: a roll need not be typed in."""
        return self._camera.reads

    # -- for the workbench ---------------------------------------------------------------------------------

    def picture(self) -> Any:
        """The camera's newest picture (BGR); None where none comes."""
        return self._camera.picture()

    def lay_die(self, die_type: str, face: str) -> None:
        """Lay a die on the virtual tray."""
        self._camera.lay_die(die_type, face)

    def taught_path(self) -> Path:
        """Where the faces taught at this table are kept."""
        return self._camera.taught_path()

    def reload_reader(self) -> None:
        """Read dice by the newly taught faces from now on."""
        self._camera.reload()
        self.dice.follow(self.table)

    def led_map_path(self, layout: str = "") -> Path:
        """The map of a board's LEDs that was made here, see :meth:`TableLights.map_path`."""
        return self.lights.map_path(layout)

    def lend_lights(self, led_map: Any) -> Callable[[Any], object]:
        """The lights, LED by LED, until they are returned; gives what shows a picture."""
        return self.lights.lend(led_map)

    def return_lights(self) -> None:
        """The lights show the game again, by the newest map."""
        self.lights.give_back()

    # -- lights ------------------------------------------------------------------------------------------

    def show_draft(self, selection: Selection | None, preview: Preview | None) -> None:
        """What a seat has under its finger; None for both: no draft."""
        self._draft = (selection, preview)
        self.lights.show()

    def shown_lights(self) -> Lights:
        """What the lights under the board show now."""
        table = self.table
        if table is None:
            return {}
        return table.lights(*self._draft)

    # -- devices -----------------------------------------------------------------------------------------

    def devices(self) -> Sequence[Device]:
        """Camera, lights and record, as they are now."""
        seen, text = self._camera.state()
        health: Health = "away" if not seen else "warn" if self._camera.recovered else "ok"
        found = [Device("camera", health, text), *self._tray_device()]
        lights = self.lights.device()
        return [*found, *([] if lights is None else [lights]), *self._record_devices()]

    def examine(self) -> Sequence[Device]:
        """What ``referee doctor`` says besides, looked at anew when that was some seconds ago.

        Of the tray only between rolls: the reader must not wait for it.
        """
        now = time.monotonic()
        if not self._examined or now - self._examined_at > EXAMINE_AGAIN_S:
            self._examined = [_as_device(one) for one in machine(self.config)]
            self._examined_at = now
        rolling = self.table is not None and isinstance(self.table.request, RollDice)
        seen = None if rolling or self.config.camera.reader != "tray" else self.workbench.look()
        tray = [
            Device(f"tray.{one.code}", "ok" if one.good else "warn", one.text)
            for one in (() if seen is None else seen.findings)
        ]
        return [*self._simulated(), *tray, *self._examined]

    def _simulated(self) -> list[Device]:
        """What is no hardware here."""
        if self.virtual_table is None:
            return []
        lights = self.virtual_table.strip() is not None
        said = Text("serving.virtual_table") if lights else Text("serving.virtual_camera")
        return [Device("virtual", "ok", said)]

    def _tray_device(self) -> list[Device]:
        """What the camera check says of tray and light, by the last look of the set-up pages' own check."""
        trouble = self._moved or self._tray_trouble
        return [] if trouble is None else [Device("tray", "warn", trouble)]

    def _look_soon(self) -> None:
        self._curious_until = time.monotonic() + CURIOUS_S

    def _look_at_tray(self) -> None:
        """Now and then, between rolls: an empty tray tells most, and the reader must not wait for it.

        Whether camera and tray were moved since the calibration each reading tells.
        """
        if (view := self._camera.view) is not None:
            moved = self.workbench.moved(*view)
            self._moved = None if moved is None else moved.text
        now = time.monotonic()
        due = now < self._curious_until or now - self._looked_at >= LOOK_AT_TRAY_S
        if not due or self.config.camera.reader != "tray":
            return
        self._looked_at = now
        rolling = self.table is not None and isinstance(self.table.request, RollDice)
        seen = None if rolling else self.workbench.look()
        if seen is not None:
            self._tray_trouble = None if seen.good else summary(seen)

    def _record_devices(self) -> list[Device]:
        remarks = self.table.recovery if self.table is not None else self.store.remarks
        found = [Device("record", "warn", remark) for remark in remarks]
        mirror = self.store.mirror
        if mirror is not None and mirror.behind:
            found.append(
                Device(
                    "record",
                    "warn",
                    Text("serving.mirror_unwritable"),
                )
            )
        if self.backups.trouble is not None:
            found.append(Device("backup", "warn", self.backups.trouble))
        return found

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call ``listener`` whenever :attr:`table` is another one, or a device changed its health."""
        return self._listeners.add(listener)

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()

    def _watch_devices(self) -> None:
        while not self._closing.wait(WATCH_EVERY_S):
            try:
                self._look_at_tray()
                now = list(self.devices())
                told = self._saved.look("" if self.table is None else self.table.id)
                if now != self._devices or told:
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
        self.workbench.close()
        with self._lock:
            self._leave()
            self._camera.close()
            self.lights.close()
            self.backups.last()
            self.store.close()


def _as_device(check: HealthCheck) -> Device:
    """A line of ``referee doctor``, with its way out where something is wrong."""
    said = [check.text] if check.do is None or check.verdict == "ok" else [check.text, check.do]
    return Device(check.id, check.verdict, joined(said))


def _private(folder: Path) -> Path:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _house_rules(options: Mapping[str, Any]) -> dict[str, str]:
    """The house rules of a game's options that differ from the rulings that stand."""
    return {**options.get("house", {}), **({ODDS: options[ODDS]} if ODDS in options else {})}
