"""Who sits at a game: how many, how each seat looks, whether the others play on without one.

A game's ``seats`` are all that it can have.  Who plays is said by the header of the game on the table.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from referee.kernel.capabilities import FewerSeats, SeatLooks
from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import Text

SHAPES = ("round", "pointed", "square", "slanted", "house")
"""Outlines of the chips of seats; no two seats of a game have the same."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a seat is drawn: a colour of :data:`COLOURS` and an outline of :data:`SHAPES`."""

    colour: str
    shape: str


COLOURS: Mapping[str, tuple[str, str]] = {
    "blue": ("#1d4f86", "#7fb2e8"),
    "red": ("#962420", "#f08d80"),
    "green": ("#2f6b3c", "#8fce9b"),
    "violet": ("#6d3f86", "#c9a2e6"),
    "orange": ("#8a4a0e", "#f0aa5c"),
    "yellow": ("#6f5a00", "#e8d25a"),
    "pink": ("#a3266f", "#f79ccb"),
    "grey": ("#55565a", "#bfc2c8"),
    "brown": ("#6b442b", "#cfa283"),
    "teal": ("#0f6169", "#74cdd2"),
    "white": ("#6b675c", "#efe9da"),
    "black": ("#26221e", "#a39c92"),
}
"""Colours that a seat can have, each as light pages and paper show it and as dark pages do.

Readable as text on every ground of its theme and under text (contrast of 4.5 or more); the style sheet
holds the same figures as ``--seat-<colour>``."""

BRIGHT: Mapping[str, str] = {"yellow": "#f2c522", "white": "#fbf7ea"}
"""Colours that are themselves only with dark letters on them and a dark rim: what chips are filled with."""

_USUAL = tuple(map(Look, ("blue", "red", "green", "violet", "orange"), SHAPES))


def seats_of(game: Any, header: Mapping[str, Any]) -> tuple[str, ...]:
    """The seats of the game on the table, in the game's order: those that its header's players name."""
    players = header.get("players", {})
    return tuple(seat for seat in game.seats if seat in players) or tuple(game.seats)


def looks_of(game: Any) -> dict[str, Look]:
    """How each seat of ``game`` is drawn; where the game does not say, by the order of its seats."""
    own = game.looks if isinstance(game, SeatLooks) else {}
    return {seat: own.get(seat, _USUAL[at % len(_USUAL)]) for at, seat in enumerate(game.seats)}


def least_seats(game: Any) -> int:
    """How many seats of ``game`` must be taken at least."""
    return game.least_seats if isinstance(game, FewerSeats) else len(game.seats)


def taken_seats(game: Any, wanted: Collection[str] | None) -> tuple[str, ...]:
    """``wanted`` in the game's order (None: all).  Raises ``InvalidAnswer`` where they cannot play it."""
    if wanted is None:
        return tuple(game.seats)
    unknown = sorted(set(wanted) - set(game.seats))
    if unknown:
        known = ", ".join(game.seats)
        raise InvalidAnswer(
            Text("kernel.no_such_seat", unknown=unknown[0], known=known),
        )
    taken = tuple(seat for seat in game.seats if seat in wanted)
    least, most = least_seats(game), len(game.seats)
    if len(taken) < least:
        span = str(most) if least == most else f"{least}–{most}"
        raise InvalidAnswer(
            Text("kernel.game_players", span=span, taken=len(taken)),
        )
    return taken
