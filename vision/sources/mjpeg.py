"""An MJPEG address (multipart/x-mixed-replace, or a plain JPEG that is fetched again and again)."""

from __future__ import annotations

import select
import socket
import time
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any

import cv2
import numpy as np

from referee.kernel.messages import Text
from vision.sources.base import CameraLost, Frame

START, END = b"\xff\xd8", b"\xff\xd9"
LONGEST = 8_000_000  # bytes without a whole picture before the stream is given up


class MjpegCamera:
    """Frames of an MJPEG stream.  Every read has a deadline; whatever is not JPEG between frames is
    skipped."""

    def __init__(self, address: str, connect_s: float = 3.0) -> None:
        self._address = address
        self._buffer = b""
        self._sequence = 0
        try:
            self._stream: Any = urllib.request.urlopen(address, timeout=connect_s)
        except (urllib.error.URLError, OSError, HTTPException, ValueError) as error:
            raise self._lost(str(error)) from error

    def _lost(self, detail: str) -> CameraLost:
        return CameraLost(
            "no_stream",
            Text("vision.no_stream", address=self._address, detail=detail),
        )

    def frame(self, deadline_s: float) -> Frame | None:
        """The next whole picture, or None where none came in time."""
        until = time.monotonic() + deadline_s
        while True:
            image = self._take()
            if image is not None:
                self._sequence += 1
                return Frame(image, self._sequence, time.monotonic(), {"source": self._address})
            left = until - time.monotonic()
            if left <= 0:
                return None
            self._read(left)

    def _read(self, left_s: float) -> None:
        sock = self._socket()
        if (
            sock is not None
            and not self._has_buffered(sock)
            and not select.select([sock], [], [], max(0.0, left_s))[0]
        ):
            return  # waiting here and not in the read: a buffered reader is spoiled by a read that timed out
        try:
            part = self._stream.read1(65536)
        except (OSError, HTTPException, ValueError) as error:
            raise self._lost(str(error)) from error
        if not part:
            raise self._lost("the stream has ended")
        self._buffer += part
        if len(self._buffer) > LONGEST:
            raise self._lost("this is no MJPEG stream")

    def _has_buffered(self, sock: socket.socket) -> bool:
        """Whether bytes came along with an earlier read: the socket does not tell of those."""
        patience = sock.gettimeout()
        sock.settimeout(0)
        try:
            return bool(self._stream.fp.peek(1))
        except (OSError, ValueError):
            return False
        finally:
            sock.settimeout(patience)

    def _socket(self) -> socket.socket | None:
        raw = getattr(getattr(self._stream, "fp", None), "raw", None)
        sock = getattr(raw, "_sock", None)
        return sock if isinstance(sock, socket.socket) and sock.fileno() >= 0 else None

    def _take(self) -> np.ndarray | None:
        """The newest whole picture in the buffer; older ones are dropped."""
        end = self._buffer.rfind(END)
        if end < 0:
            return None
        start = self._buffer.rfind(START, 0, end)
        if start < 0:
            return None
        data, self._buffer = self._buffer[start : end + 2], self._buffer[end + 2 :]
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        return image if image is not None and image.size else None

    def close(self) -> None:
        """Hang up."""
        self._stream.close()
