"""A running battle in a position file: written, read back, and every mistake told with its line."""

from __future__ import annotations

from random import Random

import pytest

from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.game import GAME
from referee.games.war_of_the_ring.play.bots import eager
from referee.games.war_of_the_ring.state.battle import BY_HAND
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.located import FileProblems
from referee.kernel.play import Play

FIELD = """\
position:
  unused_dice: {shadow: [army]}
  politics: {gondor: at_war, sauron: at_war}
  regions:
    osgiliath: {units: {gondor_regular: 2}}
    north_ithilien: {units: {sauron_regular: 3, nazgul: 1}, characters: [witch_king]}
    minas_tirith: {units: {sauron_regular: 2}, besieged: {units: {gondor_regular: 1}}}
  battle: """
FIELD_LINE = 8
MOMENTS = 20
"""Compared in each game."""


def read(battle: str) -> State:
    state: State = GAME.read_position(FIELD + battle + "\n").state
    return state


@pytest.mark.parametrize(("seed", "edition"), [(0, "second"), (2, "first")])
def test_any_moment_of_a_battle_can_be_written_and_read_back(seed: int, edition: str) -> None:
    """States between two questions, in the middle of a round too; nothing is left to ``details``."""
    rng = Random(seed)
    play: Play[State] = Play(GAME, GAME.new_state({"edition": edition}), audit=False, keep=False)
    steps: dict[str, int] = {}
    while (request := play.request) is not None and sum(steps.values()) < MOMENTS:
        battle = play.state.battle
        if battle is not None and rng.random() < (0.06 if battle.step in steps else 1):
            text = GAME.write_position(play.state)
            assert GAME.to_json(GAME.read_position(text).state) == GAME.to_json(play.state)
            assert "\n  battle:" in text and "details" not in text
            steps[battle.step] = steps.get(battle.step, 0) + 1
        by_eager = rng.random() < 0.8
        play.answer_unchecked(eager(request, rng, play.state) if by_eager else request.sample(rng))
    assert steps.keys() >= {"card", "roll", "casualties", "end"}


def test_a_game_goes_on_from_the_round_that_the_file_names() -> None:
    state = read("{attacker: shadow, from: north_ithilien, target: osgiliath, round: 2}")
    assert (state.phase, state.step, state.active) == (5, "fight", 1)
    play: Play[State] = Play(GAME, state)
    assert play.request is not None and play.request.about["round"] == 2
    play.answer("no_card")
    assert play.request is not None and play.state.battle is not None
    assert play.state.battle.target == PLACE["osgiliath"]


def test_rearguard_cards_and_characters_are_kept() -> None:
    state = read(
        "{attacker: shadow, from: north_ithilien, target: osgiliath, round: 1, no_cease: true, "
        "rearguard: {units: {sauron_regular: 1, nazgul: 1}, characters: [witch_king]}, "
        "shadow_dice_less: 1, nazgul_negated: true, free_card_needs_companion: true, "
        "witch_king_draws: either, step: reroll, "
        "shadow: {card: card_by_hand, deck: strategy, silent: [witch_king], rolled: [[5, 1, 0]], "
        "steps: [{at: 3, do: add, combat: 2}]}, free: {cancelled: true, most: 3}}"
    )
    battle = state.battle
    assert battle is not None and battle.no_cease and battle.negated and battle.witch_king_draws == 2
    assert battle.sides[1].card == BY_HAND and battle.sides[1].steps == [{"at": 3, "do": "add", "combat": 2}]
    assert battle.sides[0].cancelled and battle.sides[0].most == 3
    again = GAME.read_position(GAME.write_position(state)).state
    assert GAME.to_json(again) == GAME.to_json(state)


def test_a_siege_and_who_is_to_act_otherwise() -> None:
    siege = "{attacker: shadow, from: minas_tirith, target: minas_tirith_siege, round: 1, rounds: 3}"
    state = read(siege)
    assert state.battle is not None and state.battle.siege and state.battle.rounds == 3
    text = FIELD.replace("  unused_dice", "  to_act: free\n  unused_dice") + siege
    assert GAME.read_position(text).state.active == 0


@pytest.mark.parametrize(
    ("battle", "words"),
    [
        ("soon", "attacker is missing"),
        ("{attacker: shadow, from: north_ithilien}", "target is missing"),
        ("{attacker: sauron, from: north_ithilien, target: osgiliath}", "sauron"),
        ("{attacker: shadow, from: [north_ithilien], target: osgiliath}", "is not known here"),
        ("{attacker: shadow, from: north_ithilien, target: rome}", "rome"),
        ("{attacker: shadow, from: morannon, target: osgiliath}", "no army at Morannon"),
        ("{attacker: free, from: osgiliath, target: north_ithilien, weather: wet}", "weather"),
        ("{attacker: shadow, from: minas_tirith, target: osgiliath, round: x}", "whole number"),
        ("{attacker: shadow, from: morannon, target: minas_tirith_siege}", "not next to"),
        (
            "{attacker: shadow, from: north_ithilien, target: osgiliath, "
            "rearguard: {units: {sauron_regular: 3}}}",
            "leaves a unit",
        ),
        (
            "{attacker: shadow, from: north_ithilien, target: osgiliath, rearguard: {units: {nazgul: 2}}}",
            "part of the army",
        ),
        ("{attacker: shadow, from: north_ithilien, target: osgiliath, step: lunch}", "lunch"),
        ("{attacker: shadow, from: north_ithilien, target: osgiliath, ended: well}", "well"),
        ("{attacker: shadow, from: north_ithilien, target: osgiliath, free: {hope: 1}}", "hope"),
        (
            "{attacker: shadow, from: north_ithilien, target: osgiliath, free: {rolled: [[5]]}}",
            "of 3 numbers",
        ),
        (
            "{attacker: shadow, from: north_ithilien, target: osgiliath, free: {steps: [{at: 1}]}}",
            "needs its",
        ),
    ],
)
def test_a_mistake_in_a_battle_is_told_with_its_line(battle: str, words: str) -> None:
    with pytest.raises(FileProblems) as caught:
        read(battle)
    told = [problem for problem in caught.value.problems if words in problem.text.in_words("en")]
    assert told and told[0].line == FIELD_LINE and told[0].text.in_words("de") != told[0].text.in_words("en")
