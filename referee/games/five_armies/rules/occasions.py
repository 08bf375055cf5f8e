"""Where cards speak in The Battle of Five Armies; the cards room registers what answers each occasion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.five_armies.rules.asking import Ask
from referee.games.five_armies.state.state import State
from referee.games.kit.occasions import Occasion
from referee.kernel.refusals import Refusal

can_play: Occasion[[State, int, int], bool] = Occasion("can_play")
"""(state, seat, face): whether the die may play a card."""
why_not_play: Occasion[[State, int, int], Refusal] = Occasion("why_not_play")
play_card: Occasion[[State, int, int], Ask] = Occasion("play_card")
resume_card: Occasion[[State], Ask] = Occasion("resume_card")
"""(state): what a card has still to do after the combat that it brought about."""
run_program: Occasion[[State, int, str, Sequence[Mapping[str, Any]]], Ask] = Occasion("run_program")
"""(state, seat, card, program): carry out the effect of a Fate card or of a general's ability."""
by_hand: Occasion[[State, int, str], Ask] = Occasion("by_hand")
"""(state, seat, what): an effect that nobody described, carried out by hand; it may fight."""
after_action_roll: Occasion[[State, int], Ask] = Occasion("after_action_roll")
"""(state, seat): the action dice were rolled."""
silenced_general: Occasion[[State], str] = Occasion("silenced_general")
"""(state): the general whose ability a card in play forbids ("" for none)."""
why_not_action: Occasion[[State, str], Refusal | None] = Occasion("why_not_action")
"""(state, action): why an action that a card in play offers is not open; None where it is."""
action: Occasion[[State, str, int], Ask] = Occasion("action")
"""(state, action, face): carry out an action that a card in play offers."""
