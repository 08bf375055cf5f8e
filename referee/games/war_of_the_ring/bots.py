"""Computer players for fuzzing and measuring: at random, or eager for one way to win."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from referee.games.war_of_the_ring.components import SEATS, SHADOW
from referee.games.war_of_the_ring.map import (
    CITIES,
    NEIGHBOURS,
    OF_SEAT,
    PLACE,
    REGION_COUNT,
    STRONGHOLD_MASK,
    mask_of,
    places_in,
)
from referee.games.war_of_the_ring.state import State
from referee.kernel.play import Play
from referee.kernel.requests import ChooseOne, ChooseSome, Request

MOST_ANSWERS = 40_000
"""A game with more answers than this runs away."""

Player = Callable[[Request, Random, State], Any]
"""Answers a request; sees the state."""


def at_random(request: Request, rng: Random, state: State) -> Any:
    """Any legal answer."""
    return request.sample(rng)


_LIKED: Mapping[str, Mapping[str, float]] = {
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
        liked = _LIKED.get(prompt)
        if liked:
            weights = [liked.get(option, 1) for option in request.options]
            return rng.choices(request.options, weights)[0] if any(weights) else request.sample(rng)
    if isinstance(request, ChooseSome):
        default = request.default
        if default is not None and rng.random() < 0.8 and request.why_not(default) is None:
            return dict(default)
    return request.sample(rng)


def _towards(request: ChooseOne, rng: Random, goals: int) -> str:
    """The place nearest to one of the goals, three times out of four."""
    places = [option for option in request.options if PLACE.get(option, REGION_COUNT) < REGION_COUNT]
    if not places or not goals or rng.random() < 0.25:
        return request.sample(rng)
    return min(places, key=lambda name: (_distance(PLACE[name], goals), rng.random()))


@cache
def _distances(place: int) -> tuple[int, ...]:
    found = [99] * REGION_COUNT
    found[place] = 0
    edge = [place]
    while edge:
        here = edge.pop(0)
        for near in places_in(NEIGHBOURS[here]):
            if found[near] == 99:
                found[near] = found[here] + 1
                edge.append(near)
    return tuple(found)


def _distance(place: int, goals: int) -> int:
    distances = _distances(place)
    return min(distances[goal] for goal in places_in(goals))


PLAYERS: Mapping[str, Player] = {"random": at_random, "eager": eager}


# --- whole games -------------------------------------------------------------------------------


@dataclass(slots=True)
class Played:
    """A finished game: its play, how many answers of each sort it took, and the answers if recorded."""

    play: Play[State]
    decisions: int = 0
    forced: int = 0
    chance: int = 0
    answers: list[Any] = field(default_factory=list)


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
) -> Played:
    """Play a whole game.

    ``free`` and ``shadow`` name the players (``random`` or ``eager``).
    ``checked`` False skips the check of each answer against its request (they
    were drawn from it).  ``record`` keeps the answers.  Raises
    :class:`RuntimeError` for a game that does not end.
    """
    from referee.games.war_of_the_ring.game import GAME

    rng = Random(seed)
    play = Play(GAME, GAME.new_state(options or {}), audit=audit, keep=keep)
    played = Played(play)
    plain = free == shadow == "random"
    players = {"free": PLAYERS[free], "shadow": PLAYERS[shadow], "*": at_random}
    answer = play.answer if checked else play.answer_unchecked
    request = play.request
    while request is not None:
        if request.is_chance:
            played.chance += 1
        elif request.is_forced():
            played.forced += 1
        else:
            played.decisions += 1
        value = request.sample(rng) if plain else players[request.seat](request, rng, play.state)
        if record:
            played.answers.append(value)
        answer(value)
        request = play.request
        if play.answered > MOST_ANSWERS:
            raise RuntimeError(f"random game {seed} does not end")
    return played
