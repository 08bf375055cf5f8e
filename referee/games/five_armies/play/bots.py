"""Computer players for fuzzing and measuring: at random, or eager to fight and to take settlements."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from referee.games.five_armies.box.components import FREE, SEATS, SHADOW
from referee.games.five_armies.box.map import FRONT_GATE, PLACE, STEPS, STRONGHOLDS
from referee.games.five_armies.rules.victory import points
from referee.games.five_armies.state.state import State
from referee.games.kit.bots import Distances, Liked, Played, Player, at_random, by_liking, play_whole
from referee.kernel.requests import ChooseOne, Request

MOST_ANSWERS = 20_000
"""A game with more answers than this runs away."""

_LIKED: Liked = {
    "prompt.choose_action": {
        "attack": 6,
        "goblin_attack": 6,
        "led_attack": 6,
        "combined_attack": 6,
        "strategic_move": 4,
        "goblin_move": 4,
        "fast_move": 4,
        "recruit": 4,
        "recruit_goblins": 3,
        "move_beorn": 5,
        "skip": 0,
    },
    "prompt.choose_target": {"no_attack": 0.2},
    "prompt.break_off": {"go_on": 4},
    "prompt.stay_or_leave": {"stay": 3},
}
_DISTANCES = Distances(STEPS)


def eager(request: Request, rng: Random, state: State) -> Any:
    """Fights where it can and marches on settlements; everything else at random."""
    if isinstance(request, ChooseOne) and len(request.options) > 1:
        prompt = request.prompt
        if prompt == "prompt.choose_destination":
            return _towards(request, rng, state)
        if prompt == "prompt.choose_action":
            entry = [option for option in request.options if option.startswith("enter:")]
            if entry:
                return entry[0]
    return by_liking(request, rng, _LIKED)


def _towards(request: ChooseOne, rng: Random, state: State) -> str:
    """The destination nearest to a settlement the seat does not hold, three times out of four."""
    if rng.random() < 0.25:
        return request.sample(rng)
    seat = SEATS.index(request.seat)
    goals = STRONGHOLDS & ~state.control if seat == SHADOW else state.control
    if goals >> FRONT_GATE & 1 and seat == SHADOW and points(state) >= 6:
        goals = 1 << FRONT_GATE  # it wins at once
    if seat == FREE and not goals:
        goals = state.armies[SHADOW]
    places = [option for option in request.options if option in PLACE]
    if not places or not goals:
        return request.sample(rng)
    return _DISTANCES.nearest(places, PLACE, goals, rng)


PLAYERS: Mapping[str, Player[State]] = {"random": at_random, "eager": eager}


def play_random(
    seed: int,
    *,
    audit: bool = True,
    keep: bool = True,
    options: Mapping[str, Any] | None = None,
    record: bool = False,
    checked: bool = True,
    free: str = "random",
    shadow: str = "random",
) -> Played[State]:
    """Play a whole game, see :func:`play_whole`; with the suggested set-up unless ``options`` say otherwise.

    ``free`` and ``shadow`` name the players (``random`` or ``eager``).
    """
    from referee.games.five_armies.game import GAME

    return play_whole(
        GAME,
        seed,
        {"setup": "suggested"} if options is None else options,
        {"free": PLAYERS[free], "shadow": PLAYERS[shadow]},
        most=MOST_ANSWERS,
        audit=audit,
        keep=keep,
        record=record,
        checked=checked,
    )
