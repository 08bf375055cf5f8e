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
from vision.faces.taught import TaughtFaces

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
    from vision.virtual import drawings, render, scene, tray

    text = hashlib.sha256(repr([(t.id, t.kind, t.faces, t.body) for t in types]).encode())
    for module in (drawings, render, scene, tray):
        text.update(Path(str(module.__file__)).read_bytes())
    text.update(model.MODEL.read_bytes())
    return text.hexdigest()[:16]


def builtin_faces(types: Sequence[DieType]) -> TaughtFaces:
    """Taught faces for the symbol dice among ``types`` as the virtual tray draws them.

    The first call renders ``VIEWS`` pictures a face (a second or two a type); later calls read a cache.
    """
    symbols = [t for t in types if t.kind == "symbol"]
    path = cache_folder() / f"faces-{_digest(symbols)}.npz"
    if path.exists():
        try:
            return TaughtFaces.load(path)
        except ValueError:
            path.unlink(missing_ok=True)
    taught = TaughtFaces()
    for kind in symbols:
        for face in kind.distinct_faces:
            for crop, body in rendered_examples(kind, face, VIEWS):
                taught.add(kind.id, face, crop, body)
    with contextlib.suppress(OSError):  # a read-only home is no reason not to play
        taught.save(path)
    return taught


def rendered_examples(kind: DieType, face: str, count: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Crops and body reflectances of one face under several lamps and cloths."""
    from vision.trayreader import look
    from vision.virtual.tray import LIGHTINGS, VirtualTray

    lights, cloths = LIGHTINGS, ("green_felt", "black", "grey_felt", "wood", "red_cloth")
    found: list[tuple[np.ndarray, np.ndarray]] = []
    for k in range(6 * count):
        tray = VirtualTray(
            [kind], seed=1000 + k, light=lights[k % len(lights)], cloth=cloths[(k // 2) % len(cloths)]
        )
        seen = look(tray.show(kind.id, face, k))
        if len(seen.dice) == 1:
            found.append((seen.dice[0].crop, seen.dice[0].body))
        if len(found) == count:
            break
    return found
