"""Playing cards: dice, hands, requirements, cards by hand, and what every card's data must hold."""

from __future__ import annotations

from random import Random

import pytest
from card_driving import WAR, at, barred, play, table
from ring_driving import Drive, where

from referee.games.war_of_the_ring.box.components import (
    DECKS,
    F_ARMY,
    F_CHARACTER,
    F_EVENT,
    F_MUSTER,
    F_WEST,
    FREE,
    SHADOW,
    STRATEGY_DECK,
)
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.cards import by_hand
from referee.games.war_of_the_ring.cards.card_play import BY_HAND, can_play, play_card, why_not_card
from referee.games.war_of_the_ring.cards.conditions import CONDITIONS, met
from referee.games.war_of_the_ring.cards.primitives import PRIMITIVES
from referee.games.war_of_the_ring.game import GAME
from referee.games.war_of_the_ring.rules import decks
from referee.games.war_of_the_ring.rules.actions import use_die
from referee.games.war_of_the_ring.state.card_data import (
    CARD_BIT,
    CARDS,
    CARDS_OF,
    COMBAT_EFFECTS,
    FACES_OF_TYPE,
)
from referee.games.war_of_the_ring.state.state import SCHEMA, State
from referee.kernel.messages import languages
from referee.kernel.play import Play


def test_the_box_holds_four_decks_of_twenty_four() -> None:
    for seat in (FREE, SHADOW):
        for deck in range(len(DECKS)):
            numbers = [card.number for card in CARDS_OF[seat] if card.deck == deck]
            assert sorted(numbers) == list(range(1, 25))
    assert len(COMBAT_EFFECTS) == 38


@pytest.mark.parametrize("card", sorted(CARDS))
def test_every_card_is_described_and_named(card: str) -> None:
    found = CARDS[card]
    assert found.program or found.stays, "a card that does nothing"
    assert all(step["do"] in PRIMITIVES for step in found.program)
    assert found.combat in COMBAT_EFFECTS
    assert COMBAT_EFFECTS[found.combat].seat == found.seat
    assert found.type in FACES_OF_TYPE
    for condition in (found.needs, found.ends):
        assert not condition or condition in CONDITIONS
    for language in languages():
        assert GAME.messages.find(f"card.{card}", language)
        if found.needs:
            assert GAME.messages.find(f"reason.needs_{found.needs}", language)


@pytest.fixture(scope="module")
def moments() -> list[State]:
    """Positions between two actions of random games."""
    found: list[State] = []

    def note(running: Play[State]) -> None:
        if running.state.phase == 5 and running.state.battle is None:
            found.append(SCHEMA.copy(running.state))

    for seed in range(4):
        running = Play(GAME, GAME.new_state({}), audit=False, keep=False, on_milestone=note)
        rng = Random(seed)
        while running.request is not None and running.answered < 3000:
            running.answer_unchecked(running.request.sample(rng))
    return found


@pytest.mark.parametrize("card", sorted(CARDS))
def test_every_card_leaves_a_sound_position_whenever_it_can_be_played(
    card: str, moments: list[State]
) -> None:
    rng, found = Random(card), CARDS[card]
    fit = [
        moment
        for moment in moments
        if (
            moment.hand[found.seat][found.deck]
            or (moment.deck[found.seat][found.deck] and sum(moment.hand[found.seat]) < 6)
        )
        and not moment.shown[found.seat] & CARD_BIT[card]
        and met(moment, found.needs)
    ]
    for moment in rng.sample(fit, min(3, len(fit))):
        state = SCHEMA.copy(moment)
        state.step = "action"
        if not state.hand[found.seat][found.deck]:
            decks.draw(state, found.seat, found.deck)
        Drive(state, play_card(state, found.seat, F_EVENT)).do(card).play(rng)


# --- what stands in the way ------------------------------------------------------------------------------


@pytest.mark.rule("cards.play_with_die", refuses=True)
def test_the_icon_or_an_event_die_plays_a_card() -> None:
    state = table()
    card = CARDS["guards_of_the_citadel"]
    assert why_not_card(state, FREE, F_MUSTER, card) is None
    assert why_not_card(state, FREE, F_EVENT, card) is None
    assert why_not_card(state, FREE, F_WEST, card) is None
    drive = Drive(state, play_card(state, FREE, F_CHARACTER))
    assert drive.refused("guards_of_the_citadel") == "cards.play_with_die"


