"""Load: one table with 4 devices at seats and 60 or 200 spectators, the server in a process of its own.

web.load_tap_ms_p50, _p99   a tap (POST of an answer of The Battle of Five Armies, on disk before it is
                            told) to the arrival of the new snapshot on the last of the 64 open screens
web.load_cpu_ms             what the server reckons for one tap in all its threads, whatever else runs here
web.load_memory_mb          what the 64 screens add to the server's resident memory: after the taps, less
                            before the first screen opened
web.load200_...             the same with 200 spectators
web.load_server_mb          the server's whole resident memory then, rules, record, lights and OpenCV included

Targets: p99 at most 100 ms, memory of the web part at most 150 MB.  The last run is in :data:`LAST`.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from web.bench import PATIENCE_S, REVISION, BrowserClient, share

GAME = "five_armies"
TAPS = 200
MARK = b'"revision":'
SPECTATORS = 60
CROWD = 200
LAST = """2 cores with a load average of 5 to 8 by other work, November 2026, 200 spectators: p50 41 to 64 ms,
p99 87 to 101 ms (seconds, with a load average over 20).  The server reckons 17 ms a tap: 7 for the snapshots
of three audiences, 6 to write 12 kB to 204 screens, 3 for the answer."""

_SERVER = r"""
import json, random, sys
from dataclasses import replace
from pathlib import Path
from referee.config.settings import CameraSection, Config
from referee.kernel.requests import ChooseSecretly, RollDice
from referee.store.store import Store
from referee.serving.runtime import TableRuntime
from web.app import create_app
from referee.serving.memory import keep_for_good
from referee.serving.hosting import NewGame
from web.server import ScreenServer

folder = Path(sys.argv[1])
config = Config(camera=replace(CameraSection(), source="none"), lights={"driver": "none"})
# nobody is there to say that all is done on the table
table = replace(config.table, hands="line")
config = replace(config, record=replace(config.record, folder=str(folder)), table=table)
house = TableRuntime(config, Store.open(folder / "games.sqlite"))
house.start(NewGame("five_armies", {}))
app = create_app(house)
web = app.extensions["table"]
for limit in (web.posts, web.pages):
    limit.per_second = limit.burst = 1e9
server = ScreenServer(app).start()
keep_for_good()  # as `referee serve` does
chance = random.Random(1)
print(json.dumps({"port": server.port}), flush=True)
for line in sys.stdin:  # each line asks for the next taps
    table = house.table
    if table.request is None:
        house.start(NewGame("five_armies", {}))
        web.follow()
        table = house.table
    request = table.request
    value = request.sample(chance)
    if isinstance(request, ChooseSecretly):
        taps = [(seat, "answer", {"values": [value[seat]]}) for seat in value]
    elif isinstance(request, RollDice):
        taps = [(request.seat, "dice/accept", {"faces": value})]
    else:
        taps = [(request.seat, "answer", {"values": [value]})]
    print(json.dumps({"revision": table.revision, "taps": taps}), flush=True)
