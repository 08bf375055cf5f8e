"""Tests of the cameras: files, video, MJPEG with faults, the Pi camera's real API on a fake, and their
owner."""

from __future__ import annotations

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
from vision.sources.framing import framed
from vision.sources.locks import Locks, locks_from
from vision.sources.mjpeg import MjpegCamera
from vision.sources.picamera import PiCamera
from vision.tray import DEFAULT


def picture(value: int) -> np.ndarray:
    return np.full((48, 64, 3), value, np.uint8)


def wait_for(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
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


# --- the Pi camera, on a fake with picamera2's API -------------------------------------------


class FakeRequest:
    def __init__(self, owner: FakePicamera2) -> None:
        self._owner = owner
        self.released = False

    def get_metadata(self) -> dict[str, Any]:
        return dict(self._owner.metadata())

    def make_array(self, name: str) -> np.ndarray:
        assert name == "main" and not self.released
        return picture(70)

    def release(self) -> None:
        self.released = True
        self._owner.out -= 1


class FakePicamera2:
    """The part of picamera2 0.3 that the adapter uses; ``lag`` frames pass before controls are in force."""

    lag = 3
    stuck = False
    lens = False
    breaks = ""
    ignores: tuple[str, ...] = ()
    pixels = (4608, 2592)
    model = "imx708"
    made: list[FakePicamera2]

    def __init__(self) -> None:
        self.controls: dict[str, Any] = {}
        self.age = 0
        self.out = 0
        self.calls: list[str] = []
        known = [
            "AeEnable",
            "AwbEnable",
            "ExposureTime",
            "AnalogueGain",
            "ColourGains",
            "FrameDurationLimits",
        ]
        known += ["AfMode", "LensPosition"] if self.lens else []
        known += ["ScalerCrop"]
        self.camera_properties = {"PixelArraySize": self.pixels, "Model": self.model}
        self.configured: dict[str, Any] = {}
        self.camera_controls = dict.fromkeys(known, (0, 1, None))
        type(self).made.append(self)

    def create_video_configuration(
        self, main: dict[str, Any], buffer_count: int, queue: bool, raw: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        assert main["format"] == "RGB888" and queue is False
        return {"main": main, "raw": raw}

    def configure(self, configuration: dict[str, Any]) -> None:
        self.calls.append("configure")
        self.configured = configuration

    def set_controls(self, controls: dict[str, Any]) -> None:
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.controls, self.age = dict(controls), 0

    def start(self) -> None:
        if self.breaks:
            raise RuntimeError(self.breaks)
        self.calls.append("start")

    def capture_request(self, wait: bool = True) -> Any:
        assert wait is False
        return object()

    def wait(self, job: Any, timeout: float | None = None) -> FakeRequest:
        if self.stuck:
            raise TimeoutError
        self.age += 1
        self.out += 1
        return FakeRequest(self)

    def metadata(self) -> dict[str, Any]:
        shown: dict[str, Any] = {"ExposureTime": 33000, "AnalogueGain": 1.0, "ColourGains": (2.5, 1.1)}
        shown |= {"LensPosition": 0.0} if self.lens else {}
        shown["ScalerCrop"] = (0, 0, *self.pixels)
        if self.age > self.lag:
            shown.update({k: v for k, v in self.controls.items() if k in shown and k not in self.ignores})
        return shown

    def stop(self) -> None:
        self.calls.append("stop")

    def close(self) -> None:
        self.calls.append("close")


def fake_module(**changes: Any) -> Any:
    kind = type("Picamera2", (FakePicamera2,), {"made": [], **changes})
    return type("module", (), {"Picamera2": kind})


def test_pi_camera_locks_and_waits_until_the_locks_are_in_force() -> None:
    module = fake_module()
    camera = PiCamera(module=module)
    frame = camera.frame(1.0)
    fake = module.Picamera2.made[0]
    assert frame is not None and frame.metadata["ExposureTime"] == 20000
    assert fake.age == fake.lag + 1
    assert fake.controls["AeEnable"] is False and fake.controls["AwbEnable"] is False
    assert fake.out == 0, "every request is given back"
    camera.close()
    assert fake.calls == ["configure", "start", "stop", "close"]


def test_a_lens_that_can_be_moved_is_locked_and_verified() -> None:
    module = fake_module(lens=True)
    camera = PiCamera(locks_from("focus=1.7"), module=module)
    frame = camera.frame(1.0)
    assert frame is not None and frame.metadata["LensPosition"] == 1.7
    assert module.Picamera2.made[0].controls["AfMode"] == 0
    with pytest.raises(CameraLost, match="LensPosition"):
        PiCamera(module=fake_module(lens=True, ignores=("LensPosition",))).frame(5.0)


def test_a_long_exposure_gets_frames_that_are_long_enough() -> None:
    assert Locks().controls()["FrameDurationLimits"] == (33333, 33333)
    low, high = Locks(exposure_us=60000).controls()["FrameDurationLimits"]
    assert low == high > 60000


def test_a_pi_camera_that_cannot_start_is_given_back() -> None:
    module = fake_module(breaks="Failed to start camera: Device or resource busy")
    with pytest.raises(CameraLost, match="busy"):
        PiCamera(module=module)
    assert module.Picamera2.made[0].calls == ["configure", "close"]


def test_locks_come_from_the_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    module = fake_module()
    monkeypatch.setattr("vision.sources.picamera._picamera2", lambda: module)
    camera = open_camera("picamera2:exposure=16000,gain=1.5,red=2.0,blue=1.2,mains=60")
    frame = camera.frame(1.0)
    assert frame is not None
    shown = frame.metadata
    assert (shown["ExposureTime"], shown["AnalogueGain"], shown["ColourGains"]) == (16667, 1.5, (2.0, 1.2))


@pytest.mark.parametrize(
    "options", ["exposure", "exposure=fast", "exposure=1", "mains=16", "iso=400", "gain=nan"]
)
def test_locks_that_make_no_sense_are_named(options: str) -> None:
    with pytest.raises(CameraLost, match=options.split("=")[0]) as lost:
        open_camera(f"picamera2:{options}")
    assert lost.value.code == "bad_camera_line"
    with pytest.raises(CameraLost, match=options.split("=")[0]):
        open_camera(f"v4l2:0,{options}")


class Device:
    """A V4L2 device behind ``cv2.VideoCapture``; ``told`` is what it says of its exposure (None: as set)."""

    told: float | None = None

    def __init__(self, *words: Any) -> None:
        self.set_to: dict[int, float] = {}

    def isOpened(self) -> bool:
        return True

    def set(self, key: int, value: float) -> bool:
        self.set_to[key] = value
        return True

    def get(self, key: int) -> float:
        return self.set_to[key] if self.told is None else self.told

    def read(self) -> tuple[bool, np.ndarray]:
        return True, picture(7)

    def release(self) -> None:
        pass


@pytest.mark.parametrize(("told", "kept"), [(None, True), (0.0, True), (-1.0, True), (333.0, False)])
def test_v4l2_exposure_is_locked_and_verified_where_the_driver_tells_it(
    monkeypatch: pytest.MonkeyPatch, told: float | None, kept: bool
) -> None:
    made: list[Device] = []
    monkeypatch.setattr(Device, "told", told)
    monkeypatch.setattr(cv2, "VideoCapture", lambda *words: made.append(Device(*words)) or made[-1])
    camera = open_camera("v4l2:2,exposure=16000,mains=60")
    assert made[0].set_to[cv2.CAP_PROP_EXPOSURE] == 167 and made[0].set_to[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    if kept:
        assert camera.frame(1.0) is not None
    else:
        with pytest.raises(CameraLost, match="ExposureTime"):
            camera.frame(1.0)


@pytest.mark.parametrize(
    ("wanted", "hertz", "used"),
    [(15000, 50, 20000), (3000, 50, 10000), (15000, 60, 16667), (26000, 60, 25000)],
)
def test_exposure_is_a_whole_number_of_mains_half_periods(wanted: int, hertz: int, used: int) -> None:
    assert Locks(exposure_us=wanted, mains_hz=hertz).steady_exposure_us == used


def test_pi_camera_that_ignores_a_lock_is_named() -> None:
    camera = PiCamera(module=fake_module(ignores=("ColourGains",)))
    with pytest.raises(CameraLost, match="ColourGains"):
        camera.frame(5.0)


def test_pi_camera_that_hangs_keeps_the_deadline() -> None:
    assert PiCamera(module=fake_module(stuck=True)).frame(0.05) is None


def test_without_picamera2_the_package_is_named() -> None:
    with pytest.raises(CameraLost, match="python3-picamera2"):
        open_camera("picamera2:")


@pytest.mark.parametrize(
    "thrown",
    [ValueError("numpy.dtype size changed"), AttributeError("no attribute"), SystemError("initialised")],
)
def test_a_picamera2_that_breaks_while_it_is_loaded_is_a_camera_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch, thrown: Exception
) -> None:
    def load(name: str) -> Any:
        raise thrown

    monkeypatch.setattr("vision.sources.picamera.import_module", load)
    with pytest.raises(CameraLost, match=f"{thrown}.*make pi") as lost:
        open_camera("picamera2:")
    assert lost.value.code == "broken_picamera2" and "make pi" in lost.value.sentence_de


# --- the part of the picture -----------------------------------------------------------------


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    def make(**changes: Any) -> Any:
        module = fake_module(**changes)
        monkeypatch.setattr("vision.sources.picamera._picamera2", lambda: module)
        return module.Picamera2

    return make


def test_the_middle_of_the_full_resolution_is_used(pi: Callable[..., Any]) -> None:
    kind = pi()
    camera = open_camera(framed("picamera2:", DEFAULT))
    fake = kind.made[0]
    assert fake.configured["raw"] == {"size": (4608, 2592)} and fake.configured["main"]["size"] == (1280, 960)
    x, y, width, height = fake.controls["ScalerCrop"]
    assert width * 3 == height * 4 and abs(2 * x + width - 4608) <= 4 and abs(2 * y + height - 2592) <= 4
    assert pytest.approx(width, abs=16) == 388 * 4608 / 844.2, "388 mm of the 844 mm that 66 degrees see"
    assert camera.frame(1.0) is not None


def test_without_a_framing_everything_is_used(pi: Callable[..., Any]) -> None:
    kind = pi()
    assert open_camera("picamera2:").frame(1.0) is not None
    assert kind.made[0].configured["raw"] is None and "ScalerCrop" not in kind.made[0].controls


def test_a_lens_that_nobody_knows_needs_its_angle(pi: Callable[..., Any]) -> None:
    kind = pi(model="imx477", pixels=(4056, 3040))
    open_camera(framed("picamera2:", DEFAULT))
    assert "ScalerCrop" not in kind.made[0].controls
    open_camera(framed("picamera2:fov=55.3", DEFAULT))
    assert kind.made[1].controls["ScalerCrop"][2] == pytest.approx(2310, abs=16)


def test_a_camera_that_ignores_its_part_is_named(pi: Callable[..., Any]) -> None:
    pi(ignores=("ScalerCrop",))
    with pytest.raises(CameraLost, match="ScalerCrop"):
        open_camera(framed("picamera2:", DEFAULT)).frame(5.0)


class Large(Device):
    """A USB camera that gives the size that it is asked for, or another one."""

    gives: tuple[int, int] | None = None

    def read(self) -> tuple[bool, np.ndarray]:
        asked = (int(self.set_to[cv2.CAP_PROP_FRAME_WIDTH]), int(self.set_to[cv2.CAP_PROP_FRAME_HEIGHT]))
        width, height = self.gives or asked
        image = np.zeros((height, width, 3), np.uint8)
        image[height // 2 - 40 : height // 2 + 40, width // 2 - 40 : width // 2 + 40] = 200
        return True, image


def test_the_middle_of_a_usb_cameras_picture_is_cut_out(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Large] = []
    monkeypatch.setattr(cv2, "VideoCapture", lambda *words: made.append(Large(*words)) or made[-1])
    frame = open_camera(framed("v4l2:0,size=3264x2448,fov=62", DEFAULT)).frame(1.0)
    assert frame is not None and frame.image.shape == (960, 1280, 3)
    assert made[0].set_to[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")
    rows, columns = np.nonzero(frame.image[..., 0] > 100)
    side = 80 * 1280 / 1616
    assert np.ptp(columns) + 1 == pytest.approx(side, abs=2) and columns.mean() == pytest.approx(
        639.5, abs=1.5
    )
    assert np.ptp(rows) + 1 == pytest.approx(side, abs=2) and rows.mean() == pytest.approx(479.5, abs=1.5)
    whole = open_camera(framed("v4l2:0", DEFAULT)).frame(1.0)
    assert whole is not None and whole.image.shape == (960, 1280, 3), "an angle that nobody said cuts nothing"


def test_a_usb_camera_that_gives_another_size_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Large, "gives", (1920, 1080))
    monkeypatch.setattr(cv2, "VideoCapture", Large)
    with pytest.raises(CameraLost, match="1920 x 1080, not of 3264 x 2448"):
        open_camera("v4l2:0,size=3264x2448,fov=62").frame(1.0)


@pytest.mark.parametrize(
    "options", ["view=wide", "fov=0", "size=big", "size=9000x9000", "columns=5", "height=nan"]
)
def test_a_framing_that_makes_no_sense_is_named(options: str) -> None:
    for kind in ("picamera2:", "v4l2:0,"):
        with pytest.raises(CameraLost, match=options.split("=")[0]) as lost:
            open_camera(kind + options)
        assert lost.value.code == "bad_camera_line"


# --- the owner -------------------------------------------------------------------------------


class Scripted:
    """A camera that does what its script says: a picture, None (nothing in time), an exception, or "hang"."""

    def __init__(self, script: list[Any], then: Any = None) -> None:
        self.script = list(script)
        self.then = then
        self.count = 0
        self.closed = False
        self.released = threading.Event()

    def frame(self, deadline_s: float) -> Frame | None:
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
    assert wait_for(lambda: (f := owner.frame(0.5)) is not None and f.image[0, 0, 0] >= 99, 5.0)
    assert owner.state.ok and seen[0].closed
    assert owner.state.code == "recovered" and "wieder" in owner.state.sentence_de, "still told"
    monkeypatch.setattr("vision.sources.owner.TOLD_FOR_S", 0.0)
    assert owner.state.code == "ok"
    owner.close()
    assert owner.frame(0.1) is None and owner.state.code == "closed"


def test_owner_notices_a_frozen_picture() -> None:
    import vision.sources.owner as module

    cameras = [Scripted([], picture(5)), Scripted([], moving(50))]
    before, module.FROZEN_AFTER_S = module.FROZEN_AFTER_S, 0.2
    try:
        owner = CameraOwner(lambda: cameras.pop(0), check_frozen=True)
        states = set()
        assert wait_for(
            lambda: (
                states.add(owner.state.code),
                (f := owner.frame(0.2)) is not None and f.image[0, 0, 0] >= 50,
            )[1]
        )
        assert "frozen" in states
    finally:
        module.FROZEN_AFTER_S = before
        owner.close()


def test_owner_leaves_a_capture_that_hangs() -> None:
    hung = Scripted([moving(1), "hang"])
    cameras = [hung, Scripted([], moving(60))]
    owner = CameraOwner(lambda: cameras.pop(0), hung_after_s=0.3)
    assert wait_for(
        lambda: (owner.state, (f := owner.frame(0.2)) is not None and f.image[0, 0, 0] >= 60)[1], 5.0
    )
    owner.close()
    hung.released.set()


def test_owner_survives_whatever_a_driver_throws(caplog: pytest.LogCaptureFixture) -> None:
    cameras = [Scripted([ZeroDivisionError()]), Scripted([], moving(60))]
    owner = CameraOwner(lambda: cameras.pop(0))
    assert wait_for(lambda: owner.frame(0.2) is not None, 5.0)
    owner.close()
    assert "the camera thread failed" in caplog.text


def test_owner_gives_the_newest_frame_once() -> None:
    owner = CameraOwner(lambda: Scripted([moving(10)] * 3, None))
    assert wait_for(lambda: owner.state.ok)
    time.sleep(0.1)
    first = owner.frame(1)
    assert first is not None and first.sequence == 3
    assert owner.frame(0.05) is None
    owner.close()
