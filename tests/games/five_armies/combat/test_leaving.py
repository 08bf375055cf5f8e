"""Breaking off, retreat, rout, advance and combined attacks: chapter X from the end of a round on."""

from __future__ import annotations

import pytest
from fighting import Fight, armies, position

from referee.games.five_armies.box.components import CHARACTER, FREE, SHADOW
from referee.games.five_armies.box.map import NEIGHBOURS, PLACE, PLACES, mask_of, places_in
from referee.games.five_armies.rules.pieces import put_character
from referee.games.five_armies.rules.retreat import forced_regions, retreat_regions, why_not_retreat_to
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.state import State


def names(mask: int) -> set[str]:
    return {PLACES[place] for place in places_in(mask)}


def control(state: State, *regions: str) -> State:
    state.control |= mask_of(*(PLACE[region] for region in regions))
    return state


# --- where to --------------------------------------------------------------------------------------


def swamp(**more: str) -> State:
    """The retreat example of the book (p. 29)."""
    return armies(v_northeast_plain="shadow orcs 4", v_north_swamp="free lake_men 2; damage 1", **more)


def plain(**more: str) -> State:
    return armies(v_north_swamp="shadow orcs 3", v_northwest_plain="free elven_archers 3; damage 1", **more)


SOUTH = {"v_dale_south_plain": "shadow wargs 2"}
REGIONS = [
    # position, Shadow control, from: own choice
    (swamp, {}, ["ruins_of_dale"], "v_north_swamp", {"v_northwest_plain"}),
    (swamp, {"ruins_of_dale": "shadow orcs 1"}, ["ruins_of_dale"], "v_north_swamp", set()),
    (plain, {}, [], "v_northwest_plain", {"camp", "ruins_of_dale", "v_dale_west_plain"}),
    (plain, {}, ["camp", "ruins_of_dale"], "v_northwest_plain", {"v_dale_west_plain"}),
    (plain, SOUTH, ["camp", "ruins_of_dale"], "v_northwest_plain", set()),
    (
        plain,
        SOUTH | {"v_dale_west_plain": "free lake_men 1"},
        ["camp", "ruins_of_dale"],
        "v_northwest_plain",
        {"v_dale_west_plain"},
    ),
]


@pytest.mark.parametrize(("make", "more", "held", "place", "regions"), REGIONS)
def test_regions_of_the_defenders_choice(make, more, held, place, regions) -> None:  # type: ignore[no-untyped-def]
    state = control(make(**more), *held)
    assert names(retreat_regions(state, FREE, PLACE[place])) == regions


def test_every_reason_against_a_region() -> None:
    state = control(swamp(), "ruins_of_dale")
    here = PLACE["v_north_swamp"]
    reasons = {
        PLACES[to]: refusal.rule
        for to in places_in(NEIGHBOURS[here])
        if (refusal := why_not_retreat_to(state, FREE, here, to)) is not None
    }
    assert reasons == {
        "eb_north_ford": "retreat.not_across_ford",
        "ruins_of_dale": "retreat.no_enemy_settlement",
        "v_east_hill": "retreat.not_next_to_enemy",
        "v_northeast_plain": "retreat.no_enemy_army",
    }


def test_a_pass_neither_bars_nor_takes_a_retreat() -> None:
    state = armies(
        eb_north_plain="free dwarf_regulars 2", eb_ridge_mid="shadow goblins 2", pass_north="shadow goblins 3"
    )
    assert names(retreat_regions(state, SHADOW, PLACE["eb_ridge_mid"])) == {"eb_ridge_east"}


def test_front_gate_counts_like_a_settlement() -> None:
    state = control(armies(eb_gate_road="free lake_men 2", camp="shadow orcs 2"), "front_gate")
    assert "front_gate" not in names(retreat_regions(state, FREE, PLACE["eb_gate_road"]))
    state.control = 0
    assert "front_gate" in names(retreat_regions(state, FREE, PLACE["eb_gate_road"]))


