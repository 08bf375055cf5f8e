"""Chapter VIII: generals' abilities, used in phase 5 directly before a Free Peoples die (p. 19).

The Lord of the Eagles moves or musters; Thranduil shoots, Gandalf blasts (see
:mod:`ranged`).  An ability that the owner's box book describes
(``ability.<general>``, a program of primitives) runs like a card; one that
nobody has described is resolved by hand.
"""

from __future__ import annotations

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box.components import CHARACTERS, FREE
from referee.games.five_armies.rules import eagles, occasions, ranged
from referee.games.five_armies.rules.asking import Ask
from referee.games.five_armies.state.state import State
from referee.kernel.refusals import Refusal


def usable(state: State) -> int:
    """Mask of the generals whose ability may be used now."""
    mask = 0
    troubled = occasions.silenced_general(state) if state.table_cards else ""
    for general in box.GENERALS:
        if (
            state.activated >> general & 1
            and CHARACTERS[general] != troubled
            and _does_something(state, general)
        ):
            mask |= 1 << general
    return mask


def _does_something(state: State, general: int) -> bool:
    """Only of the Lord does the referee know when his ability is void; any other may be tried."""
    return general != box.LORD or eagles.can_use_ability(state)


def use(state: State, name: str) -> Ask:
    """Use a general's ability; his activation token is spent."""
    general = box.CHARACTER[name]
    state.activated &= ~(1 << general)
    program = state.values.get(f"ability.{name}")
    if general == box.LORD:
        yield from eagles.use_ability(state)
    elif program is not None:
        yield from occasions.run_program(state, FREE, f"ability.{name}", program)
    elif general == box.THRANDUIL:
        yield from ranged.archery(state)
    elif general == box.GANDALF:
        yield from ranged.blast(state)
    else:
        yield from occasions.by_hand(state, FREE, f"ability.{name}")


def why_not(state: State) -> list[tuple[str, Refusal]]:
    """Abilities that are not open now, and why."""
    refused = []
    now = 0 if state.ability_used else usable(state)
    for general in box.GENERALS:
        if now >> general & 1:
            continue
        name = CHARACTERS[general]
        about = {"character": name}
        if state.where[general] < 0:
            refusal = Refusal("general.in_play_only", "not_in_play", about)
        elif not state.activated >> general & 1:
            refusal = Refusal("general.ability_needs_token", "no_activation", about)
        elif state.ability_used:
            refusal = Refusal("general.one_per_action", "one_ability", about)
        elif occasions.silenced_general(state) == name:
            refusal = Refusal("cards.stay_in_play", "troubled_mind", about)
        else:
            refusal = Refusal("general.ability_timing", "ability_without_effect", about)
        refused.append((f"ability:{name}", refusal))
    return refused
