"""Lights: what each place under the board shows, as a pure value.

The palette gives each meaning a colour *and* a pattern; the tablet says the
same in words.  Nothing here knows about LEDs, wires or browsers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum


class Pattern(IntEnum):
    """How a light moves in time; the numbers go over the wire."""

    OFF = 0
    STEADY = 1
    PULSE = 2
    BLINK = 3
    CHASE = 4
    BREATHE = 5


@dataclass(frozen=True, slots=True)
class Light:
    """One place's light: red, green, blue 0..255 (linear, before gamma) and a pattern."""

    red: int
    green: int
    blue: int
    pattern: Pattern = Pattern.STEADY


class Meaning(Enum):
    """What a light says."""

    ORIGIN = "origin"
    TARGET = "target"
    SELECTED = "selected"
    REFUSED = "refused"
    FIGHT = "fight"
    CONTROL_A = "control_a"
    CONTROL_B = "control_b"
    OBJECTIVE_LOST = "objective_lost"
    WAITING_DICE = "waiting_dice"
    WAITING_PERSON = "waiting_person"
    AUDIT = "audit"


PALETTE: Mapping[Meaning, Light] = {
    Meaning.ORIGIN: Light(255, 190, 60, Pattern.PULSE),
    Meaning.TARGET: Light(40, 160, 255, Pattern.BREATHE),
    Meaning.SELECTED: Light(255, 255, 255, Pattern.STEADY),
    Meaning.REFUSED: Light(255, 60, 0, Pattern.BLINK),
    Meaning.FIGHT: Light(255, 30, 10, Pattern.CHASE),
    Meaning.CONTROL_A: Light(0, 60, 160, Pattern.STEADY),
    Meaning.CONTROL_B: Light(150, 20, 0, Pattern.STEADY),
    Meaning.OBJECTIVE_LOST: Light(200, 0, 90, Pattern.BREATHE),
    Meaning.WAITING_DICE: Light(120, 120, 120, Pattern.CHASE),
    Meaning.WAITING_PERSON: Light(80, 80, 80, Pattern.BREATHE),
    Meaning.AUDIT: Light(200, 0, 255, Pattern.PULSE),
}

Lights = Mapping[str, Light]
"""Place id (a region or box of the game's map) to its light; a place not named is dark."""
