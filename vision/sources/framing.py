"""How much of what a camera sees becomes its picture, so that dice are as large as the reader is used to.

A lens 650 mm above the tray sees two or three times what is wanted.  The middle is cut out of the full
resolution (on the sensor, where the camera can do that), so that it holds the tray, its markers and some
more.  A picture is never made larger than what the sensor saw: that would only look sharp enough.

``python -m vision.sources.framing`` prints the table of docs/build/tray_camera.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import radians, tan

from vision.tray import TraySpec

PX_PER_MM = 3.3  # of the tray's floor, for dice of 16 mm: the middle of what the reader was measured on
MEASURED_PX_PER_MM = (3.2, 3.5)
MEASURED_HEIGHT_MM = (540.0, 760.0)  # of the lens above the floor
DIE_MM = 16.0
QUIET_MM = 4.0  # white border of a marker
AROUND_MM = 25.0  # shown around the markers: what the camera may stand beside the middle, and a little more
STEP = 64  # the picture's width is a multiple of it, which every image processor likes
MOST_COLUMNS = 4096
CROPPED = ("picamera2", "v4l2")  # sources that are framed


@dataclass(frozen=True)
class Sensor:
    """All pixels of a camera and the angle that their columns see (degrees)."""

    columns: int
    rows: int
    width_deg: float

    def across_mm(self, height_mm: float) -> float:
        """Width of what all columns see at that distance."""
        return 2 * height_mm * tan(radians(self.width_deg / 2))

    def px_per_mm(self, height_mm: float) -> float:
        """Sensor pixels a millimetre at that distance."""
        return self.columns / self.across_mm(height_mm)


# libcamera's name of a sensor -> what it sees with the lens that is glued to it; angles are the maker's
BY_MODEL = {
    "imx708": Sensor(4608, 2592, 66.0),
    "imx708_noir": Sensor(4608, 2592, 66.0),
    "imx708_wide": Sensor(4608, 2592, 102.0),
    "imx708_wide_noir": Sensor(4608, 2592, 102.0),
    "imx219": Sensor(3280, 2464, 62.2),
    "ov5647": Sensor(2592, 1944, 53.5),
}


@dataclass(frozen=True)
class Framing:
    """What a picture should show: ``view_mm`` across (None: all that the camera sees), taken from
    ``height_mm`` above the floor, in ``columns`` pixels.

    ``width_deg`` is the angle that the camera's columns see, for lenses that are not known by the camera's
    name; ``capture`` (columns, rows) is the size that a USB camera is asked for.
    """

    view_mm: float | None = None
    height_mm: float = 650.0
    columns: int = 1280
    width_deg: float | None = None
    capture: tuple[int, int] | None = None

    def sensor(self, columns: int, rows: int, model: str = "") -> Sensor | None:
        """The camera of that size and name; None where its angle is not known."""
        if self.width_deg is not None:
            return Sensor(columns, rows, self.width_deg)
        known = BY_MODEL.get(model)
        return None if known is None else Sensor(columns, rows, known.width_deg)


@dataclass(frozen=True)
class Crop:
    """The part of the sensor that is used (pixels), and the size of the picture that it becomes."""

    x: int
    y: int
    width: int
    height: int
    size: tuple[int, int]

    @property
    def box(self) -> tuple[int, int, int, int]:
        """As libcamera's ScalerCrop wants it."""
        return (self.x, self.y, self.width, self.height)


