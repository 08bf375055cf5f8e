"""Computer players for fuzzing and measuring: at random, or eager for one way to win."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from referee.games.kit.bots import Distances, Liked, Played, Player, at_random, by_liking, play_whole
from referee.games.war_of_the_ring.box.components import SEATS, SHADOW
from referee.games.war_of_the_ring.box.map import (
    CITIES,
    NEIGHBOURS,
    OF_SEAT,
    PLACE,
    REGION_COUNT,
    STRONGHOLD_MASK,
    mask_of,
)
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.requests import ChooseOne, Request

MOST_ANSWERS = 40_000
"""A game with more answers than this runs away."""

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
        "enter:aragorn": 9,
        "enter:gandalf_the_white": 9,
        "enter:witch_king": 9,
        "enter:saruman": 9,
        "enter:mouth_of_sauron": 9,
        "separate": 0.3,
        "skip": 0,
    },
    "prompt.choose_die": {"ring": 0.1, "pass": 0.2},
    "prompt.fellowship_phase": {"enter_mordor": 20, "declare": 2},
    "prompt.suffer_hunt": {"lose_guide": 3, "lose_random": 3, "use_ring": 2},
}
_GOALS = (
    OF_SEAT[1] & (CITIES | STRONGHOLD_MASK),
    OF_SEAT[0] & (CITIES | STRONGHOLD_MASK),
)
"""What each seat marches on."""
_DISTANCES = Distances(NEIGHBOURS)
_GATES = mask_of(PLACE["morannon"], PLACE["minas_morgul"])


def eager(request: Request, rng: Random, state: State) -> Any:
    """Fights where it can and marches on what gives points; everything else at random."""
    if isinstance(request, ChooseOne) and len(request.options) > 1:
        prompt = request.prompt
        if request.domain == "place" and prompt in ("prompt.choose_destination", "prompt.choose_onward"):
            seat = SEATS.index(request.seat)
            held = state.captured if seat == SHADOW else ~state.captured
            return _towards(request, rng, _GOALS[seat] & ~held or _GOALS[seat])
        if prompt in ("prompt.move_declared", "prompt.move_revealed"):
            return _towards(request, rng, _GATES)
    return by_liking(request, rng, _LIKED)


def _towards(request: ChooseOne, rng: Random, goals: int) -> str:
    """The place nearest to one of the goals, three times out of four."""
    places = [option for option in request.options if PLACE.get(option, REGION_COUNT) < REGION_COUNT]
    if not places or not goals or rng.random() < 0.25:
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
    """Play a whole game, see :func:`play_whole`.

    ``free`` and ``shadow`` name the players (``random`` or ``eager``).
    """
    from referee.games.war_of_the_ring.game import GAME

    return play_whole(
        GAME,
        seed,
        options or {},
        {"free": PLAYERS[free], "shadow": PLAYERS[shadow]},
        most=MOST_ANSWERS,
        audit=audit,
        keep=keep,
        record=record,
        checked=checked,
    )
