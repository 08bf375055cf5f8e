"""Dice, colours and target numbers."""

from __future__ import annotations

import pytest
from fighting import Fight, armies

from referee.games.five_armies.box.components import BEORN, DAIN, FREE, SHADOW, THORIN
from referee.games.five_armies.box.map import PLACE
from referee.games.five_armies.rules.combat_roll import black_dice, dice_count, target_number
from referee.games.five_armies.rules.damage import least_casualties
from referee.games.five_armies.rules.pieces import add_units, put_character
from referee.games.five_armies.state.armies import pack
from referee.games.five_armies.state.battle import CARD, Battle
from referee.games.five_armies.state.state import State


def battle(source: str, target: str, attacker: int = SHADOW) -> tuple[State, Battle]:
    state = State()
    units = (pack({"lake_men": 2}), pack({"orcs": 3}))
    add_units(state, PLACE[source], units[attacker])
    add_units(state, PLACE[target], units[1 - attacker])
    return state, Battle(attacker, 1 << PLACE[source], PLACE[target])


TARGETS = [
    # source, target, attacker, round: lowest face that hits of the attacker, rule
    ("v_northwest_plain", "camp", SHADOW, 1, 6, "combat.target_ford_six_round_one"),
    ("v_northwest_plain", "camp", SHADOW, 2, 5, "combat.target_default_five"),
    ("camp", "v_northwest_plain", FREE, 1, 6, "combat.target_ford_six_round_one"),
    ("v_west_plain", "ss_south", SHADOW, 1, 6, "combat.target_uphill_six_round_one"),
    ("v_west_plain", "ss_south", SHADOW, 2, 5, "combat.target_default_five"),
    ("ss_south", "v_west_plain", SHADOW, 1, 5, "combat.target_default_five"),
    ("ss_middle", "ss_south", SHADOW, 1, 5, "combat.target_default_five"),
    ("ss_south", "ravenhill", SHADOW, 1, 6, "fort.target_six_until_destroyed"),
    ("ss_south", "ravenhill", SHADOW, 9, 6, "fort.target_six_until_destroyed"),
    ("eb_gate_road", "front_gate", SHADOW, 1, 6, "fort.target_six_until_destroyed"),
    ("ss_middle", "ravenhill", FREE, 1, 6, "fort.target_six_until_destroyed"),
    ("pass_north", "eb_ridge_mid", SHADOW, 1, 5, "combat.target_default_five"),
    ("v_dale_east_plain", "ruins_of_dale", SHADOW, 1, 5, "combat.target_default_five"),
]


@pytest.mark.parametrize(("source", "target", "attacker", "round_", "number", "rule"), TARGETS)
def test_attackers_target(
    source: str, target: str, attacker: int, round_: int, number: int, rule: str
) -> None:
    state, fight = battle(source, target, attacker)
    if round_ > 1:
        fight.fought = fight.armies
    assert target_number(state, fight, attacker) == (number, rule)
    assert target_number(state, fight, 1 - attacker) == (5, "combat.target_default_five")


def test_broken_fortification_leaves_the_slope() -> None:
    state, fight = battle("eb_gate_road", "front_gate")
    state.fort_damage = list(state.fort_values)
    assert target_number(state, fight, SHADOW)[0] == 6  # still uphill, in the first round
    fight.fought = fight.armies
    assert target_number(state, fight, SHADOW)[0] == 5


EFFECTS = [
    # own effect, other's effect, uphill: combat roll, re-roll
    ("", "", False, 5, 5),
    ("battle_fury", "", False, 4, 5),
    ("battle_fury", "", True, 5, 6),
    ("no_quarter", "", False, 4, 4),
    ("no_quarter", "fierce_defence", False, 5, 5),
    ("", "fierce_defence", False, 6, 6),
    ("", "fierce_defence", True, 6, 6),
    ("fierce_defence", "", False, 5, 5),
]


@pytest.mark.parametrize(("mine", "other", "uphill", "roll", "reroll"), EFFECTS)
def test_cards_change_the_target(mine: str, other: str, uphill: bool, roll: int, reroll: int) -> None:
    state, fight = battle("v_west_plain", "ss_south") if uphill else battle("ss_south", "v_west_plain")
    fight.sides[SHADOW].effect = mine
    fight.sides[FREE].effect = other
    assert target_number(state, fight, SHADOW)[0] == roll
    assert target_number(state, fight, SHADOW, reroll=True)[0] == reroll


def test_mighty_strokes_help_roll_and_reroll() -> None:
    state, fight = battle("ss_south", "v_west_plain")
    fight.sides[FREE].card = CARD["thorins_mighty_strokes"]
    assert target_number(state, fight, FREE)[0] == 4
    assert target_number(state, fight, FREE, reroll=True)[0] == 4


DICE = [
    # units, card: dice, black
    ({"orcs": 2, "great_orcs": 1}, "great_orcs", 4, 1),
    ({"orcs": 2, "great_orcs": 1}, "regroup", 4, 0),
    ({"orcs": 2, "great_orcs": 1}, "goblins", 4, 0),
    ({"great_orcs": 3, "wargs": 2}, "great_orcs", 5, 3),
    ({"great_orcs": 3, "wargs": 2}, "wargs", 5, 2),
    ({"orcs": 9}, "orcs", 5, 5),
    ({"goblins": 1}, "goblins", 1, 1),
]


