"""Who may attack whom, with which part of an army, and why not."""

from __future__ import annotations

from random import Random

import pytest
from battle_driving import HERE, THERE, Fight, at, begin, ground, lay
from ring_driving import Drive, where

from referee.games.war_of_the_ring.box.components import (
    F_ARMY,
    F_CHARACTER,
    FIGURE,
    FREE,
    GONDOR,
    SAURON,
    SHADOW,
)
from referee.games.war_of_the_ring.box.map import PLACE, PLACES, places_in
from referee.games.war_of_the_ring.catalogue.loading import CATALOGUE
from referee.games.war_of_the_ring.rules import attacks
from referee.games.war_of_the_ring.rules.actions import use_die
from referee.games.war_of_the_ring.rules.attacks import attack_action, can_attack, why_not_attack
from referee.games.war_of_the_ring.rules.marching import LED
from referee.games.war_of_the_ring.state.state import ELIMINATED, State
from referee.kernel.requests import Request


def names(mask: int) -> set[str]:
    return {PLACES[place] for place in places_in(mask)}


def refusals(request: Request) -> dict[str, str]:
    """Each refused candidate with its rule, which the catalogue must have."""
    found = {}
    for candidate in request.candidates():
        if candidate.refusal is not None:
            value = candidate.value if isinstance(candidate.value, str) else next(iter(candidate.value))
            assert candidate.refusal.rule in CATALOGUE
            found[value] = candidate.refusal.rule
    return found


def attack(state: State, seat: int = SHADOW, need: str = "", **named: int) -> Drive:
    return Drive(state, attack_action(state, seat, need, "battle.army_die", **named))


# --- who may attack -----------------------------------------------------------------------------


@pytest.mark.rule("battle.army_die", "battle.adjacent", "battle.not_the_fellowship")
def test_an_army_attacks_its_neighbours_and_nobody_further_off() -> None:
    state = ground(
        {
            "osgiliath": {"sauron_regular": 3},
            "minas_tirith": {"gondor_regular": 2},
            "pelargir": {"gondor_regular": 1},
            "dol_amroth": {"gondor_regular": 1},
            "morannon": {"sauron_regular": 3},
        }
    )
    assert names(can_attack(state, SHADOW)) == {"osgiliath"}
    drive = attack(state)
    assert drive.options == {"minas_tirith", "pelargir"}
    assert refusals(drive.request) == {
        "dol_amroth": "battle.adjacent",
        "rivendell": "battle.not_the_fellowship",
    }
    assert drive.refused("dol_amroth") == "battle.adjacent"
    assert drive.refused("rivendell") == "battle.not_the_fellowship"


@pytest.mark.rule("battle.at_war", refuses=True)
def test_an_army_of_nations_not_at_war_does_not_attack() -> None:
    state = ground({HERE: {"sauron_regular": 3}, THERE: {"gondor_regular": 2}}, not_at_war="sauron")
    assert not can_attack(state, SHADOW)
    assert why_not_attack(state, SHADOW).rule == "battle.at_war"
    die = Drive(state, use_die(state, SHADOW, F_ARMY))
    assert die.refused("attack") == "battle.at_war"
    state.steps[SAURON] = 0
    assert names(can_attack(state, SHADOW)) == {HERE}


@pytest.mark.rule("battle.at_war", refuses=True)
def test_units_not_at_war_stay_behind_as_rearguard() -> None:
    state = ground(
        {HERE: {"gondor_regular": 2, "north_regular": 1}, THERE: {"sauron_regular": 2}}, not_at_war="north"
    )
    drive = attack(state, FREE)
    assert drive.asked == "free choose_attackers"
    assert drive.options == {"gondor_regular"}
    assert refusals(drive.request) == {"north_regular": "battle.at_war"}
    assert drive.refused({"gondor_regular": 2, "north_regular": 1}) == "battle.at_war"
    drive.do({"gondor_regular": 2})
    assert drive.request.dice == {"combat_free": 2}  # type: ignore[attr-defined]


@pytest.mark.rule("battle.rearguard", refuses=True)
def test_a_leader_not_at_war_is_not_left_alone() -> None:
    armies = {HERE: {"gondor_regular": 2, "north_leader": 1}, THERE: {"sauron_regular": 2}}
    state = ground(armies, not_at_war="north")
    drive = attack(state, FREE)
    assert drive.refused({"gondor_regular": 2}) == "battle.rearguard"
    assert drive.request.default == {"gondor_regular": 1}  # type: ignore[attr-defined]
    armies[HERE]["gondor_regular"] = 1
    state = ground(armies, not_at_war="north")
    assert not can_attack(state, FREE)
    refused = dict(attacks.why_not_starts(state, FREE, "", 0))
    assert refused[HERE].rule == "battle.rearguard"


