"""Random views of face patches for training, a whole batch at a time (torch)."""

from __future__ import annotations

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as fn

from vision.training.patches import EDGE, SIZE


def batch_view(
    rng: np.random.Generator, patches: NDArray[np.uint8], size: int, edge: float, spoil: NDArray | None = None
) -> Tensor:
    """(n, 112, 112, 3) uint8 BGR -> (n, 3, size, size) float in 0..1, a face's edge about ``edge`` pixels.

    ``spoil``: (n,) factors of how often each is made coarse, recoloured, blurred, noisy or compressed; all 1
    unless given.
    """
    spoil = np.ones(len(patches)) if spoil is None else spoil
    x = torch.from_numpy(patches).permute(0, 3, 1, 2).float() / 255
    x = _coarse(rng, x, spoil)
    x = _marbled(rng, _colours(rng, _turned(rng, x, size, edge), spoil))
    x = _glare(rng, x, edge)
    x = _sharpened(rng, _blurred(rng, x, spoil), spoil)
    noise = torch.from_numpy(
        (rng.uniform(0, 0.03, len(x)) * np.sqrt(spoil)).astype(np.float32)[:, None, None, None]
    )
    x = (x + torch.randn_like(x) * noise * (noise > 0.012)).clamp(0, 1)
    x = _compressed(rng, x, spoil)
    at = np.nonzero(rng.random(len(x)) < 0.3)[0]
    x[at] = stretched(x[at], edge)
    return x


def nearer(x: Tensor, size: int, share: float) -> Tensor:
    """The middle ``share`` of pictures as (n, 3, size, size)."""
    theta = torch.tensor([[share, 0, 0], [0, share, 0]]).expand(len(x), 2, 3)
    grid = fn.affine_grid(theta, [len(x), 3, size, size], align_corners=False)
    return fn.grid_sample(x, grid, mode="bilinear", padding_mode="border", align_corners=False)


def _coarse(rng: np.random.Generator, x: Tensor, spoil: NDArray) -> Tensor:
    """A third of the faces as dice of 20 to 32 pixels look."""
    for part in np.array_split(np.nonzero(rng.random(len(x)) < 0.35 * spoil)[0], 3):
        if len(part):
            few = int(SIZE * rng.uniform(0.5, 0.8))
            small = fn.interpolate(x[part], size=(few, few), mode="area")
            x[part] = fn.interpolate(small, size=(SIZE, SIZE), mode="bilinear", align_corners=False)
    return x


def _turned(rng: np.random.Generator, x: Tensor, size: int, edge: float) -> Tensor:
    """Turned, mirrored, shifted, scaled, and squashed as by a slanted look."""
    n = len(x)
    a, b = rng.uniform(0, 2 * np.pi, n), rng.uniform(0, 2 * np.pi, n)
    scale = np.exp(rng.normal(0, 0.1, n)) * (size / edge) * (EDGE / SIZE)
    squash = np.where(rng.random(n) < 0.4, np.exp(rng.normal(0, 0.1, n)), 1.0)
    mirror = np.where(rng.random(n) < 0.5, -1.0, 1.0)
    zero, one = np.zeros(n), np.ones(n)

    def mat(p: NDArray, q: NDArray, r: NDArray, s: NDArray) -> NDArray:
        return np.stack([np.stack([p, q], 1), np.stack([r, s], 1)], 1)

    m = mat(np.cos(a), -np.sin(a), np.sin(a), np.cos(a)) @ mat(squash, zero, zero, 1 / squash)
    m = m @ mat(np.cos(b), -np.sin(b), np.sin(b), np.cos(b)) @ mat(mirror, zero, zero, one)
    shift = np.clip(rng.normal(0, 0.06, (n, 2)), -0.16, 0.16) * EDGE * 2 / SIZE
    theta = np.concatenate([m * scale[:, None, None], shift[:, :, None]], 2).astype(np.float32)
    grid = fn.affine_grid(torch.from_numpy(theta), [n, 3, size, size], align_corners=False)
    return fn.grid_sample(x, grid, mode="bilinear", padding_mode="border", align_corners=False)


