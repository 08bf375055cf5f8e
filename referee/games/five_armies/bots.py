"""Random players: whole games from a seed, for fuzzing and measuring."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from referee.games.five_armies.state import State
from referee.kernel.play import Play

MOST_ANSWERS = 20_000
"""A game with more answers than this runs away."""


@dataclass(slots=True)
class Played:
    """A finished random game: its play, and how many answers of each sort it took."""

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
) -> Played:
    """Play a whole game at random.  The suggested set-up is taken unless ``options`` say otherwise.

    ``checked`` False skips the check of each answer against its request (they
    were drawn from it).  ``record`` keeps the answers.  Raises
    :class:`RuntimeError` for a game that does not end.
    """
    from referee.games.five_armies.game import GAME

    rng = Random(seed)
    state = GAME.new_state({"setup": "suggested"} if options is None else options)
    play = Play(GAME, state, audit=audit, keep=keep)
    played = Played(play)
    answer = play.answer if checked else play.answer_unchecked
    request = play.request
    while request is not None:
        if request.is_chance:
            played.chance += 1
        elif request.is_forced():
            played.forced += 1
        else:
            played.decisions += 1
        value = request.sample(rng)
        if record:
            played.answers.append(value)
        answer(value)
        request = play.request
        if play.answered > MOST_ANSWERS:
            raise RuntimeError(f"random game {seed} does not end")
    return played
