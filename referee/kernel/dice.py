"""Die types as data: what a die is called, its body colour and its faces.

A face is never just a number: it has an id, and whatever attributes its game
gives it.  The dice reader gets these types and knows nothing else of a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

PIP_FACES = ("1", "2", "3", "4", "5", "6")


@dataclass(frozen=True, slots=True)
class DieType:
    """One kind of die.

    ``faces`` lists the face of each side of the die, so a face that stands on
    two sides is listed twice.  ``body`` names the colour of the die's body
    (``white``, ``black``, ``ivory``, ``blue``, ``red``...).  ``attributes``
    maps a face id to whatever its game wants to know of it.
    """

    id: str
    kind: Literal["pip", "symbol"]
    faces: tuple[str, ...]
    body: str
    attributes: Mapping[str, Mapping[str, str | int | bool]] = field(default_factory=dict)

    @property
    def distinct_faces(self) -> tuple[str, ...]:
        """Each different face once, in the order of ``faces``."""
        return tuple(dict.fromkeys(self.faces))