@pytest.mark.rule("battle.characters_at_war")
def test_nazgul_and_minions_attack_whatever_the_political_track_says() -> None:
    state = ground(
        {HERE: {"isengard_regular": 2, "sauron_regular": 1, "nazgul": 2}, THERE: {"gondor_regular": 2}},
        {"mouth_of_sauron": HERE},
        not_at_war="sauron",
    )
    drive = attack(state)
    assert drive.options == {"isengard_regular", "nazgul", "mouth_of_sauron"}


@pytest.mark.rule("battle.needs_army", "battle.characters_alone", refuses=True)
def test_characters_alone_neither_attack_nor_are_attacked() -> None:
    state = ground(
        {
            HERE: {"nazgul": 2},
            "dead_marshes": {"sauron_regular": 2},
            "osgiliath": {"gondor_regular": 2},
            "druadan_forest": {"gondor_regular": 2},
            "folde": {"sauron_regular": 1},
        },
        {"boromir": THERE, "legolas": "north_ithilien", "mouth_of_sauron": "dagorlad"},
    )
    drive = attack(state)
    assert drive.options == {"dead_marshes", "folde"}
    assert drive.refused(HERE) == "battle.needs_army"
    assert drive.refused("dagorlad") == "battle.needs_army"
    drive.do("dead_marshes")
    assert drive.options == {"osgiliath", "druadan_forest"}
    assert drive.refused(THERE) == "battle.characters_alone"
    assert drive.refused("north_ithilien") == "battle.characters_alone"


@pytest.mark.rule("battle.closed_by_card", refuses=True)
def test_a_card_closes_regions_to_attacks() -> None:
    armies = {
        "dimrill_dale": {"sauron_regular": 3},
        "lorien": {"elves_elite": 2},
        "parth_celebrant": {"rohan_regular": 1},
        "gladden_fields": {"north_regular": 1},
    }
    state = ground(armies)
    assert "lorien" in attack(state).options
    state = ground(armies)
    lay(state, "a_power_too_great")
    drive = attack(state)
    assert drive.options == {"parth_celebrant", "gladden_fields"}
    assert drive.refused("lorien") == "battle.closed_by_card"


# --- leaders ------------------------------------------------------------------------------------


@pytest.mark.rule("battle.led_by_character_die", refuses=True)
def test_a_character_die_needs_a_leader_among_the_attackers() -> None:
    state = ground(
        {
            HERE: {"gondor_regular": 2, "gondor_leader": 1},
            THERE: {"sauron_regular": 2},
            "dead_marshes": {"gondor_regular": 2},
        },
        {"legolas": "dead_marshes"},
    )
    assert names(can_attack(state, FREE, LED)) == {HERE, "dead_marshes"}
    drive = attack(state, FREE, LED).do(HERE)
    assert drive.refused({"gondor_regular": 1}) == "battle.led_by_character_die"
    assert drive.refused({"gondor_regular": 1, "gondor_leader": 1}) == ""
    assert drive.refused({"gondor_regular": 2}) == "battle.rearguard"  # a leader alone is no rearguard


@pytest.mark.rule("battle.led_by_character_die", refuses=True)
def test_without_leaders_a_character_die_attacks_nobody() -> None:
    state = ground({HERE: {"sauron_regular": 2}, THERE: {"gondor_regular": 2, "gondor_leader": 1}})
    assert not can_attack(state, SHADOW, LED)
    state.figures[PLACE["dagorlad"]] = 1 << 6 * FIGURE["nazgul"]  # somebody for the die to move
    state.supply[FIGURE["nazgul"]] -= 1
    assert (
        Drive(state, use_die(state, SHADOW, F_CHARACTER)).refused("led_attack")
        == "battle.led_by_character_die"
    )
    assert why_not_attack(state, SHADOW, LED).rule == "battle.led_by_character_die"
    state = ground({HERE: {"isengard_elite": 2}, THERE: {"gondor_regular": 2}}, {"saruman": "orthanc"})
    assert can_attack(state, SHADOW, LED)


def test_a_leader_not_at_war_leads_no_attack() -> None:
    armies = {HERE: {"gondor_regular": 3, "north_leader": 1}, THERE: {"sauron_regular": 2}}
    assert not can_attack(ground(armies, not_at_war="north"), FREE, LED)
    assert can_attack(ground(armies), FREE, LED)


