"""Words for the readable record: sentences and names in one language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.five_armies.box.components import CHARACTER, UNITS
from referee.games.five_armies.box.map import PLACES
from referee.games.kit.report import Sentences
from referee.kernel.requests import Request

_LAST = "leadership"


def _place_in_list(item: str) -> int:
    """Units in the order of the box, then characters, tokens last."""
    return UNITS.index(item) if item in UNITS else len(UNITS) + (item == _LAST)


class Telling(Sentences):
    """Sentences and names of this game: ``tell("fate", space=6)``."""

    def place(self, place: int) -> str:
        """The name of a place."""
        return self.name(PLACES[place], "place")

    def counts(self, counts: Mapping[str, int]) -> str:
        """``2 Orcs, 1 Warg and Bolg``, with leadership tokens last."""
        return self.all(self._count(counts[item], item) for item in sorted(counts, key=_place_in_list))

    def _count(self, number: int, item: str) -> str:
        if item in CHARACTER:
            return self.name(item, "character")
        if item == _LAST:
            return self("leadership.1") if number == 1 else self("leadership.n", count=number)
        named = f"one.{item}" if number == 1 else f"many.{item}"
        return f"{number} {self(named) if self.find(named) else self.name(item, 'unit')}"

    def answer(self, request: Request, value: Any) -> str:
        """An answer in words: rolled symbols with their number, places without."""
        if request.domain in ("place", "territory") and isinstance(value, Mapping):
            return self.all(self.name(item, request.domain) for item in value)
        if request.prompt != "prompt.roll_action_dice":
            return super().answer(request, value)
        (faces,) = value.values()
        rolled = {face: faces.count(face) for face in faces}
        names = {face: self.name(face, "face") for face in rolled}
        return self.all(
            names[face] if number == 1 else self("twice", n=number, what=names[face])
            for face, number in rolled.items()
        )
