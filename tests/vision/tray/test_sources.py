"""Tests of the cameras: files, video, MJPEG with faults, and their owner."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from given_text import given

from vision.sources import CameraLost, CameraOwner, Frame, open_camera
from vision.sources.capture import CaptureCamera
from vision.sources.files import FilesCamera
from vision.sources.mjpeg import MjpegCamera


def picture(value: int) -> np.ndarray:
    return np.full((48, 64, 3), value, np.uint8)


def wait_for(condition: Callable[[], bool], seconds: float = 120.0) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.01)
    return False


# --- files and video -------------------------------------------------------------------------


def test_files_are_shown_in_order_of_name(tmp_path: Path) -> None:
    for name, value in (("b.png", 20), ("a.png", 10)):
        cv2.imwrite(str(tmp_path / name), picture(value))
    camera = open_camera(f"files:{tmp_path}")
    assert isinstance(camera, FilesCamera)
    first = camera.frame(0)
    camera.advance()
    second = camera.frame(0)
    assert first is not None and second is not None
    assert (first.image[0, 0, 0], second.image[0, 0, 0]) == (10, 20)
    assert second.sequence > first.sequence


def test_an_empty_folder_or_a_broken_picture_says_so(tmp_path: Path) -> None:
    with pytest.raises(CameraLost, match="no pictures"):
        open_camera(f"files:{tmp_path}")
    (tmp_path / "x.jpg").write_bytes(b"no picture")
    with pytest.raises(CameraLost, match="cannot be opened as a picture"):
        open_camera(f"files:{tmp_path}").frame(0)


NO_TEXT = os.fsdecode(b"dice\xff")
"""A name that no encoding explains: OpenCV crashes where it is given such a path."""


def test_pictures_are_shown_from_a_folder_whose_name_is_no_text(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), picture(10))
    (tmp_path / NO_TEXT).mkdir()
    shutil.move(tmp_path / "a.png", tmp_path / NO_TEXT)
    frame = open_camera(f"files:{tmp_path / NO_TEXT}").frame(0)
    assert frame is not None and frame.image.shape == (48, 64, 3) and int(frame.image.max()) == 10


def test_a_video_whose_name_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / f"{NO_TEXT}.avi"
    path.write_bytes(b"RIFF")
    with pytest.raises(CameraLost, match="cannot be opened as a video") as lost:
        open_camera(f"video:{path}")
    assert lost.value.code == "no_video"


def test_a_picture_that_ends_early_is_not_shown_with_a_part_made_up(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.jpg"), np.random.default_rng(1).integers(0, 255, (96, 96, 3), np.uint8))
    whole = (tmp_path / "a.jpg").read_bytes()
    (tmp_path / "a.jpg").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CameraLost) as lost:
        open_camera(f"files:{tmp_path}").frame(0)
    assert lost.value.code == "unreadable_image"


def test_a_video_plays_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "v.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 15, (64, 48))
    for value in (10, 100, 200):
        writer.write(picture(value))
    writer.release()
    camera = open_camera(f"video:{path}")
    values = []
    with pytest.raises(CameraLost) as lost:
        while True:
            frame = camera.frame(1)
            assert frame is not None
            values.append(int(frame.image.mean()))
    assert lost.value.code == "video_ended"
    assert values == [pytest.approx(10, abs=4), pytest.approx(100, abs=4), pytest.approx(200, abs=4)]
    camera.close()


@pytest.mark.parametrize("line", ["", "telescope:3", "v4l2:front", "mjpeg:", "video:/nowhere.mp4"])
def test_a_bad_camera_line_gets_a_sentence(line: str) -> None:
    with pytest.raises(CameraLost) as lost:
        open_camera(line)
    assert lost.value.sentence_en.endswith((".", ":")) and lost.value.sentence_de != lost.value.sentence_en


def test_v4l2_without_a_device_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    class Nothing:
        def isOpened(self) -> bool:
            return False

        def release(self) -> None:
            pass

    monkeypatch.setattr(cv2, "VideoCapture", lambda *a: Nothing())
    with pytest.raises(CameraLost, match="plugged in"):
        CaptureCamera.device(0)


# --- MJPEG -----------------------------------------------------------------------------------


class Stream(BaseHTTPRequestHandler):
    """Serves frames; ``plan`` yields pictures or raw bytes, and hangs up at its end."""

    plan: Callable[[], Iterator[np.ndarray | bytes]]

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        try:
            for item in type(self).plan():
                if isinstance(item, bytes):
                    self.wfile.write(item)
                else:
                    data = cv2.imencode(".jpg", item)[1].tobytes()
                    self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n\r\n" + data + b"\r\n")
                self.wfile.flush()
        except OSError:
            pass

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def serve() -> Iterator[Callable[[Callable[[], Iterator[np.ndarray | bytes]]], str]]:
    servers = []

    def start(plan: Callable[[], Iterator[np.ndarray | bytes]]) -> str:
        handler = type("Handler", (Stream,), {"plan": staticmethod(plan)})
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}/"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def test_mjpeg_gives_frames_and_keeps_its_deadline(serve: Any) -> None:
    go_on = threading.Event()

    def plan() -> Iterator[np.ndarray | bytes]:
        yield picture(50)
        go_on.wait(20)
        yield picture(150)

    camera = MjpegCamera(serve(plan))
    first = camera.frame(10)
    assert first is not None and int(first.image.mean()) == pytest.approx(50, abs=4)
    assert camera.frame(0.05) is None
    go_on.set()
    second = camera.frame(10)
    assert second is not None and int(second.image.mean()) == pytest.approx(150, abs=4)
    camera.close()


def test_mjpeg_skips_torn_frames_and_notices_the_end(serve: Any) -> None:
    def plan() -> Iterator[np.ndarray | bytes]:
        whole = cv2.imencode(".jpg", picture(90))[1].tobytes()
        yield b"--frame\r\n\r\n" + whole[: len(whole) // 2]
        yield picture(90)

    camera = MjpegCamera(serve(plan))
    frame = camera.frame(10)
    assert frame is not None and int(frame.image.mean()) == pytest.approx(90, abs=4)
    with pytest.raises(CameraLost):
        for _ in range(10):
            camera.frame(0.5)
    camera.close()


def test_no_server_gets_a_sentence() -> None:
    with pytest.raises(CameraLost, match="Check the address"):
        open_camera("mjpeg:http://127.0.0.1:9/")


# --- the owner -------------------------------------------------------------------------------


class Scripted:
    """A camera that does what its script says: a picture, None (nothing in time), an exception, or "hang"."""

    def __init__(self, script: list[Any], then: Any = None) -> None:
        self.script = list(script)
        self.then = then
        self.count = self.asked = 0
        self.closed = False
        self.released = threading.Event()

    def frame(self, deadline_s: float) -> Frame | None:
        self.asked += 1
        step = self.script.pop(0) if self.script else self.then
        if isinstance(step, Exception):
            raise step
        if isinstance(step, str):
            self.released.wait(30)
            return None
        time.sleep(0.005)
        if step is None:
            return None
        self.count += 1
        image = step + (self.count % 7) if step.dtype == np.int64 else step
        return Frame(np.asarray(image, np.uint8), self.count, time.monotonic())

    def close(self) -> None:
        self.closed = True


def moving(value: int) -> np.ndarray:
    return np.full((48, 64, 3), value, np.int64)


def test_owner_opens_again_after_a_loss_and_says_so_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    cameras = [
        Scripted([moving(10)], CameraLost("x", given("It is gone.", "Sie ist weg."))),
        Scripted([], moving(99)),
    ]
    seen = list(cameras)
    owner = CameraOwner(lambda: cameras.pop(0))
    assert wait_for(lambda: not owner.state.ok or owner.state.sentence_en == "It is gone.")
    assert wait_for(lambda: (f := owner.frame(0.5)) is not None and f.image[0, 0, 0] >= 99)
    assert owner.state.ok and seen[0].closed
    assert owner.state.code == "recovered" and "wieder" in owner.state.sentence_de, "still told"
    monkeypatch.setattr("vision.sources.owner.TOLD_FOR_S", 0.0)
    assert owner.state.code == "ok"
    owner.close()
    assert owner.frame(0.1) is None and owner.state.code == "closed"


def test_owner_notices_a_frozen_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    cameras = [Scripted([], picture(5)), Scripted([], moving(50))]
    states = set()
    tell = CameraOwner._tell

    def told(owner: CameraOwner, state: Any, generation: int) -> None:
        states.add(state.code)
        tell(owner, state, generation)

    monkeypatch.setattr(CameraOwner, "_tell", told)
    monkeypatch.setattr("vision.sources.owner.FROZEN_AFTER_S", 0.2)
    owner = CameraOwner(lambda: cameras.pop(0), check_frozen=True)
    try:
        assert wait_for(lambda: (f := owner.frame(0.2)) is not None and f.image[0, 0, 0] >= 50)
        assert "frozen" in states
    finally:
        owner.close()


def test_owner_leaves_a_capture_that_hangs() -> None:
    hung = Scripted([moving(1), "hang"])
    cameras = [hung, Scripted([], moving(60))]
    owner = CameraOwner(lambda: cameras.pop(0), hung_after_s=0.3)
    assert wait_for(lambda: (owner.state, (f := owner.frame(0.2)) is not None and f.image[0, 0, 0] >= 60)[1])
    owner.close()
    hung.released.set()


def test_owner_survives_whatever_a_driver_throws(caplog: pytest.LogCaptureFixture) -> None:
    cameras = [Scripted([ZeroDivisionError()]), Scripted([], moving(60))]
    owner = CameraOwner(lambda: cameras.pop(0))
    assert wait_for(lambda: owner.frame(0.2) is not None)
    owner.close()
    assert "the camera thread failed" in caplog.text


def test_owner_gives_the_newest_frame_once() -> None:
    camera = Scripted([moving(10)] * 3, None)
    owner = CameraOwner(lambda: camera)
    assert wait_for(lambda: camera.asked > 4)  # it has all three, and asked for more
    first = owner.frame(1)
    assert first is not None and first.sequence == 3
    assert owner.frame(0.05) is None
    owner.close()
