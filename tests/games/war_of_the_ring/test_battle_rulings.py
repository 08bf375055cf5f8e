"""Questions that players asked about battles and sieges, by their ids, with the accepted answers."""

from __future__ import annotations

import pytest
from battle_driving import HERE, THERE, at, begin, clash, ground
from ring_driving import Drive, where

from referee.games.war_of_the_ring.box.components import ELITE, FIGURE, FREE, GONDOR, REGULAR, SHADOW
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.rules import attacks
from referee.games.war_of_the_ring.rules.casualties import suffer
from referee.games.war_of_the_ring.rules.pieces import add_figures
from referee.games.war_of_the_ring.state.armies import ONE
from referee.games.war_of_the_ring.state.state import ELIMINATED

ORCS, MEN = {"sauron_regular": 3}, {"gondor_regular": 3}
CITY, BOX = "minas_tirith", "minas_tirith_siege"


@pytest.mark.ruling("r28")
@pytest.mark.rule("siege.field_battle", "siege.attacker_hits_on_six", "siege.prolong")
def test_ruling_r28_no_bonus_in_the_field_at_a_stronghold_only_inside() -> None:
    fought = clash(ORCS, MEN, start="osgiliath", target=CITY).go("field_battle", (5, 1, 1), (1, 1, 1))
    assert at(fought.state, CITY) == {"gondor_regular": 2}
    state = ground({BOX: MEN, CITY: {"sauron_regular": 2, "sauron_elite": 1}})
    fought = begin(state, "shadow", CITY, BOX).go((5, 5, 5), (1, 1, 1))
    assert at(state, BOX) == MEN
    assert fought.options == {"cease", "sauron_elite"}


@pytest.mark.ruling("r42")
@pytest.mark.rule("battle.advance")
@pytest.mark.parametrize(("advance", "captured"), [({}, False), ({"sauron_regular": 1}, True)])
def test_ruling_r42_advancing_is_optional_and_only_entering_captures(
    advance: dict[str, int], captured: bool
) -> None:
    fought = clash(ORCS, {"gondor_regular": 1}, start="osgiliath", target="pelargir").go((6, 1, 1), (1,))
    assert fought.asked == "shadow advance"
    fought.go(advance)
    assert bool(fought.state.captured >> PLACE["pelargir"] & 1) == captured


@pytest.mark.ruling("r44")
@pytest.mark.rule("retreat.free_region", refuses=True)
def test_ruling_r44_no_retreat_into_an_empty_enemy_town() -> None:
    fought = clash(MEN, ORCS, attacker="free", start="minas_tirith", target="osgiliath")
    fought.go((1, 1, 1), (1, 1, 1), "go_on", "retreat")
    assert "north_ithilien" in fought.options
    assert fought.refused("lossarnach") == "retreat.free_region"  # nobody there, but it is Gondor's
    assert fought.refused("pelargir") == "retreat.free_region"


@pytest.mark.ruling("r45")
@pytest.mark.rule("battle.reroll_number")
def test_ruling_r45_the_number_of_rerolls_is_fixed_beforehand() -> None:
    fought = clash({"sauron_regular": 4, "nazgul": 4}, {"gondor_regular": 6}).go((6, 1, 2, 3), (1,) * 5)
    assert fought.request.dice == {"combat_shadow": 3}  # type: ignore[attr-defined]
    fought.go((6, 6, 1))
    assert fought.side("shadow").hits == 3


@pytest.mark.ruling("r46")
@pytest.mark.rule("casualty.replacement")
def test_ruling_r46_the_regular_comes_from_the_casualties_then_the_reinforcements_then_nowhere() -> None:
    def hit(fallen: int, supply: int) -> tuple[dict[str, int], int, int]:
        state = ground({HERE: ORCS, THERE: {"gondor_elite": 2}})
        spare = state.supply[REGULAR[GONDOR]] - fallen - supply
        add_figures(state, PLACE["dol_amroth"], ONE[REGULAR[GONDOR]] * spare)
        state.supply[REGULAR[GONDOR]] -= fallen
        state.fallen[REGULAR[GONDOR]] += fallen
        begin(state, "shadow", HERE, THERE).go((6, 1, 1), (1, 1))
        return at(state, THERE), state.fallen[REGULAR[GONDOR]], state.supply[REGULAR[GONDOR]]

    reduced = {"gondor_regular": 1, "gondor_elite": 1}
    assert hit(2, 3) == (reduced, 1, 3)
    assert hit(0, 3) == (reduced, 0, 2)
    assert hit(0, 0) == ({"gondor_elite": 1}, 0, 0)


@pytest.mark.ruling("r47")
@pytest.mark.rule("battle.at_war")
def test_ruling_r47_a_unit_at_war_must_attack_whoever_leads() -> None:
    places = {HERE: {"gondor_regular": 2, "gondor_leader": 1}, THERE: ORCS}
    state = ground(places, {"aragorn": HERE}, not_at_war="gondor")
    assert not attacks.can_attack(state, FREE, "led")
    state = ground(
        {HERE: {"gondor_regular": 2, "rohan_regular": 1}, THERE: ORCS}, {"aragorn": HERE}, not_at_war="gondor"
    )
    drive = Drive(state, attacks.attack_action(state, FREE, "led", "battle.led_by_character_die"))
    assert drive.options == {"rohan_regular", "aragorn"}
    drive.do({"rohan_regular": 1, "aragorn": 1})
    assert drive.request.dice == {"combat_free": 2}  # type: ignore[attr-defined]


