"""Open a camera from a line in the configuration."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from referee.kernel.messages import Text
from vision.sources.base import Camera, CameraLost

if TYPE_CHECKING:
    from referee.kernel.dice import DieType

KINDS = ("virtual", "files", "video", "mjpeg", "v4l2", "picamera2")


def open_camera(spec: str, dice_types: Sequence[DieType] = ()) -> Camera:
    """Open ``virtual:[SEED]``, ``files:DIR``, ``video:FILE``, ``mjpeg:ADDRESS``, ``v4l2:NUMBER[,OPTIONS]`` or
    ``picamera2:[OPTIONS]``; OPTIONS as in ``vision.sources.locks.locks_from`` and
    ``vision.sources.framing.framing_from``.

    ``dice_types`` are what the virtual tray can throw.  Raises CameraLost with a sentence where the camera
    cannot be opened, or the line is not understood.
    """
    kind, _, rest = spec.partition(":")
    if kind == "virtual":
        from vision.virtual.tray import VirtualTray

        return VirtualTray(dice_types, seed=int(rest) if rest.isdigit() else 0)
    if kind == "files":
        from vision.sources.files import FilesCamera

        return FilesCamera(Path(rest))
    if kind == "mjpeg":
        from vision.sources.mjpeg import MjpegCamera

        return MjpegCamera(rest)
    if kind == "video":
        from vision.sources.capture import CaptureCamera

        return CaptureCamera.file(Path(rest))
    if kind in ("picamera2", "v4l2"):
        return _device(spec, kind, rest)
    raise _not_understood(spec)


def _device(spec: str, kind: str, rest: str) -> Camera:
    """A camera whose settings are locked, and of whose picture the middle may be cut out."""
    from vision.sources.framing import framing_from
    from vision.sources.locks import locks_from

    number, _, options = rest.partition(",") if kind == "v4l2" else ("0", "", rest)
    try:
        framing, others = framing_from(options)
        locks = locks_from(others)
    except ValueError as error:
        raise _not_understood(spec, f" ({error})") from error
    if not number.isdigit():
        raise _not_understood(spec)
    if kind == "v4l2":
        from vision.sources.capture import CaptureCamera

        return CaptureCamera.device(int(number), locks, framing)
    from vision.sources.picamera import PiCamera

    return PiCamera(locks, framing)


def _not_understood(spec: str, what: str = "") -> CameraLost:
    known = (
        "mjpeg:http://..., v4l2:0,size=3264x2448,fov=62, "
        "picamera2:exposure=20000,gain=2,red=1.8,blue=1.6,mains=50,focus=1.54"
    )
    return CameraLost(
        "bad_camera_line",
        Text("vision.bad_camera_line", spec=spec, what=what, known=known),
    )
