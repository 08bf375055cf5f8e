"""Computer players for fuzzing and measuring: at random, or eager to fight and to take settlements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from referee.games.five_armies.components import FREE, SEATS, SHADOW
from referee.games.five_armies.map import FRONT_GATE, PLACE, STEPS, STRONGHOLDS, places_in
from referee.games.five_armies.state import State
from referee.games.five_armies.victory import points
from referee.kernel.play import Play
from referee.kernel.requests import ChooseOne, ChooseSome, Request

MOST_ANSWERS = 20_000
"""A game with more answers than this runs away."""

Player = Callable[[Request, Random, State], Any]
"""Answers a request; sees the state."""


def at_random(request: Request, rng: Random, state: State) -> Any:
    """Any legal answer."""
    return request.sample(rng)


# --- an eager player ---------------------------------------------------------------------------

_LIKED: Mapping[str, Mapping[str, float]] = {
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
        liked = _LIKED.get(prompt)
        if liked:
            weights = [liked.get(option, 1) for option in request.options]
            return rng.choices(request.options, weights)[0] if any(weights) else request.sample(rng)
    if isinstance(request, ChooseSome):
        default = request.default
        if default is not None and rng.random() < 0.8 and request.why_not(default) is None:
            return dict(default)
    return request.sample(rng)


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
    return min(places, key=lambda name: (_distance(PLACE[name], goals), rng.random()))


@cache
def _distances(place: int) -> tuple[int, ...]:
    found = [99] * len(STEPS)
    found[place] = 0
    edge = [place]
    while edge:
        here = edge.pop(0)
        for near in places_in(STEPS[here]):
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
    """Play a whole game.  The suggested set-up is taken unless ``options`` say otherwise.

    ``free`` and ``shadow`` name the players (``random`` or ``eager``).
    ``checked`` False skips the check of each answer against its request (they
    were drawn from it).  ``record`` keeps the answers.  Raises
    :class:`RuntimeError` for a game that does not end.
    """
    from referee.games.five_armies.game import GAME

    rng = Random(seed)
    state = GAME.new_state({"setup": "suggested"} if options is None else options)
    play = Play(GAME, state, audit=audit, keep=keep)
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
        value = request.sample(rng) if plain else players[request.seat](request, rng, state)
        if record:
            played.answers.append(value)
        answer(value)
        request = play.request
        if play.answered > MOST_ANSWERS:
            raise RuntimeError(f"random game {seed} does not end")
    return played
