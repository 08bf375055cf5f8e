"""How long a tap takes to reach the other screens, measured over the real server with a real game.

web.tap_to_screen_ms_p50, _p99   a tap of one seat (POST of an answer) to the arrival of the new
                                 snapshot on the other seat's stream, over 500 answers of
                                 The Battle of Five Armies at random, each on disk before it is told
web.tap_to_all_ms_p50, _p99      the same to the last of 64 streams (4 devices at seats, 60 spectators),
                                 over 100 answers
web.snapshot_kb                  a snapshot of a seat, median, in kilobytes
web.memory_mb                    resident memory that the web room adds with those 64 streams (their other
                                 ends, which live in the same process here, included)
lights.tap_to_ack_ms_p50, _p99   an answer's POST to the acknowledgement of the LED frame that shows it,
                                 by the emulated controller (firmware in simavr where that is installed),
                                 over those of the 500 answers that changed the lights
"""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.config.settings import CameraSection, Config
from referee.kernel.requests import ChooseSecretly, RollDice
from referee.kernel.together import ChooseInSteps
from referee.serving.hosting import NewGame
from referee.serving.memory import keep_for_good
from referee.serving.runtime import TableRuntime
from referee.store.store import Store
from web.app import create_app
from web.security import csrf_of
from web.server import ScreenServer

GAME = "five_armies"
ANSWERS = 500
LOAD_ANSWERS = 100
SPECTATORS = 60
REVISION = re.compile(rb'"revision":(\d+)')
PATIENCE_S = 10.0
LIGHTS_PATIENCE_S = 60.0


class BrowserClient:
    """One browser as far as the network sees it: a cookie, a connection for taps."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self.connection.request("GET", "/", headers={"Host": f"localhost:{port}"})
        answer = self.connection.getresponse()
        answer.read()
        self.cookie = str(answer.getheader("Set-Cookie")).split(";")[0]
        self.csrf = csrf_of(self.cookie.partition("=")[2])

    def post(self, path: str, data: Any) -> int:
        """POST as our pages do; the status."""
        headers = {
            "Host": f"localhost:{self.port}",
            "Cookie": self.cookie,
            "X-CSRF-Token": self.csrf,
            "Content-Type": "application/json",
        }
        self.connection.request("POST", path, json.dumps(data), headers)
        answer = self.connection.getresponse()
        answer.read()
        return answer.status


class TimedStream(threading.Thread):
    """One open event stream; notes when each revision arrived."""

    def __init__(self, device: BrowserClient, who: str) -> None:
        super().__init__(daemon=True)
        self.arrived: dict[int, float] = {}
        self.sizes: list[int] = []
        self.news = threading.Condition()
        self._connection = http.client.HTTPConnection("127.0.0.1", device.port, timeout=PATIENCE_S)
        headers = {"Host": f"localhost:{device.port}", "Cookie": device.cookie}
        self._connection.request("GET", f"/events/{who}", headers=headers)
        self._answer = self._connection.getresponse()

    def run(self) -> None:
        try:
            for line in self._answer:
                if line.startswith(b"data: {"):
                    self._take(line[6:])
        except (OSError, ValueError, http.client.HTTPException, AttributeError):
            return  # the bench is over and the server gone

    def _take(self, data: bytes) -> None:
        now = time.perf_counter()
        found = REVISION.search(data)
        with self.news:
            self.sizes.append(len(data))
            if found is not None:
                self.arrived.setdefault(int(found[1]), now)
            self.news.notify_all()

    def when(self, revision: int) -> float:
        """When a revision (or a later one) arrived, in ``time.perf_counter``."""
        with self.news:
            if not self.news.wait_for(lambda: max(self.arrived, default=-1) >= revision, PATIENCE_S):
                raise TimeoutError(f"revision {revision} never came")
            return min(at for number, at in self.arrived.items() if number >= revision)


class Bench:
    """A served house whose seats, two unless the game has more, play at random."""

    def __init__(
        self,
        folder: Path,
        seed: int = 1,
        camera: str = "none",
        lights: str = "emulator",
        game: str = GAME,
    ) -> None:
        self.game = game
        config = Config(camera=replace(CameraSection(), source=camera), lights={"driver": lights})
        record, table = replace(config.record, folder=str(folder)), replace(config.table, hands="line")
        config = replace(config, record=record, table=table)  # nobody is there to say that all is done
        self.house = TableRuntime(config, Store.open(folder / "games.sqlite"))
        self.house.start(NewGame(game, {}))
        self.memory_before = _memory_mb()
        app = create_app(self.house)
        self.web = app.extensions["table"]
        for limit in (self.web.posts, self.web.pages):
            limit.per_second = limit.burst = 1e9
        self.server = ScreenServer(app).start()
        self.port = self.server.port
        self.random = random.Random(seed)
        self.seats = tuple(next(g for g in self.house.games() if g.id == game).seats)
        self.devices: dict[str, BrowserClient] = {}
        self.streams: dict[str, TimedStream] = {}
        self.lit = _Lit() if lights != "none" else None
        self.new_game()

    def new_game(self) -> None:
        """A fresh game; the seats stay."""
        self.house.start(NewGame(self.game, {}))
        self.web.follow()
        if self.lit is not None:
            self.lit.watch(self.house)
        for seat in self.seats:
            if seat not in self.devices:
                self.devices[seat] = BrowserClient(self.port)
                self.devices[seat].post("/api/sit", {"seat": seat})
            self.streams[seat] = TimedStream(self.devices[seat], f"seat:{seat}")
            self.streams[seat].start()
            self.streams[seat].when(0)
        keep_for_good()  # as `referee serve` does

    def taps(self) -> list[tuple[str, str, Any]]:
        """The next taps: seat, address, body (several where all choose in secret)."""
        table = self.house.table
        assert table is not None
        request = table.request
        if request is None:
            self.new_game()
            return self.taps()
        value = request.sample(self.random)
        if isinstance(request, ChooseSecretly):
            parts = {seat: isinstance(part, ChooseInSteps) for seat, part in request.of.items()}
            return [
                (seat, f"/api/seat/{seat}/answer", {"values": value[seat] if parts[seat] else [value[seat]]})
                for seat in value
            ]
        if isinstance(request, RollDice):
            return [(request.seat, f"/api/seat/{request.seat}/dice/accept", {"faces": value})]
        return [(request.seat, f"/api/seat/{request.seat}/answer", {"values": [value]})]

    def tap(self, seat: str, path: str, body: Any) -> tuple[float, int]:
        """Send one tap: when it was sent, and the revision it makes."""
        table = self.house.table
        assert table is not None
        before = table.revision
        began = time.perf_counter()
        status = self.devices[seat].post(path, {**body, "revision": before})
        if status != 200:
            raise RuntimeError(f"{path} was answered with {status}")
        return began, before + 1

    def close(self) -> None:
        """End server, streams and house."""
        self.web.hub.close()
        self.server.close()
        self.house.close()


class _Lit:
    """Watches the pictures that go to the lights and their acknowledgement."""

    def __init__(self) -> None:
        self.number = 0
        self.last: Any = None
        self.changed = False
        self.sink: Any = None

    def watch(self, house: TableRuntime) -> None:
        """Look over the shoulder of the house's lights, which are opened in the background."""
        end = time.perf_counter() + LIGHTS_PATIENCE_S
        while house.lights.sink is None or house.lights.sink.status().acknowledged < 1:
            if time.perf_counter() > end:
                raise TimeoutError("the lights do not come on")
            time.sleep(0.05)
        sink = house.lights.sink
        if sink is self.sink:
            return
        self.sink, show = sink, sink.show

        def noted(lights: Any) -> Any:
            if lights != self.last:
                self.last, self.changed = dict(lights), True
            self.number = show(lights)
            return self.number

        sink.show = noted

    def acknowledged(self) -> float | None:
        """When the newest picture was acknowledged; None where the answer changed nothing."""
        if not self.changed:
            return None
        self.changed = False
        end = time.perf_counter() + PATIENCE_S
        while self.sink.status().acknowledged < self.number:
            if time.perf_counter() > end:
                raise TimeoutError("the lights do not acknowledge")
            time.sleep(0.0003)
        return time.perf_counter()


