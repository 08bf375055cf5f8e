"""The table of the evening: the whole house behind a port, whose camera and lights can be broken by a word.

    python evening_table.py FOLDER

Prints ``{"port": ...}``, then answers each line of standard input by a line:
``camera ok|gone|dark|stall``, ``lights kill|restart|hold|free|reset|noise|clean``,
``memory`` (resident bytes and open files), ``end``.
"""

# the rooms and the tests' own helpers are found by path: this file runs as a process of its own
# ruff: noqa: E402

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import threading
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[up]) for up in (2, 1)]  # the rooms before tests/vision

from given_text import given

import firmware_bridge.drivers.config as drivers
from firmware_bridge.emulator import start_emulator
from referee.config.settings import CameraSection, Config, LogSection, RecordSection, TableSection
from referee.serving.hosting import NewGame
from referee.serving.logs import set_up_logs
from referee.serving.memory import few_pools, keep_for_good
from referee.serving.runtime import TableRuntime
from referee.store.store import Store
from vision.sources.base import CameraLost
from web.app import create_app
from web.server import ScreenServer

GAME = "five_armies"
NOISE = ("lose_in", "garble_in", "noise_in", "lose_out", "garble_out")


class ShakyCamera:
    """A camera with a loose plug, a lamp that goes out and a bus that hangs."""

    fault = "ok"

    def __init__(self, camera: Any) -> None:
        self._camera = camera

    def frame(self, deadline_s: float) -> Any:
        """The next frame, spoilt as the fault of the moment has it."""
        if ShakyCamera.fault == "gone":
            raise CameraLost("unplugged", given("The camera is unplugged.", "Die Kamera ist abgezogen."))
        if ShakyCamera.fault == "stall":
            time.sleep(deadline_s)
            return None
        frame = self._camera.frame(deadline_s)
        if ShakyCamera.fault == "dark" and frame is not None:
            return replace(frame, image=(frame.image * 0.04).astype(frame.image.dtype))
        return frame

    def close(self) -> None:
        """Close it."""
        self._camera.close()


class EveningTable:
    """Store, house, web server."""

    def __init__(self, folder: Path) -> None:
        set_up_logs(LogSection(level="info", megabytes=50), folder / "logs", terminal=False)
        # the firmware has tests of its own; here its wire is broken, and a core is needed for the game
        drivers.start_emulator = partial(start_emulator, kind="python")  # type: ignore[assignment]
        config = Config(
            camera=CameraSection(source="virtual:5"),
            table=TableSection(hands="line"),
            lights={"driver": "emulator"},
            record=RecordSection(folder=str(folder), backup_folder=str(folder / "stick"), backup_minutes=1),
        )
        self.house = TableRuntime(config, Store.open(folder / "games.sqlite"))
        camera: Any = self.house._camera
        opened = camera._open
        camera._open = lambda generation: ShakyCamera(opened(generation))
        if not self.house.resume_latest():
            self.house.start(NewGame(GAME, {"free": "Änne", "shadow": "José"}))
        app = create_app(self.house)  # type: ignore[arg-type]
        self.web = app.extensions["table"]
        # fast motion: what people do in eight hours comes in minutes
        for limit in (self.web.posts, self.web.pages, self.web.doors):
            limit.per_second = limit.burst = 1e9
        self.server = ScreenServer(app).start()

    def told(self, what: str, how: str) -> dict[str, Any]:
        """Do what a line of standard input says."""
        if what == "camera":
            ShakyCamera.fault = how
        elif what == "lights":
            self._lights(how)
        elif what == "memory":
            gc.collect()
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            files, threads = len(os.listdir("/proc/self/fd")), threading.active_count()
            return {"bytes": pages * os.sysconf("SC_PAGE_SIZE"), "files": files, "threads": threads}
        return {"ok": True}

    def _lights(self, how: str) -> None:
        sink: Any = self.house.lights.sink
        if sink is None:  # still being opened
            return
        board = sink.controller
        if how in ("noise", "clean"):
            for fault in NOISE:
                board.set_fault(fault, 0.01 if how == "noise" else 0.0)
        elif how in ("hold", "free"):
            board.hold(how == "hold")
        else:
            {"kill": board.kill, "restart": board.restart, "reset": board.reset}[how]()

    def close(self) -> None:
        """The end of the evening."""
        self.web.hub.close()
        self.server.close()
        self.house.close()


def main(folder: str) -> None:
    """Serve until told to end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    few_pools()  # as `referee serve` does
    table = EveningTable(Path(folder))
    keep_for_good()  # likewise
    print(json.dumps({"port": table.server.port}), flush=True)
    for line in sys.stdin:
        what, _, how = line.strip().partition(" ")
        if what == "end":
            table.close()
            print(json.dumps({"ok": True}), flush=True)
            break
        print(json.dumps(table.told(what, how)), flush=True)
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
