"""What training dice are made of: colours of bodies and pips, gloss, marbling, translucency."""

from __future__ import annotations

import colorsys

import numpy as np

from vision.training.solids import F


def bgr(h: float, s: float, v: float) -> F:
    """BGR 0..1 of hue (any turn), saturation and value."""
    r, g, b = colorsys.hsv_to_rgb(h % 1, min(max(s, 0), 1), min(max(v, 0), 1))
    return np.array([b, g, r], np.float32)


def material(rng: np.random.Generator, smoked: float) -> dict[str, object]:
    """Body, ink, gloss, translucency and marbling of a die; ``smoked``: how often it is hard to read."""
    if rng.random() < smoked:
        return _smoked(rng)
    u = rng.random()
    marble = None
    if u < 0.38:  # white and ivory
        body = bgr(rng.uniform(0.08, 0.16), rng.uniform(0, 0.35), rng.uniform(0.8, 1.0))
        ink = bgr(rng.random(), rng.uniform(0, 0.4), rng.uniform(0, 0.15))
        if rng.random() < 0.2:
            ink = bgr(rng.choice([0.0, 0.62]), 0.9, rng.uniform(0.4, 0.9))
    elif u < 0.5:  # black and dark
        body = bgr(rng.random(), rng.uniform(0, 0.7), rng.uniform(0.03, 0.25))
        ink = bgr(rng.random(), rng.choice([0, 0, 0.9]), rng.uniform(0.6, 1))
    else:
        body = bgr(rng.random(), rng.uniform(0.5, 1), rng.uniform(0.3, 1))
        ink = bgr(rng.random(), rng.choice([0, 0, 0.8]), rng.choice([0.05, 0.95, 0.75]))
        if rng.random() < 0.5:
            marble = np.clip(body + rng.normal(0, 0.25, 3), 0, 1).astype(np.float32)
            if rng.random() < 0.4:
                marble = bgr(rng.random(), rng.uniform(0, 1), rng.uniform(0.05, 0.8))
    lum = np.array([0.11, 0.59, 0.3], np.float32)
    least = 0.12 if rng.random() < 0.3 else 0.28
    colourful = rng.random() < 0.5 and np.abs(ink - body).max() > 0.3  # told apart by colour alone
    if np.abs(ink - body).max() < least or (not colourful and abs(float((ink - body) @ lum)) < least * 0.4):
        ink = (np.ones(3) if float(body @ lum) < 0.5 else np.zeros(3)).astype(np.float32)
    return {
        "body": body,
        "ink": ink,
        "marble": marble,
        "gloss": float(rng.choice([0.05, 0.3, 0.7, 1.2])) * float(rng.uniform(0.5, 1)),
        "translucency": float(rng.uniform(0.1, 0.45)) if rng.random() < 0.2 else 0.0,
        "engraved": float(rng.uniform(0, 0.8)) * (1 if rng.random() < 0.8 else 0),
    }


def _smoked(rng: np.random.Generator) -> dict[str, object]:
    """Hard to read: smoked glass, dark marble, pips hardly brighter than the body or of another hue only."""
    u = rng.random()
    if u < 0.5:
        return _two_toned(rng) if u < 0.3 else _dull(rng)
    hue = float(rng.random())
    body = bgr(hue, rng.uniform(0, 0.9), rng.uniform(0.08, 0.6))
    ink = bgr(rng.choice([0.0, 0.0, 0.13, 0.55, hue + 0.5]), rng.uniform(0.5, 1), rng.uniform(0.3, 0.9))
    if np.abs(ink - body).max() < 0.18:
        ink = np.clip(ink + (0.25 if float(ink.max()) < 0.7 else -0.25), 0, 1).astype(np.float32)
    marble = None
    if rng.random() < 0.5:
        marble = bgr(rng.random(), rng.uniform(0.3, 1), rng.uniform(0.03, 0.6))
    return {
        "body": body,
        "ink": ink,
        "marble": marble,
        "gloss": float(rng.choice([0.3, 0.8, 1.2])),
        "translucency": float(rng.uniform(0.05, 0.5)) if marble is None else 0.0,
        "engraved": float(rng.uniform(0.2, 0.9)),
    }


def _two_toned(rng: np.random.Generator) -> dict[str, object]:
    """A coloured body clouded with near black, pips of another hue about as bright as the colour."""
    hue = float(rng.random())
    bright = float(rng.uniform(0.35, 0.95))
    ink = bgr(hue + rng.uniform(0.25, 0.75), rng.uniform(0.5, 1), bright * rng.uniform(0.55, 1.1))
    return {
        "body": bgr(hue, rng.uniform(0.5, 1), bright),
        "ink": ink,
        "marble": bgr(hue + rng.normal(0, 0.1), rng.uniform(0, 0.9), rng.uniform(0.03, 0.2)),
        "gloss": float(rng.choice([0.1, 0.4, 0.8, 1.2])),
        "translucency": 0.0,
        "engraved": float(rng.uniform(0, 0.9)),
    }


def _dull(rng: np.random.Generator) -> dict[str, object]:
    """A grey or brownish dark body, pips as dark but of a little more colour."""
    dark = float(rng.uniform(0.12, 0.42))
    ink = bgr(rng.normal(0.0, 0.03) if rng.random() < 0.5 else rng.random(), rng.uniform(0.4, 0.95),
               min(1.0, dark * rng.uniform(1.0, 1.9)))  # fmt: skip
    body = bgr(rng.random(), rng.uniform(0, 0.3), dark)
    if np.abs(ink - body).max() < 0.12:
        ink = np.clip(ink + 0.15 * (ink - ink.mean() > 0), 0, 1).astype(np.float32)
    return {
        "body": body,
        "ink": ink,
        "marble": np.clip(body * rng.uniform(0.6, 1.4), 0, 1).astype(np.float32),
        "gloss": float(rng.choice([0.1, 0.4, 0.8, 1.2])),
        "translucency": 0.0,
        "engraved": float(rng.uniform(0, 0.9)),
    }
