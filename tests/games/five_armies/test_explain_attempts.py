"""Attempts in words that fit no open question: which rule refuses them, and which words mean nothing now."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from referee.games.five_armies import GAME
from referee.kernel.explain import UNCLEAR, Explanation, attempt, explain
from referee.kernel.naming import namer
from referee.kernel.play import Play

BASE: dict[str, Any] = {
    "phase": 5,
    "to_act": "shadow",
    "regions": {
        "v_west_plain": {"units": {"orcs": 2}},
        "camp": {"units": {"lake_men": 1}},
        "eb_north_plain": {"units": {"goblins": 2}},
        "ravenhill": {"characters": ["bard"]},
    },
    "unused_dice": {"shadow": ["army", "event", "lidless_eye"], "free": ["muster", "will_of_the_west"]},
}
FREE = {"to_act": "free", "used_dice": {"shadow": ["army"]}}


def started(**other: Any) -> Play[Any]:
    """A game from that position, with other entries where given."""
    read = GAME.read_position(yaml.safe_dump({**BASE, **other}, sort_keys=False))
    return Play(GAME, read.state)


def tried(line: str, **other: Any) -> Explanation:
    return explain(started(**other), line, GAME.words)


def in_phase(phase: int) -> dict[str, Any]:
    return {"phase": phase, "unused_dice": {}}


@pytest.mark.parametrize(
    ("line", "other", "rule", "reason"),
    [
        ("ability_bolg", {}, "general.ability_needs_token", "no_activation"),
        ("claim ravenhill", {}, "control.characters_do_not_free", "units_needed"),
        ("claim camp", {}, "control.fp_unit_frees", "units_needed"),
        ("leaders", {}, "lead.shadow_place_now", "not_this_phase"),
        ("leaders", FREE, "lead.free_place_now", "not_this_phase"),
        ("bats", {}, "bats.chosen_in_phase_four", "not_this_phase"),
        ("draw_story", {}, "cards.story_own_deck", "own_deck_only"),
        ("play dense_fog", {}, "cards.play_needs_die", "no_die"),
        ("army: play dense_fog", {}, "cards.event_combat_use", "combat_effect"),
        ("play dense_fog", in_phase(3), "cards.event_order_use", "not_this_phase"),
        ("army: muster", {}, "dice.match_symbol", "no_such_die"),
        ("army: will_of_the_west", {}, "dice.match_symbol", "no_such_die"),
        ("guard", {}, "bolg.bodyguard_cancels_round", "no_bodyguard"),
        ("guard", {"bolg": {"region": "v_west_plain", "bodyguards": 1}}, "bolg.bodyguard_own_army_only",
         "not_bolgs_army"),
        ("end", {}, "turn.p5_end", "not_over_yet"),
        ("end", in_phase(4), "turn.six_phases", "not_over_yet"),
        ("army", in_phase(1), "turn.six_phases", "not_this_phase"),
        ("draw_cards", in_phase(1), "turn.p1_draw", "no_card_now"),
        ("tile 3", in_phase(4), "fate.draw_maximum", "too_many"),
        ("none", in_phase(3), "fate.shadow_draws", "one_tile_must_be_applied"),
        ("army: v_west_plain > fallen_bridge damage 1", {}, "move.split_damage_tokens", "damage_share"),
        ("army: v_west_plain > fallen_bridge > camp", {}, "move.to_adjacent_region", "goes_no_farther"),
        ("army: v_west_plain > fallen_bridge 4 orcs", {}, "move.split_by_moving_part", "only_so_many"),
        ("army: v_west_plain > fallen_bridge 3", {}, "move.army_die_strategic", "action_is_over"),
        ("army: v_west_plain x camp", {}, "combat.attack_adjacent_only", ""),
        ("lidless_eye: goblin_move eb_north_plain > camp", {}, "move.not_into_enemy_army",
         "enemy_army_there"),
        ("army: rally camp", {}, "dice.match_symbol", "wrong_symbol"),
        ("muster: goblin_attack", FREE, "dice.match_symbol", "wrong_symbol"),
        ("will_of_the_west: goblin_attack x camp", FREE, "dice.west_joker", "wrong_symbol"),
        ("muster: rally front_gate", FREE, "rally.die", "no_damage"),
        ("muster: rally front_gate", {**FREE, "fort_damage": {"front_gate": 1}}, "rally.not_fortification",
         "walls_stay_broken"),
        ("advance camp", {}, "advance.attacker_wins_when", "nobody_left"),
        ("retreat", {}, "retreat.needs_regroup", "combat_over"),
        ("use wargs", {}, "manoeuvre.ability_optional_attacker_declares_first", "ability_not_now"),
        ("free: muster", {}, "turn.p5_alternate", ""),
        ("shadow: army", {"to_act": "free"}, "turn.p5_free_first", ""),
    ],
)  # fmt: skip
def test_an_attempt_is_refused_by_the_rule_that_it_breaks(
    line: str, other: dict[str, Any], rule: str, reason: str
) -> None:
    found = tried(line, **other)
    assert found.verdict == "refused", found.sentence("en", GAME)
    assert found.rule is not None and found.refusal is not None
    assert (found.rule.id, found.refusal.reason) == (rule, reason)
    for language in ("de", "en"):
        sentence = found.sentence(language, GAME)
        assert namer(GAME, language).rule_line(found.rule) in sentence and rule not in sentence
        assert "{" not in sentence and "reason." not in sentence


@pytest.mark.parametrize(
    ("line", "other"),
    [
        *((line, {}) for line in ("", "army: v_west_plain x nowhere", "ability_nobody", "keep", "reroll 1")),
        *((line, {}) for line in ("claim nowhere", "draw_cards", "use_bat", "cards free", "damage 3")),
        *((line, {}) for line in ("x nowhere", "army: x nowhere", "from camp", "tile 3", "none", "roll")),
        *((line, in_phase(4)) for line in ("pass", "leaders", "bats", "draw_cards")),
        ("tile 3", in_phase(1)),
        ("muster: x camp", FREE),
    ],
)
def test_words_that_mean_nothing_now_are_told_with_the_open_question(line: str, other: Any) -> None:
    found = tried(line, **other)
    assert found.verdict == UNCLEAR and found.rule is None and found.refusal is None
    assert found.request is not None
    for language in ("de", "en"):
        sentence = found.sentence(language, GAME)
        assert "prompt." not in sentence and "{" not in sentence


@pytest.mark.parametrize("line", ["army: army: v_west_plain > fallen_bridge", "event: skip", "tile 3"])
def test_what_was_forced_may_be_said_again(line: str) -> None:
    assert tried(line, **(in_phase(3) if line.startswith("tile") else {})).allowed


def test_after_the_end_nothing_is_allowed_any_more() -> None:
    play = started()
    play.state.winner, play.state.winning_rule = 0, "victory.free"
    over: Play[Any] = Play(GAME, play.state, audit=False)
    assert over.request is None
    found = explain(over, "army: v_west_plain > fallen_bridge", GAME.words)
    assert found.verdict == "refused" and found.rule is not None
    assert found.rule.id == "turn.repeat_until_win"
    assert explain(over, ":", GAME.words).allowed, "nothing was said"


def test_a_move_that_is_gone_on_with_need_not_be_ended() -> None:
    play = started()
    first = attempt(play, "army: move v_west_plain", GAME.words, finish=False)
    assert first.allowed and first.at_step >= 2
    rest = attempt(play, "> fallen_bridge", GAME.words, history=first.pairs)
    assert rest.allowed and GAME.to_json(play.state)["places"]["fallen_bridge"]["units"] == {"orcs": 2}