def _colours(rng: np.random.Generator, x: Tensor, spoil: NDArray) -> Tensor:
    """Channels exchanged, less or more colour, light, contrast; rarely a negative."""
    n = len(x)
    order = np.stack([rng.permutation(3) if rng.random() < 0.3 * f else np.arange(3) for f in spoil])
    x = x[torch.arange(n)[:, None], torch.from_numpy(order)]

    def per(values: NDArray) -> Tensor:
        return torch.from_numpy(values.astype(np.float32))

    colour = per(np.where(rng.random(n) < 0.3 * spoil, rng.uniform(0, 1.8, n), 1.0).reshape(n, 1, 1, 1))
    x = x * colour + x.mean(1, keepdim=True) * (1 - colour)
    gain = rng.uniform(0.75, 1.25, (n, 1, 1, 1)) * (1 + rng.normal(0, 0.06, (n, 3, 1, 1)))
    x = (x * per(gain)).clamp(1e-4, 1) ** per(np.exp(rng.normal(0, 0.25, (n, 1, 1, 1))))
    contrast = np.where(rng.random(n) < 0.15, rng.uniform(0.2, 0.5, n), rng.uniform(0.5, 1.2, n))
    x = (x - 0.5) * per(contrast.reshape(n, 1, 1, 1)) + 0.5 + per(rng.normal(0, 0.06, (n, 1, 1, 1)))
    negative = per((rng.random(n) < 0.05 * spoil).reshape(n, 1, 1, 1))
    return (x * (1 - 2 * negative) + negative).clamp(0, 1)


def stretched(x: Tensor, edge: float) -> Tensor:
    """Pictures (n, 3, h, w) whose middles, half an edge to each side, have one mean and one contrast."""
    h, half = x.shape[2], round(0.4 * edge)
    face = x[:, :, h // 2 - half : h // 2 + half, h // 2 - half : h // 2 + half]
    mean = face.mean((2, 3), keepdim=True)
    spread = (face - mean).pow(2).mean((1, 2, 3), keepdim=True).sqrt()
    return ((x - mean) * (0.2 / spread.clamp(min=0.04)) + 0.5).clamp(0, 1)


def _marbled(rng: np.random.Generator, x: Tensor) -> Tensor:
    """A quarter with cloudy colours over them, so that no shade of a body or of its pips can be learnt."""
    at = np.nonzero(rng.random(len(x)) < 0.25)[0]
    for part in np.array_split(at, 3):
        if len(part):
            few = int(rng.integers(3, 9))
            grey = torch.from_numpy(rng.normal(0, 1, (len(part), 1, few, few)).astype(np.float32))
            tint = torch.from_numpy(rng.normal(0, 0.6, (len(part), 3, few, few)).astype(np.float32))
            strength = torch.from_numpy(rng.uniform(0.02, 0.13, (len(part), 1, 1, 1)).astype(np.float32))
            cloud = fn.interpolate(grey + tint, size=x.shape[2:], mode="bicubic", align_corners=False)
            x[part] = (x[part] + cloud * strength * (0.35 + x[part].mean(1, keepdim=True))).clamp(0, 1)
    return x


def _glare(rng: np.random.Generator, x: Tensor, edge: float) -> Tensor:
    """Mirrored lamps: white spots, streaks and rings on one face in five."""
    n, _, h, w = x.shape
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32) - (h - 1) / 2
    for i in np.nonzero(rng.random(n) < 0.2)[0]:
        white = _ring(rng, xx, yy, edge) if rng.random() < 0.45 else np.zeros((h, w), np.float32)
        for _ in range(0 if white.any() else int(rng.integers(1, 4))):
            cx, cy = rng.normal(0, 0.3 * edge, 2)
            a, long = rng.uniform(0, 3.15), edge * rng.uniform(0.04, 0.22)
            u, v = (
                (xx - cx) * np.cos(a) + (yy - cy) * np.sin(a),
                (yy - cy) * np.cos(a) - (xx - cx) * np.sin(a),
            )
            r = np.hypot(u / long, v / (long * rng.uniform(0.25, 1)))
            white = np.maximum(white, 1 / (1 + np.exp(np.clip((r - 1) * rng.uniform(3, 10), -30, 30))))
        x[i] += torch.from_numpy(white.astype(np.float32)) * float(rng.uniform(0.3, 1)) * (1 - x[i])
    return x


