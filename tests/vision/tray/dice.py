"""Die types that the tests throw."""

from __future__ import annotations

from referee.kernel.dice import PIP_FACES, DieType

TYPES = (
    DieType("combat_white", "pip", PIP_FACES, "white"),
    DieType("combat_black", "pip", PIP_FACES, "black"),
    DieType(
        "action_a",
        "symbol",
        ("character", "character", "muster", "muster_army", "event", "will_of_the_west"),
        "blue",
    ),
    DieType(
        "action_b", "symbol", ("character", "army", "muster", "muster_army", "event", "lidless_eye"), "red"
    ),
    DieType(
        "battle",
        "symbol",
        ("green_helmet", "blue_helmet", "red_helmet", "flag", "sword_on_shield", "lore"),
        "ivory",
    ),
)
