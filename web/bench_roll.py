"""How long the dice lie still before their reading is on a screen.

dice.rest_to_screen_ms_p50, _p98   from the first picture in which the dice lie still to the arrival of the
                                   snapshot with their reading on the seat's stream, over 24 rolls of
                                   The Battle of Five Armies
dice.rest_to_screen_dice           mean number of dice of these rolls

A served house looks through its own camera process at an MJPEG camera of 15 frames a second, 1280 x 960:
empty tray, three pictures of rolling dice, dice at rest with the sensor's noise.  Target: at most 500 ms.
"""

from __future__ import annotations

import re
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.kernel.registry import load_game
from referee.kernel.requests import RollDice
from vision.faces.builtin import builtin_faces
from vision.virtual.tray import VirtualTray
from web.bench import GAME, Bench, BrowserClient, TimedStream, share

ROLLS = 24
FRAME_S = 1 / 15
ROLLING = 3
NOISE = 1.2  # grey levels of the sensor's noise, as the standard deviation
LOAD_S = 60.0  # the reader is loaded in the background while the first frames are shown
OFFER = re.compile(rb'"roll":\{"number":(\d+)')


class Film:
    """What the camera sees now; notes when the dice came to rest."""

    def __init__(self, tray: VirtualTray) -> None:
        self._tray = tray
        self._rng = np.random.default_rng(5)
        self._lock = threading.Lock()
        self._rolling: list[bytes] = []
        tray.clear()
        frame = tray.frame(1.0)
        assert frame is not None
        self._lying = self._noisy(frame.image)
        self._count = 0
        self.rested_at: float | None = None

    def _noisy(self, image: np.ndarray) -> list[bytes]:
        """JPEGs of one scene, none like the other."""
        found = []
        for _ in range(3):
            noise = self._rng.normal(0, NOISE, image.shape)
            picture = np.clip(image + noise, 0, 255).astype(np.uint8)
            found.append(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes())
        return found

    def throw(self, dice: Mapping[str, int], seed: int) -> None:
        """From the next frame on these dice roll, and then lie still."""
        rolling = [self._noisy(self._tray.throw(dice, seed + k, "rolling"))[0] for k in range(ROLLING)]
        lying = self._noisy(self._tray.throw(dice, seed, "plain"))
        with self._lock:
            self._rolling, self._lying, self.rested_at = rolling, lying, None

    def next(self) -> bytes:
        """The frame that is due now."""
        with self._lock:
            if self._rolling:
                return self._rolling.pop()
            if self.rested_at is None:
                self.rested_at = time.perf_counter()
            self._count += 1
            return self._lying[self._count % len(self._lying)]

    def wait(self) -> float:
        """When the dice came to rest, in ``time.perf_counter``."""
        until = time.perf_counter() + LOAD_S
        while (rested := self.rested_at) is None:
            if time.perf_counter() > until:
                raise TimeoutError("nobody looks at the film")
            time.sleep(FRAME_S / 4)
        return rested

    def frames(self) -> Iterator[bytes]:
        """Frames at the camera's pace, without end."""
        due = time.perf_counter()
        while True:
            yield self.next()
            due = max(due + FRAME_S, time.perf_counter())
            time.sleep(max(0.0, due - time.perf_counter()))


def serve_film(film: Film) -> ThreadingHTTPServer:
    """The film as an MJPEG camera on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            try:
                for data in film.frames():
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                    self.wfile.write(head.encode() + data + b"\r\n")
            except OSError:
                return  # the camera's process hung up

        def log_message(self, format: str, *args: Any) -> None:
            """Requests are no news."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class RollStream(TimedStream):
    """A seat's stream that also notes when each look into the tray arrived."""

    def __init__(self, device: BrowserClient, who: str) -> None:
        self.offers: list[float] = []
        self._offer = b""
        super().__init__(device, who)

    def _take(self, data: bytes) -> None:
        now, found = time.perf_counter(), OFFER.search(data)
        offer = found[1] if found is not None else b""
        if offer and offer != self._offer:
            self.offers.append(now)
        self._offer = offer
        super()._take(data)

    def offered(self, after: float) -> float:
        """When the first look came that arrived later than ``after``."""
        with self.news:
            if not self.news.wait_for(lambda: max(self.offers, default=0) > after, LOAD_S):
                raise TimeoutError("no reading came")
            return min(at for at in self.offers if at > after)


def _roll(bench: Bench, film: Film, streams: Mapping[str, RollStream], seed: int) -> tuple[float, int]:
    """Play to the next roll and throw its dice: seconds from rest to screen, and how many dice."""
    table = bench.house.table
    assert table is not None
    while not isinstance(request := table.request, RollDice):
        for seat, path, body in bench.taps():
            bench.tap(seat, path, body)
        table = bench.house.table
        assert table is not None
    film.throw(request.dice, seed)
    rested = film.wait()  # looks at the dice of the roll before, which lay there until now, came earlier
    took = streams[request.seat].offered(rested) - rested
    for seat, path, body in bench.taps():
        bench.tap(seat, path, body)
    return took, sum(request.dice.values())


def figures(rolls: int = ROLLS) -> dict[str, float]:
    """All figures of this module; about a minute."""
    kinds = tuple(load_game(GAME).dice.values())
    film = Film(VirtualTray(kinds, seed=4))
    server = serve_film(film)
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder) / "boxes" / "default" / "taught_faces.npz"
        own.parent.mkdir(parents=True)
        builtin_faces(kinds).save(own)
        bench = Bench(Path(folder), camera=f"mjpeg:http://127.0.0.1:{server.server_port}/", lights="none")
        try:
            streams = {seat: RollStream(device, f"seat:{seat}") for seat, device in bench.devices.items()}
            for stream in streams.values():
                stream.start()
            _roll(bench, film, streams, 1)  # the reader is loaded during the first
            found = [_roll(bench, film, streams, 1000 * k) for k in range(2, rolls + 2)]
        finally:
            bench.close()
            server.shutdown()
            server.server_close()
    took = [1000 * seconds for seconds, _ in found]
    return {
        "dice.rest_to_screen_ms_p50": share(took, 0.5),
        "dice.rest_to_screen_ms_p98": share(took, 0.98),
        "dice.rest_to_screen_dice": sum(count for _, count in found) / len(found),
    }


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name:32} {value:10.3f}")