@pytest.mark.ruling("r50")
@pytest.mark.rule("siege.relief_advance")
def test_ruling_r50_a_relief_army_may_stay_outside_and_enters_only_over_the_besiegers() -> None:
    places = {BOX: MEN, CITY: {"sauron_regular": 1}, "druadan_forest": {"rohan_regular": 3}}
    fought = begin(ground(places), "free", "druadan_forest", CITY).go((6, 1, 1), (1,), {})
    assert at(fought.state, "druadan_forest") == {"rohan_regular": 3}
    assert at(fought.state, CITY) == MEN
    fought = begin(ground(places), "free", "druadan_forest", CITY).go((1, 1, 1), (1,), "cease")
    assert fought.asked == "over"
    assert at(fought.state, CITY) == {"sauron_regular": 1}
    assert at(fought.state, BOX) == MEN


@pytest.mark.ruling("r53")
@pytest.mark.rule("siege.capture")
def test_ruling_r53_cards_hurt_a_garrison_and_companions_survive_it() -> None:
    places = {BOX: {"gondor_regular": 1, "gondor_leader": 1}, CITY: ORCS}
    state = ground(places, {"gimli": BOX, "peregrin": BOX})
    drive = Drive(state, suffer(state, PLACE[BOX], FREE, 2, about={"card": "dreadful_spells"}))
    assert drive.asked == "over"
    assert state.captured >> PLACE[CITY] & 1
    assert at(state, BOX) == {}
    assert where(state, "gimli") == PLACE[CITY] == where(state, "peregrin")
    assert state.fallen[FIGURE["gondor_leader"]] == 1


@pytest.mark.ruling("r53")
def test_ruling_r53_in_contrast_to_effects_that_count_as_a_battle() -> None:
    state = ground({"orthanc": {"isengard_regular": 1, "nazgul": 1}}, {"saruman": "orthanc"})
    Drive(state, suffer(state, PLACE["orthanc"], SHADOW, 3, like_battle=True))
    assert where(state, "saruman") == ELIMINATED
    assert at(state, "orthanc") == {}
    state = ground({"orthanc": {"isengard_regular": 1, "nazgul": 1}}, {"saruman": "orthanc"})
    Drive(state, suffer(state, PLACE["orthanc"], SHADOW, 3))
    assert where(state, "saruman") == PLACE["orthanc"]
    assert at(state, "orthanc") == {"nazgul": 1}


def test_hits_by_a_card_are_spread_by_the_owner() -> None:
    state = ground({THERE: {"gondor_regular": 2, "gondor_elite": 2, "gondor_leader": 1}})
    drive = Drive(state, suffer(state, PLACE[THERE], FREE, 3))
    assert drive.asked == "free casualties"
    drive.do({"gondor_elite": 1, "reduce_gondor_elite": 1})
    assert at(state, THERE) == {"gondor_regular": 3, "gondor_leader": 1}
    assert state.fallen[ELITE[GONDOR]] == 2


@pytest.mark.ruling("r62")
@pytest.mark.rule("combat_card.timing")
def test_ruling_r62_a_card_slower_than_scouts_has_no_effect_and_costs_nothing() -> None:
    """The slower card would let the Shadow hit its own units; it does not come to that."""
    fought = clash(ORCS, MEN, free="scouts", shadow="relentless_assault")
    assert fought.asked == "free choose_retreat"
    fought.go("dead_marshes", {})
    assert at(fought.state, HERE) == ORCS
    assert fought.state.hand == [[0, 0], [0, 0]]


@pytest.mark.ruling("r67")
@pytest.mark.rule("battle.not_the_fellowship", refuses=True)
def test_ruling_r67_the_revealed_fellowship_is_never_attacked() -> None:
    state = ground(
        {HERE: ORCS, "dead_marshes": MEN, "druadan_forest": MEN}, ring=THERE, hidden=False, edition="first"
    )
    drive = Drive(state, attacks.attack_action(state, SHADOW, "", "battle.army_die"))
    assert drive.refused(THERE) == "battle.not_the_fellowship"


@pytest.mark.ruling("r68")
@pytest.mark.rule("battle.witch_king_draws_first")
def test_ruling_r68_first_edition_the_witch_king_draws_from_either_deck() -> None:
    state = ground({HERE: {"sauron_regular": 3}, THERE: MEN}, {"witch_king": HERE}, edition="first")
    state.hand[SHADOW][0], state.deck[SHADOW][0] = 1, 23
    fought = begin(state, "shadow", HERE, THERE).go("character", "add_combat", "1", "nothing_more", "agree")
    fought.go((1, 1, 1), (1, 1, 1), (1, 1), "cease")
    assert fought.asked == "shadow choose_deck"
    fought.go("strategy")
    assert state.hand[SHADOW] == [0, 1]


@pytest.mark.ruling("r70")
@pytest.mark.rule("battle.all_defend", "battle.one_army")
def test_ruling_r70_a_companion_in_the_region_belongs_to_the_army_that_retreats_to_him() -> None:
    state = ground({HERE: ORCS, THERE: MEN, "dagorlad": {"sauron_regular": 5}}, {"boromir": "north_ithilien"})
    begin(state, "shadow", HERE, THERE).go((1, 1, 1), (1, 1, 1), "go_on", "retreat", "north_ithilien", {})
    fought = begin(state, "shadow", "dagorlad", "north_ithilien").go((6,) * 5, (1,) * 4, (1,))
    assert fought.asked == "shadow advance"
    assert where(state, "boromir") == ELIMINATED
