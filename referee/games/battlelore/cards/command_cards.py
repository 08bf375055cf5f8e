"""Tactic cards: programs of primitives; one that nobody has described is resolved by hand."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.battlelore.box.decks import CommandCard
from referee.games.battlelore.cards import by_hand
from referee.games.battlelore.cards.effects import PRIMITIVES, Running
from referee.games.battlelore.rules import occasions
from referee.games.battlelore.state.fight import Fight
from referee.games.battlelore.state.state import State
from referee.games.kit.asking import Ask

RULES: Mapping[str, str] = {
    "Blue Banners": "command.known_blue_banners",
    "Darken the Sky": "command.known_darken_the_sky",
}
"""Rules of the printed cards that are known, by their names."""


@occasions.tactic.answered_by
def tactic(state: State, card: CommandCard) -> Ask:
    """Carry a tactic card out: what differs from an ordinary turn first, then its orders."""
    if not card.program:
        yield from by_hand.resolve(state, state.active, card.id, by_hand.COMMAND_STEPS)
        return
    run = Running(state.active, card.id, rule=RULES.get(card.same_as, "command.tactic_card"))
    yield from PRIMITIVES.run(state, run, sorted(card.program, key=lambda step: step["do"] == "order"))


@occasions.power.answered_by
def power(state: State, fight: Fight, name: str) -> Ask:
    """A creature's power whose card nobody has described: by hand."""
    seat = state.field.units[fight.attacker].seat
    yield from by_hand.resolve(state, seat, name, by_hand.POWER_STEPS)
