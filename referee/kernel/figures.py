"""How a game's pieces and markers are drawn: the name of a silhouette, and what is drawn beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """How one piece or marker is drawn, on screens and on paper."""

    sign: str
    """A silhouette of ``referee/drawing/silhouettes.json``."""
    elite: bool = False
    """A bar below it: a better figure than another of the same silhouette."""
    banner: str = ""
    """The colour of its banner (``green``, ``blue``, ``red``), each drawn with a cut of its own."""


def figures(signs: Mapping[str, str], elite: Iterable[str] = ()) -> dict[str, Figure]:
    """Figures by piece, from the silhouette of each; those of ``elite`` bear a bar."""
    better = set(elite)
    return {piece: Figure(sign, piece in better) for piece, sign in signs.items()}
