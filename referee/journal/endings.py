"""How a game can end besides by its rules: by agreement, or by an arbiter's decision."""

from __future__ import annotations

from collections.abc import Collection

DRAW, TIME, AWARD, FORFEIT, LEFT, ABSENT = "draw", "time", "award", "forfeit", "left", "absent"
HOWS = (TIME, DRAW, AWARD, FORFEIT, LEFT, ABSENT)
"""By time; a draw; awarded to somebody; forfeited, left or never begun by a ``seat``."""
OF_A_SEAT = frozenset({FORFEIT, LEFT, ABSENT})
"""Those that one seat brought about, which cannot win then."""


def is_possible(how: object, winners: object, seat: object, seats: Collection[str]) -> bool:
    """Whether a game of ``seats`` can have ended so."""
    if how not in HOWS or not isinstance(winners, list) or len(set(map(str, winners))) != len(winners):
        return False
    if not all(winner in seats for winner in winners) or (seat is not None and seat not in seats):
        return False
    if how in OF_A_SEAT:
        return seat is not None and seat not in winners
    return seat is None and (how != DRAW or not winners) and (how != AWARD or bool(winners))