@pytest.mark.rule("cards.own_decks", "cards.from_hand", "cards.requirement", refuses=True)
def test_foreign_absent_and_unfit_cards_are_refused() -> None:
    state = table()
    state.hand[FREE][STRATEGY_DECK], state.deck[FREE][STRATEGY_DECK] = 0, 24
    drive = Drive(state, play_card(state, FREE, F_EVENT))
    assert drive.refused("corsairs_of_umbar") == "cards.own_decks"
    assert drive.refused("guards_of_the_citadel") == "cards.from_hand"
    assert drive.refused("challenge_of_the_king") == "cards.requirement"


@pytest.mark.rule("cards.discarded_for_good", refuses=True)
def test_a_played_card_does_not_come_back() -> None:
    state = table()
    play(state, "bilbos_song")
    state.hand[FREE][0], state.deck[FREE][0] = 1, 22
    drive = Drive(state, play_card(state, FREE, F_EVENT))
    assert drive.refused("bilbos_song") == "cards.discarded_for_good"


@pytest.mark.rule("cards.effects_are_mandatory")
@pytest.mark.ruling("r19", "r60")
def test_ruling_r19_r60_what_cannot_be_done_lapses() -> None:
    state = table(places={"lorien": {"sauron_regular": 1}}, captured="lorien")
    play(state, "celeborns_galadhrim")
    assert at(state, "lorien") == {"sauron_regular": 1}
    assert state.hand[FREE][1] == 1  # the card is drawn all the same


@pytest.mark.rule("cards.recruit_free_region", refuses=True)
@pytest.mark.ruling("r21")
def test_ruling_r21_no_recruits_among_the_enemy() -> None:
    state = table(
        company="gimli", chars={"legolas": "eastemnet"}, places={"eastemnet": {"sauron_regular": 1}}
    )
    drive = play(state, "riders_of_theoden")
    assert drive.asked == "free recruit_unit"  # Edoras is the only place left
    other = table(company="gimli", chars={"legolas": "eastemnet", "boromir": "folde"})
    other.figures[PLACE["folde"]] = 0
    drive = play(other, "riders_of_theoden")
    assert drive.options == {"edoras", "eastemnet", "folde"}
    taken = table(
        company="strider",
        chars={"legolas": "eastemnet", "gimli": "folde"},
        places={"eastemnet": {"sauron_regular": 1}},
    )
    drive = play(taken, "riders_of_theoden")
    assert drive.refused("eastemnet") == "cards.recruit_free_region"


@pytest.mark.rule("cards.recruit_all")
@pytest.mark.ruling("r57")
def test_ruling_r57_a_card_leaves_no_choice_of_fewer() -> None:
    state = table()
    assert play(state, "orcs_multiplying_again").asked == "over"
    assert at(state, "dol_guldur") == {"sauron_regular": 3}


@pytest.mark.rule("cards.move", refuses=True)
def test_an_army_that_joins_nobody_is_refused() -> None:
    state = table(
        steps=WAR,
        places={
            "moria": {"sauron_regular": 2},
            "dimrill_dale": {"sauron_regular": 1},
            "umbar": {"southrons_easterlings_regular": 1},
        },
    )
    drive = play(state, "shadows_gather")
    assert drive.refused("umbar") == "cards.move"
    assert drive.refused("khand") == "cards.move"


@pytest.mark.rule("cards.rules_still_apply", refuses=True)
def test_a_card_acts_only_where_it_says() -> None:
    state = table()
    drive = play(state, "many_kings_to_the_service_of_mordor")
    assert drive.refused("minas_tirith") == "cards.rules_still_apply"


@pytest.mark.rule("cards.draw_each_turn")
def test_more_than_six_cards_are_cut_down_at_once() -> None:
    state = table()
    state.hand[FREE], state.deck[FREE] = [3, 3], [21, 21]
    drive = Drive(state, decks.draw_one_of_each(state, FREE))
    assert drive.asked == "free discard"
    drive.do({"character": 1, "strategy": 1})
    assert state.hand[FREE] == [3, 3] and state.unseen_discards[FREE] == [1, 1]


