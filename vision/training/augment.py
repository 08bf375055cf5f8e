"""Random views of training pictures, and the targets of the detector."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.data import LabelledPicture
from vision.training.nets import STRIDE

F = NDArray[np.float32]


@lru_cache(maxsize=1)
def _noise() -> F:
    return np.random.default_rng(0).standard_normal((700, 700, 3)).astype(np.float32)


def _curve(rng: np.random.Generator, gain: float) -> NDArray[np.uint8]:
    """A random brightness curve of one channel, 256 values."""
    x = np.arange(256, dtype=np.float32) / 255
    x = np.clip(x * gain * (1 + rng.normal(0, 0.06)), 0, 1)
    return np.clip(x * 255, 0, 255).astype(np.uint8)


def colours(rng: np.random.Generator, img: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Change light, colours, sharpness and noise of a picture."""
    if rng.random() < 0.3:
        img = img[..., rng.permutation(3)]
    if rng.random() < 0.3:
        grey = cv2.cvtColor(cv2.cvtColor(img, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        k = float(rng.uniform(0, 1.8))
        img = cv2.addWeighted(np.ascontiguousarray(img), k, grey, 1 - k, 0)
    gain = float(rng.uniform(0.75, 1.25))
    table = np.stack([_curve(rng, gain) for _ in range(3)], 1).astype(np.float32) / 255
    table = table ** float(np.exp(rng.normal(0, 0.25)))
    table = (table - 0.5) * float(rng.uniform(0.6, 1.2)) + 0.5 + float(rng.normal(0, 0.05))
    if rng.random() < 0.05:
        table = 1 - table
    lut = np.clip(table * 255, 0, 255).astype(np.uint8)[None]
    out = cv2.LUT(np.ascontiguousarray(img), lut)
    if rng.random() < 0.25:
        out = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.3, 1.1)))
    if rng.random() < 0.5:
        h, w = out.shape[:2]
        bank = _noise()
        y, x = rng.integers(0, 700 - h), rng.integers(0, 700 - w)
        level = float(rng.uniform(0, 0.03)) * 255
        out = np.clip(out + bank[y : y + h, x : x + w] * level, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        _, buf = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 90))])
        out = cv2.imdecode(buf, cv2.IMREAD_COLOR)
    return out


def view(rng: np.random.Generator, pic: LabelledPicture, size: int) -> tuple[NDArray[np.uint8], F]:
    """A crop (size, size) at a random scale and turn, with its dice as (n, 5)."""
    h, w = pic.image.shape[:2]
    d = pic.dice
    if len(d) and rng.random() < 0.85:
        at = d[rng.integers(len(d)), 1:3] + rng.normal(0, size / 6, 2)
    else:
        at = rng.uniform((0, 0), (w, h))
    typical = float(np.median(d[:, 3])) if len(d) else 40.0
    want = float(np.exp(rng.uniform(np.log(20), np.log(85))))
    low = 0.8 if pic.source == "synthetic" else 0.25
    s = float(np.clip(want / typical, low, 1.5))
    if pic.source == "synthetic":
        s = float(np.clip(rng.normal(1.0, 0.15), 0.8, 1.3))
        a = float(rng.choice([0.0, 0.0, 90.0, 180.0, 270.0])) if typical > 0 and rng.random() < 0.3 else 0.0
    else:
        a = float(rng.uniform(-pic.spin, pic.spin))
    image = pic.image
    if s < 0.6:  # warpAffine does not average when shrinking
        f = 1.4 * s
        image = cv2.resize(image, None, fx=f, fy=f, interpolation=cv2.INTER_AREA)
        d = d.copy()
        d[:, 1:3] = (d[:, 1:3] + 0.5) * f - 0.5
        d[:, 3] *= f
        at, s = at * f, s / f
    m = cv2.getRotationMatrix2D((float(at[0]), float(at[1])), a, s)
    if rng.random() < 0.5:
        flip = np.array([[-1, 0, 2 * float(at[0])], [0, 1, 0]])
        m = flip[:, :2] @ m + np.array([[0, 0, flip[0, 2]], [0, 0, 0]])
    m[:, 2] += size / 2 - at
    mode = cv2.BORDER_REFLECT_101 if pic.source == "synthetic" else cv2.BORDER_CONSTANT
    fill = tuple(float(v) for v in rng.uniform(0, 255, 3))
    img = cv2.warpAffine(image, m, (size, size), flags=cv2.INTER_LINEAR, borderMode=mode, borderValue=fill)
    out = d.copy()
    if len(d):
        out[:, 1:3] = d[:, 1:3] @ m[:, :2].T + m[:, 2]
        out[:, 3] *= s
    return img, out.astype(np.float32)


def targets(dice: F, size: int) -> tuple[F, F]:
    """Heat maps and regression targets.

    Returns ``heat`` (3, s, s): pip dice, other dice, weight of the heat loss;
    ``reg`` (4, s, s): log2(edge / 32), face index (0..5, -1 none), weight of
    the face, weight of the size.
    """
    n = size // STRIDE
    heat = np.zeros((3, n, n), np.float32)
    heat[2] = 1
    reg = np.zeros((4, n, n), np.float32)
    reg[1] = -1
    yy, xx = np.mgrid[0:n, 0:n].astype(np.float32)
    for face, x, y, edge, known in dice:
        cx, cy = (x + 0.5) / STRIDE - 0.5, (y + 0.5) / STRIDE - 0.5
        if not (-edge / STRIDE < cx < n + edge / STRIDE and -edge / STRIDE < cy < n + edge / STRIDE):
            continue
        d2 = (xx - cx) ** 2 + (yy - cy) ** 2
        if int(known) & 2 or min(x, y, size - x, size - y) < 0.3 * edge:
            heat[2][d2 < (0.7 * edge / STRIDE) ** 2] = 0
            continue
        sigma = max(0.75, 0.11 * edge / STRIDE)
        g = np.exp(-d2 / (2 * sigma * sigma))
        iy, ix = round(min(max(cy, 0), n - 1)), round(min(max(cx, 0), n - 1))
        g[iy, ix] = 1.0
        channel = 0 if face > 0 else 1
        heat[channel] = np.maximum(heat[channel], g)
        near = g > 0.55
        reg[0][near] = np.log2(edge / 32)
        reg[3][near] = g[near] if int(known) & 1 else 0
        if face > 0:
            reg[1][near] = face - 1
            reg[2][near] = g[near]
    return heat, reg
