"""House rules: where the books differ or are silent, a table may choose; the header records it.

The first choice of each is the ruling that stands (see the rulings of the game
in ``docs/``); the others are documented alternatives.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from referee.kernel.errors import InvalidAnswer

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
        # how the list of the set-up's groups is read
        "setup_groups": ("a", "b"),
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
