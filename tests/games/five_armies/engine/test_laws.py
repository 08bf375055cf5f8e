"""Laws that hold for every game (``tests/game_laws.py``), checked on whole games of Five Armies."""

from __future__ import annotations

import json
from random import Random

import game_laws
import pytest

from referee.games.five_armies.game import GAME
from referee.games.five_armies.play import bots
from referee.games.five_armies.state.state import State
from referee.kernel.play import Play

GAMES = 200
SUGGESTED = {"setup": "suggested"}
VICTORIES = {
    "victory.fp_fate_end",
    "victory.fp_beorn_enters",
    "victory.fp_bolg_eliminated",
    "victory.shadow_end_of_turn",
    "victory.shadow_immediate_front_gate",
}


def test_random_games_end_with_every_invariant_held() -> None:
    """The audit runs after every answer and raises; both sides win by every condition there is."""
    plays = (
        bots.play_random(
            seed,
            free="eager" if seed % 4 == 1 else "random",
            shadow="random" if seed % 4 == 0 else "eager",
        )
        for seed in range(GAMES)
    )
    assert set(game_laws.endings(plays)) == VICTORIES


@pytest.mark.parametrize("seed", range(4))
def test_taking_back_and_redoing_gives_the_same_digest(seed: int) -> None:
    game_laws.taking_back_and_redoing_gives_the_same_digest(GAME, SUGGESTED, seed, often=0.1)


@pytest.mark.parametrize("seed", range(4))
def test_states_survive_json_and_games_restart_from_it(seed: int) -> None:
    game_laws.states_survive_json_and_games_restart_from_it(
        GAME, SUGGESTED, seed + 100, often=0.15, players={"shadow": bots.eager}
    )


def test_the_same_answers_give_the_same_game() -> None:
    game_laws.the_same_answers_give_the_same_game(GAME, bots.play_random, SUGGESTED)


def test_everything_that_is_asked_has_its_words_and_rules() -> None:
    looking = game_laws.Looking(GAME)
    for seed in range(12):
        rng = Random(seed)
        state = GAME.new_state({"setup": "ask" if seed % 3 else "suggested"})
        play: Play[State] = Play(GAME, state, audit=False)
        while play.request is not None:
            looking.look(play.request)
            player = bots.PLAYERS["eager" if seed % 2 else "random"]
            play.answer(player(play.request, rng, play.state))
            if play.answered % 9 == 0:
                for language in ("de", "en"):
                    view = GAME.view(play.state, None, language)
                    assert json.loads(json.dumps(view)) == view
    assert sorted(looking.missing) == []
    assert len(looking.refused) > 50
    assert looking.proposed <= {f"prompt.{one}" for one in PROPOSED}
    assert len(looking.proposed) > 2


PROPOSED = {"who_marches", "characters_along", "archers", "advance", "combat_reroll"}
"""Where all that may go or be done is what a table does unless it says otherwise.  Generals, armies of a
combined attack, Eagles that fly home and casualties are never among them."""


def test_both_languages_are_complete() -> None:
    game_laws.both_languages_are_complete(GAME)


@pytest.mark.parametrize("language", ["de", "en"])
def test_nothing_is_told_in_ids(language: str) -> None:
    game_laws.nothing_is_told_in_ids(GAME, [{}, SUGGESTED], language)
