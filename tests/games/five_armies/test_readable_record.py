"""The readable record reads like a report: whole sentences, losses before what follows from them."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from referee.games.five_armies import GAME
from referee.games.five_armies.play.bots import PLAYERS
from referee.games.five_armies.screens.report import Tale
from referee.games.kit.report import NarrativeStep
from referee.kernel.naming import Namer
from referee.kernel.play import Play

CLUMSY = {
    "de": (r"(^|\. )1 (?:(?! und )[^,.:])* rücken vor", r"\. → ", r"Freie Völker: ?(passen|Die Fähigkeit)"),
    "en": (r"(^|\. )1 (?:(?! and )[^,.:])* advance into", r"\. → ", r"Free Peoples: pass"),
}
ADVANCE = {"de": r"(rücken|rückt) vor:", "en": r"advances? into"}
LOSSES = {"de": "Verluste, ", "en": "Losses, "}


def answers(seed: int) -> list[Any]:
    """The answers of a game in which the Shadow attacks where it can."""
    rng = Random(seed)
    play = Play(GAME, GAME.new_state({"setup": "suggested"}), audit=False, keep=False)
    found = []
    while (request := play.request) is not None:
        player = PLAYERS["eager" if request.seat == "shadow" else "random"]
        found.append(player(request, rng, play.state))
        play.answer_unchecked(found[-1])
    return found


@pytest.mark.parametrize("language", ["de", "en"])
def test_no_clumsy_sentences(language: str) -> None:
    advances = 0
    for seed in range(3):
        start = GAME.new_state({"setup": "suggested"})
        steps = [NarrativeStep(answer) for answer in answers(seed)]
        tell = Tale.SENTENCES(Namer(GAME, language, GAME.report_texts))
        told = Tale(GAME, start, steps, tell, notation=False).text("")
        assert "report." not in told and "{" not in told
        for line in told.splitlines():
            assert not line.endswith(":"), line
            for pattern in CLUMSY[language]:
                assert not re.search(pattern, line), line
            advance = re.search(ADVANCE[language], line)
            if advance is not None and LOSSES[language] in line:
                advances += 1
                assert line.rindex(LOSSES[language]) < advance.start(), line
    assert advances
