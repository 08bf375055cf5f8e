"""House rules: where the books differ or are silent, a table may choose; the header records it.

The first choice of each is the ruling that stands (see
``docs/war_of_the_ring_rulings.md``); the others are documented alternatives.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from referee.kernel.errors import InvalidAnswer

HOUSE_RULES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        # when a die gained or lost counts: from the next turn (by the official answers), or at once
        "die_change": ("next_turn", "at_once"),
    }
)
DEFAULT_HOUSE_RULES: Mapping[str, str] = MappingProxyType(
    {rule: ways[0] for rule, ways in HOUSE_RULES.items()}
)


def house_rules(chosen: Mapping[str, str]) -> Mapping[str, str]:
    """All house rules with those ``chosen``.  Raises :class:`InvalidAnswer` for one that does not exist."""
    for rule, way in chosen.items():
        if way not in HOUSE_RULES.get(rule, ()):
            known = ", ".join(f"{name} = {' | '.join(ways)}" for name, ways in HOUSE_RULES.items())
            raise InvalidAnswer(
                f"There is no house rule {rule} = {way}. Possible are: {known}.",
                f"Eine Hausregel {rule} = {way} gibt es nicht. Möglich sind: {known}.",
            )
    return MappingProxyType({**DEFAULT_HOUSE_RULES, **chosen})
