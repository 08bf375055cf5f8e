"""Tables, cloths and stray objects behind training dice."""

from __future__ import annotations

import cv2
import numpy as np

from vision.training.solids import F


def _noise(rng: np.random.Generator, size: int, cell: float) -> F:
    n = max(2, int(size / cell) + 2)
    g = rng.normal(0, 1, (n, n)).astype(np.float32)
    return cv2.resize(g, (size, size), interpolation=cv2.INTER_CUBIC)


def _turned(rng: np.random.Generator, size: int) -> tuple[F, F]:
    a = rng.uniform(0, 6.283)
    yy, xx = np.mgrid[0:size, 0:size].astype(np.float32)
    return np.cos(a) * xx + np.sin(a) * yy, -np.sin(a) * xx + np.cos(a) * yy


def background(rng: np.random.Generator, size: int) -> F:
    """A table top (size, size, 3), float 0..1."""
    value = float(rng.choice([0.08, 0.2, 0.5, 0.75, 0.9])) * float(rng.uniform(0.7, 1.1))
    base = np.clip(value * (1 + rng.normal(0, rng.choice([0.03, 0.25]), 3)), 0.02, 1).astype(np.float32)
    img = np.ones((size, size, 3), np.float32) * base
    kind = rng.integers(7)
    u, v = _turned(rng, size)
    if kind == 1:  # wood
        wave = _noise(rng, size, size / 3) * rng.uniform(2, 12)
        img *= (
            1
            + rng.uniform(0.03, 0.2)
            * np.sin((u + wave) * rng.uniform(0.05, 0.5) + 3 * np.sin(v * 0.01))[..., None]
        )
    elif kind == 2:  # fleece, carpet
        for cell in (2.0, rng.uniform(4, 14)):
            img *= np.clip(1 + rng.uniform(0.05, 0.35) * _noise(rng, size, cell), 0.2, 2)[..., None]
    elif kind == 3:  # weave
        f = rng.uniform(0.3, 1.6)
        img *= (
            1 + rng.uniform(0.03, 0.35) * (np.sin(u * f) * np.sin(v * f * rng.uniform(0.6, 1.4)))[..., None]
        )
    elif kind == 4:  # strong dots or dashes, like pips
        f = rng.uniform(0.15, 0.7)
        m = (np.sin(u * f) * np.sin(v * f * rng.uniform(0.5, 1.5)) > rng.uniform(0.2, 0.7)).astype(np.float32)
        other = rng.uniform(0, 1, 3).astype(np.float32)
        m = cv2.GaussianBlur(m, (0, 0), 0.8)[..., None] * rng.uniform(0.3, 1)
        img = img * (1 - m) + other * m
    elif kind == 5:  # speckles
        m = (
            cv2.GaussianBlur(
                (rng.random((size, size)) > 0.996).astype(np.float32), (0, 0), rng.uniform(0.6, 1.6)
            )
            * 6
        )
        img *= 1 - np.clip(m, 0, rng.uniform(0.2, 0.9))[..., None]
    img *= 1 + float(rng.uniform(0, 0.08)) * _noise(rng, size, size / 2)[..., None]
    if rng.random() < 0.35:
        _region(rng, img)
    return np.clip(img, 0, 1.2)


