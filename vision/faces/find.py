"""Find dice in the rectified picture of a tray with the small convolutional finder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.arrays import fill_planes
from vision.network import load

STRIDE = 4
OFFSET = 1.5  # the middle of cell 0 in pixels
MODEL = Path(__file__).parent / "models" / "finder.onnx"
AROUND = (65, 65)  # pixels over which the light is evened
LEAST_SPREAD = 0.012  # of the grey around, so that plain cloth stays plain
SEEN = 0.2  # heat from which a peak is looked at more closely
HAND_BIAS = 2.2  # logit by which a hand must stand out: some printed cloth has its colour
NEAREST_PX = 15.0  # upper faces of two dice (32 pixels wide) cannot be nearer


@dataclass(frozen=True)
class LocatedDie:
    """A die in the rectified picture: middle and angle (radians, modulo a quarter turn) of its upper face,
    and probabilities of its states."""

    x: float
    y: float
    angle: float
    score: float
    cocked: float
    raised: float
    covered: float
    blurred: float
    square: float  # 0 to 1: how definite the angle is
    die: float = 1.0  # probability that this is a die at all
    lean: float = 0.0  # sine of the upper side's angle with the floor
    normal: tuple[float, float] = (0.0, 0.0)  # x and y of its unit normal, in the picture's axes

    def corners(self, half: float) -> np.ndarray:
        """Corners of the upper face (4 x 2), ``half`` pixels from the middle to a side."""
        c, s = np.cos(self.angle) * half, np.sin(self.angle) * half
        right, down = np.array([c, s]), np.array([-s, c])
        at = np.array([self.x, self.y])
        return np.stack([at - right - down, at + right - down, at + right + down, at - right + down])


def planes(rectified: np.ndarray) -> np.ndarray:
    """The network's input (4 x h x w float32): the BGR picture in 0..1, and its grey against what is around.

    The fourth plane shows dark dice on dark cloth as plainly as others: each pixel less the mean of about two
    dice around it, by their standard deviation.
    """
    out = np.empty((4, *rectified.shape[:2]), np.float32)
    fill_planes(rectified, out[:3])
    grey = cv2.cvtColor(rectified, cv2.COLOR_BGR2GRAY).astype(np.float32) / 255
    mean = cv2.blur(grey, AROUND)
    spread = cv2.sqrt(np.maximum(cv2.blur(grey * grey, AROUND) - mean * mean, 0))
    np.divide(grey - mean, spread + LEAST_SPREAD, out=out[3])
    return out


def maps(rectified: np.ndarray) -> np.ndarray:
    """The model's output maps (10 x h/4 x w/4) for a rectified BGR picture, logits where it has logits."""
    out: np.ndarray = load(MODEL).run(planes(rectified)[None])[0]
    return out


def _sigmoid(x: np.ndarray) -> np.ndarray:
    found: np.ndarray = 1 / (1 + np.exp(-np.clip(x, -30, 30)))
    return found


def find_dice(rectified: np.ndarray) -> tuple[list[LocatedDie], np.ndarray]:
    """Dice, best first, and the probability of a hand on the grid of cells (h/4 x w/4)."""
    out = maps(rectified)
    heat = _sigmoid(out[0])
    top = (heat == cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > SEEN)
    out[9] -= HAND_BIAS
    states = _sigmoid(out[5:])
    found: list[LocatedDie] = []
    ys, xs = np.nonzero(top)
    for k in np.argsort(-heat[ys, xs]):
        i, j = int(ys[k]), int(xs[k])
        x = (j + float(out[1, i, j])) * STRIDE + OFFSET
        y = (i + float(out[2, i, j])) * STRIDE + OFFSET
        if any((f.x - x) ** 2 + (f.y - y) ** 2 < NEAREST_PX**2 for f in found):
            continue
        c, s = float(out[3, i, j]), float(out[4, i, j])
        found.append(
            LocatedDie(
                x, y, float(np.arctan2(s, c)) / 4, float(heat[i, j]),
                cocked=float(states[0, i, j]), raised=float(states[1, i, j]),
                covered=float(states[2, i, j]), blurred=float(states[3, i, j]),
                square=min(1.0, float(np.hypot(c, s))),
            )
        )  # fmt: skip
    return found, states[4]
