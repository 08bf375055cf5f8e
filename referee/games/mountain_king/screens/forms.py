"""Where tables may choose: as a form for screens."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.kit.house import form_of_ways
from referee.games.mountain_king.box.house import HOUSE_RULES
from referee.kernel.forms import Field
from referee.kernel.messages import Text


def house_rules_form() -> tuple[Field, ...]:
    """Each house rule; its first way is the ruling that stands."""
    return form_of_ways(HOUSE_RULES)


def box_book_form() -> tuple[Field, ...]:
    """Nothing by typing: boards are captured, cards are looked at."""
    return ()


def box_book_problems(values: Mapping[str, str]) -> list[Text]:
    """Nothing is told, so nothing contradicts."""
    return []
