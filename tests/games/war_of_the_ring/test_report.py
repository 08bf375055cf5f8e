"""The readable record: a whole random game in both languages, without a single id."""

from __future__ import annotations

import re
from random import Random

import pytest

from referee.games.war_of_the_ring.box.components import CHARACTERS, FIGURES
from referee.games.war_of_the_ring.box.map import PLACES
from referee.games.war_of_the_ring.game import GAME
from referee.kernel.play import Play

IDS = {*FIGURES, *CHARACTERS, *(place for place in PLACES if "_" in place)} - {"nazgul"}


@pytest.fixture(scope="module", params=["second", "first"])
def game(request: pytest.FixtureRequest) -> tuple[str, list[object], str]:
    rng = Random(7)
    play = Play(GAME, GAME.new_state({"edition": request.param}), keep=False, audit=False)
    answers = []
    while play.request is not None and len(answers) < 1200:
        answer = play.request.sample(rng)
        answers.append(answer)
        play.answer(answer)
    return request.param, answers, play.state.winning_rule


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_whole_game_is_told_in_words(game: tuple[str, list[object], str], language: str) -> None:
    edition, answers, _ = game
    start = GAME.new_state({"edition": edition})
    text = GAME.tale(start, [{"answer": answer} for answer in answers], language, "Anna – Bernd")
    assert text.splitlines()[0] == GAME.title[language]
    assert f"\n{'Runde' if language == 'de' else 'Turn'} 2\n" in text
    words = set(re.findall(r"[a-z]+(?:_[a-z]+)+", text))
    assert not words & IDS and not words, words
    assert "  " not in text and "report." not in text
    assert start.turn == 0  # the start is not changed
