"""Edges of moving and damage that games seldom reach: who moves twice, Beorn on the way, who is asked."""

from __future__ import annotations

from typing import Any

from fighting import Fight, armies

from referee.games.five_armies.box.components import (
    BEORN,
    CHARACTERS,
    DWARF_REGULARS,
    FREE,
    ORCS,
    SHADOW,
    THORIN,
)
from referee.games.five_armies.box.map import EXIT_OF_PASS, PLACE, PLACES
from referee.games.five_armies.rules import combat, damage, manoeuvres, marchers, movement, retreat
from referee.games.five_armies.rules.marchers import ANY, GOBLIN, NOBODY, Held
from referee.games.five_armies.rules.pieces import put_character
from referee.games.five_armies.state.armies import ONE
from referee.games.five_armies.state.battle import Side
from referee.games.five_armies.state.state import State
from referee.kernel.play import Flow

RULE = "move.to_adjacent_region"
GATE, ROAD = PLACES[0], "eb_gate_road"


class Returned:
    """Runs a flow and keeps what it returns."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.value: Any = "not over"

    def __iter__(self) -> Flow:
        self.value = yield from self.flow


def _path(state: State, seat: int, origin: str, *steps: str) -> tuple[Fight, Returned]:
    kept = Returned(movement.choose_path(state, seat, PLACE[origin], 2, RULE))
    fight = Fight(state, iter(kept))
    for step in steps:
        fight.answer(step)
    return fight, kept


def test_each_impossible_share_of_damage_is_refused() -> None:
    request = next(marchers.share_damage(SHADOW, PLACE["camp"], 2, 2, 3))
    about = {"minimum": 1, "maximum": 2}
    assert [(n, r.rule, r.reason, dict(r.params)) for n, r in request.refused()] == [
        (str(n), "move.split_damage_tokens", "damage_share", about) for n in (0, *range(3, 21))
    ]


def test_a_crowd_without_a_limit_takes_all_its_damage_along() -> None:
    """There was no number for more than 40 tokens, so that the question had no answer."""
    asked = next(marchers.share_damage(SHADOW, PLACE["goblin_muster_north"], 56, 0, 48))
    assert asked.request.options == ("48",) and asked.answer == "48"


def test_who_has_moved_is_named_and_who_stays_alone_is_not_passed_by() -> None:
    state = armies(camp="free lake_men 1")
    put_character(state, THORIN, PLACE[ROAD])
    held = Held(PLACE["camp"], ONE[DWARF_REGULARS], 0, 0, 0)
    path = (PLACE["camp"], PLACE[ROAD])
    found = marchers._not_along(state, FREE, {}, held, path)
    assert [(n, r.rule, r.reason) for n, r in found] == [
        ("dwarf_regulars", "move.no_unit_twice_per_action", "moved_by_this_action")
    ]
    state = armies(camp="shadow orcs 2, wargs 1")
    held = Held(PLACE["camp"], ONE[ORCS], 0, 0, 0)
    refusal = next(marchers.choose_marchers(state, SHADOW, PLACE["camp"], ANY, held)).why_not({"orcs": 2})
    assert (refusal.rule, refusal.reason) == ("move.no_unit_twice_per_action", "units_moved_already")


def test_a_region_on_the_way_is_offered_and_not_refused() -> None:
    state = armies(**{ROAD: "free lake_men 1"})
    put_character(state, BEORN, PLACE["camp"])
    origin = PLACE[ROAD]
    request = next(movement.choose_step(state, FREE, origin, 1 << PLACE["camp"], RULE))
    assert request.options == ("camp",) and "camp" not in [name for name, _ in request.refused()]


def test_goblins_that_moved_leave_nobody_fit_where_they_joined_orcs() -> None:
    state = armies(bl_east_plain="shadow goblins 1", bl_middle_plain="shadow orcs 1")
    fight = Fight(state, movement.strategic_move(state, SHADOW, GOBLIN, RULE))
    fight.answer("bl_east_plain").answer("bl_middle_plain")
    assert fight.asked == ""


def test_the_second_army_needs_a_goblin_too() -> None:
    state = armies(bl_east_plain="shadow goblins 1", bl_upper_plain="shadow goblins 1, orcs 1")
    fight = Fight(state, movement.strategic_move(state, SHADOW, GOBLIN, RULE))
    fight.answer("bl_east_plain").answer("bl_middle_plain").answer("bl_upper_plain").answer("bl_spur_plain")
    assert fight.refusal({"orcs": 1}) == "move.eye_needs_goblin"
    assert fight.refusal({"goblins": 1}) == ""


def test_each_army_that_grew_is_cut_down_and_no_other() -> None:
    second = PLACES[1]
    state = armies(**{second: "free lake_men 4", "eb_ridge_mid": "free lake_men 2"})
    state.units[-1] = 6 * ONE[ORCS]
    fight = Fight(state, movement.strategic_move(state, FREE, ANY, RULE))
    fight.answer("eb_ridge_mid").answer(second).answer({"lake_men": 2}).answer("done")
    assert fight.asked == "free reduce"
    fight.answer({"lake_men": 1})
    assert (fight.asked, fight.units(second)) == ("", 5)


def test_after_a_move_into_the_maps_first_region_the_second_may_be_left() -> None:
    state = armies(**{ROAD: "free lake_men 1", "bl_east_plain": "free lake_men 1"})
    fight = Fight(state, movement.strategic_move(state, FREE, ANY, RULE))
    assert "done" not in fight.offered()
    fight.answer(ROAD).answer(GATE)
    assert fight.offered() == ["bl_east_plain", "done"]
    first = movement._strategic_step(state, FREE, 1, ANY, RULE, NOBODY)
    assert next(first).options == (GATE,)


def test_a_long_move_says_where_it_ended() -> None:
    state = armies(bl_middle_plain="shadow orcs 1")
    kept = Returned(movement.long_move(state, SHADOW, PLACE["bl_middle_plain"], 2, ANY, RULE))
    Fight(state, iter(kept)).answer("bl_east_plain").answer("bl_southeast_plain")
    assert (kept.value, state.armies[SHADOW]) == (
        PLACE["bl_southeast_plain"],
        1 << PLACE["bl_southeast_plain"],
    )


def test_beorn_in_the_maps_first_region_is_passed_through_and_others_are_open() -> None:
    state = armies(**{ROAD: "free lake_men 1"})
    put_character(state, BEORN, 0)
    fight, _ = _path(state, FREE, ROAD)
    others = {PLACES[p] for p in range(1, len(PLACES)) if movement.STEPS[PLACE[ROAD]] >> p & 1}
    assert set(fight.offered()) == {GATE} | others
    fight.answer(GATE)
    assert fight.offered() == [ROAD]  # not to stay there


def test_in_the_maps_first_region_an_army_may_stay_where_no_beorn_is() -> None:
    for seat, side in ((FREE, "free lake_men 1"), (SHADOW, "shadow orcs 1")):
        fight, kept = _path(armies(**{ROAD: side}), seat, ROAD, GATE)
        assert fight.offered() == [ROAD, "stay"]
        fight.answer("stay")
        assert kept.value == (PLACE[ROAD], 0)


def test_an_army_that_can_go_nowhere_stays_where_it_is() -> None:
    state = armies(**{GATE: "free lake_men 1", ROAD: "shadow orcs 1"})
    fight, kept = _path(state, FREE, GATE)
    assert (fight.asked, kept.value) == ("", (0,))


def test_an_army_may_be_sent_to_its_own() -> None:
    state = armies(**{GATE: "free lake_men 1", ROAD: "free lake_men 1"})
    assert retreat.forced_regions(state, FREE, 0) == 1 << PLACE[ROAD]
    assert retreat.forced_regions(state, FREE, 0, beorn=True) == 0


def test_from_a_pass_only_its_exit_is_attacked() -> None:
    for place in EXIT_OF_PASS:
        state = armies(**{PLACES[place]: "shadow orcs 1", "camp": "free lake_men 1"})
        refusal = combat.why_not_attack(state, SHADOW, place, PLACE["camp"])
        assert refusal is not None
        assert (refusal.rule, refusal.reason) == ("pass.attack_exit", "")
        assert dict(refusal.params) == {"from": PLACES[place], "to": "camp", "place": "camp"}


def test_shining_armour_takes_what_is_put_on_it() -> None:
    state = armies(camp="free lake_men 3")
    put_character(state, THORIN, PLACE["camp"])
    state.table_cards = {"shining_armour": {}}
    fight = Fight(state, damage.damage_outside_combat(state, FREE, PLACE["camp"], 2, attack=False))
    assert fight.asked == "free shining_armour"
    fight.answer({"shining_armour": 2})
    assert (state.table_cards["shining_armour"], fight.damage("camp")) == ({"damage": 2}, 0)


def test_a_redoubtable_rout_still_costs_down_to_one_token() -> None:
    state = armies(camp="free dwarf_regulars 3; damage 3")
    state.damage[PLACE["camp"]] = 5
    side = Side()
    side.card, side.uses = DWARF_REGULARS, True
    fight = Fight(state, damage.casualties(state, FREE, PLACE["camp"], down_to=1, side=side))
    assert (fight.asked, fight.request and fight.request.minimum) == ("free casualties", 2)


def test_captain_of_war_never_spends_beorn() -> None:
    state = armies(camp="free lake_men 1; leadership 1; damage 1")
    put_character(state, THORIN, PLACE["camp"])
    put_character(state, BEORN, PLACE["camp"])
    request = next(damage._captain_of_war(state, FREE, PLACE["camp"], Side()))
    assert list(request.options) == ["decline", "leadership", CHARACTERS[THORIN]]


def test_a_hand_of_cards_is_the_same_when_asked_again() -> None:
    hands = manoeuvres._Hands()
    first = hands[1 << ORCS]
    assert "orcs" in first and hands[1 << ORCS] == first