"""


class _Server:
    """The server's process, and a line to it that says what to tap next."""

    def __init__(self, folder: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", _SERVER, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.port = int(self._line()["port"])

    def _line(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def next_taps(self) -> dict[str, Any]:
        """Revision and the next taps: seat, what, body."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self._line()

    def memory_mb(self) -> float:
        """Resident memory of the server."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def cpu_s(self) -> float:
        """Seconds that the server has reckoned."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.communicate()


class Screens:
    """All open screens, read by one thread: a thread a screen would measure itself, not the server."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._selector = selectors.DefaultSelector()
        self._known: dict[socket.socket, int] = {}
        self._rest: dict[socket.socket, bytes] = {}

    def open(self, device: BrowserClient, who: str) -> None:
        """One more screen."""
        sock = socket.create_connection(("127.0.0.1", self._port))
        head = f"Host: localhost:{self._port}\r\nCookie: {device.cookie}\r\n"
        sock.sendall(f"GET /events/{who} HTTP/1.1\r\n{head}\r\n".encode())
        sock.setblocking(False)
        self._known[sock], self._rest[sock] = -1, b""
        self._selector.register(sock, selectors.EVENT_READ)

    def wait(self, revision: int) -> float:
        """When the last screen had this revision or a later one, in ``time.perf_counter``."""
        missing = sum(1 for known in self._known.values() if known < revision)
        until = time.perf_counter() + PATIENCE_S
        while missing:
            if time.perf_counter() > until:
                raise TimeoutError(f"{missing} screens never had revision {revision}")
            for key, _ in self._selector.select(PATIENCE_S):
                missing -= self._read(key.fileobj, revision)  # type: ignore[arg-type]
        return time.perf_counter()

    def _read(self, sock: socket.socket, revision: int) -> bool:
        """Whether this screen has the revision now and had not before."""
        data = sock.recv(1 << 20)
        if not data:
            raise ConnectionError("a screen was closed")
        text = self._rest[sock] + data
        # the last one: reading all of it would measure this process, not the server
        found = REVISION.match(text, max(0, text.rfind(MARK)))
        self._rest[sock] = text[-30:]
        before = self._known[sock]
        self._known[sock] = before if found is None else max(before, int(found[1]))
        return before < revision <= self._known[sock]

    def close(self) -> None:
        """All go."""
        for sock in self._known:
            sock.close()
        self._selector.close()


def _open_screens(port: int, seats: dict[str, BrowserClient], spectators: int) -> Screens:
    """Two screens at each seat, and the spectators."""
    screens = Screens(port)
    for seat, device in seats.items():
        for _ in range(2):
            screens.open(device, f"seat:{seat}")
    for _ in range(spectators):
        screens.open(BrowserClient(port), "watch")
    screens.wait(0)
    return screens


def _tap(server: _Server, devices: dict[str, BrowserClient], screens: Screens | None) -> list[float]:
    """One decision: for each tap of it, milliseconds to the last screen."""
    asked = server.next_taps()
    revision, found = int(asked["revision"]), []
    for seat, what, body in asked["taps"]:
        began = time.perf_counter()
        status = devices[seat].post(f"/api/seat/{seat}/{what}", {**body, "revision": revision})
        if status != 200:
            raise RuntimeError(f"{what} was answered with {status}")
        revision += 1
        if screens is not None:
            found.append((screens.wait(revision) - began) * 1000)
    return found


def measured(spectators: int, taps: int) -> dict[str, float]:
    """Taps before so many spectators: the figures of this module without their beginning."""
    with tempfile.TemporaryDirectory() as folder:
        server = _Server(folder)
        try:
            devices = {seat: BrowserClient(server.port) for seat in ("free", "shadow")}
            for seat, device in devices.items():
                device.post("/api/sit", {"seat": seat})
            for _ in range(5):  # what is loaded at the first question is not the screens' memory
                _tap(server, devices, None)
            before = server.memory_mb()
            screens = _open_screens(server.port, devices, spectators)
            found: list[float] = []
            reckoned = server.cpu_s()
            while len(found) < taps:
                found += _tap(server, devices, screens)
            reckoned = server.cpu_s() - reckoned
            after = server.memory_mb()
            screens.close()
        finally:
            server.close()
    return {
        "tap_ms_p50": share(found, 0.5),
        "tap_ms_p99": share(found, 0.99),
        "cpu_ms": reckoned * 1000 / len(found),
        "memory_mb": after - before,
        "server_mb": after,
        "taps": float(len(found)),
    }


def figures(taps: int = TAPS) -> dict[str, float]:
    """All figures of this module; about a minute."""
    few, many = (measured(spectators, taps) for spectators in (SPECTATORS, CROWD))
    return {f"web.load_{name}": value for name, value in few.items()} | {
        f"web.load200_{name}": value for name, value in many.items()
    }


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name:32} {value:10.3f}")
