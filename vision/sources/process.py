"""A camera in a process of its own: whatever its driver does, the table goes on and the camera comes back.

The parent sees a camera like any other.  Pictures come through shared memory; one line of JSON each tells
that one is there.  A process that ends or hangs is noticed by whoever owns the camera
(``vision.sources.owner``), which closes this one, by force if need be, and opens the next.
"""

from __future__ import annotations

import contextlib
import json
import logging
import mmap
import os
import select
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from referee.kernel.messages import Text
from vision.sources import opening
from vision.sources.base import CameraLost, Frame

log = logging.getLogger(__name__)
SLOTS = 4  # pictures in shared memory; the newest is never overwritten while it is copied
SLOT_BYTES = 4096 * 3072 * 3 + 64  # the largest picture, after 64 bytes that hold its number
PATIENCE_S = 0.5  # how long a process may take to end before it is killed
ISOLATED = ("v4l2", "picamera2", "mjpeg", "video")  # sources behind which a driver or a network stands


class ProcessCamera:
    """The camera of ``spec`` (as in ``open_camera``), opened in a process of its own."""

    def __init__(self, spec: str) -> None:
        self._spec = spec
        self._memory = os.memfd_create("camera")
        os.ftruncate(self._memory, SLOTS * SLOT_BYTES)  # untouched pages take no memory
        self._map = mmap.mmap(self._memory, SLOTS * SLOT_BYTES)
        self._told = b""
        root = str(Path(__file__).resolve().parents[2])
        path = os.pathsep.join(p for p in (root, os.environ.get("PYTHONPATH", "")) if p)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "vision.sources.process", spec, str(self._memory)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            pass_fds=[self._memory],
            env={**os.environ, "PYTHONPATH": path},
        )
        assert self._process.stdout is not None
        self._pipe = self._process.stdout.fileno()
        os.set_blocking(self._pipe, False)
        self._closed = False

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    def frame(self, deadline_s: float) -> Frame | None:
        """The newest picture; None where none comes in time.  Raises CameraLost where the process says so or
        ends."""
        until = time.monotonic() + deadline_s
        while True:
            newest = self._newest(self._lines())
            if newest is not None:
                return newest
            left = until - time.monotonic()
            if left <= 0 or self._closed:
                return None
            select.select([self._pipe], [], [], left)

    def _lines(self) -> list[bytes]:
        """Whole lines that have come; raises CameraLost at the end of the pipe."""
        with contextlib.suppress(BlockingIOError):
            while not self._closed:
                part = os.read(self._pipe, 65536)
                if not part:
                    self._ended()
                self._told += part
        *lines, self._told = self._told.split(b"\n")
        return lines

    def _ended(self) -> None:
        for line in self._told.split(b"\n"):
            self._lost(line)
        code = self._process.poll()
        log.warning("the camera process for %s ended (%s)", self._spec, code)
        raise CameraLost(
            "crashed",
            Text("vision.camera_crashed"),
        )

    @staticmethod
    def _lost(line: bytes) -> dict[str, Any]:
        with contextlib.suppress(ValueError):
            message = json.loads(line)
            if "lost" in message:
                code, message_id, params = message["lost"]
                raise CameraLost(code, Text(message_id, **params))
            return dict(message)
        return {}

    def _newest(self, lines: list[bytes]) -> Frame | None:
        for message in reversed([self._lost(line) for line in lines]):
            if "slot" in message:
                image = self._copy(message)
                if image is not None:
                    number, taken = int(message["sequence"]), float(message["monotonic_s"])
                    return Frame(image, number, taken, message["metadata"])
        return None

    def _copy(self, message: dict[str, Any]) -> np.ndarray | None:
        """The picture in a slot; None where it was overwritten meanwhile."""
        start = int(message["slot"]) * SLOT_BYTES
        shape = tuple(int(v) for v in message["shape"])
        number = np.frombuffer(self._map, np.int64, 1, start)
        image = np.frombuffer(self._map, np.uint8, int(np.prod(shape)), start + 64).reshape(shape).copy()
        return image if int(number[0]) == message["sequence"] else None

    def close(self) -> None:
        """End the process, by force where it does not end by itself."""
        if self._closed:
            return
        self._closed = True
        self._process.terminate()
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            try:
                self._process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:  # a driver may hold even a killed process
                # nobody waits for it here; it is buried when it lets go
                threading.Thread(target=self._process.wait, name="camera that ends", daemon=True).start()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._map.close()
        os.close(self._memory)


def open_apart(spec: str) -> Any:
    """The camera of ``spec``, in a process of its own where a driver or a network stands behind it."""
    kind = spec.partition(":")[0]
    return ProcessCamera(spec) if kind in ISOLATED else opening.open_camera(spec)


def _say(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message, default=str) + "\n")
    sys.stdout.flush()


def _serve(spec: str, memory: mmap.mmap) -> None:
    """Write each picture into the next slot and tell; ends with BrokenPipeError when nobody listens."""
    camera = opening.open_camera(spec)
    count = 0
    while True:
        frame = camera.frame(1.0)
        if frame is None:
            _say({"waiting": True})
            continue
        count += 1
        start = count % SLOTS * SLOT_BYTES
        if frame.image.nbytes > SLOT_BYTES - 64:
            raise CameraLost(
                "too_large",
                Text("vision.pictures_too_large"),
            )
        number = np.frombuffer(memory, np.int64, 1, start)
        number[0] = -1
        np.frombuffer(memory, np.uint8, frame.image.nbytes, start + 64)[:] = frame.image.ravel()
        number[0] = count
        _say({
            "slot": count % SLOTS, "shape": frame.image.shape, "sequence": count,
            "monotonic_s": frame.monotonic_s, "metadata": dict(frame.metadata),
        })  # fmt: skip


def main() -> None:
    """What the process does: ``python -m vision.sources.process SPEC FILE_DESCRIPTOR``."""
    cv2.setNumThreads(1)
    spec, descriptor = sys.argv[1], int(sys.argv[2])
    memory = mmap.mmap(descriptor, SLOTS * SLOT_BYTES)
    try:
        _serve(spec, memory)
    except CameraLost as lost:
        _say({"lost": [lost.code, lost.text.id, dict(lost.text.params)]})
    except BrokenPipeError:  # the table is gone, and so are we
        os._exit(0)


if __name__ == "__main__":
    main()
