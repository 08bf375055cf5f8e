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

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.games.kit.catalogue import CatalogueFiles
from referee.kernel.refusals import Rule

FOLDER = Path(__file__).parent
FILES = CatalogueFiles(FOLDER)


def chapters() -> tuple[str, ...]:
    """The files of the catalogue, in the order of the rulebook's chapters."""
    return FILES.chapters


def entries() -> Mapping[str, Mapping[str, Any]]:
    """All entries as they stand in the files, by rule id, each with its ``chapter`` added."""
    return FILES.entries


def seen_as() -> Mapping[str, str]:
    """Rule id -> the id of the rule under which a player sees it (itself, mostly)."""
    return FILES.seen_as


BOOK = "rulebook of the second edition"


def _rule(rule_id: str, entry: Mapping[str, Any], atoms: tuple[str, ...]) -> Rule:
    page, section = str(entry["page"]), entry["section"]
    sheet_de = f"Übersicht der 1. Ausgabe: „{section}“." if section else ""
    sheet_en = f"Sheet of the first edition: “{section}”." if section else ""
    return Rule(
        id=rule_id,
        chapter=entry["chapter"],
        title_en=entry["title_en"],
        title_de=entry["title_de"],
        page_de=f"{page} (2. Ausgabe)",
        page_en=page,
        sentence_en=entry["en"],
        sentence_de=entry["de"],
        refusable=entry["refusable"],
        atoms=atoms,
        note_en=" ".join(filter(None, (entry.get("conflict_en", ""), sheet_en))),
        note_de=" ".join(filter(None, (entry.get("conflict_de", ""), sheet_de))),
        book_en=BOOK,
    )


CATALOGUE = FILES.catalogue(_rule)
"""The rules of War of the Ring, by id.  Pages are those of the second edition's English rulebook."""