def _region(rng: np.random.Generator, img: F) -> None:
    """A second surface: a tray's wall, the edge of the table, a sheet."""
    size = img.shape[0]
    m = np.zeros((size, size), np.float32)
    if rng.random() < 0.35:
        at = tuple(int(v) for v in rng.integers(0, size, 2))
        cv2.circle(
            m, at, int(rng.integers(size // 4, size)), 1.0, int(rng.choice([-1, 6, 16, 30])), cv2.LINE_AA
        )
    else:
        c, a = rng.uniform(0.1, 0.9, 2) * size, rng.uniform(0, 6.283)
        d, e = np.array([np.cos(a), np.sin(a)]) * 3 * size, np.array([-np.sin(a), np.cos(a)])
        width = float(rng.choice([8, 20, 60, 3 * size]))
        pts = np.array([c - d, c + d, c + d + e * width, c - d + e * width])
        cv2.fillPoly(m, [np.round(pts).astype(np.int32)], 1.0, cv2.LINE_AA)
    colour = np.clip(rng.choice([0.05, 0.3, 0.7, 0.95]) + rng.normal(0, 0.12, 3), 0, 1).astype(np.float32)
    img *= 1 - m[..., None]
    img += m[..., None] * colour


def clutter(rng: np.random.Generator, img: F, edge: float) -> None:
    """Coins, buttons, cables, tokens, printed dots and letters, crumbs: never a die."""
    size = img.shape[0]
    for _ in range(int(rng.integers(1, 5))):
        colour = tuple(float(v) for v in rng.uniform(0, 1, 3))
        other = tuple(float(v) for v in rng.uniform(0, 1, 3))
        x, y = (int(v) for v in rng.integers(0, size, 2))
        r = int(edge * rng.uniform(0.15, 0.8)) + 2
        kind = rng.integers(7)
        if kind == 0:  # coin, with a rim
            cv2.circle(img, (x, y), r, colour, -1, cv2.LINE_AA)
            cv2.circle(img, (x, y), int(r * 0.85), other, 1, cv2.LINE_AA)
        elif kind == 1:  # button with holes
            cv2.circle(img, (x, y), r, colour, -1, cv2.LINE_AA)
            for a in range(4):
                q = (int(x + r * 0.3 * np.cos(a * 1.57)), int(y + r * 0.3 * np.sin(a * 1.57)))
                cv2.circle(img, q, max(1, r // 7), other, -1, cv2.LINE_AA)
        elif kind == 2:  # cable
            pts = np.cumsum(rng.normal(0, size / 6, (6, 2)), 0) + np.array([x, y])
            t = np.linspace(0, 5, 60)
            line = np.stack([np.interp(t, range(6), pts[:, k]) for k in (0, 1)], 1)
            cv2.polylines(img, [np.round(line).astype(np.int32)], False, colour, max(2, r // 3), cv2.LINE_AA)
        elif kind == 3:  # blank token or blurred block
            box = cv2.boxPoints(((x, y), (r * 2, r * rng.uniform(1, 3)), float(rng.uniform(0, 90))))
            cv2.fillPoly(img, [np.round(box).astype(np.int32)], colour, cv2.LINE_AA)
        elif kind == 4:  # lone printed dots
            for _ in range(int(rng.integers(1, 7))):
                q = (int(x + rng.normal(0, edge * 0.4)), int(y + rng.normal(0, edge * 0.4)))
                cv2.circle(img, q, max(1, int(edge * rng.uniform(0.05, 0.14))), colour, -1, cv2.LINE_AA)
        elif kind == 5:
            _crumbs(rng, img, edge)
        else:
            word = "".join(rng.choice(list("ABCDEFGHKLMNOPRSTUW0123456789"), 5))
            page = np.zeros((size, size), np.uint8)
            thick = max(1, int(edge / 20))
            cv2.putText(page, word, (x, y), cv2.FONT_HERSHEY_SIMPLEX, edge / 45, 255, thick, cv2.LINE_AA)
            m = page.astype(np.float32)[..., None] / 255
            img *= 1 - m
            img += m * np.array(colour, np.float32)


def _crumbs(rng: np.random.Generator, img: F, edge: float) -> None:
    """Small angular bits, light or dark, lying alone or a few together."""
    size = img.shape[0]
    colour = rng.choice([0.1, 0.9]) + rng.normal(0, 0.12, 3)
    for _ in range(int(rng.integers(1, 5))):
        middle, r = rng.uniform(0, size, 2), edge * rng.uniform(0.05, 0.28)
        a = np.sort(rng.uniform(0, 6.283, int(rng.integers(4, 9))))
        reach = r * rng.uniform(0.4, 1.0, len(a))
        pts = middle + np.stack([np.cos(a) * reach, np.sin(a) * reach * rng.uniform(0.4, 1.0)], 1)
        for away, shade in ((r * 0.2, 0.4), (0.0, 1.0)):  # its shadow, then itself
            mask = np.zeros((size, size), np.float32)
            cv2.fillPoly(mask, [np.round((pts + away) * 8).astype(np.int32)], 1.0, cv2.LINE_AA, 3)
            m = cv2.GaussianBlur(mask, (0, 0), 0.6 if shade == 1 else 1.2)[..., None]
            img *= 1 - m * (1.0 if shade == 1 else shade)
            img += m * np.clip(colour, 0, 1).astype(np.float32) if shade == 1 else 0


def mark(rng: np.random.Generator, img: F, edge: float) -> None:
    """A foot, a screw, a stain or a bit in the middle of a picture: like one pip, but with no die round it.

    ``edge``: that of the die whose pip it could be, pixels.
    """
    size = img.shape[0]
    c, r = (size - 1) / 2, edge * rng.uniform(0.07, 0.32)
    a = np.linspace(0, 6.283, 24 if rng.random() < 0.7 else int(rng.integers(4, 9)), endpoint=False)
    reach = r * (
        1 + (rng.uniform(-0.5, 0.3, len(a)) if len(a) < 20 else rng.uniform(-0.06, 0.06) * np.cos(2 * a))
    )
    pts = np.stack([np.cos(a) * reach, np.sin(a) * reach * rng.uniform(0.7, 1)], 1) + c
    mask = np.zeros((size, size), np.float32)
    if rng.random() < 0.3:  # in a shallow hollow or on a washer
        shade = rng.choice([-1, 1]) * rng.uniform(0.03, 0.15)
        cv2.circle(
            mask,
            (int(c), int(c)),
            int(r * rng.uniform(1.3, 2.6)),
            1.0,
            int(rng.choice([-1, 1, 2])),
            cv2.LINE_AA,
        )
        img += shade * cv2.GaussianBlur(mask, (0, 0), 0.7)[..., None]
        mask[:] = 0
    cv2.fillPoly(mask, [np.round(pts * 8).astype(np.int32)], 1.0, cv2.LINE_AA, 3)
    mask = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.4, 2.0)))[..., None] * float(
        rng.uniform(0.5, 1)
    )
    colour = np.clip(rng.choice([0.05, 0.3, 0.6, 0.95]) + rng.normal(0, rng.choice([0.03, 0.25]), 3), 0, 1)
    img += mask * (colour.astype(np.float32) - img)
