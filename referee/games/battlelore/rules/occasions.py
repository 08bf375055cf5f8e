"""Occasions of this game: moments at which command cards, lore cards and creatures' powers speak."""

from __future__ import annotations

from referee.games.battlelore.box.decks import CommandCard
from referee.games.battlelore.state.fight import Fight
from referee.games.battlelore.state.state import State
from referee.games.kit.asking import Ask
from referee.games.kit.occasions import Occasion

tactic: Occasion[[State, CommandCard], Ask] = Occasion("tactic")
"""A tactic card is carried out: it orders units and changes the turn."""
may_play_lore: Occasion[[State, int, str], bool] = Occasion("may_play_lore")
"""Whether a seat could play a lore card now, as far as the referee knows its hand."""
own_lore: Occasion[[State, int, str], Ask] = Occasion("own_lore")
"""A seat may play a lore card of a phase of its own turn."""
reaction: Occasion[[State, int, str], Ask] = Occasion("reaction")
"""A seat may react to what the other one does."""
power: Occasion[[State, Fight, str], Ask] = Occasion("power")
"""A creature uses one of its powers."""
