"""Words for the readable record: sentences and names in one language."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.five_armies.box.components import CHARACTER, SEATS, UNITS
from referee.games.five_armies.box.map import PLACES
from referee.games.kit.report import Sentences


def _place_in_list(entry: tuple[str, int]) -> int:
    """Units in the order of the box, then characters, tokens last."""
    item = entry[0]
    return UNITS.index(item) if item in UNITS else 98 if item == "leadership" else 97


class Telling(Sentences):
    """Sentences and names of this game: ``tell("fate", space=6)``."""

    def place(self, place: int) -> str:
        """The name of a place."""
        return self.name(PLACES[place], "place")

    def seat(self, seat: int) -> str:
        """The name of a side."""
        return self(f"seat.{SEATS[seat]}")

    def seat_name(self, seat: str) -> str:
        """The name of a side by its id."""
        return self(f"seat.{seat}")

    def count(self, number: int, item: str) -> str:
        """``2 Orcs``, ``1 Orc``."""
        if number == 1:
            one = self.messages.find(f"report.one.{item}", self.language)
            if one:
                return f"1 {one}"
        many = self.messages.find(f"report.many.{item}", self.language)
        return f"{number} {many or self.name(item, 'unit')}"

    def units(self, counts: Mapping[str, int]) -> str:
        """``2 Orcs, 1 Warg and Bolg``, with leadership tokens last."""
        named = []
        for item, number in sorted(counts.items(), key=_place_in_list):
            if item == "leadership":
                named.append(self("leadership.1") if number == 1 else self("leadership.n", count=number))
            elif item in CHARACTER:
                named.append(self.name(item, "character"))
            elif number:
                named.append(self.count(number, item))
        return self.all(named)