def beorn(text: State) -> State:
    put_character(text, CHARACTER["beorn"], PLACE["v_dale_west_plain"])
    text.wrath = 5
    return control(text, "ruins_of_dale")


def test_beorns_retreat_regions() -> None:
    state = beorn(armies(v_dale_south_plain="shadow orcs 4", v_west_plain="free lake_men 1"))
    here = PLACE["v_dale_west_plain"]
    assert names(retreat_regions(state, FREE, here, beorn=True)) == {"lower_slopes", "v_northwest_plain"}
    refusal = why_not_retreat_to(state, FREE, here, PLACE["v_west_plain"], beorn=True)
    assert refusal is not None and refusal.rule == "beorn.no_retreat_to_fp_army"
    state = beorn(
        armies(
            v_dale_south_plain="shadow orcs 4", v_west_plain="free lake_men 1", lower_slopes="free lake_men 2"
        )
    )
    assert names(retreat_regions(state, FREE, here, beorn=True)) == {"v_northwest_plain"}


def test_free_units_do_not_retreat_to_beorn() -> None:
    state = plain()
    put_character(state, CHARACTER["beorn"], PLACE["v_dale_west_plain"])
    here = PLACE["v_northwest_plain"]
    assert "v_dale_west_plain" not in names(retreat_regions(state, FREE, here))
    refusal = why_not_retreat_to(state, FREE, here, PLACE["v_dale_west_plain"])
    assert refusal is not None and refusal.rule == "beorn.never_ends_with_units"


def test_forced_regions_keep_clear_of_the_attackers_settlements() -> None:
    state = control(plain(), "camp", "ruins_of_dale")
    assert names(forced_regions(state, FREE, PLACE["v_northwest_plain"])) == {"v_dale_west_plain"}


# --- the flow --------------------------------------------------------------------------------------


def end_of_round(state: State, source: str, target: str, free: str = "regroup") -> Fight:
    """A round in which nobody hits, up to the attacker's word."""
    fight = Fight.attack(state, source, target).cards(free, "regroup")
    miss = lambda f: f.asked.endswith("combat_roll")  # noqa: E731
    for _ in range(2):
        fight.until(miss)
        fight.answer({d: ["1"] * n for d, n in fight.request.dice.items() if n})  # type: ignore[union-attr]
    return fight.until("shadow break_off")


def test_the_attacker_speaks_first_and_may_break_off() -> None:
    fight = end_of_round(swamp(), "v_northeast_plain", "v_north_swamp")
    assert fight.refusal("retreat") == "combat.declare_attacker_first"
    assert fight.refusal("rout") == "combat.declare_attacker_first"
    fight.answer("break_off")
    assert fight.asked == "" and fight.state.combat is None
    assert (fight.units("v_north_swamp"), fight.damage("v_north_swamp")) == (2, 1)


def test_retreat_needs_regroup_and_costs_nothing() -> None:
    fight = end_of_round(control(swamp(), "ruins_of_dale"), "v_northeast_plain", "v_north_swamp").answer(
        "go_on"
    )
    assert fight.offered() == ["stay", "retreat"]
    assert fight.refusal("rout") == "rout.without_regroup"
    fight.answer("retreat")
    assert fight.offered() == ["v_northwest_plain"]
    assert fight.refusal("eb_north_ford") == "retreat.not_across_ford"
    fight.answer("v_northwest_plain")
    assert fight.asked == "shadow advance"
    assert (fight.units("v_northwest_plain"), fight.damage("v_northwest_plain")) == (2, 1)


