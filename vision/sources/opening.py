"""Open a camera from a line in the configuration."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from vision.sources.base import Camera, CameraLost

if TYPE_CHECKING:
    from referee.kernel.dice import DieType

KINDS = ("virtual", "files", "video", "mjpeg", "v4l2", "picamera2")


def open_camera(spec: str, dice_types: Sequence[DieType] = ()) -> Camera:
    """Open ``virtual:[SEED]``, ``files:DIR``, ``video:FILE``, ``mjpeg:ADDRESS``, ``v4l2:NUMBER`` or
    ``picamera2:``.

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
    if kind == "picamera2":
        from vision.sources.picamera import PiCamera

        return PiCamera()
    if kind == "video" or (kind == "v4l2" and rest.isdigit()):
        from vision.sources.capture import CaptureCamera

        return CaptureCamera.file(Path(rest)) if kind == "video" else CaptureCamera.device(int(rest))
    raise CameraLost(
        "bad_camera_line",
        f"The camera setting {spec!r} is not understood. Use one of: virtual:, files:FOLDER, video:FILE, "
        "mjpeg:http://..., v4l2:0, picamera2:",
        f"Die Kameraeinstellung {spec!r} ist unverständlich. Möglich sind: virtual:, files:ORDNER, "
        "video:DATEI, "
        "mjpeg:http://..., v4l2:0, picamera2:",
    )
