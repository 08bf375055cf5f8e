"""What the parts of reading a position file have in common; see :mod:`position_reader`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from referee.games.five_armies.components import (
    SEATS,
)
from referee.games.five_armies.position_combat import Entry, lead_in
from referee.games.five_armies.state import State
from referee.kernel.located import Spot
from referee.kernel.play import Play


@dataclass(slots=True)
class Position:
    """A position as read from a file.

    ``labels`` names places (``A: v_northeast_plain``); ``given`` keeps remarks
    that are no part of the state (``note``, dice that will be rolled...).
    """

    state: State
    title: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    given: dict[str, Any] = field(default_factory=dict)
    entry: Entry | None = None
    """How far a running combat is to be played before the position is reached."""

    def lead_in(self, play: Play[State]) -> list[Any]:
        """Play from ``state`` up to the moment the file describes; returns the answers given."""
        return [] if self.entry is None else lead_in(play, self.entry)


class Part:
    """Common ground of those that read a part of the file: methods ``on_<key>`` take that key's value."""

    def __init__(self, whole: Spot) -> None:
        self.whole = whole
        self.state = State()
        self.position = Position(self.state)
        self.standing: dict[int, Spot] = {}
        self.hands_told = False
        self.told: set[str] = set()

    def _by_seat(self, spot: Spot) -> list[tuple[int, Spot]]:
        found = []
        for key, entry in spot.entries():
            seat = key.word(SEATS)
            if seat is not None:
                found.append((SEATS.index(seat), entry))
        return found

    def on_table_cards(self, spot: Spot) -> None:
        for item in spot.items():
            self.state.table_cards[item.text()] = {}
