"""House rules: where the books differ or are silent, a table may choose; the header records it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from referee.kernel.errors import InvalidAnswer
from referee.kernel.forms import Field
from referee.kernel.messages import Text

Ways = Mapping[str, tuple[str, ...]]
"""House rule to its ways; the first is the ruling that stands."""


def default_ways(rules: Ways) -> Mapping[str, str]:
    """The way of each house rule that stands where nobody chose."""
    return MappingProxyType({rule: ways[0] for rule, ways in rules.items()})


def chosen_ways(rules: Ways, chosen: Mapping[str, str]) -> Mapping[str, str]:
    """All house rules with those ``chosen``.  Raises :class:`InvalidAnswer` for one that does not exist."""
    for rule, way in chosen.items():
        if way not in rules.get(rule, ()):
            known = ", ".join(f"{name} = {' | '.join(ways)}" for name, ways in rules.items())
            raise InvalidAnswer(Text("kit.no_house_rule", rule=rule, way=way, known=known))
    return MappingProxyType({**default_ways(rules), **chosen})


def form_of_ways(rules: Ways, texts: str = "house") -> tuple[Field, ...]:
    """A field for each house rule, shipped with its first way; messages ``<texts>.<rule>`` are its words."""
    return tuple(
        Field(rule, ways, f"{texts}.{rule}", "form.group.house", domain=f"{texts}.{rule}", shipped=ways[0])
        for rule, ways in rules.items()
    )


def list_of_ways(rules: Ways) -> str:
    """The house rules as a list of a page, each with its ways."""
    return "".join(f"- `{rule}`: {', '.join(f'`{way}`' for way in ways)}\n" for rule, ways in rules.items())
