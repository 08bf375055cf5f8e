"""Tests of the Pi camera (its real API on a fake) and of USB cameras on a fake driver."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest

from vision.sources import CameraLost, open_camera
from vision.sources.framing import framed
from vision.sources.locks import Locks, locks_from
from vision.sources.picamera import PiCamera
from vision.tray import DEFAULT


def picture(value: int) -> np.ndarray:
    return np.full((48, 64, 3), value, np.uint8)


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
