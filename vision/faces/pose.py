"""Look at each found die once more: does it lie level, on the floor, uncovered and sharp, and where exactly?

A second, small network sees the die upright, with twice its edge around it, and the direction in which the
camera stands: which sides of a level die can be seen follows from that, and a tilted die breaks the rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from vision.faces.find import Found
from vision.tray import TrayView

SIDE = 32  # pixels of the crop, at half the scale of the rectified picture (a die's edge is 16)
SHIFT_PX, TURN_RAD = 4.0, 0.2  # units of the corrections that the network gives
STATES = ("cocked", "raised", "covered", "blurred")
MODEL = Path(__file__).parent / "models" / "pose.onnx"


@cache
def _net(path: str) -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(path)


def halve(rectified: np.ndarray) -> np.ndarray:
    """The rectified picture at half its size, which is what the network looks at."""
    return cv2.resize(rectified, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)


def upright(half: np.ndarray, x: float, y: float, angle: float) -> np.ndarray:
    """The square around (x, y), turned so that a face at ``angle`` stands upright: 32 x 32 x 3.

    ``half`` comes from ``halve``; (x, y) are pixels of the whole rectified picture.
    """
    x, y = (x - 0.5) / 2, (y - 0.5) / 2
    c, s = np.cos(angle), np.sin(angle)
    middle = (SIDE - 1) / 2
    back = np.array([[c, -s, x - middle * (c - s)], [s, c, y - middle * (s + c)]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(half, back, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)


def towards(x: float, y: float, angle: float, nadir: Sequence[float]) -> np.ndarray:
    """From the die to the point below the camera, in the crop's axes; one unit is 200 pixels (10 cm)."""
    dx, dy = (nadir[0] - x) / 200.0, (nadir[1] - y) / 200.0
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * dx + s * dy, -s * dx + c * dy], np.float32)


def planes(crop: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """The network's input: 5 x 32 x 32 float32, three of normalised colour and two of direction."""
    x = crop.astype(np.float32) / 255
    gray = x.mean(axis=2)
    x = (x - float(gray.mean())) / (float(gray.std()) + 0.03)
    wide = np.broadcast_to(direction.astype(np.float32)[:, None, None], (2, SIDE, SIDE))
    return np.concatenate([x.transpose(2, 0, 1), wide])


def examine(rectified: np.ndarray, view: TrayView, found: Sequence[Found]) -> list[Found]:
    """The same dice with corrected place and angle, and states as this network sees them."""
    if not found:
        return []
    nadir = view.from_mm(view.position[None, :2])[0]
    half = halve(rectified)
    batch = np.stack(
        [planes(upright(half, f.x, f.y, f.angle), towards(f.x, f.y, f.angle, nadir)) for f in found]
    )
    net = _net(str(MODEL))
    net.setInput(batch)
    out = net.forward().reshape(len(found), -1)
    states = 1 / (1 + np.exp(-np.clip(out[:, :4], -30, 30)))
    return [_corrected(f, s, o[4:7]) for f, s, o in zip(found, states, out, strict=True)]


def _corrected(f: Found, states: np.ndarray, shift: np.ndarray) -> Found:
    c, s = np.cos(f.angle), np.sin(f.angle)
    dx, dy = (float(np.clip(v, -1.5, 1.5)) * SHIFT_PX for v in shift[:2])
    turn = float(np.clip(shift[2], -1.5, 1.5)) * TURN_RAD
    cocked, raised, covered, blurred = (float(v) for v in states)
    return replace(
        f,
        x=f.x + c * dx - s * dy,
        y=f.y + s * dx + c * dy,
        angle=f.angle + turn,
        cocked=cocked,
        raised=raised,
        covered=covered,
        blurred=blurred,
    )
