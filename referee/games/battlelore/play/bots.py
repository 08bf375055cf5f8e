"""Computer players: at random, and one that goes for the enemy."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from referee.games.battlelore.box.components import DISTANCE, PLACE, SEATS
from referee.games.battlelore.state.state import State
from referee.games.kit.bots import RandomGames, by_liking
from referee.games.kit.places import places_in
from referee.kernel.requests import ChooseOne, Request

LIKED: Mapping[str, Mapping[str, float]] = {
    "prompt.order_unit": {"done": 0.02},
    "prompt.order_anywhere": {"done": 0.02},
    "prompt.move_unit": {"done": 0.05},
    "prompt.choose_fighter": {"done": 0.02},
    "prompt.gain_ground": {"no": 0.2},
    "prompt.bonus_attack": {"no_attack": 0},
    "prompt.battle_back": {"no_battle_back": 0},
    "prompt.command_card": {"command_by_hand": 0},
    "prompt.lore_card": {"lore_by_hand": 0},
}


def eager(request: Request, rng: Random, state: State) -> Any:
    """Orders much, moves towards the nearest enemy, strikes whom it can."""
    if isinstance(request, ChooseOne) and request.prompt in ("prompt.move_to", "prompt.pursue_to"):
        enemies = state.stand[1 - SEATS.index(request.seat)]
        hexes = [option for option in request.options if option in PLACE]
        if enemies and hexes and rng.random() < 0.8:
            return min(
                hexes, key=lambda at: (min(DISTANCE[PLACE[at]][e] for e in places_in(enemies)), rng.random())
            )
    return by_liking(request, rng, LIKED)


GAMES: RandomGames[State] = RandomGames("battlelore", eager, most=60_000)
PLAYERS = GAMES.players
play_random = GAMES.play
