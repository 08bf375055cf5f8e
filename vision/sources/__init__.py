"""Sources of pictures behind one interface: files, video, MJPEG, V4L2, the Pi camera, the virtual tray."""

from vision.sources.base import Camera, CameraLost, Frame
from vision.sources.opening import open_camera
from vision.sources.owner import CameraOwner, CameraState

__all__ = ["Camera", "CameraLost", "CameraOwner", "CameraState", "Frame", "open_camera"]
