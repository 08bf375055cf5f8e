"""Rulings: points on which the books are silent or open, and how this referee decides them.

The data is ``catalogue/rulings.yaml``.  Each entry has ``topic``, ``ruling``,
``why`` and ``other`` (the other possible reading, where one was weighed), all
with ``_en`` and ``_de``, and the ``rules`` it touches; some name their ``page`` numbers, and the
house rule (``option``) that switches to the other reading.  :func:`document` writes
``docs/five_armies_rulings.md`` from it and from the conflicts between the
sources that the catalogue notes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.five_armies.box.house import HOUSE_RULES
from referee.games.five_armies.catalogue.loading import CATALOGUE, FILES
from referee.games.kit.house import list_of_ways


def document() -> str:
    """``docs/five_armies_rulings.md`` as text."""
    page = (FILES.folder / "rulings_page.md").read_text(encoding="utf-8")
    conflicts = (rule for rule, entry in FILES.entries.items() if "conflict_en" in entry)
    return page.format(
        rulings="".join(_ruling(name, entry) for name, entry in FILES.rulings.items()),
        conflicts="".join(map(_conflict, conflicts)),
        house_rules=list_of_ways(HOUSE_RULES),
    )


def _conflict(rule_id: str) -> str:
    rule, option = CATALOGUE[rule_id], FILES.entries[rule_id].get("option")
    switch = f" House rule / Hausregel: `{option}`." if option else ""
    return (
        f"\n**{rule.title_en} / {rule.title_de}** (`{rule_id}`, p./S. {rule.page_de})  \n"
        f"{rule.note_en}  \n{rule.note_de}{switch}\n"
    )


def _ruling(ruling_id: str, entry: Mapping[str, Any]) -> str:
    rules = ", ".join(f"`{rule}`" for rule in entry["rules"])
    pages = f" · p./S. {', '.join(map(str, entry['page']))}" if "page" in entry else ""
    switch = f" House rule / Hausregel: `{entry['option']}`." if "option" in entry else ""
    lines = [
        f"\n### {entry['topic_en']} / {entry['topic_de']}\n",
        f"`{ruling_id}` · {rules}{pages}\n",
        f"{entry['ruling_en']} {entry['why_en']}  ",
        f"{entry['ruling_de']} {entry['why_de']}",
    ]
    if "other_en" in entry:
        lines.append(f"\n*Other reading / andere Lesart:* {entry['other_en']} / {entry['other_de']}{switch}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(document(), end="")
