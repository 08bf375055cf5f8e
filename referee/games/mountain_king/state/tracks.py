"""Tracks without ties: who reached a value earlier lies below and leads.

A track is a list of ``[seat, value]`` from the leader down, so the order of arrival is the order of the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from referee.games.kit.codec import Codec, Names
from referee.kernel.located import LocatedValue

Track = list[list[int]]
MOST = 999


def value_of(track: Track, seat: int) -> int:
    """A seat's value, 0 where it has no disc."""
    return next((value for one, value in track if one == seat), 0)


def advance(track: Track, seat: int, number: int) -> int:
    """Move a seat's disc on, or lay its first; it arrives last on its new space.  Returns the value."""
    value = number
    for at, (one, before) in enumerate(track):
        if one == seat:
            value += before
            del track[at]
            break
    at = len(track)
    while at and track[at - 1][1] < value:
        at -= 1
    track.insert(at, [seat, value])
    return value


@dataclass(frozen=True)
class Ranked(Codec):
    """A track; JSON and position files list ``[seat, value]`` from the leader down."""

    seats: Sequence[str]

    def empty(self) -> Track:
        """Nobody."""
        return []

    def write(self, value: Track) -> list[list[Any]]:
        """Seats by name."""
        return [[self.seats[seat], number] for seat, number in value]

    def read(self, data: Any) -> Track:
        """Seats by index."""
        return [[self.seats.index(seat), number] for seat, number in data]

    def copied(self, value: str, names: Names) -> str:
        """A copy of every row."""
        return f"[row[:] for row in {value}]"

    def hear(self, spot: LocatedValue, now: Track) -> Track:
        """A list of pairs, or a mapping from seat to value (then the first named leads among equals)."""
        found: Track = []
        rows = (
            [(key, entry) for key, entry in spot.entries()]
            if isinstance(spot.value, dict)
            else [(row[0], row[1]) for item in spot.items() if len(row := list(item.items())) == 2]
        )
        for who, number in rows:
            seat = who.word(self.seats)
            if seat is not None:
                advance(found, self.seats.index(seat), number.number(1, MOST))
        return found
