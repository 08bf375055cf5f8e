"""Computer players for fuzzing and measuring: at random, or eager to fight gnomes and to take caverns."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from referee.games.kit.bots import Liked, Played, Player, at_random, by_liking, play_whole
from referee.games.mountain_king.box.components import PLACE, SEATS
from referee.games.mountain_king.state.state import State
from referee.kernel.registry import load_game
from referee.kernel.requests import ChooseOne, Request

_LIKED: Liked = {
    "prompt.action": {
        **dict.fromkeys(("strong_advance", "strong_influence"), 6),
        **dict.fromkeys(("strong_bolster", "strong_gnome"), 3),
    },
    "prompt.second_action": {"stop": 0.2},
}
MOST = 6_000
"""Answers that no game takes."""


def eager(request: Request, rng: Random, state: State) -> Any:
    """Strong actions first, advances to gnomes where it can; everything else at random."""
    if isinstance(request, ChooseOne) and request.prompt == "prompt.advance" and rng.random() < 0.6:
        overrun = [option for option in request.options if state.overrun >> PLACE[option] & 1]
        if overrun:
            return rng.choice(overrun)
    return by_liking(request, rng, _LIKED)


PLAYERS: dict[str, Player[State]] = {"random": at_random, "eager": eager}


def options_of(seed: int) -> dict[str, Any]:
    """Two to five seats, seed by seed."""
    return {"seats": SEATS[: 2 + seed % 4]}


def play_random(
    seed: int,
    *,
    options: dict[str, Any] | None = None,
    audit: bool = True,
    keep: bool = True,
    record: bool = False,
    checked: bool = True,
    seats: Mapping[str, str] | None = None,
) -> Played[State]:
    """Play a whole game; ``seats`` names the player of each seat, ``random`` (unless given) or ``eager``.

    Where no options are given, the seed tells how many play.
    """
    return play_whole(
        load_game("mountain_king"),
        seed,
        options_of(seed) if options is None else options,
        {seat: PLAYERS[(seats or {}).get(seat, "random")] for seat in SEATS},
        most=MOST,
        audit=audit,
        keep=keep,
        record=record,
        checked=checked,
    )