def test_rout_pays_down_to_one_damage() -> None:
    state = armies(
        v_dale_east_plain="shadow orcs 4", v_dale_south_plain="free lake_men 2, elven_archers 2; damage 4"
    )
    fight = end_of_round(state, "v_dale_east_plain", "v_dale_south_plain", "elven_archers").answer("go_on")
    assert fight.offered() == ["stay", "rout"]
    assert fight.refusal("retreat") == "retreat.needs_regroup"
    fight.answer("rout")
    assert fight.refusal({"lake_men": 1}) == "rout.casualties_to_one"
    fight.answer({"lake_men": 2})
    assert (fight.units("v_dale_south_plain"), fight.damage("v_dale_south_plain")) == (2, 0)
    assert set(fight.offered()) == {"lower_slopes", "ruins_of_dale", "ss_east_hill", "v_dale_west_plain"}
    assert fight.refusal("v_south_swamp") == "retreat.not_next_to_enemy"


def test_a_rout_with_one_damage_costs_nothing() -> None:
    state = armies(v_dale_east_plain="shadow orcs 4", v_dale_south_plain="free elven_archers 2; damage 1")
    fight = end_of_round(state, "v_dale_east_plain", "v_dale_south_plain", "elven_archers").answer("go_on")
    fight.answer("rout").until("free retreat_to").answer("ruins_of_dale")
    assert (fight.units("ruins_of_dale"), fight.damage("ruins_of_dale")) == (2, 1)


def forced(**more: str) -> Fight:
    state = armies(
        v_dale_east_plain="shadow wargs 4", v_southeast_plain="free elven_archers 3; damage 1", **more
    )
    return end_of_round(state, "v_dale_east_plain", "v_southeast_plain").answer("go_on").answer("retreat")


def test_the_attacker_chooses_where_there_is_no_region_for_one_damage() -> None:
    fight = forced()
    assert fight.asked == "shadow forced_retreat_to"
    assert set(fight.offered()) == {"v_east_swamp", "v_south_swamp"}
    assert fight.refusal("v_dale_east_plain") == "retreat.forced_region_limits"
    fight.answer("v_south_swamp")
    assert (fight.units("v_south_swamp"), fight.damage("v_south_swamp")) == (3, 2)
    fight.answer({"wargs": 2})
    assert (fight.units("v_southeast_plain"), fight.units("v_dale_east_plain")) == (2, 2)


def test_the_attacker_never_chooses_a_region_with_an_own_army() -> None:
    fight = forced(v_south_swamp="shadow orcs 1")
    assert fight.offered() == ["v_east_swamp"]


STUCK = [
    (
        {"front_gate": "free dwarf_regulars 2; damage 2", "eb_gate_road": "shadow orcs 5"},
        "eb_gate_road",
        "front_gate",
    ),
    (
        {
            "eastern_spur": "free lake_men 2",
            "eb_ridge_east": "shadow orcs 2",
            "eb_east_plain": "shadow wargs 2",
        },
        "eb_ridge_east",
        "eastern_spur",
    ),
    (
        {
            "v_southeast_plain": "free lake_men 2",
            "v_dale_east_plain": "shadow orcs 2",
            "v_east_swamp": "shadow orcs 1",
            "v_south_swamp": "shadow orcs 1",
        },
        "v_dale_east_plain",
        "v_southeast_plain",
    ),
]


@pytest.mark.parametrize(("regions", "source", "target"), STUCK)
@pytest.mark.parametrize("card", ["regroup", "unit"])
def test_nobody_leaves_where_no_region_is_left(
    regions: dict[str, str], source: str, target: str, card: str
) -> None:
    state = armies(**regions)
    unit = next(iter(ARMY[state.units[PLACE[target]]].counts))
    fight = end_of_round(state, source, target, "regroup" if card == "regroup" else unit).answer("go_on")
    assert fight.offered() == ["stay"]
    assert fight.refusal("retreat" if card == "regroup" else "rout") == "retreat.impossible"


