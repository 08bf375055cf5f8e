"""No reachable request without an answer: every card in rare positions, few nations At War, no supply."""

from __future__ import annotations

from random import Random

import game_laws
import pytest
from card_driving import at, play, table
from ring_driving import Drive

from referee.games.war_of_the_ring.box.components import (
    FIGURES,
    FREE,
    NATIONS,
    SEAT_OF,
    UNIT_COUNT,
)
from referee.games.war_of_the_ring.box.map import OF_SEAT, PLACE, SETTLEMENTS, SIEGE_BOX
from referee.games.war_of_the_ring.cards.card_play import play_card, why_not_card
from referee.games.war_of_the_ring.rules.pieces import add_figures
from referee.games.war_of_the_ring.state.armies import ONE
from referee.games.war_of_the_ring.state.card_data import CARDS, FACES_OF_TYPE
from referee.games.war_of_the_ring.state.state import SCHEMA, State

STEPS = (0, 0, 1, 2)
CROWDED = (PLACE["umbar"], PLACE["edoras"], PLACE["helms_deep"], PLACE["minas_tirith"], PLACE["orthanc"])
"""Regions that cards name: armies stand there more often than elsewhere."""


def rare(rng: Random) -> State:
    """Small mixed armies of nations seldom all At War, sieges, supplies that are nearly empty."""
    state = table(
        company="gandalf_the_grey meriadoc gimli",
        chars={"strider": rng.choice(("edoras", "fangorn", "pelargir")), "boromir": "lossarnach"},
        steps={nation: rng.choice(STEPS) for nation in NATIONS},
        hidden=rng.random() < 0.5,
        ring="hollin",
    )
    places = [*rng.sample(range(105), 14), *(place for place in CROWDED if rng.random() < 0.7)]
    for place in dict.fromkeys(places):
        seat = rng.randrange(2)
        _army(state, rng, place, seat)
        own = OF_SEAT[1 - seat] & state.armies[seat] & 1 << place
        if place in SIEGE_BOX and own and rng.random() < 0.5:
            _army(state, rng, SIEGE_BOX[place], 1 - seat)
        elif own & SETTLEMENTS:
            state.captured |= 1 << place
    if rng.random() < 0.5:
        for figure in range(UNIT_COUNT):
            spent = state.supply[figure]
            if spent and SEAT_OF[figure] == FREE:
                state.fallen[figure] += spent
                state.supply[figure] = 0
    return state


def _army(state: State, rng: Random, place: int, seat: int) -> None:
    kinds = [f for f in range(len(FIGURES)) if SEAT_OF[f] == seat]
    units = [f for f in kinds if f < UNIT_COUNT and state.supply[f]]
    for figure in [*rng.choices(units, k=rng.randint(1, 3)), *rng.sample(kinds, 1)] if units else ():
        if state.supply[figure] and (figure < UNIT_COUNT or state.armies[seat] >> place & 1):
            add_figures(state, place, ONE[figure])


@pytest.mark.parametrize("seed", range(40))
def test_no_card_asks_what_cannot_be_answered(seed: int) -> None:
    rng = Random(seed)
    base = rare(rng)
    for card in CARDS.values():
        face = FACES_OF_TYPE[card.type][0]
        if why_not_card(base, card.seat, face, card) is not None:
            continue
        state = SCHEMA.copy(base)
        drive = Drive(state, play_card(state, card.seat, face)).do(card.id)
        while drive.open is not None:
            request = drive.open
            assert game_laws.has_an_answer(request, rng), f"{card.id}: {request.prompt} {request.about}"
            drive.do(request.sample(rng))


def test_corsairs_who_may_not_enter_gondor_stay_in_umbar() -> None:
    state = table(steps={"southrons_easterlings": 0, "sauron": 1}, places={"umbar": {"sauron_regular": 3}})
    assert play(state, "corsairs_of_umbar").asked == "over"
    assert at(state, "umbar") == {"sauron_regular": 3}


def test_the_woses_lead_only_armies_that_may_enter_gondor() -> None:
    places = {"edoras": {"elves_regular": 2}, "westemnet": {"rohan_regular": 1}}
    state = table(steps={"rohan": 0, "elves": 1}, places=places)
    drive = play(state, "paths_of_the_woses")
    assert drive.asked == "over" and at(state, "edoras") == {"elves_regular": 2}
