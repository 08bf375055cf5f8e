"""Computer players for fuzzing and measuring: at random, or eager for one way to win."""

from __future__ import annotations

from random import Random
from typing import Any

from referee.games.kit.bots import Distances, Liked, RandomGames, by_liking, towards
from referee.games.war_of_the_ring.box import map as board
from referee.games.war_of_the_ring.box.components import CHARACTERS, SEATS, SHADOW
from referee.games.war_of_the_ring.box.map import mask_of
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.requests import ChooseOne, Request

_LIKED: Liked = {
    "prompt.choose_action": {
        "attack": 8,
        "led_attack": 8,
        "move_armies": 5,
        "led_move": 4,
        "recruit": 3,
        "negotiate": 6,
        "play_card": 3,
        "move_fellowship": 6,
        "hide_fellowship": 8,
        **{f"enter:{name}": 9 for name in CHARACTERS},
        "separate": 0.3,
        "skip": 0,
    },
    "prompt.choose_die": {"ring": 0.1, "pass": 0.2},
    "prompt.fellowship_phase": {"enter_mordor": 20, "declare": 2},
    "prompt.suffer_hunt": {"lose_guide": 3, "lose_random": 3, "use_ring": 2},
}
_GOALS = (
    board.OF_SEAT[1] & (board.CITIES | board.STRONGHOLD_MASK),
    board.OF_SEAT[0] & (board.CITIES | board.STRONGHOLD_MASK),
)
"""What each seat marches on."""
REGION = {name: index for index, name in enumerate(board.REGIONS)}
_DISTANCES = Distances(board.NEIGHBOURS)
_GATES = mask_of(board.PLACE["morannon"], board.PLACE["minas_morgul"])


def eager(request: Request, rng: Random, state: State) -> Any:
    """Fights where it can and marches on what gives points; everything else at random."""
    if isinstance(request, ChooseOne) and len(request.options) > 1:
        prompt = request.prompt
        if request.domain == "place" and prompt in ("prompt.choose_destination", "prompt.choose_onward"):
            seat = SEATS.index(request.seat)
            held = state.captured if seat == SHADOW else ~state.captured
            return towards(request, rng, REGION, _GOALS[seat] & ~held or _GOALS[seat], _DISTANCES)
        if prompt in ("prompt.move_declared", "prompt.move_revealed"):
            return towards(request, rng, REGION, _GATES, _DISTANCES)
    return by_liking(request, rng, _LIKED)


GAMES = RandomGames("war_of_the_ring", eager, most=40_000)
PLAYERS = GAMES.players
play_random = GAMES.play
