"""Recruiting and politics by Muster dice; cards are counted (chapters V, VI, VII)."""

from __future__ import annotations

import pytest
from wotr_board import ALL_AT_WAR, Table

from referee.games.war_of_the_ring.box.components import ELVES, GONDOR, NATION, NORTH, ROHAN, SAURON
from referee.games.war_of_the_ring.rules import decks, politics
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.errors import IllegalAnswer

DICE = "unused_dice: {free: [muster, event], shadow: [muster, event]}\n"
BASE = "  edoras: {units: {rohan_regular: 1}}\n  nurn: {units: {sauron_regular: 1}}\n"


def muster(seat: str, regions: str = "", head: str = ALL_AT_WAR) -> Table:
    return Table(head + DICE + f"to_act: {seat}\nregions:\n" + BASE + regions).do("muster")


# --- recruiting ------------------------------------------------------------------------------------


@pytest.mark.ruling("r55")
@pytest.mark.rule("recruit.with_die", "recruit.what", "recruit.where")
def test_r55_a_leader_and_a_regular_of_two_nations_in_two_settlements() -> None:
    table = muster("free").do("recruit", "rohan_leader", "gondor_regular", "pelargir")
    assert table.units("edoras") == {"rohan_regular": 1, "rohan_leader": 1}
    assert table.units("pelargir") == {"gondor_regular": 1}


@pytest.mark.ruling("r57")
@pytest.mark.rule("recruit.two_figures")
def test_r57_a_muster_die_may_bring_fewer() -> None:
    table = muster("free").do("recruit", "gondor_regular", "pelargir")
    assert table.asked == "free choose_second_recruit" and "done" in table.offered()
    table.do("done")
    assert table.asked == "shadow choose_die"


@pytest.mark.rule("recruit.two_figures", refuses=True)
def test_an_elite_comes_alone() -> None:
    table = muster("free").do("recruit", "elves_elite", "lorien")
    assert table.asked == "shadow choose_die" and table.units("lorien") == {"elves_elite": 1}
    second = muster("free").do("recruit", "elves_regular", "lorien")
    assert second.refused("gondor_elite") == "recruit.two_figures"


@pytest.mark.rule("recruit.two_settlements", "recruit.where", refuses=True)
def test_two_figures_come_into_two_settlements_of_their_nations() -> None:
    table = muster("free").do("recruit", "gondor_regular", "pelargir", "gondor_regular")
    assert table.refused("pelargir") == "recruit.two_settlements"
    assert table.refused("edoras") == "recruit.where"
    assert table.refused("fangorn") == "recruit.where"
    table.do("lossarnach")
    assert table.units("lossarnach") == {"gondor_regular": 1}


@pytest.mark.rule("recruit.at_war", "recruit.reinforcements", "recruit.what", refuses=True)
def test_only_nations_at_war_recruit_what_is_left() -> None:
    head = "politics: {gondor: at_war, rohan: at_war}\nfallen: {gondor_elite: 5}\n"
    table = muster("free", head=head).do("recruit")
    assert table.refused("north_regular") == "recruit.at_war"
    assert table.refused("gondor_elite") == "recruit.reinforcements"
    assert table.refused("sauron_regular") == "recruit.what"


@pytest.mark.rule("recruit.not_captured", "recruit.free_region", refuses=True)
def test_neither_captured_nor_besieged_settlements_recruit() -> None:
    table = muster(
        "free",
        "  pelargir: {control: shadow}\n"
        "  minas_tirith: {units: {sauron_regular: 2}, besieged: {units: {gondor_regular: 1}}}\n"
        "  lamedon: {units: {sauron_regular: 1}}\n",
    ).do("recruit", "gondor_regular")
    assert table.refused("pelargir") == "recruit.not_captured"
    assert table.refused("minas_tirith") == "recruit.free_region"
    assert table.refused("lamedon") == "recruit.free_region"
    assert table.offered() == ["dol_amroth", "lossarnach"]


@pytest.mark.rule("recruit.leader_needs_army", refuses=True)
def test_a_leader_comes_only_to_an_army() -> None:
    table = muster(
        "free", "  pelargir: {units: {gondor_regular: 1}}\n  dol_amroth: {units: {elves_regular: 1}}\n"
    )
    table.do("recruit", "gondor_leader")
    assert table.refused("lossarnach") == "recruit.leader_needs_army"
    assert table.offered() == ["dol_amroth", "pelargir"]


@pytest.mark.ruling("r56")
@pytest.mark.rule("nazgul.recruited_in_strongholds", "recruit.at_war", refuses=True)
def test_r56_nazgul_wait_for_saurons_war_and_come_into_strongholds() -> None:
    at_peace = muster("shadow", head="politics: {isengard: at_war}\n").do("recruit")
    assert at_peace.refused("nazgul") == "recruit.at_war"
    table = muster("shadow").do("recruit", "nazgul")
    assert table.refused("nurn") == "nazgul.recruited_in_strongholds"
    table.do("barad_dur", "done")
    assert table.units("barad_dur") == {"nazgul": 1}


