"""Words about what the table does not ask, as it leaves no choice: right where they say what happens."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from referee.games.war_of_the_ring.game import GAME
from referee.kernel.explain import Explanation, explain
from referee.kernel.play import Play

WAR = {"rohan": "at_war", "gondor": "active 1", "isengard": "at_war", "sauron": "at_war"}


def position(regions: dict[str, Any], free: list[str], shadow: list[str], **other: Any) -> dict[str, Any]:
    return {"politics": WAR, "regions": regions, "unused_dice": {"free": free, "shadow": shadow}, **other}


MIXED = position(
    {"eastemnet": {"units": {"gondor_regular": 1, "rohan_regular": 1}}},
    ["muster_army", "event"],
    ["army"],
    politics={"rohan": "active 1", "gondor": "at_war"},
)
"""Rohan is not At War and may not enter Gondor's Druadan Forest."""
ALONE = position(
    {
        "moria": {"units": {"sauron_regular": 2}},
        "dimrill_dale": {"characters": ["boromir"]},
        "hollin": {"units": {"elves_regular": 1}},
    },
    ["event"],
    ["army", "event"],
    to_act="shadow",
    used_dice={"free": ["event"]},
)
BESIDE = position(
    {"lossarnach": {"units": {"gondor_regular": 1}}, "minas_tirith": {"units": {"sauron_regular": 2}}},
    ["muster_army", "event"],
    ["army"],
)
NO_ARMY = position(
    {"eastemnet": {"units": {"rohan_regular": 1}}},
    ["muster", "event"],
    ["army"],
    politics={"gondor": "at_war", "rohan": "at_war"},
)
EVEN = position(
    {"moria": {"units": {"sauron_regular": 1}}, "hollin": {"units": {"elves_regular": 1}}},
    ["event", "character"],
    ["army", "event"],
    to_act="shadow",
    used_dice={"free": ["event"]},
)
BOTH_HIT = "army: attack moria x hollin card none card none roll 5 roll 5 "
"""Each side loses the only figure that it has: neither is asked which."""
FULL_HAND = position(
    {"hollin": {"units": {"elves_regular": 1}}},
    ["event"],
    ["army", "character"],
    hands={"free": {"character": 3, "strategy": 3}, "shadow": {}},
)
ONE_DECK = position(
    {"hollin": {"units": {"elves_regular": 1}}},
    ["event"],
    ["army", "character"],
    hands={"free": {"character": 1, "strategy": 2}, "shadow": {}},
    discarded={"free": {"character": 23}},
)
"""The Free Peoples' Character deck is exhausted: nobody asks from which deck a card is drawn."""


def told(line: str, where: dict[str, Any]) -> Explanation:
    state = GAME.read_position(yaml.safe_dump({"position": where}, sort_keys=False)).state
    return explain(Play(GAME, state), line, GAME.words)


@pytest.mark.parametrize(
    ("line", "where", "rule", "reason"),
    [
        ("muster_army: move eastemnet > druadan_forest", MIXED, "move.borders", "border"),
        ("muster_army: move eastemnet > druadan_forest gondor_regular rohan_regular", MIXED, "move.borders",
         "border"),
        ("army: attack moria x dimrill_dale", ALONE, "battle.characters_alone", ""),
        ("muster_army: move lossarnach > minas_tirith", BESIDE, "move.not_into_enemy_army", "enemy_army"),
        ("muster_army: move lossarnach > pelargir; minas_tirith > osgiliath", BESIDE, "move.own_army",
         "enemy_army_here"),
        ("muster_army: lossarnach > pelargir; pelargir > lossarnach", BESIDE, "move.once_per_action", ""),
        ("muster: recruit rohan_leader", NO_ARMY, "recruit.leader_needs_army", ""),
        ("muster: recruit rohan_regular = edoras; rohan_leader = westemnet", NO_ARMY,
         "recruit.leader_needs_army", ""),
        (BOTH_HIT + "remove 1 remove 2", EVEN, "casualty.remove", "only_so_many"),
        (BOTH_HIT + "remove 1 remove 1 remove 1", EVEN, "casualty.remove", "no_battle_now"),
        ("event: draw strategy discard strategy character", FULL_HAND, "cards.hand_limit", "too_many"),
        ("event: draw character", ONE_DECK, "cards.deck_exhausted", ""),
        ("event: draw character: recruit", ONE_DECK, "recruit.with_die", "wrong_symbol"),
    ],
)  # fmt: skip
def test_another_answer_than_the_only_one_is_refused(
    line: str, where: dict[str, Any], rule: str, reason: str
) -> None:
    found = told(line, where)
    assert found.verdict == "refused", found.sentence("en", GAME)
    assert found.refusal is not None
    assert (found.refusal.rule, found.refusal.reason) == (rule, reason)
    for language in ("de", "en"):
        assert "{" not in found.sentence(language, GAME)


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ("muster_army: move eastemnet > druadan_forest gondor_regular", MIXED),
        ("muster_army: move eastemnet > fangorn gondor_regular rohan_regular", MIXED),
        ("army: attack moria x hollin 2 sauron_regular", ALONE),
        ("muster_army: move lossarnach > pelargir gondor_regular", BESIDE),
        (BOTH_HIT + "remove 1 remove 1", EVEN),
        (BOTH_HIT + "remove 1", EVEN),
        ("event: draw strategy discard strategy character: skip", FULL_HAND),
        ("event: draw strategy discard strategy; character: skip", FULL_HAND),
        ("event: draw character: skip", ONE_DECK),
    ],
)
def test_the_only_answer_may_be_said(line: str, where: dict[str, Any]) -> None:
    found = told(line, where)
    assert found.allowed, found.sentence("en", GAME)


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("shadow: gondor_regular", "turn.alternate"),
        ("shadow: army: move moria > hollin", "turn.alternate"),
        ("free: rohan_regular", "move.borders"),
        ("gondor_regular", None),
    ],
)
def test_whose_turn_it_is_comes_before_who_may_cross_the_border(line: str, rule: str | None) -> None:
    """Who goes over the border leaves no choice and must be said: but not to the other side."""
    state = GAME.read_position(yaml.safe_dump({"position": MIXED}, sort_keys=False)).state
    play = Play(GAME, state)
    for answer in ("muster_army", "move_armies", "druadan_forest"):
        play.answer(answer)
    found = explain(play, line, GAME.words)
    assert (found.rule and found.rule.id) == rule, found.sentence("en", GAME)


def test_a_move_that_is_not_finished_is_told_before_the_next_seat() -> None:
    found = told("muster_army: move eastemnet > druadan_forest; shadow: army", MIXED)
    assert found.rule is not None and found.rule.id == "move.borders"
