"""Describe an upper face by numbers: an embedding, the number of pips, and whether it can be read at all."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.network import load

SIZE = 48  # pixels of a crop's side
FACE_SHARE = 0.83  # the face's edge takes this share of it
WIDTH = 64
MODEL = Path(__file__).parent / "models" / "describer.onnx"


@dataclass(frozen=True)
class Description:
    """What the model says of one crop: ``embedding`` (64, unit length), ``pips`` (probabilities of no pips
    and of 1 to 6) and ``legible`` (probability that this is a level, uncovered, sharp face)."""

    embedding: np.ndarray
    pips: np.ndarray
    legible: float


def normalise(crop: np.ndarray) -> np.ndarray:
    """Exposure out, colour kept: BGR float in 0..1 (48 x 48 x 3) to zero mean and unit spread of
    brightness."""
    x = crop.astype(np.float32)
    middle = x[6:-6, 6:-6].mean(axis=2)
    mean = float(middle.mean())
    return (x - mean) / (float(middle.std()) + 0.04 * mean + 0.01)


def describe(crops: np.ndarray) -> list[Description]:
    """Describe crops (N x 48 x 48 x 3, BGR uint8)."""
    if len(crops) == 0:
        return []
    x = np.multiply(crops.transpose(0, 3, 1, 2), np.float32(1 / 255), dtype=np.float32)
    middle = x[:, :, 6:-6, 6:-6].mean(axis=1)
    mean, spread = (v[:, None, None, None] for v in (middle.mean(axis=(1, 2)), middle.std(axis=(1, 2))))
    out = load(MODEL).each(np.ascontiguousarray((x - mean) / (spread + 0.04 * mean + 0.01), np.float32))
    logits = out[:, WIDTH : WIDTH + 7]
    pips = np.exp(logits - logits.max(axis=1, keepdims=True))
    pips /= pips.sum(axis=1, keepdims=True)
    legible = 1 / (1 + np.exp(-out[:, WIDTH + 7]))
    return [Description(out[k, :WIDTH].copy(), pips[k], float(legible[k])) for k in range(len(crops))]