def _ring(rng: np.random.Generator, xx: NDArray, yy: NDArray, edge: float) -> NDArray:
    """A ring lamp mirrored in a face: thin, often broken, bent by the relief of the pips."""
    cx, cy = rng.normal(0, 0.1 * edge, 2)
    a = np.arctan2(yy - cy, xx - cx)
    radius = (
        edge * rng.uniform(0.12, 0.4) * (1 + rng.uniform(0, 0.25) * np.cos(2 * (a - rng.uniform(0, 6.28))))
    )
    radius = radius * (1 + rng.uniform(0, 0.12) * np.cos(rng.integers(3, 7) * a + rng.uniform(0, 6.28)))
    width = edge * rng.uniform(0.02, 0.06)
    white = np.exp(-(((np.hypot(xx - cx, yy - cy) - radius) / width) ** 2))
    if rng.random() < 0.6:  # only an arc of it
        white = white / (
            1 + np.exp(np.clip(-6 * (np.cos(a - rng.uniform(0, 6.28)) + rng.uniform(-0.5, 0.9)), -30, 30))
        )
    return white.astype(np.float32)


def _blurred(rng: np.random.Generator, x: Tensor, spoil: NDArray) -> Tensor:
    """A third slightly out of focus or shaken."""
    for part in np.array_split(np.nonzero(rng.random(len(x)) < 0.33 * spoil)[0], 3):
        if not len(part):
            continue
        t = np.arange(-3, 4)
        sx, sy = rng.uniform(0.3, 1.2, 2) if rng.random() < 0.4 else [rng.uniform(0.3, 1.1)] * 2
        k = np.exp(-(t[:, None] ** 2) / (2 * sy**2) - t[None] ** 2 / (2 * sx**2))
        kernel = torch.from_numpy((k / k.sum()).astype(np.float32)).expand(3, 1, 7, 7)
        x[part] = fn.conv2d(fn.pad(x[part], (3, 3, 3, 3), mode="replicate"), kernel, groups=3)
    return x


def _sharpened(rng: np.random.Generator, x: Tensor, spoil: NDArray) -> Tensor:
    """A quarter with the halo that telephones draw along edges."""
    for part in np.array_split(np.nonzero(rng.random(len(x)) < 0.25 * spoil)[0], 2):
        if len(part):
            t = np.arange(-3, 4)
            k = np.exp(-(t[:, None] ** 2 + t[None] ** 2) / (2 * rng.uniform(0.7, 1.6) ** 2))
            kernel = torch.from_numpy((k / k.sum()).astype(np.float32)).expand(3, 1, 7, 7)
            soft = fn.conv2d(fn.pad(x[part], (3, 3, 3, 3), mode="replicate"), kernel, groups=3)
            amount = torch.from_numpy(rng.uniform(0.2, 1.6, (len(part), 1, 1, 1)).astype(np.float32))
            x[part] = (x[part] + amount * (x[part] - soft)).clamp(0, 1)
    return x


def _compressed(rng: np.random.Generator, x: Tensor, spoil: NDArray) -> Tensor:
    for i in np.nonzero(rng.random(len(x)) < 0.15 * spoil)[0]:
        image = (x[i].permute(1, 2, 0).numpy() * 255).astype(np.uint8)
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 92))])
        x[i] = torch.from_numpy(cv2.imdecode(data, cv2.IMREAD_COLOR)).permute(2, 0, 1).float() / 255
    return x
