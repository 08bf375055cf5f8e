"""Whether a table tells odds: a house rule that no play depends on, so an option of its own in the header."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ODDS = "odds"
"""The key of the rule, in forms and in a header's options."""
ON_REQUEST, NEVER = "on_request", "never"


def may_be_told(header: Mapping[str, Any]) -> bool:
    """Whether the seats of a game may ask for odds: never in a tournament."""
    return not header["tournament"] and header["options"].get(ODDS, ON_REQUEST) != NEVER
