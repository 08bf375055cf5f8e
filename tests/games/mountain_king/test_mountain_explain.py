"""What ``explain`` says of written moves of Fall of the Mountain King."""

from __future__ import annotations

from random import Random

import pytest

from referee.games.mountain_king import GAME
from referee.kernel.explain import REFUSED, explain
from referee.kernel.play import Play


def test_a_seat_in_front_was_lost_with_a_question_that_went_without_saying() -> None:
    """``green: lair_e1`` was allowed to blue, since a question to green, with one answer, came before."""
    for seed in range(60):
        rng = Random(seed)
        play = Play(GAME, GAME.new_state({}), audit=False)
        while play.request is not None and play.answered < 80:
            first = play.fork(asks_forced=True)
            seat, asked = first.request.seat, play.request
            if asked.prompt == "prompt.lair_pair" and first.forced is not None and seat != asked.seat:
                told = explain(play, f"{seat}: {asked.options[0]}", GAME.words)
                assert told.verdict == REFUSED, told.said
                return
            play.answer(asked.sample(rng))
    pytest.fail("no such position")
