"""Laws that hold for every game (``tests/game_laws.py``), checked on whole games of War of the Ring."""

from __future__ import annotations

from random import Random

import game_laws
import pytest

from referee.games.war_of_the_ring.game import GAME
from referee.games.war_of_the_ring.play import bots
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.play import Play

EDITIONS = ("second", "first")


@pytest.mark.parametrize("edition", EDITIONS)
def test_whole_games_end_with_every_invariant_held(edition: str) -> None:
    """The audit runs after every answer and raises."""
    plays = (
        bots.play_random(
            seed,
            options={"edition": edition},
            free=("random", "eager")[seed % 2],
            shadow=("eager", "random")[seed // 2 % 2],
        )
        for seed in range(8)
    )
    rules = game_laws.endings(plays)
    assert len(rules) > 1 and set(rules) <= set(GAME.catalogue)


@pytest.mark.parametrize("edition", EDITIONS)
def test_taking_back_and_redoing_gives_the_same_digest(edition: str) -> None:
    game_laws.taking_back_and_redoing_gives_the_same_digest(GAME, {"edition": edition}, 31, often=0.05)


@pytest.mark.parametrize("edition", EDITIONS)
def test_states_survive_json_and_games_restart_from_it(edition: str) -> None:
    game_laws.states_survive_json_and_games_restart_from_it(GAME, {"edition": edition}, 32, often=0.05)


def test_the_same_answers_give_the_same_game() -> None:
    game_laws.the_same_answers_give_the_same_game(GAME, bots.play_random, {})


def test_every_question_and_refusal_has_its_texts_and_rules() -> None:
    looking = game_laws.Looking(GAME)
    for seed in range(6):
        rng = Random(seed)
        options = {"edition": EDITIONS[seed % 2]}
        play: Play[State] = Play(GAME, GAME.new_state(options), audit=False, keep=False)
        while play.request is not None:
            if play.request.prompt not in looking.asked or rng.random() < 0.1:
                looking.look(play.request)
            play.answer_unchecked(play.request.sample(rng))
    assert sorted(looking.missing) == []
    assert len(looking.asked) > 60
    assert looking.proposed <= {f"prompt.{one}" for one in PROPOSED}
    assert len(looking.proposed) > 2


PROPOSED = {"choose_movers", "choose_attackers", "advance", "dead_men_with"}
"""Where all that may go is what a table does unless it says otherwise.  Who separates, who falls and what is
discarded are never among them."""


def test_both_languages_have_every_message() -> None:
    game_laws.both_languages_are_complete(GAME)


@pytest.mark.parametrize("language", ["de", "en"])
def test_nothing_is_told_in_ids(language: str) -> None:
    game_laws.nothing_is_told_in_ids(GAME, [{"edition": "second"}, {"edition": "first"}], language)
