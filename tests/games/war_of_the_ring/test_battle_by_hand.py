"""Combat cards of unknown effect, declared by their players and agreed by the opponent, in both editions."""

from __future__ import annotations

import pytest
from battle_driving import HERE, THERE, Counts, Fight, at, begin, ground
from ring_driving import where

from referee.games.war_of_the_ring.box.components import FREE, SHADOW
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.cards.combat_by_hand import WAYS
from referee.games.war_of_the_ring.cards.combat_data import NEEDS
from referee.games.war_of_the_ring.cards.combat_effects import EFFECTS
from referee.games.war_of_the_ring.rules.fighting import combat_dice, leadership
from referee.games.war_of_the_ring.state.battle import BY_HAND
from referee.games.war_of_the_ring.state.card_data import CARD_BIT, CARDS_OF
from referee.games.war_of_the_ring.state.state import ELIMINATED

ORCS, MEN = {"sauron_regular": 5, "nazgul": 2}, {"gondor_regular": 5, "gondor_leader": 1}
NONE = (1,) * 5


def declared(
    seat: str, *steps: str, orcs: Counts = ORCS, men: Counts = MEN, chars: dict[str, str] | None = None
) -> Fight:
    """The Shadow attacks; ``seat`` declares these steps for its Character card, the other agrees."""
    state = ground({HERE: orcs, THERE: men}, chars, edition="first")
    mine = SHADOW if seat == "shadow" else FREE
    state.hand[mine][0], state.deck[mine][0] = 1, 23
    fought = begin(state, "shadow", HERE, THERE)
    assert fought.asked == f"{seat} combat_card_back"
    fought.go("character", *steps)
    if fought.asked == f"{seat} combat_by_hand":
        fought.go("nothing_more")
    return fought.go("agree")


def test_every_way_is_a_known_primitive() -> None:
    for ways in WAYS:
        for step, argument, most in ways.values():
            assert step["do"] in EFFECTS
            assert bool(argument) == bool(most)


@pytest.mark.rule("combat_card.by_hand")
def test_the_opponent_hears_what_is_declared_and_may_object() -> None:
    state = ground({HERE: ORCS, THERE: MEN}, edition="first")
    state.hand[SHADOW][1], state.deck[SHADOW][1] = 1, 23
    fought = begin(state, "shadow", HERE, THERE).go("strategy", "add_combat", "2", "nothing_more")
    assert fought.asked == "free combat_by_hand_agree"
    assert fought.request.about["steps"] == {"add_combat": 2}
    fought.go("object")
    assert fought.asked == "shadow combat_by_hand"
    fought.go("add_combat", "1", "add_reroll", "1")
    assert fought.refused("add_combat") == "combat_card.by_hand"
    fought.go("nothing_more", "agree")
    side = fought.side("shadow")
    assert (side.card, side.add, side.add_again) == (BY_HAND, 1, 1)
    assert state.hand[SHADOW] == [0, 0]
    assert state.unseen_discards[SHADOW] == [0, 1]
    assert not state.shown[SHADOW]


@pytest.mark.rule("combat_card.by_hand")
def test_a_card_of_another_printing_is_declared_in_the_second_edition_too() -> None:
    state = ground({HERE: ORCS, THERE: MEN})
    state.hand[SHADOW][1], state.deck[SHADOW][1] = 1, 23
    fought = begin(state, "shadow", HERE, THERE).go("strategy")
    assert fought.asked == "shadow reveal_combat_card"
    assert BY_HAND in fought.request.options and len(fought.request.options) > 5  # type: ignore[attr-defined]
    fought.go(BY_HAND, "add_combat", "1", "nothing_more", "agree")
    assert (fought.side("shadow").card, fought.side("shadow").add) == (BY_HAND, 1)
    assert state.unseen_discards[SHADOW] == [0, 1] and not state.shown[SHADOW]


def test_the_last_card_that_may_lie_there_is_named_all_the_same() -> None:
    """What lies there may be of another printing, so the only known card is not taken for granted."""
    state = ground({HERE: ORCS, THERE: MEN})
    state.hand[SHADOW][1], state.deck[SHADOW][1] = 1, 0
    usable = [card for card in CARDS_OF[SHADOW] if card.deck == 1 and not NEEDS[card.combat]]
    for card in CARDS_OF[SHADOW]:
        if card.deck == 1 and card is not usable[0]:
            state.shown[SHADOW] |= CARD_BIT[card.id]
    fought = begin(state, "shadow", HERE, THERE).go("strategy")
    assert fought.request.options == (usable[0].id, BY_HAND)  # type: ignore[attr-defined]


