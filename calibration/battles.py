"""The battles of one table: those that were kept, one file each, and the one that is being made.

What is kept is a file of the game's own form, ``battles/<game>/<name>.yaml`` in the data folder; it is read
back from that file only.  The battle under way is on disk after each step, with none of its steps.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.playouts import PlayOuts
from referee.kernel.battles import WRONG, BattleMaking
from referee.kernel.capabilities import MakesBattles
from referee.kernel.errors import InvalidAnswer, RefereeError, StaleAnswer
from referee.kernel.files import write_whole
from referee.kernel.messages import Text
from referee.kernel.play import Game

UNDER_WAY = "under way"
"""The file of the battle that is being made; no kept battle is called so (:data:`KEPT`)."""
KEPT = re.compile(r"[a-z0-9_]{1,60}")
MOST_STEPS = 500
"""Steps that can be undone."""
MOST_KEPT = 200
LONGEST_FILE = 60_000
"""Characters of a battle's file; the largest that can be made has some 8,000."""


@dataclass(frozen=True, slots=True)
class KeptBattle:
    """A battle on disk."""

    id: str
    data: Mapping[str, Any]


class BattleShelf:
    """Kept battles of one game, and the one under way.  Thread-safe: two tablets may work at it."""

    def __init__(self, game: Game[Any], folder: Path) -> None:
        if not isinstance(game, MakesBattles):
            raise InvalidAnswer(Text("calibration.no_battles"))
        self.game: Game[Any] = game
        self.making: BattleMaking = game.battles
        self.folder = folder / "battles" / game.id
        self.playouts = PlayOuts()
        self.lock = threading.RLock()
        self._known: dict[Path, tuple[tuple[int, int], Mapping[str, Any]]] = {}
        self._undone: list[Mapping[str, Any]] = []
        self._before: list[Mapping[str, Any]] = []
        self.number = 0
        """Counts the changes, so that a step which was meant for an older picture is known."""
        self.data: Mapping[str, Any] = self._under_way()

    # what is being made

    def step(self, step: Mapping[str, Any], number: int) -> None:
        """One step of the editor.  Raises :class:`InvalidAnswer`, :class:`StaleAnswer`."""
        with self.lock:
            self._check(number)
            self._become(self.making.change(self.data, step))

    def undo(self, number: int) -> None:
        """Take the last step back; nothing happens where there is none."""
        self._walk(number, self._before, self._undone)

    def redo(self, number: int) -> None:
        """Do again what was taken back last."""
        self._walk(number, self._undone, self._before)

    def _walk(self, number: int, source: list[Mapping[str, Any]], target: list[Mapping[str, Any]]) -> None:
        """Show the last battle of one list, and put the one under way on the other."""
        with self.lock:
            self._check(number)
            if source:
                target.append(self.data)
                self._show(source.pop())

    @property
    def can_undo(self) -> bool:
        """Whether a step can be taken back."""
        return bool(self._before)

    @property
    def can_redo(self) -> bool:
        """Whether a step that was taken back can be done again."""
        return bool(self._undone)

    def begin(self, name: str) -> None:
        """An empty field; what was there can be had back by undoing."""
        with self.lock:
            self._become(self.making.blank(name))

    def by_chance(self, seed: int) -> None:
        """A battle by chance."""
        with self.lock:
            self._become(self.making.random(seed))

    def take_in(self, text: str) -> None:
        """A battle from a file.  Raises :class:`referee.kernel.located.FileProblems`."""
        if len(text) > LONGEST_FILE:
            raise InvalidAnswer(Text("calibration.battle_too_long", most=LONGEST_FILE))
        with self.lock:
            self._become(self.making.read(text))

    def text(self) -> str:
        """The file of the battle under way."""
        return self.making.write(self.data)

    # what is kept

    def kept(self) -> Sequence[KeptBattle]:
        """The battles on disk that can be read, by name of their files."""
        found = []
        for path in sorted(self.folder.glob("*.yaml"))[:MOST_KEPT]:
            if KEPT.fullmatch(path.stem):
                with suppress(OSError, UnicodeDecodeError, RefereeError):
                    found.append(KeptBattle(path.stem, self._read(path)))
        return found

    def _read(self, path: Path) -> Mapping[str, Any]:
        """A battle from its file, which is read again where it has changed: each tap asks for all of them."""
        stat = path.stat()
        now = stat.st_mtime_ns, stat.st_size
        known = self._known.get(path)
        if known is None or known[0] != now:
            known = self._known[path] = now, self.making.read(path.read_text("utf-8"))
        return known[1]

    def keep(self, box: Mapping[str, Any]) -> str:
        """Keep the battle under way in a file of its name; gives that name.

        Raises :class:`InvalidAnswer` where something is wrong with it.
        """
        with self.lock:
            wrong = [one.text for one in self.making.findings(self.data, box) if one.weight == WRONG]
            if wrong:
                raise InvalidAnswer(wrong[0])
            name = str(self.data["id"])[:60]
            if not KEPT.fullmatch(name):
                raise InvalidAnswer(Text("calibration.battle_name", name=name))
            if len(self.kept()) >= MOST_KEPT and not self._path(name).exists():
                raise InvalidAnswer(Text("calibration.battles_full", most=MOST_KEPT))
            write_whole(self._path(name), self.text())
            return name

    def open(self, name: str) -> None:
        """Go on with a kept battle."""
        with self.lock:
            self._become(self.making.read(self.kept_text(name)))

    def kept_text(self, name: str) -> str:
        """The file of a kept battle.  Raises :class:`InvalidAnswer` where there is none."""
        if not KEPT.fullmatch(name):
            raise InvalidAnswer(Text("calibration.no_such_battle", name=name))
        try:
            return self._path(name).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidAnswer(Text("calibration.no_such_battle", name=name)) from error

    def throw_away(self, name: str) -> None:
        """Remove a kept battle; it becomes the one under way, so that undoing loses nothing."""
        with self.lock:
            self.open(name)
            self._path(name).unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.yaml"

    def _check(self, number: int) -> None:
        if number != self.number:
            raise StaleAnswer(Text("calibration.battle_changed"))

    def _become(self, data: Mapping[str, Any]) -> None:
        self._before = [*self._before, self.data][-MOST_STEPS:]
        self._undone = []
        self._show(data)

    def _show(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.number += 1
        write_whole(self._path(UNDER_WAY), self.text())

    def _under_way(self) -> Mapping[str, Any]:
        """What was being made when the table was switched off; a field without units is none to be played,
        so what cannot be read begins anew."""
        with suppress(OSError, UnicodeDecodeError, RefereeError):
            return self.making.read(self._path(UNDER_WAY).read_text("utf-8"))
        return self.making.blank(Text("calibration.new_battle").in_words("en"))
