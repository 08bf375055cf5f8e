"""Laws that hold for every game (``tests/game_laws.py``), checked on whole battles."""

from __future__ import annotations

from random import Random
from typing import Any

import game_laws
import pytest

from referee.games.battlelore.box.scenario import field_of, load, write_scenario
from referee.games.battlelore.game import GAME
from referee.games.battlelore.play import bots
from referee.games.battlelore.play.fuzz import fuzz, options_of
from referee.games.battlelore.position.position import read_position, write_position
from referee.games.battlelore.state.state import State
from referee.kernel.play import Play

PLAIN, LORE = {"scenario": "own_04"}, {"scenario": "own_06"}
MIXED = {"south": bots.eager}


def short(name: str) -> dict[str, Any]:
    """A shipped battle that two banners win, as the text of a scenario's file."""
    field = load(name)
    goals = {"victory_banners": {"south": 2, "north": 2}}
    return {"scenario": write_scenario(field_of({**field.data, **goals}))}


def test_whole_battles_end_with_every_invariant_held() -> None:
    """The audit runs after every answer and raises."""
    found = fuzz(500, 12)
    assert found.failures == [] and set(found.outcomes) == {"victory.scenario_banner_goal"}


@pytest.mark.parametrize("options", [PLAIN, LORE], ids=["plain", "lore"])
def test_taking_back_and_redoing_gives_the_same_digest(options: dict[str, Any]) -> None:
    game_laws.taking_back_and_redoing_gives_the_same_digest(GAME, options, 31, often=0.02)


@pytest.mark.parametrize("options", [PLAIN, LORE], ids=["plain", "lore"])
def test_states_survive_json_and_games_restart_from_it(options: dict[str, Any]) -> None:
    game_laws.states_survive_json_and_games_restart_from_it(GAME, options, 32, often=0.02, players=MIXED)


@pytest.mark.parametrize("options", [PLAIN, LORE], ids=["plain", "lore"])
def test_every_milestone_can_be_written_as_a_position_file(options: dict[str, Any]) -> None:
    """A running fight among them."""
    rng = Random(33)
    play: Play[State] = Play(GAME, GAME.new_state(options), audit=False)
    written = fights = 0
    while play.request is not None and written < 36:
        kept = play.kept
        if kept is not None and kept.phase and rng.random() < (0.5 if kept.fight else 0.02):
            again = read_position(write_position(kept, "a battle")).state
            assert GAME.to_json(again) == GAME.to_json(kept)
            assert GAME.audit(again) == []
            written += 1
            fights += kept.fight is not None
        player = MIXED.get(play.request.seat, bots.GAMES.players["random"])
        play.answer(player(play.request, rng, play.state))
    assert written > 20 and fights > 5


def test_the_same_answers_give_the_same_game() -> None:
    game_laws.the_same_answers_give_the_same_game(GAME, bots.play_random, {})


def test_every_question_and_refusal_has_its_texts_and_rules() -> None:
    looking = game_laws.Looking(GAME)
    for seed in range(24):
        rng = Random(seed)
        play: Play[State] = Play(GAME, GAME.new_state(options_of(seed)), audit=False, keep=False)
        players = {"south": bots.eager} if seed % 2 else {"north": bots.eager}
        while play.request is not None and play.answered < 1_500:
            if play.request.prompt not in looking.asked or rng.random() < 0.1:
                looking.look(play.request)
            player = players.get(play.request.seat, bots.GAMES.players["random"])
            play.answer_unchecked(player(play.request, rng, play.state))
    assert sorted(looking.missing) == []
    assert len(looking.asked) > 40


def test_both_languages_have_every_message() -> None:
    game_laws.both_languages_are_complete(GAME)


@pytest.mark.parametrize("language", ["de", "en"])
def test_nothing_is_told_in_ids(language: str) -> None:
    game_laws.nothing_is_told_in_ids(GAME, [short("own_04"), short("own_06")], language)