def test_modifiers_dice_and_rerolls() -> None:
    fought = declared("free", "subtract_enemy", "most_dice", "3", "no_reroll")
    assert fought.request.dice == {"combat_shadow": 3}  # type: ignore[attr-defined]
    fought.go((5, 5, 6), NONE, (1,))
    assert fought.side("shadow").hits == 1
    fought = declared("shadow", "fewer_dice", "2", "add_both_armies", "1", "add_both_armies_reroll", "1")
    assert combat_dice(fought.state, fought.battle, FREE) == 3
    assert fought.side("free").add == fought.side("free").add_again == 1 == fought.side("shadow").add


def test_attacks_before_and_after() -> None:
    fought = declared("shadow", "attack_before", "3", "attack_before_easy", "1", "attack_after", "2")
    fought.go((5, 4, 1), (4,))
    assert at(fought.state, THERE)["gondor_regular"] == 3
    fought.go(NONE, (1, 1, 1), (1, 1), (1,), (5, 1))
    assert at(fought.state, THERE)["gondor_regular"] == 2


def test_hits_and_misses() -> None:
    fought = declared("free", "turn_misses", "2", "more_hits", "1", "cancel_hits", "2")
    fought.go((5, 5, 5, 1, 1), NONE, (1, 1), (1,))
    assert fought.side("free").hits == 3
    assert fought.side("shadow").hits == 1
    fought = declared("free", "ones_fail").go((1, 1, 4, 4, 4), NONE, (1, 1), (1,))
    assert at(fought.state, HERE)["sauron_regular"] == 3
    fought = declared("shadow", "sure_hit", "2").go(NONE, NONE, (1, 1), (1,))
    assert at(fought.state, THERE)["gondor_regular"] == 3


def test_own_hits() -> None:
    fought = declared("shadow", "own_hits_modifier", "2", "own_hits_dice", "3").go("1")
    assert fought.side("shadow").add == 1
    fought.go((1,) * 4, NONE, (1, 1), (1,), "2", (4, 3))
    assert at(fought.state, HERE)["sauron_regular"] == 2
    assert at(fought.state, THERE)["gondor_regular"] == 4


def test_forfeiting_and_silencing() -> None:
    chars = {"gimli": THERE, "legolas": THERE, "witch_king": HERE}
    fought = declared("free", "forfeit", "1", chars=chars).go("gimli")
    assert leadership(fought.state, fought.battle, FREE) == 2
    fought = declared("shadow", "forfeit", "3", "silence", chars=chars).go("legolas")
    assert leadership(fought.state, fought.battle, SHADOW) == 1
    assert leadership(fought.state, fought.battle, FREE) == 2
    assert combat_dice(fought.state, fought.battle, FREE) == 5


@pytest.mark.parametrize(
    ("seat", "way", "victim"),
    [
        ("free", "slay_nazgul", "nazgul"),
        ("free", "slay_minion", "witch_king"),
        ("shadow", "slay_leader", "gimli"),
    ],
)
def test_eliminating(seat: str, way: str, victim: str) -> None:
    chars = {"gimli": THERE, "witch_king": HERE}
    fought = declared(seat, way, chars=chars).go(NONE, NONE, (1,) * 4, (1, 1))
    if fought.asked.endswith("slay"):
        fought.go(victim)
    if victim == "nazgul":
        assert at(fought.state, HERE) == {"sauron_regular": 5, "nazgul": 1}
    else:
        assert where(fought.state, victim) == ELIMINATED


def test_a_leader_falls_for_hits() -> None:
    fought = declared("free", "sacrifice").go((6, 6, 1, 1, 1), NONE, (1, 1), (1,), "gondor_leader")
    assert at(fought.state, THERE) == {"gondor_regular": 4}


def test_leaving_and_cancelling() -> None:
    fought = declared("free", "leave").go("dead_marshes", {})
    assert at(fought.state, "dead_marshes") == MEN
    state = ground({HERE: ORCS, THERE: MEN}, edition="first")
    for seat in (FREE, SHADOW):
        state.hand[seat][0], state.deck[seat][0] = 1, 23
    fought = begin(state, "shadow", HERE, THERE)
    fought.go("character", "character", "add_combat", "2", "nothing_more", "agree")
    fought.go("cancel_card", "nothing_more", "agree")
    assert fought.side("shadow").cancelled
    assert fought.side("shadow").add == 0


def test_an_attacker_does_not_leave() -> None:
    fought = declared("shadow", "leave")
    assert fought.asked == "shadow combat_roll"
    assert PLACE[HERE] == fought.battle.start