def test_merging_after_a_retreat_and_the_limit_of_five() -> None:
    state = control(plain(**SOUTH, v_dale_west_plain="free lake_men 4; damage 1"), "camp", "ruins_of_dale")
    fight = end_of_round(state, "v_north_swamp", "v_northwest_plain").answer("go_on").answer("retreat")
    fight.answer("v_dale_west_plain")
    assert fight.asked == "free reduce"
    assert fight.refusal({"lake_men": 1}) == "move.merge_reduce_to_five"
    fight.answer({"lake_men": 2, "damage": 2})
    assert (fight.units("v_dale_west_plain"), fight.damage("v_dale_west_plain")) == (5, 0)


def test_characters_may_stay_behind() -> None:
    state = armies(v_northeast_plain="shadow orcs 4", v_north_swamp="free lake_men 2; bard; leadership 1")
    fight = end_of_round(state, "v_northeast_plain", "v_north_swamp").answer("go_on").answer("retreat")
    fight.answer("v_northwest_plain")
    assert fight.asked == "free characters_along"
    fight.answer({})
    assert state.where[CHARACTER["bard"]] == PLACE["v_north_swamp"]
    assert fight.leaders("v_northwest_plain") == 1


def test_a_card_may_hold_the_defender_in_the_first_round() -> None:
    state = armies(v_north_swamp="free elven_archers 2", v_northeast_plain="shadow orcs 2")
    fight = Fight.attack(state, "v_north_swamp", "v_northeast_plain", no_retreat_in_round=1, leadership=5)
    fight.cards("regroup", "regroup").rolls("1 1", "1 1")
    assert fight.request.maximum == 2  # type: ignore[union-attr]
    fight.answer({"combat_white": 2}).roll("1 1").answer("go_on")
    assert fight.refusal("retreat") == "cards.all_effects_apply"
    fight.answer("stay").cards("regroup", "regroup").rolls("1 1", "1 1").until("shadow stay_or_leave")
    assert fight.offered() == ["stay", "retreat"]


def test_beorn_retreats_without_a_card_and_cannot_rout() -> None:
    state = beorn(armies(v_dale_south_plain="shadow orcs 4"))
    fight = Fight.attack(state, "v_dale_south_plain", "v_dale_west_plain").answer("orcs")
    fight.roll("1 1 1 1 |").roll("1 1 1 1").roll("1 1 1 1").answer("go_on")
    assert fight.offered() == ["stay", "retreat"]
    assert fight.refusal("rout") == "beorn.no_rout"
    fight.answer("retreat").answer("lower_slopes")
    assert (state.where[CHARACTER["beorn"]], state.wrath) == (PLACE["lower_slopes"], 5)


def test_beorn_pays_wrath_for_a_forced_retreat() -> None:
    state = armies(v_dale_east_plain="shadow wargs 4")
    put_character(state, CHARACTER["beorn"], PLACE["v_southeast_plain"])
    state.wrath = 3
    fight = Fight.attack(state, "v_dale_east_plain", "v_southeast_plain").answer("regroup")
    fight.roll("1 1 1 1").roll("1 1 1 1").roll("1 1 1 1").answer("go_on").answer("retreat")
    assert fight.asked == "shadow forced_retreat_to"
    fight.answer("v_south_swamp")
    assert state.wrath == 2


# --- advance ---------------------------------------------------------------------------------------


def won(**options: str) -> Fight:
    """The defender of the Ruins of Dale falls in the first round; the attackers have taken no hit."""
    army = options.get("army", "orcs 3, great_orcs 1; leadership 1; damage 3")
    state = armies(v_dale_east_plain=f"shadow {army}", ruins_of_dale="free lake_men 1; damage 1")
    fight = Fight.attack(state, "v_dale_east_plain", "ruins_of_dale").cards("regroup", "regroup")
    fight.roll("5 1 1 1 1").roll("1")
    return fight.until("shadow advance")


SHARES = [
    ({"great_orcs": 1, "orcs": 1}, ["1", "2"]),
    ({"great_orcs": 1, "orcs": 2}, ["2", "3"]),
    ({"orcs": 1}, ["0", "1"]),
]


