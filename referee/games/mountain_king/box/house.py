"""House rules: where the book is silent, a table may choose; the header records it.

The first choice of each is the ruling that stands (``docs/mountain_king_rulings.md``).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from referee.games.kit.house import chosen_ways, default_ways

HOUSE_RULES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        # when a cavern must have been occupied for control to be gained
        "gain_occupied": ("turn_and_action", "action", "turn"),
        # whether the boost trigger counts where the pawn moves after a won attack
        "boost_after_attack": ("counts", "ignored"),
        # what the marker does at the end of the boost track
        "boost_end": ("stays", "goes_round"),
        # lairs printed inside a domain or beside a hall
        "lairs_score": ("yes", "no"),
        # pairs of wilds that may be covered for supply
        "wild_pairs": ("any", "one"),
        # a group without a symbol of its kind
        "wild_groups": ("allowed", "refused"),
        # how high honour for elder symbols goes beyond nine
        "elder_beyond": ("stays", "grows"),
        # set-up trolls in a cavern with another player's troll
        "shared_start": ("allowed", "refused"),
    }
)
DEFAULT_HOUSE_RULES = default_ways(HOUSE_RULES)


def house_rules(chosen: Mapping[str, str]) -> Mapping[str, str]:
    """All house rules with those ``chosen``.  Raises :class:`InvalidAnswer` for one that does not exist."""
    return chosen_ways(HOUSE_RULES, chosen)
