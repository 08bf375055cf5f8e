"""What ``explain`` says of written moves of BattleLore."""

from __future__ import annotations

from random import Random

import pytest

from referee.games.battlelore.play.fuzz import explained
from referee.games.kit.word_judging import Judge
from referee.kernel.explain import REFUSED, explain
from referee.kernel.play import Play
from referee.kernel.registry import load_game

GAME = load_game("battlelore")


def test_too_high_a_number_by_hand_is_refused() -> None:
    """It was not understood: only the numbers that are open were words."""
    for seed in range(12):
        rng = Random(seed)
        play = Play(GAME, GAME.new_state(explained.keywords["options"](rng)), audit=False)
        while play.request is not None and play.answered < 1500:
            if play.request.prompt == "prompt.by_hand_number":
                told = explain(play, "number 9", GAME.words)
                assert told.verdict == REFUSED and told.rule is not None
                assert told.rule.id == play.request.rule and Judge(GAME.words).false_reason(told) == ""
                return
            play.answer(play.request.sample(rng))
    pytest.fail("no such position")
