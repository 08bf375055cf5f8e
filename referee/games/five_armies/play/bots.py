"""Computer players for fuzzing and measuring: at random, or eager to fight and to take settlements."""

from __future__ import annotations

from random import Random
from typing import Any

from referee.games.five_armies.box.components import FREE, SEATS, SHADOW
from referee.games.five_armies.box.map import FRONT_GATE, PLACE, STEPS, STRONGHOLDS
from referee.games.five_armies.rules.victory import points
from referee.games.five_armies.state.state import State
from referee.games.kit.bots import Distances, Liked, RandomGames, by_liking, towards
from referee.kernel.requests import ChooseOne, Request

_LIKED: Liked = {
    "prompt.choose_action": {
        **dict.fromkeys(("attack", "goblin_attack", "led_attack", "combined_attack"), 6),
        **dict.fromkeys(("strategic_move", "goblin_move", "fast_move", "recruit"), 4),
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
        if request.prompt == "prompt.choose_destination":
            return towards(request, rng, PLACE, _goals(state, SEATS.index(request.seat)), _DISTANCES)
        if request.prompt == "prompt.choose_action":
            entry = [option for option in request.options if option.startswith("enter:")]
            if entry:
                return entry[0]
    return by_liking(request, rng, _LIKED)


def _goals(state: State, seat: int) -> int:
    """The settlements that a seat does not hold; Front Gate where it wins at once."""
    if seat == FREE:
        return state.control or state.armies[SHADOW]
    goals = STRONGHOLDS & ~state.control
    return 1 << FRONT_GATE if goals >> FRONT_GATE & 1 and points(state) >= 6 else goals


GAMES = RandomGames("five_armies", eager, most=20_000, options={"setup": "suggested"})
PLAYERS = GAMES.players
play_random = GAMES.play
