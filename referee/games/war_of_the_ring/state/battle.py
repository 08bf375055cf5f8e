"""A running battle, as it stands between two of its questions.

The attacking army is everything of the attacker in ``start`` but the rearguard;
the defending army is everything of the defender in ``target``.  Either may be a
siege box: a siege battle has its target there, a sortie starts there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.games.kit import codecs
from referee.games.kit.codecs import each, flag, index, mask, number, text
from referee.games.kit.schema import Schema, declare
from referee.games.war_of_the_ring.box.components import CHARACTERS, DECKS, FIGURES, SEATS
from referee.games.war_of_the_ring.box.map import BOXES, PLACES, region_of
from referee.games.war_of_the_ring.state.armies import GROUP, pack
from referee.games.war_of_the_ring.state.card_data import CARDS, COMBAT_EFFECTS

BY_HAND = "card_by_hand"
"""``Side.card`` of a card whose effect its player declares."""
MOST_DICE = 5
STEPS = ("card", "roll", "reroll", "casualties", "end")
ENDS = ("ceased", "retreated", "withdrew", "destroyed", "beaten")
CEASED, RETREATED, WITHDREW, DESTROYED, BEATEN = ENDS
"""How a battle ends: the attacker ceases; the defender retreats, withdraws into a siege or is destroyed;
the attacker alone is destroyed."""
DRAWS = (*DECKS, "either")
"""What the Witch-king's side draws from; the last is :data:`EITHER_DECK`."""
EITHER_DECK = 2


@dataclass(slots=True, eq=False)
class Side:
    """What one side has done in the running combat round."""

    card: str = declare(text((*CARDS, BY_HAND)))
    """The card used in this round, :data:`BY_HAND` for one whose effect is declared by hand, "" for none."""
    deck: int = declare(index(DECKS, {-1: ""}, plain=True), start=-1)
    """The back of that card."""
    effect: str = declare(text(tuple(COMBAT_EFFECTS)))
    """Its combat effect, as :mod:`combat_data` knows it."""
    steps: list[dict[str, Any]] = declare(codecs.Json(list))
    """The declared effect of a card by hand, in the steps of :mod:`combat_data`."""
    cancelled: bool = declare(flag())
    forfeited: int = declare(number(-99, 99))
    """Points of Nazgul leadership that were forfeited."""
    silent: int = declare(mask(CHARACTERS, plain=True))
    """Mask of the characters whose leadership does not count in this round."""
    blank: int = declare(mask(CHARACTERS, plain=True))
    """Mask of the characters whose abilities are cancelled in this round."""
    add: int = declare(number(-99, 99))
    """Added to each die of the combat roll."""
    add_again: int = declare(number(-99, 99))
    """Added to each die of the leader re-roll."""
    most: int = declare(number(-99, 99), start=MOST_DICE)
    """The most dice in the combat roll that a card allows."""
    fewer: int = declare(number(-99, 99))
    """Dice that a card takes from the combat roll (one always stays)."""
    no_reroll: bool = declare(flag())
    ones_fail: bool = declare(flag())
    """Natural ones of the combat roll hit the own army and are not rolled again."""
    dice: int = declare(number(-99, 99))
    """Dice of the combat roll."""
    target: int = declare(number(-99, 99))
    """What a die of the combat roll must show to hit, before modifiers."""
    target_rule: str = declare(text())
    rolled: list[list[int]] = declare(codecs.Rows(3, 6))
    """Each die rolled, as [pips, 1 where it hit, 1 where it was rolled again]."""
    hits: int = declare(number(-99, 99))
    """Hits that the enemy will suffer in the casualty step."""
    scored: int = declare(number(-99, 99))
    """All hits scored in this round so far, those of attacks by cards included."""
    rerolled: int = declare(number(-99, 99))
    """Hits of the leader re-roll."""


SIDE = Schema(Side, short=True, in_files=True)


@dataclass(slots=True, eq=False)
class Battle:
    """Who fights where, and what has happened so far in this battle."""

    attacker: int = declare(index(SEATS), always=True)
    """The attacking seat."""
    start: int = declare(index(PLACES), file="from", always=True)
    """The place of the attacking army and its rearguard."""
    target: int = declare(index(PLACES), always=True)
    """The place of the defending army."""
    rear: int = declare(
        codecs.Packed(FIGURES, lambda figures: GROUP[figures].counts, pack), file="rearguard.units"
    )
    """Figures of the rearguard: they are no part of the battle."""
    rear_chars: int = declare(mask(CHARACTERS), file="rearguard.characters")
    """Characters of the rearguard."""
    round: int = declare(number(0, 99), always=True)
    """The combat round, 0 before the first."""
    rounds: int = declare(number(1, 99), start=1)
    """How many rounds a siege battle has without an elite being reduced."""
    no_cease: bool = declare(flag())
    """The attacker may not cease the attack (a card)."""
    free_card_needs_companion: bool = declare(flag())
    """In the first round the Free Peoples need a companion in the battle for a combat card (a card)."""
    shadow_dice_less: int = declare(number(0, MOST_DICE))
    """Dice that the Shadow's combat rolls lack in this battle (a card); one always stays."""
    negated: bool = declare(flag(), file="nazgul_negated")
    """Gandalf the White negates all Nazgul leadership in this battle."""
    witch_king_draws: int = declare(index(DRAWS, {-1: ""}, plain=True), start=-1)
    """The deck that the Shadow draws from after this round for the Witch-king (2: either), -1 for none."""
    ended: str = declare(text(ENDS))
    """How the battle ended, "" while it goes on: see :mod:`combat`."""
    step: str = declare(text(STEPS))
    """The step of the round, for screens: card, roll, reroll, casualties, end."""
    sides: list[Side] = declare(each(SEATS, codecs.Part(SIDE, always=True)), file="")

    @property
    def defender(self) -> int:
        """The defending seat."""
        return 1 - self.attacker

    @property
    def region(self) -> int:
        """The region in which the battle is fought."""
        return region_of(self.target)

    @property
    def siege(self) -> bool:
        """Whether it is a siege battle: the defenders are inside a stronghold."""
        return bool(BOXES >> self.target & 1)

    @property
    def sortie(self) -> bool:
        """Whether the attackers come out of a besieged stronghold."""
        return bool(BOXES >> self.start & 1)

    def place_of(self, seat: int) -> int:
        """Where the army of a seat stands."""
        return self.start if seat == self.attacker else self.target

    def new_round(self) -> None:
        """Forget what holds for one round only."""
        self.sides = [Side(), Side()]
        self.witch_king_draws = -1
        self.step = "card"


BATTLE = Schema(Battle, in_files=True)
