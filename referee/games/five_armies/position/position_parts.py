"""What the parts of reading a position file have in common; see :mod:`position_reader`."""

from __future__ import annotations

from referee.games.five_armies.box.components import SEATS
from referee.games.five_armies.box.house import house_rules
from referee.games.five_armies.state.state import SCHEMA, State
from referee.games.kit.positions import FileForm, PositionReader
from referee.kernel.located import Spot

FORM = FileForm(
    "five_armies",
    SEATS,
    SCHEMA.to_json,
    SCHEMA.from_json,
    house_rules,
    ignored=("id", "rules", "map_facts", "act", "expect", "why"),
)


class Part(PositionReader[State]):
    """Common ground of those that read a part of the file."""

    def __init__(self, whole: Spot) -> None:
        super().__init__(whole, FORM, State())
        self.standing: dict[int, Spot] = {}
        self.hands_told = False

    def on_table_cards(self, spot: Spot) -> None:
        """Cards that stay in play."""
        for item in spot.items():
            self.state.table_cards[item.text()] = {}