def crop_of(sensor: Sensor, framing: Framing) -> Crop | None:
    """The middle of the sensor, 4:3, that shows ``view_mm``; the largest 4:3 where it sees less than that.

    None where the framing asks for all that the camera sees.
    """
    if framing.view_mm is None:
        return None
    wanted = framing.view_mm * sensor.px_per_mm(framing.height_mm)
    width = 4 * (int(min(wanted, sensor.columns, sensor.rows * 4 / 3)) // 8) * 2
    height = width * 3 // 4
    columns = min(framing.columns, width) // STEP * STEP
    x, y = (sensor.columns - width) // 2, (sensor.rows - height) // 2
    return Crop(x - x % 2, y - y % 2, width, height, (columns, columns * 3 // 4))


def view_mm(spec: TraySpec) -> float:
    """Width that a picture of the tray should show, in millimetres of the floor's plane."""
    reach = spec.marker_mm / 2 + QUIET_MM + AROUND_MM
    across = 2 * (max(abs(x) for x, _ in spec.marker_centres_mm) + reach)
    deep = 2 * (max(abs(y) for _, y in spec.marker_centres_mm) + reach)
    return max(across, deep * 4 / 3)


def picture_px_per_mm(sensor: Sensor, spec: TraySpec) -> float:
    """Pixels a millimetre of the tray's floor in the picture that this camera gives of that tray."""
    crop = crop_of(sensor, framing_of(spec))
    assert crop is not None
    return sensor.px_per_mm(spec.camera_height_mm) * crop.size[0] / crop.width


def framing_of(spec: TraySpec) -> Framing:
    """What a picture of that tray should show."""
    across = view_mm(spec)
    columns = round(across * PX_PER_MM * DIE_MM / spec.die_mm / STEP) * STEP
    return Framing(across, spec.camera_height_mm, max(STEP, min(MOST_COLUMNS, columns)))


def framed(source: str, spec: TraySpec) -> str:
    """A camera line (as in ``vision.sources.opening``) with the tray's framing and focus added, where it does
    not say them itself; other sources as they are."""
    kind, _, rest = source.partition(":")
    if kind not in CROPPED:
        return source
    said = {part.strip().partition("=")[0] for part in rest.split(",")}
    wanted = framing_of(spec)
    more = {"view": f"{wanted.view_mm:g}", "height": f"{wanted.height_mm:g}", "columns": f"{wanted.columns}"}
    if kind == "picamera2":
        more["focus"] = f"{1000 / wanted.height_mm:.2f}"
    parts = [part for part in rest.split(",") if part.strip()]
    return f"{kind}:" + ",".join([*parts, *(f"{k}={v}" for k, v in more.items() if k not in said)])


_RANGES = {
    "view": (50.0, 5000.0),
    "height": (100.0, 5000.0),
    "columns": (320.0, MOST_COLUMNS),
    "fov": (10.0, 150.0),
}


def framing_from(options: str) -> tuple[Framing, str]:
    """The framing in a line of options, and the options that are none of its own.

    Any of ``view=388`` (mm), ``height=650`` (mm), ``columns=1280``, ``fov=62`` (degrees across all columns),
    ``size=3264x2448`` (pixels asked of a USB camera).  Raises ValueError with what is not understood.
    """
    given: dict[str, float] = {}
    capture, others = None, []
    for part in filter(None, (one.strip() for one in options.split(","))):
        name, _, value = part.partition("=")
        if name == "size":
            capture = _size(part, value)
        elif name in _RANGES:
            given[name] = _number(part, value, *_RANGES[name])
        else:
            others.append(part)
    usual = Framing()
    framing = Framing(
        given.get("view"),
        given.get("height", usual.height_mm),
        int(given.get("columns", usual.columns)),
        given.get("fov"),
        capture,
    )
    return framing, ",".join(others)


def _size(part: str, value: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{3,4})x(\d{3,4})", value)
    if found is None or int(found[1]) > MOST_COLUMNS:
        raise ValueError(f"{part}: a size like 3264x2448 is needed, at most {MOST_COLUMNS} columns")
    return int(found[1]), int(found[2])


def _number(part: str, value: str, low: float, high: float) -> float:
    try:
        number = float(value)
    except ValueError as error:
        raise ValueError(f"{part}: {error}") from error
    if not low <= number <= high:
        raise ValueError(f"{part}: {number:g} is not from {low:g} to {high:g}")
    return number


# --- what the docs say --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CameraSetup:
    """A camera that the docs name, and its line in the configuration."""

    name: str
    source: str
    sensor: Sensor


SETUPS = (
    CameraSetup("Camera Module 3", "picamera2:", BY_MODEL["imx708"]),
    CameraSetup("Camera Module 2", "picamera2:", BY_MODEL["imx219"]),
    CameraSetup("Camera Module 1", "picamera2:", BY_MODEL["ov5647"]),
    CameraSetup("HQ Camera, lens of 6 mm", "picamera2:fov=55.3", Sensor(4056, 3040, 55.3)),
    CameraSetup("USB camera of 8 megapixels, 62°", "v4l2:0,size=3264x2448,fov=62", Sensor(3264, 2448, 62.0)),
    CameraSetup('USB camera "4K", 70°', "v4l2:0,size=3840x2160,fov=70", Sensor(3840, 2160, 70.0)),
)
TOO_COARSE = (
    CameraSetup("Camera Module 3 Wide", "picamera2:", BY_MODEL["imx708_wide"]),
    CameraSetup('USB camera "Full HD", 70°', "v4l2:0,size=1920x1080,fov=70", Sensor(1920, 1080, 70.0)),
)
"""Cameras that see the tray too small from there, whatever is cut out."""


def table(spec: TraySpec | None = None) -> str:
    """The table of docs/build/tray_camera.md."""
    spec = spec or TraySpec()
    lines = [
        "| camera | `source` | sees across | of its columns used | picture | pixels a mm |",
        "|---|---|---|---|---|---|",
    ]
    for one in (*SETUPS, *TOO_COARSE):
        crop = crop_of(one.sensor, framing_of(spec))
        assert crop is not None
        per_mm = picture_px_per_mm(one.sensor, spec)
        good = MEASURED_PX_PER_MM[0] <= per_mm <= MEASURED_PX_PER_MM[1]
        lines.append(
            f"| {one.name} | `{one.source}` | {one.sensor.width_deg:g}°, "
            f"{one.sensor.across_mm(spec.camera_height_mm):.0f} mm | {crop.width} of {one.sensor.columns} | "
            f"{crop.size[0]} x {crop.size[1]} | {per_mm:.1f}{'' if good else ': will not do'} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
