"""House rules: where the rule text is silent or tables differ; the header records what was chosen.

The first way of each is the ruling that stands (see ``docs/battlelore_rulings.md``).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from referee.games.kit.house import chosen_ways, default_ways

HOUSE_RULES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "range_count": ("distance", "both_ends"),
        "los_staggered": ("blocked", "open"),
        "los_board_rim": ("clear", "blocks"),
        "red_foot_fight_after_move": ("yes", "no"),
        "retreat_chooser": ("owner", "attacker"),
        "blocked_and_battle_back": ("yes", "no"),
        "blocked_and_support": ("kept", "lost"),
        "panic_roller": ("attacker", "owner"),
        "stronghold_for_whom": ("everybody", "dwarves"),
        "ground_after_bonus": ("no", "yes"),
        "follow_on_woods": ("stops", "no_effect", "ends"),
        "creature_gains_ground": ("ground", "neither", "both"),
        "store_in_battle_back": ("stored", "neither"),
        "trample_then_move": ("goes_on", "stays"),
        "trampled_banner": ("opponent", "cause", "nobody"),
        "cancelled_card_cost": ("lost", "refunded"),
        "creature_banner_counts": ("yes", "no"),
        "battle_back_after_bonus": ("yes", "no"),
        "lore_at_end": ("optional", "compulsory"),
        "creatures_from_elsewhere": ("each", "one"),
        "lore_without_master": ("one_card", "none"),
        "power_paid_by": ("both", "either"),
        "check_earns_lore": ("no", "yes"),
        "trampled_first": ("active", "owner"),
    }
)
DEFAULT_HOUSE_RULES = default_ways(HOUSE_RULES)


def house_rules(chosen: Mapping[str, str]) -> Mapping[str, str]:
    """All house rules with those ``chosen``.  Raises :class:`InvalidAnswer` for one that does not exist."""
    return chosen_ways(HOUSE_RULES, chosen)
