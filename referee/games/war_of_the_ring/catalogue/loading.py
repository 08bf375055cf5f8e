"""The rule catalogue: every atomic rule, with page and heading, German and English sentence.

The data lies in ``catalogue/*.yaml``, one file a part of a chapter, one entry a rule:

``title_en``, ``title_de``, ``en``, ``de``
    short title and one sentence, in our own words
``page``
    printed page (or pages) of the second edition's English rulebook
``section``
    heading of the first edition's German reference sheet that has it; "" where none does
``kind``
    procedure, permission, prohibition, obligation, limit, timing or value
``refusable``
    whether a player can try something that breaks it
``with``
    the rule under which a player sees this one (a book says many things twice)
``editions``
    the editions that it holds for; absent where it holds for both
``numbers``, ``needs_box``
    values of the rule, and what only a printed component tells
``conflict_en``, ``conflict_de``, ``option``
    where the sources differ: which stands and why, and the house rule that switches it

Reading waits until somebody looks.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from referee.games.kit.catalogue import CatalogueFiles, Entry, rule_of
from referee.kernel.refusals import Rule

FILES = CatalogueFiles(Path(__file__).parent)


def _rule(rule_id: str, entry: Entry, atoms: tuple[str, ...]) -> Rule:
    rule, page, section = rule_of(rule_id, entry, atoms), str(entry["page"]), entry["section"]
    sheet_de = f"Übersicht der 1. Ausgabe: „{section}“." if section else ""
    sheet_en = f"Sheet of the first edition: “{section}”." if section else ""
    return replace(
        rule,
        page_de=f"{page} (2. Ausgabe)",
        page_en=page,
        note_en=" ".join(filter(None, (rule.note_en, sheet_en))),
        note_de=" ".join(filter(None, (rule.note_de, sheet_de))),
        book_en="rulebook of the second edition",
    )


def _of_the_sheet(rule_id: str, entry: Entry, atoms: tuple[str, ...]) -> Rule:
    """The rule as the first edition's sheet has it: under its own heading, or nowhere."""
    return replace(rule_of(rule_id, entry, atoms), page_de="", page_en="", heading=entry["section"])


FIRST_EDITION = FILES.catalogue(_of_the_sheet)
"""The rules as a game of the first edition cites them."""
CATALOGUE = FILES.catalogue(_rule)
"""The rules of War of the Ring, by id.  Pages are those of the second edition's English rulebook."""
