"""Every line that the referee writes can be read again and gives the same answers."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from referee.games.five_armies import GAME
from referee.games.five_armies.notation import STYLES
from referee.games.five_armies.report import report, written
from referee.kernel.explain import attempt
from referee.kernel.play import Play
from referee.kernel.requests import Request


def stretches(seed: int, most: int) -> list[tuple[Any, list[tuple[Request, Any]]]]:
    """States at milestones of a random game, each with the requests and answers up to the next."""
    rng = Random(seed)
    found: list[tuple[Any, list[tuple[Request, Any]]]] = []
    play = Play(GAME, GAME.new_state({"setup": "suggested"}), audit=False)
    pairs: list[tuple[Request, Any]] = []
    while play.request is not None and play.answered < most:
        request, answer = play.request, play.request.sample(rng)
        start = play.kept
        pairs.append((request, answer))
        play.answer(answer)
        if not play.since or play.request is None:
            found.append((start, pairs))
            pairs = []
    return found


@pytest.mark.parametrize("seed", range(5))
def test_written_lines_are_read_back(seed: int) -> None:
    wrong = []
    for start, pairs in stretches(seed, 1500):
        line = written(pairs)
        play = Play(GAME, GAME.copy(start), audit=False)
        result = attempt(play, line, GAME.words)
        answers = [answer for _, answer in pairs]
        read = [answer for _, answer in result.pairs]
        if read[: len(answers)] != answers or not result.allowed:
            wrong.append((line, result.verdict, result.at, result.said))
    assert wrong == []


def test_every_prompt_has_a_style() -> None:
    prompts = {
        request.prompt for seed in range(4) for _, pairs in stretches(seed, 3000) for request, _ in pairs
    }
    plain = {prompt for prompt in prompts if prompt not in STYLES and not prompt.startswith("prompt.by_hand")}
    assert plain <= {
        "prompt.last_goblin",
        "prompt.orc_from_card",
        "prompt.card_flip_or_place",
        "prompt.card_general",
    }


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_report_names_everything(language: str) -> None:
    from referee.games.five_armies.bots import play_random

    played = play_random(2, record=True)
    text = report(GAME.new_state({"setup": "suggested"}), played.answers, language, notation=False)
    assert "report." not in text and "_" not in text
    assert text.count("\n\n") >= 2
    assert ("Sieg:" if language == "de" else "Victory:") in text
