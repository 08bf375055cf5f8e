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


def test_a_vote_tile_that_lies_on_a_track_is_refused_by_its_name() -> None:
    """It was not understood: only the tiles that are left were words."""
    play = Play(GAME, GAME.new_state({}), audit=False)
    rng = Random(2)
    laid: dict[str, str] = {}
    while len(laid) < 3:
        assert play.request is not None
        answer = play.request.sample(rng)
        if play.request.prompt == "prompt.vote_tile":
            for tile, clan in laid.items():
                told = explain(play, tile, GAME.words)
                assert told.verdict == REFUSED and told.refusal is not None
                assert told.refusal.rule == "setup.vote_tiles" and told.refusal.params == {"clan": clan}
            laid[answer] = play.request.about["clan"]
        play.answer(answer)
