"""Battles round by round: dice, target numbers, leader re-roll, casualties, ceasing and advancing."""

from __future__ import annotations

import pytest
from battle_driving import HERE, THERE, at, begin, clash, ground, lay
from ring_driving import where

from referee.games.war_of_the_ring.box.components import (
    ELITE,
    FIGURE,
    FREE,
    GONDOR,
    ISENGARD,
    NORTH,
    REGULAR,
    ROHAN,
    SAURON,
    SHADOW,
)
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.game import GAME
from referee.games.war_of_the_ring.rules import attacks, combat
from referee.games.war_of_the_ring.rules.fighting import combat_dice, leadership, strength
from referee.games.war_of_the_ring.screens.combat_view import combat_focus
from referee.games.war_of_the_ring.state.state import ELIMINATED, SCHEMA
from referee.kernel.play import MILESTONE, Milestone
from referee.kernel.requests import Forced

ORCS = {"sauron_regular": 3}
MEN = {"gondor_regular": 3}


# --- strength and dice --------------------------------------------------------------------------


@pytest.mark.rule("battle.strength", "battle.combat_roll")
@pytest.mark.parametrize(
    ("army", "points", "dice"),
    [({"sauron_regular": 3, "sauron_elite": 1}, 4, 4), ({"sauron_regular": 6, "sauron_elite": 2}, 8, 5)],
)
def test_each_unit_gives_a_die_five_at_most(army: dict[str, int], points: int, dice: int) -> None:
    fought = clash(army, MEN)
    assert strength(fought.state, fought.battle, SHADOW) == points
    assert fought.asked == "shadow combat_roll"
    assert fought.request.dice == {"combat_shadow": dice}


@pytest.mark.rule("battle.captains")
def test_captains_of_the_west_add_dice_but_never_more_than_five() -> None:
    fought = clash(ORCS, {"gondor_regular": 1}, "boromir", "strider", "meriadoc", "gandalf_the_white")
    assert combat_dice(fought.state, fought.battle, FREE) == 3  # the Hobbit and the White are no Captains
    fought = clash(ORCS, {"gondor_regular": 4}, "boromir", "strider", "legolas")
    assert strength(fought.state, fought.battle, FREE) == 7
    assert combat_dice(fought.state, fought.battle, FREE) == 5


@pytest.mark.rule("battle.leadership")
def test_leadership_counts_leaders_nazgul_and_the_ratings_of_characters() -> None:
    fought = clash(
        {**ORCS, "nazgul": 2},
        {**MEN, "gondor_leader": 2, "rohan_leader": 1},
        "witch_king",
        "mouth_of_sauron",
        "aragorn",
        "peregrin",
    )
    assert leadership(fought.state, fought.battle, SHADOW) == 6
    assert leadership(fought.state, fought.battle, FREE) == 6


@pytest.mark.rule("battle.leadership")
def test_with_saruman_in_play_elites_of_isengard_lead() -> None:
    army = {"isengard_elite": 2, "isengard_regular": 1}
    state = ground({HERE: army, THERE: MEN}, {"saruman": "orthanc"})
    fought = begin(state, "shadow", HERE, THERE)
    assert leadership(state, fought.battle, SHADOW) == 2
    fought = clash(army, MEN)
    assert leadership(fought.state, fought.battle, SHADOW) == 0


# --- hitting ------------------------------------------------------------------------------------


@pytest.mark.rule("battle.hit_on_five", "battle.round", "battle.ones_and_sixes")
def test_fives_and_sixes_hit_and_both_sides_roll_before_anybody_falls() -> None:
    fought = clash(ORCS, MEN).go((5, 6, 4))
    assert fought.asked == "free combat_roll"
    assert at(fought.state, THERE) == MEN
    fought.go((1, 2, 5))
    assert fought.side("shadow").hits == 2
    assert at(fought.state, HERE) == {"sauron_regular": 2}
    assert at(fought.state, THERE) == {"gondor_regular": 1}
    assert fought.asked == "shadow cease_or_go_on"