@pytest.mark.rule("recruit.shadow_returns", "recruit.free_losses_stay_out", "stack.one_army")
def test_losses_of_the_shadow_return_and_those_of_the_free_peoples_do_not() -> None:
    from referee.games.war_of_the_ring.box.map import PLACE
    from referee.games.war_of_the_ring.rules.pieces import remove_figures, set_down
    from referee.games.war_of_the_ring.state.armies import pack

    table = muster("free")
    before = table.supply("sauron_regular"), table.supply("rohan_regular")
    remove_figures(table.state, PLACE["nurn"], pack({"sauron_regular": 1}))
    remove_figures(table.state, PLACE["edoras"], pack({"rohan_regular": 1}))
    assert table.supply("sauron_regular") == before[0] + 1 and table.fallen("sauron_regular") == 0
    assert table.supply("rohan_regular") == before[1] and table.fallen("rohan_regular") == 1
    set_down(table.state, PLACE["nurn"], 0)


# --- politics ---------------------------------------------------------------------------------------------


@pytest.mark.rule("politics.diplomacy", "politics.passive", "politics.at_war", refuses=True)
def test_a_muster_die_advances_a_nation_but_a_passive_one_not_to_war() -> None:
    head = "politics: {gondor: passive 1, rohan: at_war, north: passive 3}\n"
    table = muster("free", head=head).do("negotiate")
    assert table.refused("gondor") == "politics.passive"
    assert table.refused("rohan") == "politics.at_war"
    assert table.refused("sauron") == "politics.diplomacy"
    table.do("north")
    assert table.steps("north") == 2 and not table.active("north")


def test_an_active_nation_goes_to_war() -> None:
    table = muster("shadow", head="").do("negotiate", "isengard")
    assert table.steps("isengard") == 0


@pytest.mark.rule("politics.attacked")
def test_an_attack_wakes_and_advances_each_nation_in_the_army() -> None:
    from referee.games.war_of_the_ring.state.armies import pack

    state = State()
    politics.army_attacked(state, pack({"rohan_regular": 1, "north_elite": 2, "gondor_leader": 1}))
    assert politics.active(state, ROHAN) and politics.active(state, NORTH)
    assert state.steps[ROHAN] == 2 and state.steps[NORTH] == 2
    assert not politics.active(state, GONDOR) and state.steps[GONDOR] == 2
    politics.army_attacked(state, pack({"elves_regular": 1}))
    assert state.steps[ELVES] == 2


@pytest.mark.rule("politics.track")
def test_a_card_moves_a_nation_back_but_not_out_of_war() -> None:
    state = State()
    assert politics.retreat_step(state, GONDOR) and state.steps[GONDOR] == 3
    assert not politics.retreat_step(state, GONDOR)
    assert politics.advance(state, SAURON, 3) == 1 and politics.at_war(state, SAURON)
    assert not politics.retreat_step(state, SAURON)
    assert politics.wars(state) == 1 << NATION["sauron"]
    assert not politics.all_free_at_war(state)


# --- hands ------------------------------------------------------------------------------------------


@pytest.mark.rule("dice.event_draw", "cards.draw_with_die", "cards.hand_limit")
def test_the_seventh_card_is_discarded_face_down() -> None:
    table = Table(
        "unused_dice: {free: [event, muster], shadow: [army, event]}\n"
        "hands: {free: {character: 4, strategy: 2}, shadow: {character: 1}}\nregions:\n" + BASE
    ).do("event", "draw_card", "strategy")
    assert table.asked == "free discard"
    with pytest.raises(IllegalAnswer):
        table.do({"character": 1, "strategy": 1})
    table.do({"character": 1})
    assert table.state.hand[0] == [3, 3] and table.state.unseen_discards[0] == [1, 0]


@pytest.mark.rule("cards.deck_exhausted", refuses=True)
def test_an_empty_deck_is_not_made_anew() -> None:
    table = Table(
        "unused_dice: {free: [event, muster], shadow: [army, event]}\n"
        "hands: {free: {character: 0, strategy: 2}}\n"
        "discarded: {free: {character: 24, strategy: 2}}\nregions:\n" + BASE
    )
    assert decks.draw(table.state, 0, 0) == 0
    table.do("event", "draw_card")
    assert table.state.hand[0] == [0, 3]
    empty = Table(
        "unused_dice: {free: [west, muster], shadow: [army, event]}\n"
        "hands: {free: {character: 0, strategy: 0}}\n"
        "discarded: {free: {character: 24, strategy: 24}}\nregions:\n" + BASE
    ).do("will_of_the_west")
    assert empty.refused("draw_card") == "cards.deck_exhausted"
