"""Silhouettes of figures and faces of dice as paths: one source for screens and pictures.

``silhouettes.json``: paths in a square of 512 by name, made by ``scripts/make_silhouettes.py``.
``dice_signs.json``: by face either ``paths`` in a square of 100, ``[d, cut]`` (a cut one shows the die), or
``both``, two faces that share it; ``ink`` where a face has a colour of its own, and ``dots`` below the sign,
so that colour is never its only sign.  Pips need none: they are reckoned.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from referee.kernel.capabilities import DrawsFigures
from referee.kernel.figures import Figure
from referee.kernel.play import Game

FOLDER = Path(__file__).parent


@cache
def silhouettes() -> Mapping[str, str]:
    """The path of each silhouette."""
    data: dict[str, str] = json.loads((FOLDER / "silhouettes.json").read_text(encoding="utf-8"))
    return data


@cache
def dice_signs() -> Mapping[str, Mapping[str, Any]]:
    """How each face is drawn."""
    data: dict[str, dict[str, Any]] = json.loads((FOLDER / "dice_signs.json").read_text(encoding="utf-8"))
    return data


def figures_of(game: Game[Any]) -> Mapping[str, Figure]:
    """How the pieces of a game are drawn; none where it does not say."""
    return game.figures if isinstance(game, DrawsFigures) else {}


def signs_of(game: Game[Any]) -> dict[str, Any]:
    """All that a screen needs to draw the figures and dice of a game, as JSON."""
    drawn = figures_of(game)
    faces = {face for die in game.dice.values() for face in die.distinct_faces}
    shared = {half for face in faces for half in dice_signs().get(face, {}).get("both", ())}
    return {
        "figures": {
            piece: {key: value for key, value in asdict(figure).items() if value}
            for piece, figure in drawn.items()
        },
        "silhouettes": {sign: silhouettes()[sign] for sign in sorted({one.sign for one in drawn.values()})},
        "dice": {
            "bodies": {die.id: die.body for die in game.dice.values()},
            "symbols": {face: dice_signs()[face] for face in sorted(faces | shared) if face in dice_signs()},
        },
    }
