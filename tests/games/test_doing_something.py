"""An option that can do nothing is refused before a die or a card is spent for it, in both games.

Cards are another matter: both books let a card be played whose text cannot be followed (Five Armies, page
15; War of the Ring, page 22, r19 and r58).
"""

from __future__ import annotations

from game_laws import Doing
from test_position_laws import FIVE, RING, game, options

from referee.games.five_armies.state import card_data as five_cards
from referee.games.war_of_the_ring.cards.card_play import BY_HAND
from referee.games.war_of_the_ring.state import card_data as ring_cards

FLOW = ("step", "active", "pending", "turn", "phase", "values")


def test_no_action_of_five_armies_spends_a_die_for_nothing() -> None:
    by_rule = (*five_cards.CARDS, "event_card_by_hand", "story_card_by_hand")
    cards = ("hand_event", "hand_story", "event_discard", "event_shown", "story_gone", "story_shown")
    doing = Doing(game(FIVE), (*FLOW, "dice", "ability_used"), cards, by_rule)
    for seed in range(14):
        doing.play(options(FIVE, seed), seed)
    assert doing.actions > 700
    assert not doing.idle, doing.idle


def test_no_action_of_war_of_the_ring_spends_a_die_for_nothing() -> None:
    doing = Doing(game(RING), (*FLOW, "unused", "used"), ("hand", "shown"), (*ring_cards.CARDS, *BY_HAND))
    for seed in range(3):
        doing.play(options(RING, seed), seed)
    assert doing.actions > 500
    assert not doing.idle, doing.idle
