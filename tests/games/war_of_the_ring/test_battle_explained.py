"""Why not, in a battle: cards, re-rolls, casualties, leaving and ceasing are refused by rule and page."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.war_of_the_ring.game import GAME
from referee.games.war_of_the_ring.state.state import State
from referee.games.war_of_the_ring.words.explaining_battle import _ATTEMPTS, TURN_RULES
from referee.games.war_of_the_ring.words.notation import STYLES
from referee.kernel.explain import Explanation, explain
from referee.kernel.play import Play

ARMIES = """\
position:
  unused_dice: {shadow: [army, character]}
  politics: {gondor: at_war, sauron: at_war, rohan: at_war, isengard: at_war}
  hands: {free: {character: 0, strategy: 2}, shadow: {character: 0, strategy: 2}}
  regions:
    osgiliath: {units: {gondor_regular: 4}}
    lossarnach: {control: free, units: {gondor_elite: 1}}
    north_ithilien: {units: {sauron_regular: 4, sauron_elite: 1, nazgul: 1}}
    edoras: {units: {rohan_regular: 2, rohan_leader: 1}}
    minas_tirith: {units: {sauron_regular: 3, sauron_elite: 1}, besieged: {units: {gondor_regular: 2}}}
    helms_deep: {units: {rohan_regular: 2}}
    fords_of_isen: {units: {isengard_regular: 3}}
    westemnet: {units: {isengard_regular: 2, isengard_elite: 1}}
  battle: """
FIELD = (
    "{attacker: shadow, from: north_ithilien, target: osgiliath, round: 1, rearguard: {units: {nazgul: 1}}}"
)
LED = "{attacker: shadow, from: north_ithilien, target: osgiliath, round: 1}"
SIEGE = "{attacker: shadow, from: minas_tirith, target: minas_tirith_siege, round: 1}"
STRONGHOLD = "{attacker: shadow, from: fords_of_isen, target: helms_deep, round: 1}"
NO_CARDS = ("no cards",)
"""Nobody puts a card down in this round, whoever is asked."""
CARD_BACK = "prompt.combat_card_back"
MISSES, HITS = ("1",) * 4, ("6",) * 4


def rolled(play: Play[State], faces: tuple[str, ...]) -> dict[str, list[str]]:
    """These faces for the dice that are asked for, the last one again where there are more."""
    (die,) = play.request.dice  # type: ignore[union-attr]
    number = play.request.dice[die]  # type: ignore[union-attr]
    return {die: [*faces, *faces[-1:] * number][:number]}


def told(battle: str, answers: tuple[Any, ...], move: str) -> Explanation:
    """The move tried after these answers; a tuple is a roll."""
    play: Play[State] = Play(GAME, GAME.read_position(ARMIES + battle + "\n").state)
    for answer in answers:
        while answer in NO_CARDS and play.request is not None and play.request.prompt == CARD_BACK:
            play.answer("no_card")
        if answer not in NO_CARDS:
            play.answer(rolled(play, answer) if isinstance(answer, tuple) else answer)
    return explain(play, move, GAME.words)


@pytest.mark.parametrize(
    ("battle", "answers", "move", "rule", "reason"),
    [
        # combat cards
        (FIELD, (), "card character", "combat_card.requirement", "no_card_with_back"),
        (FIELD, (), "card dread_and_despair", "combat_card.choose", "back_first"),
        (FIELD, ("strategy",), "shadow: card strategy", "combat_card.choose", ""),
        (FIELD, ("no_card",), "card none card strategy", "combat_card.choose", "cards_before_roll"),
        (FIELD, NO_CARDS, "card strategy", "combat_card.choose", "cards_before_roll"),
        (STRONGHOLD, (), "card strategy", "siege.withdraw", "field_or_siege_first"),
        # dice and re-rolls
        (FIELD, NO_CARDS, "roll 6", "battle.strength", "dice_of_the_roll"),
        (FIELD, NO_CARDS, "reroll 6", "battle.round", "reroll_after_roll"),
        (FIELD, (*NO_CARDS, MISSES), "roll 1 1 1 1 reroll 6", "battle.leadership", "no_leadership"),
        (LED, (*NO_CARDS, MISSES, MISSES), "reroll 6 6", "battle.reroll_number", "dice_of_the_roll"),
        (LED, (*NO_CARDS, MISSES, MISSES), "reroll 1 reroll 6", "battle.reroll_number", "rerolled_already"),
        (LED, (*NO_CARDS, HITS), "remove 1 gondor_regular", "battle.round", "casualties_after_rolls"),
        # casualties
        (
            FIELD,
            (*NO_CARDS, ("1",), ("6", "1")),
            "remove 1 nazgul",
            "battle.army_gone",
            "leaders_fall_with_army",
        ),
        (
            FIELD,
            (*NO_CARDS, ("1",), ("6", "1")),
            "remove 1 reduce_sauron_regular",
            "casualty.remove",
            "only_elites",
        ),
        (
            FIELD,
            (*NO_CARDS, ("1",), ("6", "1")),
            "remove 1 isengard_regular",
            "casualty.remove",
            "not_in_the_battle",
        ),
        (
            FIELD,
            (*NO_CARDS, ("1",), ("6", "1")),
            "remove 1 sauron_regular 1 reduce_sauron_elite",
            "casualty.remove",
            "too_many_casualties",
        ),
        (FIELD, (*NO_CARDS, MISSES, MISSES), "remove 1 sauron_regular", "casualty.remove", "no_hits_to_take"),
        # leaving and going on
        (FIELD, NO_CARDS, "retreat", "retreat.after_round", "retreat_after_round"),
        (FIELD, (*NO_CARDS, MISSES, MISSES), "retreat", "retreat.defender", "only_defender_retreats"),
        (FIELD, (*NO_CARDS, MISSES, MISSES), "free: cease", "battle.cease", ""),
        (FIELD, (*NO_CARDS, MISSES, MISSES, "go_on"), "cease", "battle.cease", "gone_on_already"),
        (
            FIELD,
            (*NO_CARDS, MISSES, MISSES, "go_on"),
            "retreat > edoras",
            "retreat.defender",
            "retreat_not_next",
        ),
        (
            FIELD,
            (*NO_CARDS, MISSES, MISSES, "go_on"),
            "retreat > north_ithilien",
            "retreat.free_region",
            "retreat_enemy_army",
        ),
        (FIELD, NO_CARDS, "cease", "battle.cease", "after_the_round"),
        (FIELD, NO_CARDS, "go_on", "battle.cease", "after_the_round"),
        (FIELD, NO_CARDS, "withdraw", "siege.withdraw", "no_own_stronghold"),
        (FIELD, NO_CARDS, "advance", "battle.advance", "defender_stands"),
        (FIELD, (*NO_CARDS, MISSES, MISSES), "cease advance", "battle.ceased_stay", "ceased_no_advance"),
        (
            FIELD.replace("round: 1", "round: 1, no_cease: true"),
            NO_CARDS,
            "cease",
            "battle.no_cease",
            "card_no_cease",
        ),
        # sieges
        (STRONGHOLD, (), "retreat", "retreat.after_round", "retreat_after_round"),
        (STRONGHOLD, ("field_battle", *NO_CARDS), "withdraw", "siege.withdraw", "withdraw_before_round"),
        (SIEGE, NO_CARDS, "retreat", "retreat.besieged", "besieged_stays"),
        (SIEGE, NO_CARDS, "withdraw", "siege.garrison_stays", "inside_already"),
        (SIEGE, NO_CARDS, "go_on", "siege.one_round", "siege_one_round"),
        (SIEGE, (*NO_CARDS, MISSES, MISSES), "go_on", "siege.one_round", "siege_one_round"),
        (SIEGE, (*NO_CARDS, MISSES, MISSES), "prolong sauron_regular", "siege.prolong", "only_elites"),
    ],
)
def test_refused_in_a_battle(
    battle: str, answers: tuple[Any, ...], move: str, rule: str, reason: str
) -> None:
    found = told(battle, answers, move)
    assert found.verdict == "refused", (found.verdict, found.at, found.sentence("en", GAME))
    assert found.refusal is not None
    assert (found.refusal.rule, found.refusal.reason) == (rule, reason), found.refusal
    assert found.rule is not None
    for language in ("de", "en"):
        sentence = found.sentence(language, GAME)
        assert "{" not in sentence and found.rule.where(language) in sentence, sentence


@pytest.mark.parametrize("word", sorted(_ATTEMPTS))
def test_without_a_battle_each_word_names_its_rule(word: str) -> None:
    text = ARMIES.removesuffix("  battle: ")
    play: Play[State] = Play(GAME, GAME.read_position(text).state)
    found = explain(play, f"army: {word} 1", GAME.words)
    assert found.refusal is not None and found.refusal.reason == "no_battle_now"
    assert found.refusal.rule == _ATTEMPTS[word][0] and found.rule is not None


@pytest.mark.parametrize(
    ("battle", "answers", "move"),
    [
        (FIELD, (), "card strategy"),
        (FIELD, (*NO_CARDS, MISSES, MISSES), "cease"),
        (FIELD, (*NO_CARDS, MISSES, MISSES, "go_on"), "retreat > lossarnach"),
        (FIELD, (*NO_CARDS, ("1",), ("6", "1")), "remove 1 sauron_regular"),
        (STRONGHOLD, (), "withdraw"),
        (SIEGE, (*NO_CARDS, MISSES, MISSES), "prolong sauron_elite"),
    ],
)
def test_allowed_in_a_battle(battle: str, answers: tuple[Any, ...], move: str) -> None:
    found = told(battle, answers, move)
    assert found.allowed, found.sentence("en", GAME)


def test_the_words_and_questions_told_of_are_those_of_the_game() -> None:
    for rule in (*(rule for rule, _ in _ATTEMPTS.values()), *TURN_RULES.values()):
        assert rule in GAME.catalogue
    asked = {prompt for prompt in TURN_RULES if f"prompt.{prompt}" in STYLES}
    assert len(asked) > 4