@pytest.mark.parametrize(("part", "shares"), SHARES)
def test_an_advance_shares_the_damage(part: dict[str, int], shares: list[str]) -> None:
    fight = won().answer(part)
    assert fight.asked == "shadow share_damage"
    assert fight.offered() == shares
    assert fight.refusal(str(int(shares[-1]) + 1)) == "advance.split_damage"
    fight.answer(shares[0])
    assert fight.controlled("ruins_of_dale") == "shadow"
    assert fight.damage("ruins_of_dale") == int(shares[0])
    assert fight.damage("v_dale_east_plain") == 3 - int(shares[0])


def test_all_may_advance_with_everything() -> None:
    fight = won().answer({"orcs": 3, "great_orcs": 1, "leadership": 1})
    assert (fight.units("ruins_of_dale"), fight.damage("ruins_of_dale"), fight.leaders("ruins_of_dale")) == (
        4,
        3,
        1,
    )
    assert fight.asked == ""


def test_nobody_need_advance_and_leadership_does_not_go_alone() -> None:
    fight = won()
    assert fight.refusal({"leadership": 1}) == "move.split_by_moving_part"
    fight.answer({})
    assert fight.controlled("ruins_of_dale") == "free"
    assert fight.asked == ""


def test_an_advance_removes_enemy_tokens() -> None:
    state = position(
        """
        regions:
          eb_north_plain: {side: shadow, units: {orcs: 4}}
          camp: {side: free, units: {lake_men: 1}, tokens: {dwarves_and_men: 2}}
        """
    )
    before = state.token_pool[0]
    fight = Fight.attack(state, "eb_north_plain", "camp").cards("regroup", "regroup")
    fight.roll("5 5 1 1").roll("1").until("shadow advance").answer({"orcs": 2})
    assert (state.token_pool[0], fight.controlled("camp"), fight.army("eb_north_plain")) == (
        before + 2,
        "shadow",
        {"orcs": 2},
    )


def test_both_destroyed_leaves_the_region_to_the_defender() -> None:
    state = armies(eb_gate_road="shadow orcs 1; leadership 1; damage 1", camp="free lake_men 1; damage 1")
    fight = Fight.attack(state, "eb_gate_road", "camp").cards("regroup", "regroup")
    fight.roll("6").until("free combat_roll").roll("5").until("*")
    assert (fight.units("camp"), fight.units("eb_gate_road"), fight.leaders("eb_gate_road")) == (0, 0, 0)
    assert fight.controlled("camp") == "free"


def test_ten_points_with_front_gate_win_at_once() -> None:
    state = control(
        armies(eb_gate_road="shadow orcs 4", front_gate="free dwarf_regulars 1; damage 1"),
        "ravenhill",
        "ruins_of_dale",
    )
    state.fort_damage = list(state.fort_values)
    fight = Fight.attack(state, "eb_gate_road", "front_gate").cards("regroup", "regroup")
    fight.roll("6 1 1 1").roll("1").until("shadow advance").answer({"orcs": 1})
    assert (state.winner, state.winning_rule) == (SHADOW, "victory.shadow_immediate_front_gate")


def test_beorn_may_advance_and_frees_the_settlement() -> None:
    state = control(armies(ruins_of_dale="shadow orcs 1; damage 1"), "ruins_of_dale")
    put_character(state, CHARACTER["beorn"], PLACE["v_dale_west_plain"])
    state.wrath = 8
    fight = Fight.attack(state, "v_dale_west_plain", "ruins_of_dale").answer("regroup")
    fight.roll("5 5 5 5").roll("1").until("free beorn_advance").answer("advance")
    assert (state.where[CHARACTER["beorn"]], fight.controlled("ruins_of_dale")) == (
        PLACE["ruins_of_dale"],
        "free",
    )
