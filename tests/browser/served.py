"""The real house in a process of its own, with the virtual tray: it can be killed and started again."""

from __future__ import annotations

import random
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from tables import free_port, play_nearly

from referee.hall.table import Table
from referee.kernel.registry import load_game
from referee.store.store import Store

STARTS_S = 60.0


class Served:
    """``referee serve --virtual`` on a free port, its data in ``folder``; it goes on with a game of which
    only so many answers are left (by one way of playing it; 0: a new game)."""

    def __init__(self, folder: Path, game_id: str, short_of_the_end: int = 0, https: bool = False) -> None:
        self.folder = folder
        self.https = https
        self.port = free_port()
        (folder / "data").mkdir()
        store = Store.open(folder / "data" / "games.sqlite")
        game = load_game(game_id)
        table = Table.create(store, game, players=dict.fromkeys(game.seats, "Ada"))
        if short_of_the_end:
            play_nearly(table, random.Random(3), short_of_the_end)
        table.close()
        store.close()
        self.start()

    @property
    def url(self) -> str:
        """Where it listens."""
        return self.url_at("localhost")

    def url_at(self, host: str) -> str:
        """Where it listens, by this name of the machine."""
        return f"http{'s' if self.https else ''}://{host}:{self.port}"

    def start(self) -> None:
        """Start it, or start it again, and wait until it answers."""
        command = [str(Path(sys.executable).with_name("referee")), "serve", "--virtual"]
        with (self.folder / "said.txt").open("ab") as said:
            self.process = subprocess.Popen(
                [
                    *command,
                    *("--port", str(self.port), "--data", str(self.folder / "data")),
                    *(["--https"] if self.https else []),
                ],
                stdout=said,
                stderr=subprocess.STDOUT,
            )
        end = time.monotonic() + STARTS_S
        while True:
            try:
                # whether its certificate is to be trusted is nothing that waiting for it decides
                trust = ssl._create_unverified_context() if self.https else None
                urllib.request.urlopen(f"{self.url}/health", timeout=5, context=trust).close()
                return
            except (urllib.error.URLError, OSError):
                assert time.monotonic() < end and self.process.poll() is None, self.said()
                time.sleep(0.1)

    def said(self) -> str:
        """The end of what it printed."""
        return (self.folder / "said.txt").read_text(encoding="utf-8", errors="replace")[-2000:]

    def kill(self) -> None:
        """As a power cut does."""
        self.process.kill()
        self.process.wait(20)

    def close(self) -> None:
        """The end, politely."""
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
