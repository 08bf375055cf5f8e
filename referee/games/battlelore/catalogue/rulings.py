"""Rulings: open points of the rule text with their readings, the one that stands, and why.

The data is ``catalogue/rulings.yaml``; :func:`document` writes ``docs/battlelore_rulings.md`` from it, in the
form of ``rulings_page.md``: ``python -m referee.games.battlelore.catalogue.rulings``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.games.battlelore.box.house import HOUSE_RULES
from referee.games.battlelore.catalogue.loading import FILES
from referee.games.kit.house import list_of_ways

PAGE = Path(__file__).parents[4] / "docs" / "battlelore_rulings.md"


def document() -> str:
    """``docs/battlelore_rulings.md`` as text."""
    page = (FILES.folder / "rulings_page.md").read_text(encoding="utf-8")
    points = "".join(_ruling(name, entry) for name, entry in FILES.rulings.items())
    return page.format(points=points, house_rules=list_of_ways(HOUSE_RULES))


def _ruling(name: str, entry: Mapping[str, Any]) -> str:
    readings: Mapping[str, str] = entry["readings"]
    others = "; ".join(f"({key}) {text}" for key, text in readings.items() if key != entry["stands"])
    house = f" House rule `{entry['house']}`." if "house" in entry else ""
    stands = readings[entry["stands"]]
    rules = ", ".join(f"`{rule}`" for rule in entry["rules"])
    return (
        f"\n### {entry['topic']}\n\n"
        f"`{name}` ({rules}). **{stands[:1].upper()}{stands[1:]}**, {entry['confidence']} confidence: "
        f"{entry['reason'].rstrip('.')}. Not: {others}.{house}\n"
    )


if __name__ == "__main__":
    PAGE.write_text(document(), encoding="utf-8")
