"""A table that listens on a port, can be killed and started again, and can be played ahead."""

from __future__ import annotations

import random
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import five_game
import toy_game
import wide_game
from fake_hall import FakeHall, open_wide

from referee.kernel.registry import load_game
from referee.kernel.requests import ChooseSecretly
from referee.serving.hosting import NewGame
from web.app import create_app
from web.server import ScreenServer

BEFORE_CLOSING: list[Callable[[], None]] = []
"""What the browsers of the running test do before a table is closed."""
PLAYERS = ("Anna", "Bert", "Friederike Großmann", "Dmytro", "Eulalia")


KEPT: list[int] = []
"""The ports of this process's tables, see :func:`kept_port`."""


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def kept_port() -> int:
    """A port where an earlier table of this process listened, if none does now: a browser that was there has
    its scripts, fonts and styles already, as a tablet has from the second page on."""
    for port in KEPT:
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    KEPT.append(free_port())
    return KEPT[-1]


class RunningTable:
    """One table; ``stop`` and ``start`` are a restart with the same folder and port."""

    def __init__(
        self,
        folder: Path,
        game_id: str,
        until: str = "",
        seed: int = 0,
        skip: int = 0,
        short_of_the_end: int = 0,
        seats: Sequence[str] | None = None,
        options: Mapping[str, Any] | None = None,
        hands: str = "",
        port: int | None = None,
    ) -> None:
        self.folder = folder
        self.hands = hands
        self.seats = seats
        self.options = dict(options or {})
        own = {"toy": toy_game.register, "wide": wide_game.register, "five": five_game.register}
        self.game: Any = own[game_id]() if game_id in own else load_game(game_id)
        self.port = port or kept_port()
        self.game_key = ""
        self.start(until, seed, skip, short_of_the_end)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://localhost:{self.port}"

    def start(self, until: str = "", seed: int = 0, skip: int = 0, short_of_the_end: int = 0) -> None:
        """Open the hall and listen; the first time a new game, afterwards the same one."""
        self.hall = FakeHall(self.folder, [self.game])
        self.hall.addresses = [self.url]  # all browsers of the tests are on this machine
        if self.game_key:
            self.hall.resume(self.game_key)
        else:
            players = dict(zip(self.game.seats, PLAYERS, strict=False))
            self.hall.start(NewGame(self.game.id, players, options=self.options, seats=self.seats))
        assert self.hall.table is not None
        self.game_key = self.hall.table.id
        if until:
            play_until(self.hall, until, random.Random(seed), skip)
        if short_of_the_end:
            play_nearly(self.hall.table, random.Random(seed), short_of_the_end)
        if self.hands:
            self.hall.table.follow_hands(self.hands)
        self.app = open_wide(create_app(self.hall))
        self.web = self.app.extensions["table"]
        sock = socket.create_server(("127.0.0.1", self.port), backlog=256)
        self.server = ScreenServer(self.app, sock).start()

    def stop(self) -> None:
        """As a crash would: streams break off, the port is closed."""
        self.web.hub.close()
        self.server.close()
        self.hall.close()

    def kill(self) -> None:
        """See :meth:`stop`: what the real house calls so."""
        self.stop()

    def close(self) -> None:
        """The end, once nobody sits there any more: a page that is left open would complain of it.

        A browser that has died leaves nothing behind: the store is closed all the same.
        """
        try:
            for leave in BEFORE_CLOSING:
                leave()
        finally:
            self.stop()


def play_until(hall: FakeHall, prompt: str, rng: random.Random, skip: int) -> None:
    """Answer at random until a question with this prompt comes up (the ``skip``-th after the first)."""
    table = hall.table
    assert table is not None
    for _ in range(4000):
        request = table.request
        assert request is not None, "the game ended first"
        if prompt in request.prompt:
            if skip == 0:
                return
            skip -= 1
        answer(table, request.sample(rng))
    raise AssertionError(f"{prompt} did not come up")


def answer(table: Any, value: Any) -> None:
    """Answer the open question for whom it asks."""
    if isinstance(table.request, ChooseSecretly):
        for seat, part in value.items():
            table.answer(seat, part, revision=table.revision)
    else:
        table.answer(table.request.seat, value, revision=table.revision)


def play_nearly(table: Any, rng: random.Random, short: int) -> None:
    """Answer at random as far as ``short`` answers before that very game would end."""
    ahead = table.play.fork()
    values: list[Any] = []
    while ahead.request is not None:
        values.append(ahead.request.sample(rng))
        ahead.answer(values[-1])
    for value in values[:-short]:
        answer(table, value)