def _memory_mb() -> float:
    """Resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def share(values: list[float], part: float) -> float:
    """The value that this part (0 to 1) of all lie under."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def _two_seats(bench: Bench, count: int) -> dict[str, float]:
    screen: list[float] = []
    lights: list[float] = []
    assert bench.lit is not None
    while len(screen) < count:
        for seat, path, body in bench.taps():
            other = next(one for one in bench.seats if one != seat)
            stream = bench.streams[other]
            bench.lit.changed = False
            began, revision = bench.tap(seat, path, body)
            acknowledged = bench.lit.acknowledged()
            screen.append((stream.when(revision) - began) * 1000)
            if acknowledged is not None:
                lights.append((acknowledged - began) * 1000)
    sizes = [size / 1000 for stream in bench.streams.values() for size in stream.sizes]
    return {
        "web.tap_to_screen_ms_p50": share(screen, 0.5),
        "web.tap_to_screen_ms_p99": share(screen, 0.99),
        "web.snapshot_kb": share(sizes, 0.5),
        "lights.tap_to_ack_ms_p50": share(lights, 0.5),
        "lights.tap_to_ack_ms_p99": share(lights, 0.99),
    }


def _many_screens(bench: Bench, count: int) -> dict[str, float]:
    watching = [TimedStream(BrowserClient(bench.port), "watch") for _ in range(SPECTATORS)]
    watching += [TimedStream(bench.devices[seat], f"seat:{seat}") for seat in bench.seats]
    for stream in watching:
        stream.start()
    found: list[float] = []
    while len(found) < count:
        for seat, path, body in bench.taps():
            began, revision = bench.tap(seat, path, body)
            everybody = [*watching, *bench.streams.values()]
            found.append((max(stream.when(revision) for stream in everybody) - began) * 1000)
    return {
        "web.tap_to_all_ms_p50": share(found, 0.5),
        "web.tap_to_all_ms_p99": share(found, 0.99),
        "web.memory_mb": _memory_mb() - bench.memory_before,
    }


def figures(answers: int = ANSWERS, load_answers: int = LOAD_ANSWERS) -> dict[str, float]:
    """All figures of this module; about a minute."""
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        try:
            return _two_seats(bench, answers) | _many_screens(bench, load_answers)
        finally:
            bench.close()


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name:32} {value:10.3f}")
