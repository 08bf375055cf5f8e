"""An option that can do nothing is refused before a die or a card is spent for it, in both games."""

from __future__ import annotations

from game_laws import Doing
from test_position_laws import FIVE, RING, game, options

from referee.games.war_of_the_ring.cards.card_play import BY_HAND
from referee.games.war_of_the_ring.state.card_data import CARDS

FLOW = ("step", "active", "pending", "turn", "phase", "values")


def test_no_action_of_five_armies_spends_a_die_or_a_card_for_nothing() -> None:
    by_hand = ("event_card_by_hand", "story_card_by_hand")  # what its players declare is theirs
    cards = ("hand_event", "hand_story", "event_discard", "event_shown", "story_gone", "story_shown")
    doing = Doing(game(FIVE), (*FLOW, "dice", "ability_used"), cards, by_hand)
    for seed in range(25):
        doing.play(options(FIVE, seed), seed)
    assert doing.actions > 1000
    assert not doing.idle, doing.idle


def test_no_action_of_war_of_the_ring_spends_a_die_for_nothing() -> None:
    """But a card whose condition is met may be played though nothing comes of it (page 22; r58)."""
    doing = Doing(game(RING), (*FLOW, "unused", "used"), ("hand", "shown"), (*CARDS, *BY_HAND))
    for seed in range(4):
        doing.play(options(RING, seed), seed)
    assert doing.actions > 500
    assert not doing.idle, doing.idle
