"""Event cards in the less usual positions: nobody to flee, nothing left to strike, everything destroyed."""

from __future__ import annotations

import pytest
from card_driving import WAR, at, play, table
from ring_driving import Drive

from referee.games.war_of_the_ring.box.components import CHARACTER, FIGURE, FREE, GONDOR, SHADOW
from referee.games.war_of_the_ring.box.map import NEIGHBOURS, PLACE, PLACES, places_in
from referee.games.war_of_the_ring.cards import by_hand, cards_in_play
from referee.games.war_of_the_ring.cards.effects import open_to_recruits
from referee.games.war_of_the_ring.state.state import ELIMINATED, IN_FELLOWSHIP

NEXT_TO_PELARGIR = [PLACES[place] for place in places_in(NEIGHBOURS[PLACE["pelargir"]])]


def where(state: object, name: str) -> int:
    return state.where[CHARACTER[name]]  # type: ignore[attr-defined, no-any-return]


def test_the_dead_come_to_an_empty_coast_with_the_heir_alone() -> None:
    state = table(
        company="gandalf_the_grey", chars={"strider": "edoras"}, places={"edoras": {"rohan_regular": 1}}
    )
    drive = play(state, "dead_men_of_dunharrow")
    assert drive.asked == "free dead_men_to", "nobody else to take along"
    drive.do("pelargir", "0")
    assert at(state, "pelargir") == {} and where(state, "strider") == PLACE["pelargir"]
    assert drive.asked == "over"


def test_an_army_that_the_dead_destroy_does_not_flee() -> None:
    state = table(
        company="gandalf_the_grey",
        places={"pelargir": {"southrons_easterlings_regular": 1}, "edoras": {"rohan_regular": 1}},
        chars={"strider": "edoras"},
        captured="pelargir",
    )
    drive = play(state, "dead_men_of_dunharrow", "pelargir", {"combat_free": ["6"]})
    assert drive.asked == "free dead_men_recruits"
    drive.do("1")
    assert at(state, "pelargir") == {"gondor_regular": 1}


def test_an_army_that_the_dead_chase_and_that_has_nowhere_to_go_is_destroyed() -> None:
    around = {place: {"gondor_regular": 1} for place in NEXT_TO_PELARGIR}
    state = table(
        company="gandalf_the_grey",
        places={"pelargir": {"southrons_easterlings_regular": 4}, "edoras": {"rohan_regular": 1}, **around},
        chars={"strider": "edoras", "mouth_of_sauron": "pelargir"},
        captured="pelargir",
    )
    drive = play(state, "dead_men_of_dunharrow", "pelargir", {"combat_free": ["1"]})
    assert drive.asked == "free dead_men_recruits"
    drive.do("0")
    assert at(state, "pelargir") == {} and where(state, "mouth_of_sauron") == ELIMINATED


def test_without_regulars_of_gondor_the_dead_bring_none() -> None:
    state = table(
        company="gandalf_the_grey", chars={"strider": "edoras"}, places={"edoras": {"rohan_regular": 1}}
    )
    regular = FIGURE["gondor_regular"]
    state.fallen[regular], state.supply[regular] = state.supply[regular], 0
    assert play(state, "dead_men_of_dunharrow", "pelargir").asked == "over"


def test_eagles_that_slay_every_nazgul_leave_nobody_to_flee() -> None:
    state = table(
        company="gandalf_the_grey",
        places={"edoras": {"rohan_regular": 1}, "folde": {"sauron_regular": 1, "nazgul": 1}},
        chars={"legolas": "edoras"},
    )
    drive = play(state, "the_eagles_are_coming", {"combat_free": ["6"]})
    assert drive.asked == "over" and at(state, "folde") == {"sauron_regular": 1}


def test_worn_with_sorrow_takes_the_free_peoples_card_from_the_table() -> None:
    state = table(company="strider gimli", laid="worn_with_sorrow_and_toil mithril_coat_and_sting")
    drive = Drive(state, cards_in_play.companion_casualty(state, CHARACTER["legolas"]))
    drive.do("from_table")
    if drive.asked != "over":
        drive.do("mithril_coat_and_sting")
    assert "mithril_coat_and_sting" not in state.table_cards and state.hand[0] == [1, 1]


def test_worn_with_sorrow_finds_nothing_to_take() -> None:
    state = table(company="strider gimli", laid="worn_with_sorrow_and_toil")
    state.hand[0][0], state.deck[0][0] = 0, 24
    assert Drive(state, cards_in_play.companion_casualty(state, CHARACTER["legolas"])).asked == "over"
    state.hand[0][0], state.deck[0][0] = 1, 23
    drive = Drive(state, cards_in_play.companion_casualty(state, CHARACTER["legolas"]))
    assert drive.options == {"none", "from_hand"}
    drive.do("none")
    assert state.hand[0][0] == 1


