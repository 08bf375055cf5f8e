"""Chapter VIII: generals' abilities, used in phase 5 directly before a Free Peoples die.

What the book tells is played here: the Lord of the Eagles moves or musters.
What only a card tells is resolved by hand (:mod:`by_hand`, where it is there).
"""

from __future__ import annotations

from referee.games.five_armies import eagles
from referee.games.five_armies.asking import Ask
from referee.games.five_armies.components import CHARACTER, CHARACTERS, GENERALS, LORD
from referee.games.five_armies.state import State
from referee.kernel.refusals import Refusal


def usable(state: State) -> int:
    """Mask of the generals whose ability may be used now."""
    if state.activated >> LORD & 1 and eagles.can_use_ability(state):
        return 1 << LORD
    return 0


def use(state: State, name: str) -> Ask:
    """Use a general's ability; his activation token is spent."""
    general = CHARACTER[name]
    state.activated &= ~(1 << general)
    if general == LORD:
        yield from eagles.use_ability(state)


def after_action_roll(state: State, seat: int) -> Ask:
    """What may follow the roll of the action dice (a card in play may re-roll one)."""
    return
    yield


def why_not(state: State) -> list[tuple[str, Refusal]]:
    """Abilities that are not open now, and why."""
    refused = []
    now = 0 if state.ability_used else usable(state)
    for general in GENERALS:
        if now >> general & 1:
            continue
        about = {"character": CHARACTERS[general]}
        if state.where[general] < 0:
            refusal = Refusal("general.in_play_only", "not_in_play", about)
        elif not state.activated >> general & 1:
            refusal = Refusal("general.ability_needs_token", "no_activation", about)
        elif state.ability_used:
            refusal = Refusal("general.one_per_action", "one_ability", about)
        else:
            refusal = Refusal("general.ability_timing", "ability_without_effect", about)
        refused.append((f"ability:{CHARACTERS[general]}", refusal))
    return refused