@pytest.mark.parametrize(
    ("need", "army", "char", "fits"),
    [
        ("nazgul", {"sauron_regular": 2, "nazgul": 1}, "", True),
        ("nazgul", {"sauron_regular": 2}, "witch_king", True),
        ("nazgul", {"sauron_regular": 2}, "mouth_of_sauron", False),
        ("witch_king", {"sauron_regular": 2, "nazgul": 1}, "", False),
        ("witch_king", {"sauron_regular": 2}, "witch_king", True),
    ],
)
def test_cards_name_who_must_be_in_the_army(need: str, army: dict[str, int], char: str, fits: bool) -> None:
    state = ground({HERE: army, THERE: {"gondor_regular": 2}}, {char: HERE} if char else {})
    assert bool(can_attack(state, SHADOW, need)) == fits


# --- splitting ----------------------------------------------------------------------------------


@pytest.mark.rule("battle.rearguard", "battle.rearguard_out", "battle.stays_put")
def test_the_army_may_be_split_and_the_rearguard_does_not_fight() -> None:
    state = ground(
        {HERE: {"sauron_regular": 6, "sauron_elite": 1, "nazgul": 2}, THERE: {"gondor_regular": 2}},
        {"witch_king": HERE},
    )
    drive = attack(state).do({"sauron_regular": 2, "nazgul": 1})
    assert drive.request.dice == {"combat_shadow": 2}  # type: ignore[attr-defined]
    drive.do({"combat_shadow": ["1", "1"]}, {"combat_free": ["6", "6"]})
    assert drive.asked == "shadow leader_reroll"
    assert drive.request.dice == {"combat_shadow": 1}  # type: ignore[attr-defined]
    drive.do({"combat_shadow": ["1"]})
    assert drive.asked == "over"
    assert at(state, HERE) == {"sauron_regular": 4, "sauron_elite": 1, "nazgul": 1}
    assert where(state, "witch_king") == PLACE[HERE]


@pytest.mark.rule("battle.rearguard", refuses=True)
def test_attackers_and_rearguard_need_a_unit_each() -> None:
    state = ground({HERE: {"sauron_regular": 3, "nazgul": 2}, THERE: {"gondor_regular": 2}})
    drive = attack(state)
    assert drive.refused({"nazgul": 2}) == "battle.rearguard"
    assert drive.refused({"sauron_regular": 3, "nazgul": 1}) == "battle.rearguard"
    assert drive.refused({"sauron_regular": 2, "nazgul": 2}) == ""
    assert drive.request.default == {"sauron_regular": 3, "nazgul": 2}  # type: ignore[attr-defined]


def test_a_single_unit_is_not_asked_who_attacks() -> None:
    state = ground({HERE: {"sauron_regular": 1, "nazgul": 2}, THERE: {"gondor_regular": 2}})
    assert attack(state).asked == "shadow combat_roll"


def test_a_card_keeps_those_not_at_war_out() -> None:
    state = ground(
        {HERE: {"sauron_regular": 2, "isengard_regular": 2}, THERE: {"gondor_regular": 2}},
        not_at_war="isengard",
    )
    fought = begin(state, "shadow", HERE, THERE)
    assert fought.request.dice == {"combat_shadow": 2}  # type: ignore[attr-defined]
    state = ground({HERE: {"isengard_regular": 2}, THERE: {"gondor_regular": 2}}, not_at_war="isengard")
    assert begin(state, "shadow", HERE, THERE).asked == "over"
    assert state.battle is None


@pytest.mark.rule("battle.all_defend", "battle.one_army")
def test_all_defenders_take_part() -> None:
    state = ground(
        {HERE: {"sauron_regular": 5}, THERE: {"gondor_regular": 1, "gondor_leader": 1}},
        {"boromir": THERE, "gimli": THERE},
    )
    fought = begin(state, "shadow", HERE, THERE).go((6, 6, 6, 6, 6), (1, 1, 1), (1, 1, 1))
    assert isinstance(fought, Fight)
    assert where(state, "boromir") == ELIMINATED == where(state, "gimli")


def test_random_attacks_are_legal() -> None:
    """Every sampled split passes the request's own check."""
    state = ground(
        {HERE: {"gondor_regular": 2, "rohan_regular": 2, "gondor_leader": 2}, THERE: {"sauron_regular": 3}},
        {"boromir": HERE, "gandalf_the_white": HERE},
        not_at_war="rohan",
    )
    drive = attack(state, FREE, LED)
    rng = Random(5)
    seen = {tuple(sorted(drive.request.check(drive.request.sample(rng)).items())) for _ in range(200)}
    assert len(seen) > 5
    assert state.steps[GONDOR] == 0
