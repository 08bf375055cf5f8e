"""Rulings: points on which the books are silent or open, and how this referee decides them.

The data is ``catalogue/rulings.yaml``.  Each entry has ``topic``, ``ruling``,
``why`` and ``other`` (the other possible reading, where one was weighed), all
with ``_en`` and ``_de``, and the ``rules`` it touches.  :func:`document` writes
``docs/five_armies_rulings.md`` from it and from the conflicts between the
sources that the catalogue notes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.five_armies.box.house import HOUSE_RULES
from referee.games.five_armies.catalogue.loading import CATALOGUE, FILES

HEAD = """# Rulings: The Battle of Five Armies

No official list of rulings was found for this game. Where the rulebook is silent or open, and where its
German and English texts differ, the referee decides as listed here. Announce this before play; a printed
card or a tournament's own ruling wins. Each ruling has a test. Written from
`referee/games/five_armies/catalogue/` by `python -m referee.games.five_armies.catalogue.rulings`.

Für dieses Spiel ist keine offizielle Regelauslegung bekannt. Wo das Regelheft schweigt oder offen ist und wo
deutscher und englischer Text sich unterscheiden, entscheidet der Schiedsrichter wie hier. Vor dem Spiel
ankündigen; die gedruckte Karte und die Auslegung eines Turniers gehen vor.
"""


def document() -> str:
    """``docs/five_armies_rulings.md`` as text."""
    parts = [HEAD, "\n## Open points / Offene Punkte\n"]
    parts.extend(_ruling(ruling_id, entry) for ruling_id, entry in FILES.rulings.items())
    parts.append("\n## Where the sources differ / Wo die Quellen sich unterscheiden\n")
    for rule_id, entry in FILES.entries.items():
        if "conflict_en" in entry:
            rule = CATALOGUE[rule_id]
            switch = f" House rule / Hausregel: `{entry['option']}`." if "option" in entry else ""
            parts.append(
                f"\n**{rule.title_en} / {rule.title_de}** (`{rule_id}`, p./S. {rule.page_de})  \n"
                f"{rule.note_en}  \n{rule.note_de}{switch}\n"
            )
    parts.append("\n## House rules / Hausregeln\n\n")
    parts.append("Recorded in the game's header; the first choice of each is the ruling above.\n\n")
    parts.extend(
        f"- `{name}`: {', '.join(f'`{way}`' for way in ways)}\n" for name, ways in HOUSE_RULES.items()
    )
    return "".join(parts)


def _ruling(ruling_id: str, entry: Mapping[str, Any]) -> str:
    rules = ", ".join(f"`{rule}`" for rule in entry["rules"])
    lines = [
        f"\n### {entry['topic_en']} / {entry['topic_de']}\n",
        f"`{ruling_id}` · {rules}\n",
        f"{entry['ruling_en']} {entry['why_en']}  ",
        f"{entry['ruling_de']} {entry['why_de']}",
    ]
    if "other_en" in entry:
        lines.append(f"\n*Other reading / andere Lesart:* {entry['other_en']} / {entry['other_de']}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(document(), end="")