@pytest.mark.rule("cards.hand_limit", refuses=True)
def test_no_fewer_may_be_discarded() -> None:
    state = table()
    state.hand[FREE], state.deck[FREE] = [4, 4], [20, 20]
    drive = Drive(state, decks.enforce_hand_limit(state, FREE))
    assert drive.refused({"character": 1}) == "cards.hand_limit"


@pytest.mark.rule("cards.draw_with_die")
def test_an_empty_deck_cannot_be_drawn_from() -> None:
    state = table()
    drive = Drive(state, decks.draw_choice(state, FREE)).do("character")
    assert state.hand[FREE] == [2, 1]
    state.deck[FREE][0], state.unseen_discards[FREE][0] = 0, 22
    assert decks.can_draw(state, FREE)
    drive = Drive(state, decks.draw_choice(state, FREE))
    assert drive.asked == "over" and state.hand[FREE] == [2, 2]


@pytest.mark.rule("cards.end_with_die", "cards.deck_exhausted", refuses=True)
def test_a_die_cannot_draw_from_empty_decks_or_end_what_is_not_there() -> None:
    state = table(places={"dale": {"north_regular": 1}})
    state.deck[FREE], state.unseen_discards[FREE] = [0, 0], [23, 23]
    drive = Drive(state, use_die(state, FREE, F_EVENT))
    assert drive.refused("draw_card") == "cards.deck_exhausted"
    assert drive.refused("end_card") == "cards.end_with_die"


# --- by hand ---------------------------------------------------------------------------------------------


@pytest.mark.rule("cards.by_hand")
def test_first_edition_cards_are_resolved_by_hand() -> None:
    state = table(edition="first", company="gimli", places={"dale": {"north_regular": 1}})
    assert can_play(state, FREE, F_MUSTER)
    drive = Drive(state, play_card(state, FREE, F_MUSTER))
    assert drive.options == set(BY_HAND)
    drive.do("strategy_card_by_hand", "place_figures", "north_elite", "1", "dale")
    assert drive.asked == "shadow by_hand_agree.place_figures"
    drive.do("agree", "done")
    assert at(state, "dale") == {"north_regular": 1, "north_elite": 1}
    assert state.hand[FREE] == [1, 0] and state.unseen_discards[FREE] == [0, 1]


def test_the_opponent_can_object_to_a_step() -> None:
    state = table(edition="first", corruption=3)
    drive = Drive(state, by_hand.resolve(state, FREE, "character"))
    drive.do("heal", "2", "object")
    assert state.corruption == 3 and drive.asked == "free by_hand"


@pytest.mark.parametrize("seat", [FREE, SHADOW])
def test_every_step_by_hand_can_be_carried_out(seat: int) -> None:
    rng = Random(seat)
    seen: set[str] = set()
    for number in range(60):
        state = table(
            edition="first",
            corruption=3,
            company="strider boromir legolas",
            ring="hollin",
            places={
                "dale": {"north_regular": 2, "north_leader": 1},
                "dagorlad": {"sauron_regular": 3, "nazgul": 1},
                "noman_lands": {"gondor_regular": 2},
            },
            chars={"gimli": "dale", "mouth_of_sauron": "dagorlad"},
            steps=WAR if number % 2 else None,
        )
        state.unused[seat][F_ARMY if seat else F_CHARACTER] = 1
        drive = Drive(state, by_hand.resolve(state, seat, "character"))
        while drive.open is not None and not drive.ended and state.battle is None:
            answer = drive.request.sample(rng)
            if drive.asked.endswith(" by_hand"):
                seen.add(answer)
            if "by_hand_agree" in drive.asked:
                answer = "agree"
            drive.do(answer)
    assert seen >= set(by_hand.steps(state, seat)) - {"activate_nation"}
    assert where(state, "gimli") != -1


def test_a_card_needs_no_die_when_the_ents_allow_it() -> None:
    assert barred(table(), "the_ents_awake_huorns").startswith("cards.requirement")