@pytest.mark.rule("battle.city_first_round")
@pytest.mark.parametrize("place", ["pelargir", "osgiliath"])
def test_in_the_first_round_at_a_city_or_fortification_the_attacker_needs_a_six(place: str) -> None:
    start = "lossarnach"
    fought = clash(ORCS, MEN, start=start, target=place).go((5, 5, 6), (5, 1, 1))
    assert fought.side("shadow").target_rule == "battle.city_first_round"
    assert at(fought.state, place) == {"gondor_regular": 2}
    assert at(fought.state, start) == {"sauron_regular": 2}
    fought.go("go_on")
    if fought.asked.endswith("stay_or_retreat"):
        fought.go("stay")
    fought.go((5, 1))
    assert fought.side("shadow").hits == 1


def test_towns_give_no_advantage() -> None:
    fought = clash(ORCS, MEN, start="minas_tirith", target="lossarnach").go((5, 1, 1))
    assert fought.side("shadow").hits == 1


# --- the leader re-roll -------------------------------------------------------------------------


@pytest.mark.rule("battle.leader_reroll")
def test_example_of_the_rulebook_three_leaders_but_only_two_misses() -> None:
    """Five dice, 1 3 5 5 6, three leaders: two dice are rolled again, one hits: four hits (page 30)."""
    fought = clash({"sauron_regular": 5, "nazgul": 3}, {"gondor_regular": 6}).go((1, 3, 5, 5, 6), (1,) * 5)
    assert fought.asked == "shadow leader_reroll"
    assert fought.request.dice == {"combat_shadow": 2}
    fought.go((5, 2))
    assert at(fought.state, THERE) == {"gondor_regular": 2}
    focus = combat_focus(fought.state, "en", GAME.messages)
    assert focus is not None
    rolled = [(die["face"], die["hit"], die["rerolled"]) for die in focus["sides"]["shadow"]["rolled"]]
    assert rolled == [
        ("5", True, False),
        ("5", True, False),
        ("6", True, False),
        ("5", True, True),
        ("2", False, True),
    ]


@pytest.mark.rule("battle.leader_reroll")
def test_no_leader_no_reroll_and_five_at_most() -> None:
    fought = clash(ORCS, MEN).go((1, 1, 1), (1, 1, 1))
    assert fought.asked == "shadow cease_or_go_on"
    fought = clash({"sauron_regular": 7, "nazgul": 7}, MEN).go((1,) * 5, (1, 1, 1))
    assert fought.request.dice == {"combat_shadow": 5}


@pytest.mark.rule("battle.white_rider")
def test_the_white_rider_negates_all_nazgul_for_the_whole_battle() -> None:
    army = {"sauron_regular": 3, "nazgul": 2}
    fought = clash(army, MEN, "witch_king", "gandalf_the_white")
    assert fought.asked == "free white_rider"
    fought.go("yes")
    assert leadership(fought.state, fought.battle, SHADOW) == 0
    assert leadership(fought.state, fought.battle, FREE) == 0
    fought.go((1, 1, 1), (1, 1, 1), "go_on", "stay")
    assert leadership(fought.state, fought.battle, SHADOW) == 0
    fought = clash(army, MEN, "witch_king", "gandalf_the_white").go("no")
    assert leadership(fought.state, fought.battle, SHADOW) == 4
    assert clash(ORCS, MEN, "gandalf_the_white").asked == "shadow combat_roll"


# --- casualties ---------------------------------------------------------------------------------


@pytest.mark.rule("casualty.remove", "casualty.elite", "casualty.replacement")
def test_two_hits_may_be_taken_in_three_ways() -> None:
    army = {"gondor_regular": 2, "gondor_elite": 2}
    outcomes = {
        "two regulars": ({"gondor_regular": 2}, {"gondor_elite": 2}),
        "two elites reduced": ({"reduce_gondor_elite": 2}, {"gondor_regular": 4}),
        "one elite": ({"gondor_elite": 1}, {"gondor_regular": 2, "gondor_elite": 1}),
    }
    for answer, left in outcomes.values():
        fought = clash(ORCS, army).go((5, 5, 1), (1,) * 4)
        assert fought.asked == "free casualties"
        fought.go(answer)
        assert at(fought.state, THERE) == left


@pytest.mark.rule("casualty.remove", "casualty.elite", refuses=True)
def test_neither_too_many_nor_too_few_casualties_are_taken() -> None:
    fought = clash(ORCS, {"gondor_regular": 2, "gondor_elite": 2}).go((5, 5, 1), (1,) * 4)
    assert fought.refused({"gondor_regular": 1}) == "casualty.remove"
    assert fought.refused({"gondor_regular": 1, "gondor_elite": 1}) == "casualty.remove"
    fought = clash({"sauron_regular": 5}, {"gondor_regular": 2, "gondor_elite": 1}).go(
        (5, 5, 5, 1, 1), (1,) * 3
    )
    assert fought.refused({"gondor_elite": 1, "reduce_gondor_elite": 1}) == "casualty.elite"


