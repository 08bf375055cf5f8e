"""The rule catalogue: every atomic rule, with its heading, German and English sentence.

The data lies in ``catalogue/*.yaml``, one file a part of the rule text, one entry a rule:

``title_en``, ``title_de``, ``en``, ``de``
    short title and one sentence, in our own words
``heading``
    heading of the German summary under which it falls; it has no pages
``page_en``
    page of the English rulebook, for the few that are known
``kind``, ``certainty``
    procedure, permission, prohibition, obligation, limit, timing or value; how sure it is
``refusable``
    whether a player can try something that breaks it
``numbers``, ``needs_box``
    values of the rule, and what only a printed component tells

Reading waits until somebody looks.
"""

from __future__ import annotations

from pathlib import Path

from referee.games.kit.catalogue import CatalogueFiles, Entry
from referee.kernel.refusals import Rule

FILES = CatalogueFiles(Path(__file__).parent)


def _rule(rule_id: str, entry: Entry, atoms: tuple[str, ...]) -> Rule:
    return Rule(
        id=rule_id,
        chapter=entry["chapter"],
        title_en=entry["title_en"],
        title_de=entry["title_de"],
        page_de="",
        page_en=entry.get("page_en", ""),
        sentence_en=entry["en"],
        sentence_de=entry["de"],
        refusable=entry["refusable"],
        atoms=atoms,
        heading=entry["heading"],
    )


CATALOGUE = FILES.catalogue(_rule)
"""The rules of BattleLore, by id."""