@pytest.mark.parametrize(("units", "card", "dice", "black"), DICE)
def test_dice_and_black_dice(units: dict[str, int], card: str, dice: int, black: int) -> None:
    state = State()
    add_units(state, PLACE["bl_north_plain"], pack(units))
    fight = Battle(SHADOW, 1 << PLACE["bl_north_plain"], PLACE["bl_upper_plain"])
    fight.sides[SHADOW].card = CARD[card]
    assert dice_count(state, fight, SHADOW) == dice
    assert black_dice(state, fight, SHADOW, dice) == black


def test_stand_and_fight_counts_two_each_but_five_dice_stay_the_limit() -> None:
    state, fight = battle("ss_south", "v_west_plain")
    fight.sides[FREE].effect = "stand_and_fight"
    assert dice_count(state, fight, FREE) == 4
    fight.sides[SHADOW].effect = "stand_and_fight"
    assert dice_count(state, fight, SHADOW) == 5


def test_great_confusion_takes_two_dice_after_the_limit_and_leaves_one() -> None:
    state, fight = battle("ss_south", "v_west_plain")
    fight.sides[FREE].effect = "great_confusion"
    assert dice_count(state, fight, SHADOW) == 1
    add_units(state, PLACE["ss_south"], pack({"great_orcs": 2}))
    assert dice_count(state, fight, SHADOW) == 3
    fight.sides[SHADOW].effect = "great_confusion"
    assert dice_count(state, fight, FREE) == 1


def test_fury_of_the_dwarves_strengthens_thorins_army() -> None:
    state, fight = battle("ss_south", "v_west_plain")
    state.table_cards["fury_of_the_dwarves"] = {}
    assert dice_count(state, fight, FREE) == 2
    put_character(state, THORIN, PLACE["v_west_plain"])
    assert dice_count(state, fight, FREE) == 4
    put_character(state, DAIN, PLACE["v_west_plain"])
    assert dice_count(state, fight, FREE) == 4


def test_beorns_dice_and_target() -> None:
    state = State()
    add_units(state, PLACE["v_northwest_plain"], pack({"orcs": 4}))
    put_character(state, BEORN, PLACE["camp"])
    fight = Battle(FREE, 1 << PLACE["camp"], PLACE["v_northwest_plain"])
    fight.beorn = True
    assert dice_count(state, fight, FREE) == 4
    assert target_number(state, fight, FREE) == (6, "combat.target_ford_six_round_one")
    fight.fought = fight.armies
    assert target_number(state, fight, FREE) == (5, "beorn.dice")
    state.table_cards["giant_size"] = {}
    state.table_cards["roaring_voice"] = {}
    assert dice_count(state, fight, FREE) == 5
    assert target_number(state, fight, FREE)[0] == 4


CASUALTIES = [
    # units, damage, down to: units that must go
    (3, 5, None, 2),
    (3, 3, None, 0),
    (2, 5, None, 2),
    (2, 3, None, 1),
    (1, 2, None, 1),
    (4, 4, 1, 2),
    (2, 1, 1, 0),
    (4, 3, 1, 1),
    (4, 2, 1, 1),
    (5, 0, 1, 0),
]


@pytest.mark.parametrize(("size", "damage", "down_to", "must_go"), CASUALTIES)
def test_least_casualties(size: int, damage: int, down_to: int | None, must_go: int) -> None:
    assert least_casualties(size, damage, down_to) == must_go


SUPERIORITY = [
    # free, shadow, who attacks: superior (scenario open_29)
    ("elven_archers 2, lake_men 1", "great_orcs 2, goblins 1", "shadow", ""),
    ("elven_archers 2, lake_men 1", "great_orcs 3, goblins 1", "shadow", "shadow"),
    ("elven_spearmen 1, dwarf_veterans 2", "great_orcs 3, goblins 1", "free", "free"),
    ("dwarf_veterans 3", "great_orcs 3, goblins 1", "free", ""),
]


@pytest.mark.parametrize(("free", "shadow", "attacker", "superior"), SUPERIORITY)
def test_terrain_superiority_draws_a_card(free: str, shadow: str, attacker: str, superior: str) -> None:
    state = armies(v_east_hill=f"free {free}", v_northeast_plain=f"shadow {shadow}")
    state.hand_event, state.hand_story = [3, 3], [0, 0]
    state.event_deck = 24
    ways = {"free": ("v_east_hill", "v_northeast_plain"), "shadow": ("v_northeast_plain", "v_east_hill")}
    Fight.attack(state, *ways[attacker])
    assert state.hand_event == [3 + (superior == "free"), 3 + (superior == "shadow")]
    assert state.event_deck == 24 - (superior != "")


def test_superiority_by_a_card_and_the_hand_limit() -> None:
    state = armies(v_east_hill="free elven_archers 2", v_northeast_plain="shadow goblins 1")
    state.hand_event, state.hand_story, state.event_deck = [0, 4], [0, 2], 26
    fight = Fight.attack(state, "v_northeast_plain", "v_east_hill", superiority=True)
    assert fight.asked == "shadow discard"
    fight.answer({"story_card": 1})
    assert (state.hand_event[SHADOW], state.hand_story[SHADOW]) == (5, 1)
