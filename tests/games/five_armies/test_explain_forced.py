"""Words about what the table does not ask, as it leaves no choice: right where they say what happens."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from referee.games.five_armies import GAME
from referee.kernel.explain import Explanation, explain
from referee.kernel.play import Play

FREE: dict[str, Any] = {
    "phase": 5,
    "to_act": "free",
    "unused_dice": {"free": ["muster"], "shadow": ["army"]},
    "regions": {
        "camp": {"units": {"dwarf_regulars": 2}, "leadership": 1},
        "lower_slopes": {"units": {"lake_men": 2}},
        "bl_north_plain": {"units": {"orcs": 1}},
    },
}
BEORN = {
    "beorn": {"region": "v_dale_south_plain", "wrath": 3},
    "unused_dice": {"free": ["character"], "shadow": ["army"]},
    "regions": {"v_south_swamp": {"units": {"lake_men": 2}, "leadership": 1}},
}
SHADOW: dict[str, Any] = {
    "phase": 5,
    "to_act": "shadow",
    "unused_dice": {"shadow": ["army", "muster"], "free": ["muster_army"]},
    "regions": {"v_west_plain": {"units": {"orcs": 2}}, "camp": {"units": {"lake_men": 1}}},
}
BATS = {
    "bats": {"broken_lands": 1},
    "regions": {**SHADOW["regions"], "bl_north_plain": {"units": {"orcs": 1}}},
}
FIGHT = {
    "regions": {
        "v_east_hill": {"units": {"orcs": 1}, "damage": 1},
        "ruins_of_dale": {"units": {"lake_men": 1}, "damage": 1},
    }
}
GENERALS = {
    "phase": 2,
    "unused_dice": {},
    "regions": {
        "camp": {"units": {"lake_men": 1}, "characters": ["bard", "dain"]},
        "v_west_plain": {"units": {"lake_men": 1}},
    },
}


def told(line: str, base: dict[str, Any], **other: Any) -> Explanation:
    read = GAME.read_position(yaml.safe_dump({**base, **other}, sort_keys=False))
    return explain(Play(GAME, read.state), line, GAME.words)


CHARACTER = {"unused_dice": {"free": ["character"], "shadow": ["army"]}}
FOUGHT = "army: attack v_east_hill x ruins_of_dale cards free regroup shadow regroup roll 6 roll 1"


@pytest.mark.parametrize(
    ("line", "base", "other", "rule", "reason"),
    [
        ("muster: play clad_in_hauberks_of_steel lower_slopes", FREE, {}, "cards.rules_still_apply",
         "card_wants_dwarves"),
        ("muster: play clad_in_hauberks_of_steel bl_north_plain", FREE, {}, "cards.rules_still_apply",
         "card_wants_dwarves"),
        ("muster: play men_of_the_lake_with_long_swords lower_slopes", FREE, {}, "cards.rules_still_apply",
         "card_wants_led_army"),
        ("character: play troop_leader bl_north_plain", FREE, CHARACTER, "cards.rules_still_apply",
         "card_wants_led_army"),
        ("character: fast v_south_swamp > v_dale_south_plain", FREE, BEORN, "beorn.never_ends_with_units",
         "beorn_there"),
        ("army: move v_west_plain > fallen_bridge; fallen_bridge > v_west_plain", SHADOW, {},
         "move.no_unit_twice_per_action", "moved_by_this_action"),
        ("army: move v_west_plain > fallen_bridge; v_west_plain > fallen_bridge", SHADOW, {},
         "move.army_die_strategic", "no_own_army"),
        ("muster: bat_cloud v_west_plain > fallen_bridge", SHADOW, BATS, "bats.cloud_same_territory",
         "no_bat_over"),
        ("muster: play returning_to_the_assault v_west_plain", SHADOW, {}, "cards.rules_still_apply",
         "card_bound"),
        (f"{FOUGHT} advance 1 orc damage 0", SHADOW, FIGHT, "advance.split_damage", "damage_share"),
        (f"{FOUGHT} advance 1 wargs", SHADOW, FIGHT, "advance.optional", "not_offered"),
        ("generals bard dain leaders camp bl_north_plain", FREE, GENERALS, "lead.own_armies_only",
         "no_own_army"),
    ],
)  # fmt: skip
def test_another_answer_than_the_only_one_is_refused(
    line: str, base: dict[str, Any], other: dict[str, Any], rule: str, reason: str
) -> None:
    found = told(line, base, **other)
    assert found.verdict == "refused", found.sentence("en", GAME)
    assert found.refusal is not None
    assert (found.refusal.rule, found.refusal.reason) == (rule, reason)
    for language in ("de", "en"):
        assert "{" not in found.sentence(language, GAME)


@pytest.mark.parametrize(
    ("line", "base", "other"),
    [
        ("muster: play clad_in_hauberks_of_steel camp", FREE, {}),
        ("muster: play men_of_the_lake_with_long_swords camp", FREE, {}),
        ("character: fast v_south_swamp > v_dale_south_plain > v_dale_east_plain", FREE, BEORN),
        ("army: move v_west_plain > fallen_bridge 2 orcs damage 0", SHADOW, {}),
        (f"{FOUGHT} advance 1 orc damage 1", SHADOW, FIGHT),
        ("generals bard dain leaders camp v_west_plain", FREE, GENERALS),
    ],
)
def test_the_only_answer_may_be_said(line: str, base: dict[str, Any], other: dict[str, Any]) -> None:
    found = told(line, base, **other)
    assert found.allowed, found.sentence("en", GAME)
    assert found.unasked or "fast" in line


RETREAT = {
    "regions": {
        "v_dale_east_plain": {"units": {"orcs": 4}},
        "v_dale_south_plain": {"units": {"lake_men": 2}},
        "v_east_hill": {"units": {"orcs": 1}},
    },
    "combat": {
        "attacker": "v_dale_east_plain",
        "defender": "v_dale_south_plain",
        "step": "end of round",
        "attacker_breaks_off": False,
        "free_card": "regroup",
    },
}


@pytest.mark.parametrize(
    ("place", "rule", "named"),
    [
        ("v_dale_east_plain", "retreat.no_enemy_army", ["Plain east of Dale"]),
        ("v_south_swamp", "retreat.not_next_to_enemy", ["South Valley Swamp", "Plain east of Dale"]),
        ("front_gate", "retreat.one_region", ["into a neighbour of the combat region"]),
    ],
)
def test_a_refused_retreat_names_what_bars_the_way(place: str, rule: str, named: list[str]) -> None:
    read = GAME.read_position(yaml.safe_dump(RETREAT, sort_keys=False))
    play: Play[Any] = Play(GAME, read.state)
    read.lead_in(play)
    found = explain(play, f"retreat > {place}", GAME.words)
    assert found.rule is not None and found.rule.id == rule
    assert all(name in found.sentence("en", GAME) for name in named), found.sentence("en", GAME)
    assert explain(play, "retreat > lower_slopes", GAME.words).allowed
