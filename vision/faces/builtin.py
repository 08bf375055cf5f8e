"""Taught faces of the product's own drawings, learned from the virtual tray and cached."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from referee.kernel.dice import DieType
from vision.faces import describe as model
from vision.faces.colour import body_colour
from vision.faces.taught import TaughtFaces, crop_face

VIEWS = 6
CACHE_ENV = "REFEREE_CACHE"


def cache_folder() -> Path:
    """Where derived files may be kept: $REFEREE_CACHE, else the user's cache folder."""
    given = os.environ.get(CACHE_ENV)
    return (
        Path(given)
        if given
        else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "table-referee"
    )


def _digest(types: Sequence[DieType]) -> str:
    """Changes with the types, the drawings, the renderer and the model."""
    from vision.virtual import cloth, drawings, render, scene, tray

    text = hashlib.sha256(repr([(t.id, t.kind, t.faces, t.body) for t in types]).encode())
    for module in (cloth, drawings, render, scene, tray):
        text.update(Path(str(module.__file__)).read_bytes())
    text.update(model.MODEL.read_bytes())
    return text.hexdigest()[:16]


def builtin_faces(types: Sequence[DieType], engraved: bool = False) -> TaughtFaces:
    """Taught faces for the symbol dice among ``types`` as the virtual tray draws them, perhaps ``engraved``.

    The first call renders ``VIEWS`` pictures a face (about a second a type); later calls read a cache.
    """
    symbols = [t for t in types if t.kind == "symbol"]
    path = cache_folder() / f"faces-{_digest(symbols)}{'-engraved' if engraved else ''}.npz"
    if path.exists():
        try:
            return TaughtFaces.load(path)
        except ValueError:
            path.unlink(missing_ok=True)
    taught = TaughtFaces()
    for kind in symbols:
        for face in kind.distinct_faces:
            for crop, body in rendered_examples(kind, face, VIEWS, engraved):
                taught.add(kind.id, face, crop, body)
    with contextlib.suppress(OSError):  # a read-only home is no reason not to play
        taught.save(path)
    return taught


def rendered_examples(
    kind: DieType, face: str, count: int, engraved: bool = False
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Crops and body reflectances of one face under several lamps and cloths.

    Only a small window around the die is drawn; its place is known, and blurred by what the finder may be
    off.
    """
    from vision.virtual.tray import LIGHTINGS, VirtualTray

    cloths = ("green_felt", "black", "grey_felt", "wood", "red_cloth")
    found = []
    for k in range(count):
        rng = np.random.default_rng([k, 61])
        light, cloth = LIGHTINGS[k % 5], cloths[k // 2 % 5]
        tray = VirtualTray([kind], seed=1000 + k, light=light, cloth=cloth, engraved=engraved)
        image, quad = tray.window(kind.id, face, k)
        middle = quad.mean(axis=0)
        quad = middle + (quad - middle) * rng.normal(1, 0.02) + rng.normal(0, 1.2, 2)
        crop = crop_face(image, quad)
        found.append((crop, body_colour(crop, tray.white())))
    return found
