"""House rules: where the books differ or are silent, a table may choose; the header records it.

The first choice of each is the ruling that stands (see
``docs/war_of_the_ring_rulings.md``); the others are documented alternatives.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from referee.games.kit.house import chosen_ways, default_ways

HOUSE_RULES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        # when a die gained or lost counts: from the next turn (by the official answers), or at once
        "die_change": ("next_turn", "at_once"),
    }
)
DEFAULT_HOUSE_RULES = default_ways(HOUSE_RULES)


def house_rules(chosen: Mapping[str, str]) -> Mapping[str, str]:
    """All house rules with those ``chosen``.  Raises :class:`InvalidAnswer` for one that does not exist."""
    return chosen_ways(HOUSE_RULES, chosen)
