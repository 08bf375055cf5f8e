"""Accepted corrections are examples: a face that a person named is learned for the next game."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from referee.kernel.dice import DieType
from vision.faces.taught import TaughtFaces
from vision.teach import self_test
from vision.trayscan import DetectedDie

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Example:
    """One face as it was cut out of the picture (48 x 48 x 3, BGR), its body's reflectance, what it shows."""

    die_type: str
    face: str
    crop: np.ndarray
    body: np.ndarray


def examples_of(
    evidence: Mapping[str, Any], seen: Sequence[DetectedDie], types: Iterable[DieType]
) -> list[Example]:
    """What an accepted roll's corrections teach: symbol faces of level dice that were seen in its picture.

    ``evidence`` holds ``reading`` and ``corrections`` as the record keeps them, ``seen`` the dice of that
    picture.  Dice that were added or taken out show nothing, nor do cocked ones.
    """
    faces = {kind.id: kind.distinct_faces for kind in types if kind.kind == "symbol"}
    dice = list(evidence.get("reading", {}).get("dice", ()))
    found = []
    for one in evidence.get("corrections", ()):
        index, face = one.get("die"), one.get("face")
        if index is None or not 0 <= index < len(dice) or one.get("remove"):
            continue
        kind = str(one.get("type", dice[index]["type"]))
        twin = next((s for s in seen if np.allclose(s.quad, dice[index]["quad"])), None)
        if twin is not None and not twin.is_cocked and face in faces.get(kind, ()):
            found.append(Example(kind, str(face), twin.crop, twin.body))
    return found


def learn(path: Path, examples: Sequence[Example]) -> int:
    """Add examples to a box's file of taught faces; returns how many were kept.

    One that the taught faces surely know as another face is not: then the tap was wrong, not the reader.  Nor
    is one of a face that was never taught, which a few corrections do not teach.  Raises OSError, or
    ValueError for a spoiled file.
    """
    kept = 0
    for example in examples:
        taught = TaughtFaces.load(path) if path.exists() else TaughtFaces()
        if example.face not in taught.faces(example.die_type):
            continue
        wrong = self_test(taught, example.die_type).wrong
        taught.add(example.die_type, example.face, example.crop, example.body)
        if self_test(taught, example.die_type).wrong > wrong:
            log.info("a correction to %s looks like another face and is not learned", example.face)
            continue
        taught.save(path)
        kept += 1
    return kept
