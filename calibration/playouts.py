"""A battle played out by computer players, many times over, in a process of its own.

The table's own work goes first: the process is a nice one, and its progress comes line by line
(``referee play-outs --json``).
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import Text

log = logging.getLogger(__name__)

MOST_GAMES = 5_000
COMMAND = (sys.executable, "-c", "from referee.cli import main; main()", "play-outs")
STOPS_WITHIN_S = 5.0
NICE = "10"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far play-outs are: games played and wanted, wins by seat, the mean number of turns.

    ``number`` is that of the battle (:attr:`calibration.battles.BattleShelf.number`) that is played out.
    """

    number: int
    wanted: int
    games: int = 0
    turns: float = 0.0
    wins: Mapping[str, int] = field(default_factory=dict)
    running: bool = True
    failed: str = ""


class PlayOuts:
    """The play-outs of one battle at a time.  Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._progress: Progress | None = None

    @property
    def progress(self) -> Progress | None:
        """How far they are; None where none were begun."""
        with self._lock:
            return self._progress

    def begin(self, game_id: str, options: Mapping[str, Any], games: int, number: int) -> None:
        """Play a battle out.  What was running is stopped.  Raises :class:`InvalidAnswer`."""
        if not 1 <= games <= MOST_GAMES:
            raise InvalidAnswer(Text("calibration.play_outs", most=MOST_GAMES))
        self.stop()
        process = subprocess.Popen(
            [*COMMAND, game_id, "-", "--games", str(games), "--nice", NICE, "--json"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        with self._lock:
            self._process, self._progress = process, Progress(number, games)
        reader = threading.Thread(
            target=self._read,
            args=(process, json.dumps(options), number, games),
            name="play-outs",
            daemon=True,
        )
        reader.start()

    def stop(self) -> None:
        """Stop what runs; what was played stays told."""
        with self._lock:
            process, self._process = self._process, None
            if self._progress is not None:
                self._progress = _ended(self._progress)
        if process is not None:
            process.terminate()
            try:
                process.wait(STOPS_WITHIN_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _read(self, process: subprocess.Popen[str], options: str, number: int, games: int) -> None:
        assert process.stdin is not None and process.stdout is not None
        with process.stdin, process.stdout:
            try:
                process.stdin.write(options)
                process.stdin.close()
            except OSError as error:
                log.info("the play-outs ended before they began: %s", error)
            for line in process.stdout:
                try:
                    told = json.loads(line)
                    now = Progress(
                        number,
                        games,
                        told["games"],
                        told["turns"],
                        told["wins"],
                        failed=told.get("failed", ""),
                    )
                except (ValueError, KeyError, TypeError):
                    log.warning("play-outs told what nobody understands: %r", line[:200])
                    continue
                self._tell(process, now)
        code = process.wait()
        with self._lock:
            if self._process is process and self._progress is not None:
                failed = self._progress.failed or ("" if code == 0 else f"exit {code}")
                self._progress, self._process = _ended(self._progress, failed), None

    def _tell(self, process: subprocess.Popen[str], now: Progress) -> None:
        with self._lock:
            if self._process is process:
                self._progress = now


def _ended(progress: Progress, failed: str = "") -> Progress:
    return Progress(
        progress.number, progress.wanted, progress.games, progress.turns, progress.wins, False,
        failed or progress.failed,
    )  # fmt: skip