@pytest.mark.rule("casualty.attacker_first")
def test_the_attacker_chooses_first_though_losses_are_simultaneous() -> None:
    fought = clash({"sauron_regular": 2, "sauron_elite": 1}, {"gondor_regular": 2, "gondor_elite": 1})
    fought.go((5, 1, 1), (6, 1, 1))
    assert fought.asked == "shadow casualties"
    fought.go({"sauron_regular": 1})
    assert fought.asked == "free casualties"


@pytest.mark.rule("casualty.losses")
def test_free_casualties_are_out_of_the_game_and_shadow_casualties_return() -> None:
    fought = clash(ORCS, MEN)
    supply = fought.state.supply[:]
    fought.go((5, 1, 1), (5, 1, 1))
    assert fought.state.fallen[REGULAR[GONDOR]] == 1
    assert fought.state.supply[REGULAR[GONDOR]] == supply[REGULAR[GONDOR]]
    assert fought.state.supply[REGULAR[SAURON]] == supply[REGULAR[SAURON]] + 1


def test_without_a_regular_left_an_elite_falls_for_one_hit() -> None:
    fought = clash(ORCS, {"gondor_elite": 2})
    fought.state.supply[REGULAR[GONDOR]] = 0
    fought.state.fallen[REGULAR[GONDOR]] = 0
    fought.state.figures[PLACE["pelargir"]] = 0
    spare = fought.state
    spare.figures[PLACE["dol_amroth"]] = 15 << 6 * FIGURE["gondor_regular"]  # all of them stand elsewhere
    spare.armies[FREE] |= 1 << PLACE["dol_amroth"]
    fought.go((5, 1, 1), (1, 1))
    assert at(fought.state, THERE) == {"gondor_elite": 1}
    assert fought.state.fallen[ELITE[GONDOR]] == 1


@pytest.mark.rule("battle.army_gone")
def test_leaders_and_characters_fall_with_their_army_and_nazgul_return() -> None:
    fought = clash({"sauron_regular": 5}, {"gondor_regular": 1, "gondor_leader": 2}, "boromir", "meriadoc")
    fought.go((6, 6, 1, 1, 1), (1, 1), (1, 1))
    assert fought.asked == "shadow advance"
    assert at(fought.state, THERE) == {}
    assert where(fought.state, "boromir") == ELIMINATED == where(fought.state, "meriadoc")
    assert fought.state.fallen[FIGURE["gondor_leader"]] == 2

    fought = clash({"sauron_regular": 1, "nazgul": 2}, {"gondor_regular": 5}, "witch_king")
    nazgul = fought.state.supply[FIGURE["nazgul"]]
    fought.go((1,), (6, 1, 1, 1, 1), (1,))
    assert fought.asked == "over"
    assert where(fought.state, "witch_king") == ELIMINATED
    assert fought.state.supply[FIGURE["nazgul"]] == nazgul + 2
    assert fought.state.fallen[FIGURE["nazgul"]] == 0


@pytest.mark.rule("battle.rearguard_out", "battle.army_gone")
def test_the_rearguard_and_its_characters_survive_the_attackers() -> None:
    state = ground(
        {HERE: {"sauron_regular": 3, "nazgul": 2}, THERE: {"gondor_regular": 5}},
        {"witch_king": HERE, "mouth_of_sauron": HERE},
    )
    place = PLACE[HERE]
    figures = 1 << 6 * FIGURE["sauron_regular"] | 1 << 6 * FIGURE["nazgul"]
    fought = type(clash(ORCS, MEN))(
        state, attacks.begin(state, SHADOW, place, PLACE[THERE], figures, 1 << 12)
    )
    fought.go((1,), (6, 6, 6, 6, 6), (1,))
    assert fought.asked == "over"
    assert at(state, HERE) == {"sauron_regular": 2, "nazgul": 1}
    assert where(state, "witch_king") == place
    assert where(state, "mouth_of_sauron") == ELIMINATED


# --- the end ------------------------------------------------------------------------------------


