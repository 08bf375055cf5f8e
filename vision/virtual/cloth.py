"""Floors of the virtual tray and the table around it, as linear RGB textures."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from vision.virtual.scene import MARKER_CENTRES_MM, MARKER_MM

TABLE_PX_PER_MM = 1.5
TABLE_HALF_MM = (280.0, 220.0)

CLOTHS = (
    "green_felt",
    "red_cloth",
    "black",
    "wood",
    "blue_cloth",
    "grey_felt",
    "purple_velvet",
    "checked",
    "striped",
    "dotted",
    "printed",
)

PLAIN = {
    "green_felt": (0.05, 0.36, 0.17),
    "red_cloth": (0.55, 0.06, 0.09),
    "black": (0.10, 0.10, 0.11),
    "blue_cloth": (0.09, 0.17, 0.45),
    "grey_felt": (0.45, 0.45, 0.46),
    "purple_velvet": (0.28, 0.10, 0.36),
}


def linear(srgb: np.ndarray | tuple[float, ...]) -> np.ndarray:
    """sRGB in 0..1 to linear light."""
    value = np.asarray(srgb, np.float32)
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(np.float32)


def noise(shape: tuple[int, int], grain: float, rng: np.random.Generator) -> np.ndarray:
    """Smooth noise of unit variance whose features are ``grain`` pixels wide."""
    h, w = shape
    small = rng.standard_normal((max(2, int(h / grain) + 2), max(2, int(w / grain) + 2))).astype(np.float32)
    return cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC)


def wood(
    shape: tuple[int, int], base: tuple[float, ...], rng: np.random.Generator, along_x: bool = True
) -> np.ndarray:
    """Grain of planed wood, sRGB."""
    h, w = shape if along_x else shape[::-1]
    rings = cv2.resize(
        rng.standard_normal((h // 3 + 2, w // 60 + 2)).astype(np.float32),
        (w, h),
        interpolation=cv2.INTER_CUBIC,
    )
    fine = cv2.resize(
        rng.standard_normal((h, w // 16 + 2)).astype(np.float32), (w, h), interpolation=cv2.INTER_LINEAR
    )
    tone = 1.0 + 0.06 * rings + 0.03 * fine
    image = np.clip(np.asarray(base, np.float32) * tone[..., None], 0, 1)
    return image if along_x else np.ascontiguousarray(image.transpose(1, 0, 2))


def _pattern(name: str, shape: tuple[int, int], per_mm: float, rng: np.random.Generator) -> np.ndarray:
    h, w = shape
    first, second = rng.uniform(0.05, 0.9, (2, 3)).astype(np.float32)
    second = first + (second - first) * np.float32(rng.uniform(0.3, 1.0))
    y, x = np.mgrid[0:h, 0:w].astype(np.float32) / per_mm
    angle = rng.uniform(0, np.pi)
    u, v = x * np.cos(angle) + y * np.sin(angle), -x * np.sin(angle) + y * np.cos(angle)
    period = rng.uniform(8, 40)
    if name == "checked":
        share = 0.5 * ((u % period < period / 2).astype(np.float32) + (v % period < period / 2))
    elif name == "striped":
        share = (u % period < period * rng.uniform(0.2, 0.8)).astype(np.float32)
    elif name == "dotted":
        share = (
            np.hypot(u % period - period / 2, v % period - period / 2) < period * rng.uniform(0.12, 0.35)
        ).astype(np.float32)
    else:
        share = np.clip(noise(shape, period * per_mm, rng) * 1.5 + 0.5, 0, 1)
        share = np.where(rng.random() < 0.5, np.round(share * 3) / 3, share).astype(np.float32)
    found: np.ndarray = first + share[..., None] * (second - first)
    return found


def cloth_texture(name: str, shape: tuple[int, int], per_mm: float, seed: int) -> np.ndarray:
    """Linear RGB texture (float32, h x w x 3) of the named cloth; unknown names are a plain random colour."""
    rng = np.random.default_rng(seed)
    h, w = shape
    if name == "wood":
        base = np.array([0.62, 0.43, 0.27]) * rng.uniform(0.6, 1.15)
        image = wood(shape, tuple(base), rng)
    elif name in ("checked", "striped", "dotted", "printed"):
        image = _pattern(name, shape, per_mm, rng)
    else:
        plain = PLAIN.get(name) or tuple(rng.uniform(0.03, 0.95, 3))
        image = np.empty((h, w, 3), np.float32)
        image[:] = np.clip(np.array(plain) * rng.uniform(0.75, 1.25) + rng.normal(0, 0.02, 3), 0.01, 0.97)
    grain = 1.0 + 0.05 * rng.uniform(0.3, 1.6) * rng.standard_normal((h, w)).astype(np.float32)
    grain += 0.05 * rng.uniform(0.2, 1.5) * noise(shape, 12 * per_mm, rng)
    return linear(np.clip(image * grain[..., None], 0, 1))


def table_texture(rgb: tuple[float, float, float], shape: tuple[int, int], seed: int) -> np.ndarray:
    """Linear RGB texture of the table around the tray."""
    rng = np.random.default_rng(seed + 1)
    if rgb[0] > rgb[2] * 1.3:
        return linear(wood(shape, rgb, rng))
    tone = 1.0 + 0.04 * noise(shape, 4, rng) + 0.03 * rng.standard_normal(shape).astype(np.float32)
    return linear(np.clip(np.asarray(rgb, np.float32) * tone[..., None], 0, 1))


@lru_cache(maxsize=16)
def table(rgb: tuple[float, float, float], seed: int, hidden: tuple[int, ...]) -> np.ndarray:
    """Linear RGB texture of the table with the markers that are not hidden, ``2 * TABLE_PX_PER_MM``."""
    w, h = (int(2 * half * TABLE_PX_PER_MM) for half in TABLE_HALF_MM)
    image = table_texture(rgb, (h, w), seed)
    image = cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    _lay_markers(image, hidden)
    return image


@lru_cache(maxsize=4)
def plates(hidden: tuple[int, ...]) -> np.ndarray:
    """The markers' papers alone, as a table's texture that is 0 beside them."""
    w, h = (int(4 * half * TABLE_PX_PER_MM) for half in TABLE_HALF_MM)
    image = np.zeros((h, w, 3), np.float32)
    _lay_markers(image, hidden)
    return image


def _lay_markers(image: np.ndarray, hidden: tuple[int, ...]) -> None:
    """Draw the markers that are not hidden into a table's texture."""
    scale = 2 * TABLE_PX_PER_MM
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for number, (x, y) in enumerate(MARKER_CENTRES_MM):
        if number in hidden:
            continue
        side = round(MARKER_MM * scale)
        code = cv2.aruco.generateImageMarker(dictionary, number, side).astype(np.float32) / 255
        pad = round(4 * scale)
        paper = np.pad(code, pad, constant_values=1.0) * 0.78 + 0.02
        left = round((x - MARKER_MM / 2 + TABLE_HALF_MM[0]) * scale) - pad
        top = round((TABLE_HALF_MM[1] - y - MARKER_MM / 2) * scale) - pad
        image[top : top + paper.shape[0], left : left + paper.shape[1]] = paper[..., None]
