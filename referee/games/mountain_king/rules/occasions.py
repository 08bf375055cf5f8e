"""Moments of the rules at which champions may speak; :mod:`cards.abilities` registers what answers them."""

from __future__ import annotations

from referee.games.kit.asking import Ask
from referee.games.kit.occasions import Occasion
from referee.games.mountain_king.state.state import State

fell: Occasion[[State, int, int, int], None] = Occasion("fell")
"""A unit of a seat fell in a place; -1 for a troll."""
cannot_fall: Occasion[[State, int, int], list[int]] = Occasion("cannot_fall")
"""Champions of a seat in a place that do not fall."""
attack_strength: Occasion[[State, int, int], int] = Occasion("attack_strength")
"""What a seat's units in a place add to their number when they attack gnomes."""
control_strength: Occasion[[State, int, list[int]], None] = Occasion("control_strength")
"""What seats add to the numbers of their units in a place for control."""
passes_overrun: Occasion[[State, int], list[int]] = Occasion("passes_overrun")
"""Champions of a seat that may pass overrun caverns when advancing."""
raised: Occasion[[State, int, bool], Ask] = Occasion("raised")
"""Strength that a seat adds to an action, weak (True) or strong; may ask."""
in_turn: Occasion[[State, int], tuple[str, ...]] = Occasion("in_turn")
"""Abilities that a seat may use between its actions, as options."""
use: Occasion[[State, int, str], Ask] = Occasion("use")
"""Use one of them."""
after_strong_advance: Occasion[[State, int, list[int]], Ask] = Occasion("after_strong_advance")
"""Champions took part in a strong advance; returns how many weak actions follow."""
instant: Occasion[[State, int, int], Ask] = Occasion("instant")
"""A seat has just won a champion: its instant ability, or its star tag."""
end_of_wave: Occasion[[State, int], Ask] = Occasion("end_of_wave")
"""A seat's abilities before the wave is scored."""
hall_value: Occasion[[State, int], int] = Occasion("hall_value")
"""What a great hall is worth more."""