@pytest.mark.rule("battle.cease", "battle.ceased_stay", "battle.ends")
def test_after_ceasing_everybody_stays() -> None:
    fought = clash(ORCS, MEN).go((5, 1, 1), (5, 1, 1), "cease")
    assert fought.asked == "over"
    assert fought.state.battle is None
    assert at(fought.state, HERE) == {"sauron_regular": 2}
    assert at(fought.state, THERE) == {"gondor_regular": 2}


@pytest.mark.rule("retreat.defender", refuses=True)
def test_the_attacker_cannot_retreat() -> None:
    fought = clash(ORCS, MEN).go((1, 1, 1), (1, 1, 1))
    assert fought.refused("retreat") == "retreat.defender"


@pytest.mark.rule("battle.no_cease")
def test_a_card_may_forbid_to_cease() -> None:
    fought = clash(ORCS, MEN, fields={"no_cease": True}).go((1, 1, 1), (1, 1, 1))
    assert fought.asked == "free stay_or_retreat"


@pytest.mark.rule("battle.advance")
def test_a_part_of_the_victors_advances() -> None:
    fought = clash({"sauron_regular": 3, "nazgul": 1}, {"gondor_regular": 1}, "mouth_of_sauron")
    fought.go((6, 1, 1), (1,), (1, 1))
    assert fought.asked == "shadow advance"
    fought.go({"sauron_regular": 1, "mouth_of_sauron": 1})
    assert at(fought.state, THERE) == {"sauron_regular": 1}
    assert at(fought.state, HERE) == {"sauron_regular": 2, "nazgul": 1}
    assert where(fought.state, "mouth_of_sauron") == PLACE[THERE]


@pytest.mark.rule("battle.advance", refuses=True)
def test_nobody_advances_without_a_unit_and_leaders_do_not_stay_alone() -> None:
    fought = clash({"sauron_regular": 3, "nazgul": 1}, {"gondor_regular": 1}).go((6, 1, 1), (1,), (1,))
    assert fought.refused({"nazgul": 1}) == "battle.advance"
    fought = clash({"gondor_regular": 2, "gondor_leader": 1}, {"sauron_regular": 1}, attacker="free").go(
        (6, 1), (1,), (1,)
    )
    assert fought.refused({"gondor_regular": 2}) == "move.leaders_follow"
    assert fought.refused({"gondor_regular": 1}) == ""


def test_both_armies_may_destroy_each_other() -> None:
    fought = clash({"sauron_regular": 1}, {"gondor_regular": 1}).go((6,), (6,))
    assert fought.asked == "over"
    assert at(fought.state, HERE) == {} == at(fought.state, THERE)


@pytest.mark.rule("battle.advance")
def test_saruman_fights_from_orthanc_but_never_advances() -> None:
    fought = clash(
        {"isengard_regular": 3}, {"rohan_regular": 1}, "saruman", start="orthanc", target="fords_of_isen"
    )
    fought.go((6, 1, 1), (1,), (1,))
    assert "saruman" not in fought.options
    fought.go({"isengard_regular": 2})
    assert where(fought.state, "saruman") == PLACE["orthanc"]


# --- politics and capture -----------------------------------------------------------------------


@pytest.mark.rule("battle.wakes_nations")
def test_example_of_the_rulebook_dale_falls_and_the_north_moves_two_steps() -> None:
    """The North is attacked in Dale, retreats after a round, and the city is captured (page 34)."""
    state = ground(
        {"vale_of_the_carnen": {"southrons_easterlings_regular": 4}, "dale": {"north_regular": 2}},
        not_at_war="north",
    )
    state.steps[NORTH], state.awake = 3, state.awake & ~(1 << NORTH)
    fought = begin(state, "shadow", "vale_of_the_carnen", "dale")
    assert state.steps[NORTH] == 2 and state.awake >> NORTH & 1
    fought.go(
        (6, 1, 1, 1), (1, 1), "go_on", "retreat", "erebor"
    )  # another nation's region: allowed in retreat
    fought.go({"southrons_easterlings_regular": 4})
    assert at(state, "erebor") == {"north_regular": 1}
    assert at(state, "dale") == {"southrons_easterlings_regular": 4}
    assert state.captured >> PLACE["dale"] & 1
    assert state.steps[NORTH] == 1


