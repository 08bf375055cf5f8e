"""Questions that leave no choice in the younger games: the only answer may be said, another is refused."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

import pytest

from referee.kernel.explain import REFUSED, explain
from referee.kernel.play import Play
from referee.kernel.registry import load_game

ONLY = {
    "battlelore": {"prompt.choose_target": "range.", "prompt.retreat_to": "retreat."},
    "mountain_king": {
        "prompt.weak_symbol": "weak.",
        "prompt.group": "",
        "prompt.gnome_way": "",
        "prompt.desperation": "desperation.",
        "prompt.extra_supply": "strong.",
    },
}
"""Prompts that often leave no choice, with what the rules against other answers begin with: not all are words
of that question alone."""


@pytest.mark.parametrize("name", ONLY)
def test_what_leaves_no_choice_may_be_said_and_nothing_else(name: str) -> None:
    """``fight c3 x c4`` was refused, or not understood, where only one enemy was in reach."""
    game: Any = load_game(name)
    options = import_module(f"referee.games.{name}.play.fuzz").explained.keywords["options"]
    left = dict(ONLY[name])
    for seed in range(6):
        rng = Random(seed)
        play: Play[Any] = Play(game, game.new_state(options(rng)), audit=False, asks_forced=True)
        while left and play.request is not None and play.answered < 1500:
            request = play.request
            if play.forced is not None and request.prompt in left:
                beginning = left.pop(request.prompt)
                only = play.forced.answer
                words = game.words.notation.write(request, only)
                told = explain(play, words, game.words)
                assert not words or (
                    told.allowed and (request.prompt, only) in [(r.prompt, a) for r, a in told.unasked]
                )
                if beginning:
                    other = next(one.value for one in request.candidates() if not one.allowed)
                    told = explain(play, game.words.notation.write(request, other), game.words)
                    assert told.verdict == REFUSED and told.rule is not None, request.prompt
                    assert told.rule.id.startswith(beginning), told.rule.id
            play.answer(request.sample(rng) if play.forced is None else play.forced.answer)
    assert not left
