"""Rulings: points on which the German rulebook is silent or contradicts itself, and how this referee decides.

The data is ``catalogue/rulings.yaml``.  Each entry has ``topic``, ``ruling``, ``why`` (with ``_de`` in
German), the other ``readings``, the ``rules`` it touches, how ``strength``-ful it is, and the ``house``
rule that switches it where there is one.  :func:`document` writes ``docs/mountain_king_rulings.md`` from
it: ``python -m referee.games.mountain_king.catalogue.rulings``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.kit.house import list_of_ways
from referee.games.mountain_king.box.house import HOUSE_RULES
from referee.games.mountain_king.catalogue.loading import FILES


def document() -> str:
    """``docs/mountain_king_rulings.md`` as text."""
    page = (FILES.folder / "rulings_page.md").read_text(encoding="utf-8")
    return page.format(
        rulings="".join(_ruling(name, entry) for name, entry in FILES.rulings.items()),
        house_rules=list_of_ways(HOUSE_RULES),
    )


def _ruling(name: str, entry: Mapping[str, Any]) -> str:
    rules = ", ".join(f"`{rule}`" for rule in entry["rules"])
    switch = f" House rule: `{entry['house']}`." if "house" in entry else ""
    return (
        f"\n### {entry['topic']} / {entry['topic_de']}\n\n`{name}` · {entry['strength']} · {rules}\n\n"
        f"**{entry['ruling']}** {entry['why']}{switch}\n\n"
        f"**{entry['ruling_de']}** {entry['why_de']}\n"
        f"\n*Other readings:* {'; '.join(entry['readings'])}\n"
    )


if __name__ == "__main__":
    print(document(), end="")