@pytest.mark.rule("battle.wakes_nations")
def test_every_nation_with_units_in_the_attacked_army_moves_once_a_battle() -> None:
    state = ground(
        {HERE: {"sauron_regular": 3}, THERE: {"gondor_regular": 3, "rohan_regular": 2, "elves_leader": 1}},
        not_at_war="gondor rohan elves",
    )
    state.steps[GONDOR] = state.steps[ROHAN] = 3
    before = state.steps[1]
    fought = begin(state, "shadow", HERE, THERE)
    fought.go((1, 1, 1), (1,) * 5)
    if fought.asked.endswith("leader_reroll"):
        fought.go((1,))
    fought.go("go_on", "stay", (1, 1, 1))
    assert (state.steps[GONDOR], state.steps[ROHAN], state.steps[1]) == (2, 2, before)


@pytest.mark.rule("battle.wakes_nations")
@pytest.mark.parametrize(
    ("start", "target", "awake"), [("folde", "edoras", True), ("druadan_forest", "folde", False)]
)
def test_wormtongue_keeps_rohan_asleep_unless_edoras_or_helms_deep_is_attacked(
    start: str, target: str, awake: bool
) -> None:
    state = ground({start: {"isengard_regular": 3}, target: {"rohan_regular": 3}}, not_at_war="rohan")
    state.steps[ROHAN], state.awake = 3, state.awake & ~(1 << ROHAN)
    lay(state, "wormtongue")
    begin(state, "shadow", start, target)
    assert bool(state.awake >> ROHAN & 1) == awake
    assert state.steps[ROHAN] == 2


# --- the Witch-king -----------------------------------------------------------------------------


@pytest.mark.rule("battle.witch_king_draws")
def test_the_witch_king_draws_after_a_card_in_the_first_round_only() -> None:
    fought = clash(
        {"sauron_regular": 5}, {"gondor_regular": 5}, "witch_king", shadow="deadly_strife", free="daylight"
    )
    state = fought.state
    assert state.hand[SHADOW] == [0, 0]
    fought.go((1, 1, 1), (1,) * 5, (1, 1), "go_on")
    assert state.hand[SHADOW] == [0, 0]  # only when the round is over
    fought.go("stay")
    assert state.hand[SHADOW] == [0, 1]
    fought.go("no_card", (1,) * 5, (1,) * 5, (1, 1), "cease")
    assert state.hand[SHADOW] == [0, 1]


@pytest.mark.rule("battle.witch_king_draws")
def test_no_card_no_witch_king_no_draw() -> None:
    fought = clash({"sauron_regular": 2}, {"gondor_regular": 2}, "witch_king")
    fought.go((1, 1), (1, 1), (1, 1), "cease")
    assert fought.state.hand[SHADOW] == [0, 0]
    fought = clash({"sauron_regular": 2}, {"gondor_regular": 2}, shadow="deadly_strife")
    fought.go((1, 1), (1, 1), "cease")
    assert fought.state.hand[SHADOW] == [0, 0]


# --- restarting ---------------------------------------------------------------------------------


def test_a_battle_restarts_from_each_of_its_rounds() -> None:
    answers = [
        {"combat_shadow": ["1", "1", "1"]},
        {"combat_free": ["5", "1", "1"]},
        "go_on",
        "stay",
        {"combat_shadow": ["5", "1"]},
        {"combat_free": ["1", "1", "1"]},
        "cease",
    ]
    state = ground({HERE: ORCS, THERE: MEN})
    flow = attacks.begin(state, SHADOW, PLACE[HERE], PLACE[THERE], state.figures[PLACE[HERE]], 0)
    kept = []
    item = flow.send(None)
    given = 0
    while True:
        while isinstance(item, Milestone | Forced):
            if item is MILESTONE:
                kept.append((SCHEMA.copy(state), given))
            item = flow.send(item.answer)
        try:
            item = flow.send(answers[given])
        except StopIteration:
            break
        finally:
            given += 1
    assert len(kept) == 2
    wanted = SCHEMA.to_json(state)
    for start, number in kept:
        again = SCHEMA.from_json(SCHEMA.to_json(start))
        flow = combat.fight(again)
        assert flow.send(None) is MILESTONE
        item = flow.send(None)
        with pytest.raises(StopIteration):
            for answer in answers[number:]:
                while isinstance(item, Milestone | Forced):
                    item = flow.send(item.answer)
                item = flow.send(answer)
        assert SCHEMA.to_json(again) == wanted
    assert state.figures[PLACE["lorien"]] == 0 and state.steps[ISENGARD] == 0
