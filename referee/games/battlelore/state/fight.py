"""A running fight: who strikes whom, what was rolled, and how far it is carried out."""

from __future__ import annotations

from dataclasses import dataclass

from referee.games.battlelore.box.components import FACES, PLACES
from referee.games.kit import codecs
from referee.games.kit.codecs import flag, index, number, text
from referee.games.kit.schema import Schema, declare

ATTACK, BONUS_ATTACK, BATTLE_BACK = "attack", "bonus", "back"
KINDS = (ATTACK, BONUS_ATTACK, BATTLE_BACK)
STEPS = ("roll", "ground", "pursue", "bonus", "back", "again")
"""Where it goes on: the roll, gaining ground, pursuit, bonus attack, battle back, ground after a bonus
attack."""


@dataclass(slots=True, eq=False)
class Fight:
    """Units are numbers of the battlefield's list; hexes are where both stood when the blow was struck."""

    attacker: int = declare(number(0, 63))
    target: int = declare(number(0, 63))
    kind: str = declare(text(KINDS), start=ATTACK)
    step: str = declare(text(STEPS), start="roll")
    where: int = declare(index(PLACES))
    """The attacker's hex."""
    hex: int = declare(index(PLACES))
    """The target's hex."""
    start: int = declare(index(PLACES))
    """Where the attacker stood when the combat began."""
    faces: list[str] = declare(codecs.Json(list))
    hits: int = declare(number(0, 20))
    flags: int = declare(number(0, 20))
    # what cards did to this one blow
    fixed: int = declare(number(0, 9))
    """Dice that nothing can raise; 0: as usual."""
    shield: int = declare(number(0, 9))
    """Hits that do not count."""
    courage: int = declare(number(0, 9))
    """Levels of boldness that a card gives the target."""
    brave: bool = declare(flag())
    """No flag counts."""


FIGHT = Schema(Fight, short=True)
KNOWN_FACES = frozenset(FACES)
