"""Figures of the tray reader for ``make bench``, on the product's own virtual tray.

- ``dice.tray_exact``: share of rolls wholly right (a roll with cocked, stacked or covered dice counts as
  right when every readable die was read and the roll was asked about);
- ``dice.tray_silent``: share of rolls that were answered ``ok`` and wrong;
- ``dice.tray_ask``: share of rolls without cocked, stacked or covered dice that were asked about or refused;
- ``dice.tray_recall``, ``dice.tray_precision``: per die, of readable dice read right, and of answers that
  are right;
- ``dice.cocked_recall``: share of cocked dice that were called cocked;
- ``dice.cocked_false``: share of level dice that were called cocked;
- ``dice.read13_ms``: median milliseconds of the processor, which a busy machine hardly lengthens, for a full
  reading of 13 dice in a 1280 x 960 picture;
- ``dice.gate_ms``: milliseconds of the motion gate a 1280 x 960 frame, one thread;
- ``dice.taught_right``, ``dice.taught_wrong``: shares of new throws of taught symbol dice that were read
  right and wrong (the rest is "not sure");
- ``dice.taught_cubes_right``: the same of cubes that only their colour tells apart;
- ``dice.teach_s``: seconds to learn and test a die of six faces from six pictures a face;
- ``dice.render_ms``: median milliseconds to throw and draw 13 dice;
- ``dice.camera_mb``: megabytes (resident) of the camera's process, at 1280 x 960;
- ``dice.camera_healed_s``: seconds from killing that process to the next picture.
"""

from __future__ import annotations

import os
import signal
import tempfile
import time
from pathlib import Path
from statistics import median

import cv2
import numpy as np

from vision.faces.builtin import builtin_faces, rendered_examples
from vision.faces.taught import TaughtFaces
from vision.motion import MotionGate
from vision.sources.owner import CameraOwner
from vision.sources.process import ProcessCamera
from vision.taught_bench import measure_taught
from vision.teach import self_test
from vision.throws_bench import THROWN, measure_throws
from vision.trayreader import TrayReader
from vision.virtual.tray import VirtualTray

THIRTEEN = {"combat_white": 3, "combat_black": 2, "action_a": 3, "action_b": 3, "battle": 2}


def figures(dice: int = 400) -> dict[str, float]:
    """All figures above, over at least so many thrown dice (about two minutes on a free core)."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        tally = measure_throws(dice, seed=1).figures()
        result = {
            "dice.tray_exact": float(tally["exact"]),
            "dice.tray_silent": float(tally["silent"]),
            "dice.tray_ask": float(tally["asked"] + tally["refused"]),
            "dice.tray_recall": float(tally["recall"]),
            "dice.tray_precision": float(tally["precision"]),
            "dice.cocked_recall": float(tally["cocked_recall"]),
            "dice.cocked_false": float(tally["cocked_false"]),
        }
        return {**result, **_taught(), **_times(), **_camera()}
    finally:
        cv2.setNumThreads(threads)


def _taught() -> dict[str, float]:
    learned = measure_taught(20, seed=1)
    symbols = learned.figures(cubes=False)
    return {
        "dice.taught_right": symbols["right"],
        "dice.taught_wrong": symbols["wrong"],
        "dice.taught_cubes_right": learned.figures(cubes=True)["right"],
    }


def _times() -> dict[str, float]:
    tray = VirtualTray(THROWN, seed=2)
    reader = TrayReader(THROWN, builtin_faces(THROWN))
    reading, drawing = [], []
    for seed in range(12):
        start = time.perf_counter()
        image = tray.throw(THIRTEEN, seed, "touching")
        drawing.append(1000 * (time.perf_counter() - start))
        start = time.process_time()
        reader.read(image, THIRTEEN)
        reading.append(1000 * (time.process_time() - start))
    gate, rng = MotionGate(), np.random.default_rng(0)
    frames = [image, np.clip(image.astype(int) + rng.integers(-2, 3, image.shape), 0, 255).astype(np.uint8)]
    start = time.perf_counter()
    for k in range(60):
        gate.feed(frames[k % 2], k / 15)
    gate_ms = 1000 * (time.perf_counter() - start) / 60
    examples = [(f, e) for f in THROWN[3].distinct_faces for e in rendered_examples(THROWN[3], f, 6)]
    start = time.perf_counter()
    taught = TaughtFaces()
    for face, (crop, body) in examples:
        taught.add(THROWN[3].id, face, crop, body)
    self_test(taught, THROWN[3].id)
    return {
        "dice.read13_ms": median(reading),
        "dice.gate_ms": gate_ms,
        "dice.teach_s": time.perf_counter() - start,
        "dice.render_ms": median(drawing),
    }


def _camera() -> dict[str, float]:
    """Weigh the camera's process, kill it, and wait for the next picture."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.avi"
        film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 15, (1280, 960))
        for k in range(600):
            film.write(np.full((960, 1280, 3), k % 200, np.uint8))
        film.release()
        cameras: list[ProcessCamera] = []

        def opener() -> ProcessCamera:
            cameras.append(ProcessCamera(f"video:{path}"))
            return cameras[-1]

        owner = CameraOwner(opener)
        try:
            if owner.frame(60) is None:
                raise RuntimeError("the camera's process gave no picture within a minute")
            status = Path(f"/proc/{cameras[-1].pid}/status").read_text()
            megabytes = int(status.split("VmRSS:")[1].split()[0]) / 1024
            start = time.monotonic()
            os.kill(cameras[-1].pid, signal.SIGKILL)
            while (frame := owner.frame(60)) is None or frame.monotonic_s < start:
                pass
            return {"dice.camera_mb": megabytes, "dice.camera_healed_s": time.monotonic() - start}
        finally:
            owner.close()
