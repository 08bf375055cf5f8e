"""The rule catalogue: every atomic rule of the rulebook, with page, German and English sentence.

The data lies in ``catalogue/*.yaml``, one file a chapter, one entry a rule:

``title_en``, ``title_de``, ``en``, ``de``
    short title and one sentence, in our own words
``heading``, ``page``
    where the German rulebook has it: heading and printed page
``part_en``
    the part of the English summary that has it too; absent where only the German book does
``kind``
    procedure, permission, prohibition, obligation, limit, timing or value
``refusable``
    whether a player can try something that breaks it
``with``
    the rule under which a player sees this one (the book says many things twice)
``numbers``, ``needs_box``
    values of the rule, and what only a printed component tells
``conflict_en``, ``conflict_de``, ``option``
    where the sources differ: which stands and why, and the house rule that switches it

Reading takes about a tenth of a second, so it waits until somebody looks.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.games.kit.catalogue import CatalogueFiles
from referee.kernel.refusals import Rule

FOLDER = Path(__file__).parent

CHAPTERS: Mapping[str, tuple[str, str]] = {
    "02_setup": ("II. Setting up", "II. Spielvorbereitungen"),
    "03_board": ("III. Components and board", "III. Spielmaterial im Detail"),
    "04_turn": ("IV. The turn", "IV. Der Spielzug"),
    "05_dice": ("V. Action dice", "V. Die Aktionswürfel"),
    "06_cards": ("VI. Event and story cards", "VI. Ereignis- und Geschichtenkarten"),
    "07_fate": ("VII. Fate", "VII. Schicksal"),
    "08_characters": ("VIII. Characters and leadership", "VIII. Charaktere und Führung"),
    "09_armies": ("IX. Armies", "IX. Armeen"),
    "10_combat": ("X. Combat", "X. Kampf"),
    "11_victory": ("XI. Victory", "XI. Siegbedingungen"),
    "12_additional": ("XII. Additional rules", "XII. Zusätzliche Regeln"),
}
"""Chapter id (file name) -> English and German title."""


FILES = CatalogueFiles(FOLDER, CHAPTERS)


def entries() -> Mapping[str, Mapping[str, Any]]:
    """All entries as they stand in the files, by rule id, each with its ``chapter`` added."""
    return FILES.entries


def seen_as() -> Mapping[str, str]:
    """Rule id -> the id of the rule under which a player sees it (itself, mostly)."""
    return FILES.seen_as


def _rule(rule_id: str, entry: Mapping[str, Any], atoms: tuple[str, ...]) -> Rule:
    part = entry.get("part_en", "")
    return Rule(
        id=rule_id,
        chapter=entry["chapter"],
        title_en=entry["title_en"],
        title_de=entry["title_de"],
        page_de=str(entry["page"]),
        page_en=part,
        sentence_en=entry["en"],
        sentence_de=entry["de"],
        refusable=entry["refusable"],
        atoms=atoms,
        note_en=entry.get("conflict_en", ""),
        note_de=entry.get("conflict_de", ""),
    )


CATALOGUE = FILES.catalogue(_rule)
"""The rules of The Battle of Five Armies, by id.  Pages are those of the German rulebook;
``page_en`` names the part of the English summary, as the English book's pages are not known."""