@pytest.mark.parametrize(
    ("card", "nation"), [("half_orcs_and_goblin_men", "isengard"), ("olog_hai", "sauron")]
)
def test_a_card_recruits_into_the_army_that_besieges(card: str, nation: str) -> None:
    """The region of a besieged stronghold is free for the besieger (second edition, pages 10 and 31)."""
    places = {"minas_tirith": {f"{nation}_regular": 5}, "minas_tirith_siege": {"gondor_regular": 3}}
    state = table(steps=WAR, places=places)
    play(state, card, f"{nation}_elite")
    assert at(state, "minas_tirith") == {f"{nation}_regular": 5, f"{nation}_elite": 1}


def test_the_black_captain_commands_nazgul_into_the_army_that_besieges() -> None:
    places = {"minas_tirith": {"sauron_regular": 5}, "minas_tirith_siege": {"gondor_regular": 3}}
    state = table(steps=WAR, places=places, chars={"witch_king": "minas_tirith"})
    play(state, "the_black_captain_commands", "recruit_nazgul")
    assert at(state, "minas_tirith") == {"sauron_regular": 5, "nazgul": 2}


def test_recruits_by_hand_come_to_the_army_that_besieges_in_the_first_edition() -> None:
    places = {"minas_tirith": {"sauron_regular": 5}, "minas_tirith_siege": {"gondor_regular": 3}}
    state = table(edition="first", steps=WAR, places=places)
    drive = Drive(state, by_hand.resolve(state, SHADOW, "strategy"))
    drive.do("place_figures", "sauron_elite", "2", "minas_tirith", "agree", "done")
    assert at(state, "minas_tirith") == {"sauron_regular": 5, "sauron_elite": 2}
    assert at(state, "minas_tirith_siege") == {"gondor_regular": 3}


def test_the_besieged_region_stays_closed_to_recruits_of_the_besieged() -> None:
    places = {"moria": {"elves_regular": 2}, "moria_siege": {"sauron_regular": 1}}
    state = table(steps=WAR, places=places)
    assert open_to_recruits(state, FREE) >> PLACE["moria"] & 1
    play(state, "olog_hai", "sauron_elite")
    assert at(state, "moria_siege") == {"sauron_regular": 1, "sauron_elite": 1}


def test_the_heir_wakes_gondor_where_the_dead_bring_him() -> None:
    """Second edition, page 34: he ends his movement in a city of Gondor; one in enemy hands does not wake."""
    fields = {"company": "gandalf_the_grey", "chars": {"strider": "edoras", "meriadoc": "edoras"}}
    places = {"edoras": {"rohan_regular": 1}}
    state = table(places=places, **fields)
    assert not state.awake >> GONDOR & 1
    play(state, "dead_men_of_dunharrow", {"meriadoc": 1}, "pelargir", "0")
    assert state.awake >> GONDOR & 1
    alone = table(places=places, **fields)
    play(alone, "dead_men_of_dunharrow", {}, "pelargir", "0")
    assert not alone.awake >> GONDOR & 1, "Strider wakes the North only"
    taken = table(places=places, captured="pelargir", **fields)
    play(taken, "dead_men_of_dunharrow", {"meriadoc": 1}, "pelargir", "0")
    assert not taken.awake >> GONDOR & 1


def test_a_companion_whom_a_card_by_hand_moves_wakes_the_nation() -> None:
    state = table(edition="first", company="gimli", chars={"meriadoc": "edoras"})
    drive = Drive(state, by_hand.resolve(state, FREE, "character"))
    drive.do("move_character", "meriadoc", "pelargir", "agree")
    assert state.awake >> GONDOR & 1 and where(state, "meriadoc") == PLACE["pelargir"]


@pytest.mark.parametrize("card", ["the_breaking_of_the_fellowship", "isildurs_bane"])
def test_wizards_staff_prevents_the_tile_of_every_card_of_the_shadow(card: str) -> None:
    """Second edition, page 23: without the tile the card does nothing."""
    state = table(company="gandalf_the_grey gimli", ring="hollin", hidden=False, laid="wizards_staff")
    drive = play(state, card)
    assert drive.asked == "free use_table_card"
    assert drive.do("yes").asked == "over"
    assert "wizards_staff" not in state.table_cards and where(state, "gimli") == IN_FELLOWSHIP
    state = table(company="gandalf_the_grey gimli", ring="hollin", hidden=False, laid="wizards_staff")
    assert play(state, card, "no").asked == "shadow draw_tile"
