"""What the parts of reading a position file have in common; see :mod:`position_reader`."""

from __future__ import annotations

from referee.games.kit.positions import FileForm, PositionReader
from referee.games.war_of_the_ring.box.components import SEATS
from referee.games.war_of_the_ring.box.house import house_rules
from referee.games.war_of_the_ring.state.state import SCHEMA, State
from referee.kernel.located import Spot

FORM = FileForm("war_of_the_ring", SEATS, SCHEMA.to_json, SCHEMA.from_json, house_rules)


class Part(PositionReader[State]):
    """Common ground of those that read a part of the file."""

    def __init__(self, whole: Spot) -> None:
        super().__init__(whole, FORM, State())
        self.standing: dict[int, Spot] = {}
        self.placed: set[int] = set()
        self.company_told = False
        self.guide_told = False
        self.hands_told = False
        self.embattled: frozenset[int] = frozenset()
