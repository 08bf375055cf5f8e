"""One thread owns the camera: it opens it, keeps the newest frame, notices when it hangs, and opens it
again."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from referee.kernel.messages import Text
from referee.kernel.said import Said
from vision.sources.base import Camera, CameraLost, Frame

log = logging.getLogger(__name__)
BACK_OFF_S = (0.2, 0.5, 1.0, 2.0, 4.0)
FROZEN_AFTER_S = 3.0
STALE_AFTER_S = 2.0
TOLD_FOR_S = 5.0  # how long a fault that was healed is still told


@dataclass(frozen=True)
class CameraState(Said):
    """How the camera is, for every screen.

    ``code`` is ``ok``, ``opening``, ``lost``, ``silent``, ``frozen``, ``closed``, or for some seconds after a
    fault ``recovered``: screens are told of that too when it was healed before they looked.
    """

    code: str
    text: Text

    @property
    def ok(self) -> bool:
        """Whether pictures come."""
        return self.code in ("ok", "recovered")


OK = CameraState("ok", Text("vision.camera_ok"))
RECOVERED = CameraState(
    "recovered",
    Text("vision.camera_recovered"),
)
OPENING = CameraState("opening", Text("vision.camera_opening"))
CLOSED = CameraState("closed", Text("vision.camera_closed"))
FROZEN = CameraState(
    "frozen",
    Text("vision.camera_frozen"),
)
SILENT = CameraState(
    "silent",
    Text("vision.camera_silent"),
)


class CameraOwner:
    """Keeps the newest frame of a camera that ``opener`` opens; itself a camera for everyone else.

    ``check_frozen`` watches for byte-identical frames (sensor noise makes these impossible on a real camera).
    A capture that never returns cannot be stopped from outside; the thread is then abandoned and a new one,
    with a newly opened camera, takes its place.
    """

    def __init__(
        self, opener: Callable[[], Camera], check_frozen: bool = False, capture_deadline_s: float = 1.0,
        hung_after_s: float = 4.0,
    ) -> None:  # fmt: skip
        self._opener = opener
        self._check_frozen = check_frozen
        self._deadline_s = capture_deadline_s
        self._hung_after_s = hung_after_s
        self._condition = threading.Condition()
        self._newest: Frame | None = None
        self._given = -1
        self._count = 0
        self._state = OPENING
        self._closing = False
        self._generation = 0
        self._alive_at = time.monotonic()
        self._failed = False
        self._healed_at: float | None = None
        self._start()

    def _start(self) -> None:
        self._generation += 1
        self._alive_at = time.monotonic()
        threading.Thread(target=self._run, args=(self._generation,), name="camera", daemon=True).start()

    @property
    def state(self) -> CameraState:
        """How the camera is now; also notices a capture that hangs."""
        with self._condition:
            idle = time.monotonic() - self._alive_at
            if not self._closing and idle > self._hung_after_s:
                log.warning("a capture has not returned for %.1f s; the camera is opened again", idle)
                self._state = SILENT
                self._failed = True
                self._start()
            elif (
                self._state.ok
                and self._newest
                and time.monotonic() - self._newest.monotonic_s > STALE_AFTER_S
            ):
                return SILENT
            healed = self._healed_at is not None and time.monotonic() - self._healed_at < TOLD_FOR_S
            return RECOVERED if healed and self._state.ok else self._state

    def frame(self, deadline_s: float) -> Frame | None:
        """The newest frame that this call has not given yet; None where none comes in time."""
        with self._condition:
            ready = self._condition.wait_for(
                lambda: self._closing or (self._newest is not None and self._newest.sequence > self._given),
                deadline_s,
            )
            if not ready or self._closing or self._newest is None:
                return None
            self._given = self._newest.sequence
            return self._newest

    def newest(self) -> Frame | None:
        """The newest frame, taken from nobody: others still get it.  None where none is fresh."""
        with self._condition:
            frame = self._newest
        if frame is None or time.monotonic() - frame.monotonic_s > STALE_AFTER_S:
            return None
        return frame

    def _run(self, generation: int) -> None:
        failures = 0
        while not self._closing and generation == self._generation:
            camera: Camera | None = None
            try:
                self._alive(generation)
                camera = self._opener()
                self._capture(camera, generation)
            except CameraLost as lost:
                self._tell(CameraState("lost", lost.text), generation)
            except Exception:  # top of a thread: whatever a driver throws, the camera is opened again
                log.exception("the camera thread failed")
                self._tell(SILENT, generation)
            finally:
                if camera is not None:
                    self._close_quietly(camera)
            got_some = self._newest is not None and self._alive_at - self._newest.monotonic_s < 1.0
            failures = 0 if got_some and failures > 3 else failures
            self._rest(BACK_OFF_S[min(failures, len(BACK_OFF_S) - 1)], generation)
            failures += 1

    def _capture(self, camera: Camera, generation: int) -> None:
        last_new = time.monotonic()
        same_since: float | None = None
        print_before: bytes | None = None
        while not self._closing and generation == self._generation:
            frame = camera.frame(self._deadline_s)
            self._alive(generation)
            now = time.monotonic()
            if frame is None:
                if now - last_new > STALE_AFTER_S:
                    raise CameraLost("silent", SILENT.text)
                continue
            last_new = now
            if self._check_frozen:
                print_now = np.ascontiguousarray(frame.image[::7, ::5]).tobytes()
                same_since = (same_since or now) if print_now == print_before else None
                print_before = print_now
                if same_since is not None and now - same_since > FROZEN_AFTER_S:
                    self._tell(FROZEN, generation)
                    return
            self._keep(frame, generation)

    def _keep(self, frame: Frame, generation: int) -> None:
        with self._condition:
            if generation != self._generation:
                return
            self._count += 1
            self._newest = Frame(frame.image, self._count, frame.monotonic_s, frame.metadata)
            self._state = OK
            if self._failed:
                self._failed, self._healed_at = False, time.monotonic()
            self._condition.notify_all()

    def _alive(self, generation: int) -> None:
        with self._condition:
            if generation == self._generation:
                self._alive_at = time.monotonic()

    def _tell(self, state: CameraState, generation: int) -> None:
        with self._condition:
            if generation == self._generation and not self._closing:
                self._state = state
                self._failed = self._newest is not None

    def _rest(self, seconds: float, generation: int) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and not self._closing and generation == self._generation:
            self._alive(generation)
            time.sleep(min(0.1, left))

    @staticmethod
    def _close_quietly(camera: Camera) -> None:
        try:
            camera.close()
        except (OSError, RuntimeError, CameraLost):
            log.warning("the camera could not be closed properly", exc_info=True)

    def close(self) -> None:
        """Stop the thread; the camera is given back as soon as its capture returns."""
        with self._condition:
            self._closing = True
            self._state = CLOSED
            self._condition.notify_all()
