"""Where tables may choose: as a form for screens."""

from __future__ import annotations

from referee.games.kit.house import form_of_ways
from referee.games.mountain_king.box.house import HOUSE_RULES
from referee.kernel.forms import Field


def house_rules_form() -> tuple[Field, ...]:
    """Each house rule; its first way is the ruling that stands."""
    return form_of_ways(HOUSE_RULES)
