"""Rulings: questions that players asked, with the accepted answer, and what differs between the editions.

The data is ``catalogue/rulings.yaml``; each entry has ``edition`` (1 or 2),
``topic``, ``question``, ``answer``, ``authority`` and mostly the rulebook's ``page``.
:func:`document` writes ``docs/war_of_the_ring_rulings.md`` from it, in the form
of ``rulings_page.md``: ``python -m referee.games.war_of_the_ring.catalogue.rulings``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.kit.house import list_of_ways
from referee.games.war_of_the_ring.box.editions import DIFFERENCES
from referee.games.war_of_the_ring.box.house import HOUSE_RULES
from referee.games.war_of_the_ring.catalogue.loading import FILES


def document() -> str:
    """``docs/war_of_the_ring_rulings.md`` as text."""
    page = (FILES.folder / "rulings_page.md").read_text(encoding="utf-8")
    questions = []
    for topic in sorted({entry["topic"] for entry in FILES.rulings.values()}):
        questions.append(f"\n### {str(topic).replace('_', ' ').capitalize()}\n")
        questions += [_ruling(name, one) for name, one in FILES.rulings.items() if one["topic"] == topic]
    return page.format(
        differences="".join(_difference(entry) for entry in DIFFERENCES.values()),
        questions="".join(questions),
        house_rules=list_of_ways(HOUSE_RULES),
    )


def _difference(entry: Mapping[str, Any]) -> str:
    first, second = entry.get("words", (_cell(entry["first"]), _cell(entry["second"])))
    return f"| {entry['title']} | {first} | {second} |\n"


def _cell(value: bool | int) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _ruling(name: str, entry: Mapping[str, Any]) -> str:
    edition = "first edition" if entry["edition"] == 1 else "second edition"
    page = f", p. {entry['page']}" if "page" in entry else ""
    question = f"**{entry['question']}** (`{name}`, {edition})"
    return f"\n{question}  \n{entry['answer']}  \n*{entry['authority']}{page}*\n"


if __name__ == "__main__":
    print(document(), end="")
