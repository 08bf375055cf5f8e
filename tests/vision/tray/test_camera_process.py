"""A camera in a process of its own: killed, stopped, or at its end, the table goes on and says so."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.config.settings import CameraSection
from referee.kernel.dice import PIP_FACES, DieType
from referee.kernel.messages import Text
from referee.serving.cameradice import CameraDice
from vision.sources import CameraLost, CameraOwner, process
from vision.sources.process import ISOLATED, ProcessCamera, open_apart

HEALED_WITHIN_S = 5.0
PATIENCE_S = 40.0  # for a machine that is busy with other things


class Stream(BaseHTTPRequestHandler):
    """Pictures without end, each a little brighter than the one before."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        try:
            for number in count():
                picture = np.full((48, 64, 3), 40 + number % 100, np.uint8)
                data = cv2.imencode(".jpg", picture)[1].tobytes()
                self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n\r\n" + data + b"\r\n")
                self.wfile.flush()
                time.sleep(0.04)
        except OSError:
            pass

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Stream)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"mjpeg:http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


def wait_for(condition: Callable[[], bool], seconds: float = PATIENCE_S) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.01)
    return False


def children() -> set[int]:
    """Camera processes that this process started."""
    found = set()
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # one that just ended
            for pid in (task / "children").read_text().split():
                if b"vision.sources.process" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    found.add(int(pid))
    return found


def test_pictures_come_whole_and_in_order(address: str) -> None:
    began = time.monotonic()
    camera = ProcessCamera(address)
    frames = [camera.frame(PATIENCE_S) for _ in range(5)]
    assert all(f is not None and f.image.shape == (48, 64, 3) and np.ptp(f.image) <= 2 for f in frames)
    numbers = [f.sequence for f in frames if f is not None]
    assert numbers == sorted(set(numbers))
    times = [f.monotonic_s for f in frames if f is not None]
    assert times == sorted(times) and began <= times[0] and times[-1] <= time.monotonic(), "by our own clock"
    camera.close()
    camera.close()
    assert not Path(f"/proc/{camera.pid}").exists()
    assert camera.frame(0.01) is None


def test_what_the_camera_says_at_its_end_comes_through(tmp_path: Path) -> None:
    camera = ProcessCamera(f"video:{tmp_path / 'none.avi'}")
    with pytest.raises(CameraLost, match="cannot be opened as a video") as lost:
        while True:
            camera.frame(PATIENCE_S)
    assert lost.value.code == "no_video" and "lässt sich nicht" in lost.value.sentence_de
    assert lost.value.text == Text("vision.no_video", path=str(tmp_path / "none.avi")), "in any language"
    camera.close()


def test_only_what_has_a_driver_or_a_network_behind_it_gets_a_process(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((48, 64, 3), np.uint8))
    assert not isinstance(open_apart(f"files:{tmp_path}"), ProcessCamera)
    assert {"v4l2", "picamera2"} <= set(ISOLATED)


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGSTOP])
def test_a_process_that_dies_or_hangs_is_replaced_and_said(address: str, blow: signal.Signals) -> None:
    owner = CameraOwner(lambda: ProcessCamera(address))
    try:
        assert wait_for(lambda: owner.state.ok)
        (before,) = children()
        os.kill(before, blow)
        assert wait_for(lambda: not owner.state.ok)
        # how many seconds it takes is measured in `make bench`, not on a busy machine
        state, down = owner.state, time.monotonic()
        assert state.ok or (state.sentence_en.endswith(".") and state.sentence_de.endswith("."))
        assert wait_for(lambda: owner.state.ok and children() not in (set(), {before}))
        after = owner.frame(PATIENCE_S)
        assert after is not None and after.monotonic_s > down
    finally:
        owner.close()
    assert wait_for(lambda: children() == set())


def test_a_killed_process_that_takes_its_time_is_not_left_behind(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever closes it does not wait for it, and it is no zombie afterwards."""
    camera = ProcessCamera(address)
    os.kill(camera.pid, signal.SIGSTOP)
    monkeypatch.setattr(process, "PATIENCE_S", 0.0)
    camera.close()
    del camera
    gc.collect()  # a process that nobody waits for is complained of here
    assert wait_for(lambda: children() == set())


def test_the_table_shows_that_its_camera_is_gone(address: str) -> None:
    dice = CameraDice(CameraSection(source=address), lambda heard: None)
    dice.prepare([DieType("d6", "pip", PIP_FACES, "white")])
    try:
        assert wait_for(lambda: dice.picture() is not None)
        (before,) = children()
        os.kill(before, signal.SIGKILL)
        assert wait_for(lambda: not dice.state()[0])
        assert "started again" in dice.state()[1].in_words("en") or dice.state()[0]
        assert wait_for(lambda: dice.state()[0] and dice.picture() is not None)
        said = dice.state()[1].in_words("en")
        assert dice.recovered and "again" in said, "screens that ask only now are told too"
        assert children() - {before}
    finally:
        dice.close()
    assert wait_for(lambda: children() == set())
