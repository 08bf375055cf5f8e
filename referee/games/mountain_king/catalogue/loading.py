"""The rule catalogue: every atomic rule of the German rulebook, with heading, page where known, sentences.

The data lies in ``catalogue/*.yaml``, one file a part of the book, one entry a rule:

``title_en``, ``title_de``, ``en``, ``de``
    short title and one sentence, in our own words
``heading``, ``page``
    where the German rulebook has it; the page is "" where the book itself does not name it
``kind``
    procedure, permission, prohibition, obligation, limit, timing or value
``refusable``
    whether a player can try something that breaks it
``certainty``
    ``seed``: the book says it; ``derived``: it follows; ``open``: a ruling; ``box``: a component tells
``with``
    the rule under which a player sees this one (the book says many things twice)
``numbers``, ``needs_box``
    values of the rule, and whether a printed component is needed

Reading waits until somebody looks.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from referee.games.kit.catalogue import CatalogueFiles, Entry, rule_of
from referee.kernel.refusals import Rule

FILES = CatalogueFiles(Path(__file__).parent)


def _rule(rule_id: str, entry: Entry, atoms: tuple[str, ...]) -> Rule:
    """A rule with the rulings that touch it as its note: screens show both together."""
    rule = rule_of(rule_id, entry, atoms)
    rulings = [one for one in FILES.rulings.values() if rule_id in one["rules"]]
    return replace(
        rule,
        heading=entry["heading"],
        book_en="German rulebook",
        note_en=" ".join(f"{one['topic']}: {one['ruling']}" for one in rulings),
        note_de=" ".join(f"{one['topic_de']}: {one['ruling_de']}" for one in rulings),
    )


CATALOGUE = FILES.catalogue(_rule)
"""The rules of Fall of the Mountain King, by id.  Headings and pages are those of the German rulebook."""
