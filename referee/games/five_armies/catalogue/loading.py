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

from pathlib import Path

from referee.games.kit.catalogue import CatalogueFiles

FOLDER = Path(__file__).parent
FILES = CatalogueFiles(FOLDER)
CATALOGUE = FILES.catalogue()
"""The rules of The Battle of Five Armies, by id.  Pages are those of the German rulebook;
``page_en`` names the part of the English summary, as the English book's pages are not known."""
