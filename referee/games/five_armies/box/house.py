"""House rules: where the books differ or are silent, a table may choose; the header records it.

The first choice of each is the ruling that stands (see the rulings of the game
in ``docs/``); the others are documented alternatives.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from referee.games.kit.house import chosen_ways, default_ways

HOUSE_RULES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        # which places make the seventh Shadow die: two settlements of a territory, or fortifications too
        "seventh_die": ("settlements", "settlements_or_fortifications"),
        # which dice the leader re-roll of a rally may take
        "rally_reroll": ("any", "failed"),
        # what moves Beorn besides the Will of the West: any die and a Wrath token, or a Character die and one
        "beorn_move": ("any_die", "character_die"),
        # when Bolg is ready: a Shadow army in the Valley, or control of a Valley settlement too
        "bolg_ready": ("army_in_valley", "army_or_control_in_valley"),
        # the rulings beorn_removes_tokens, elven_charge_and_regroup and redoubtable_twice
        "beorn_tokens": ("stay", "removed"),
        "elven_charge": ("rout", "neither"),
        "redoubtable": ("once", "each_time"),
        # how the list of the set-up's groups is read
        "setup_groups": ("a", "b"),
    }
)
DEFAULT_HOUSE_RULES = default_ways(HOUSE_RULES)


def house_rules(chosen: Mapping[str, str]) -> Mapping[str, str]:
    """All house rules with those ``chosen``.  Raises :class:`InvalidAnswer` for one that does not exist."""
    return chosen_ways(HOUSE_RULES, chosen)
