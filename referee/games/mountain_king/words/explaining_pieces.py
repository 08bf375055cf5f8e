"""What pieces, symbols and tracks do, with the rule to read on at."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.mountain_king.box.components import KINDS
from referee.games.mountain_king.catalogue.loading import CATALOGUE, FILES
from referee.kernel.naming import Namer

NAMES: Mapping[str, tuple[str, ...]] = {"kind": KINDS}
RULES = FILES.piece_rules(NAMES)
"""Everything that can be explained, as (kind, id), and the rule to read on at."""


def explain(names: Namer, kind: str, name: str) -> dict[str, str] | None:
    """Title, text and rule; None where unknown."""
    rule = RULES.get((kind, name))
    if rule is None:
        return None
    title = names.name(name, kind)
    return {"title": title, "text": CATALOGUE[rule].sentence(names.language), "rule": rule}
