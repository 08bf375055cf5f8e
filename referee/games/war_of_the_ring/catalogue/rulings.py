"""Rulings: questions that players asked, with the accepted answer, and what differs between the editions.

The data is ``catalogue/rulings.yaml``; each entry has ``edition`` (1 or 2),
``topic``, ``question``, ``answer``, ``authority`` and mostly the rulebook's ``page``.
:func:`document` writes ``docs/war_of_the_ring_rulings.md`` from it:
``python -m referee.games.war_of_the_ring.catalogue.rulings``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from referee.games.war_of_the_ring.box.editions import FIRST, SECOND
from referee.games.war_of_the_ring.box.house import HOUSE_RULES
from referee.games.war_of_the_ring.catalogue.loading import FILES

HEAD = """# Rulings: War of the Ring

How the referee decides where players asked, where the editions differ, and what the first edition leaves
open. Announce this before play; a printed card or a tournament's own ruling wins. Each answer below is a
test. Written from `catalogue/rulings.yaml` by
`python -m referee.games.war_of_the_ring.catalogue.rulings`; pages are those of the second edition's
English rulebook.

## Two editions

A game's header names its edition; `referee/games/war_of_the_ring/box/editions.py` is the one place where they
differ.

| | first edition | second edition |
|---|---|---|
"""
DIFFERENCES: tuple[tuple[str, str, str], ...] = (
    ("known_cards", "Event cards", "resolved by hand, or known: effects are in the project"),
    ("hunt_minimum_after_move", "At least one Hunt die after the Fellowship moved last turn", ""),
    ("most_allocated", "Most dice put in the Hunt Box, besides the number of companions", ""),
    ("mordor_by_declaring", "Mordor is entered by declaring the Fellowship at its gates", ""),
    ("reveal_before_damage", "A tile that reveals moves the Fellowship before its damage", ""),
    ("one_stronghold_tile", "One tile at most for strongholds on a revealed Fellowship's way", ""),
    ("mouth_stops_at_strongholds", "The Mouth of Sauron is stopped by a besieged enemy stronghold", ""),
    ("gandalf_guide_character_only", "Gandalf as guide draws after Character cards only", ""),
    ("witch_king_needs_free_at_war", "The Witch-king waits for a Free Peoples nation At War", ""),
    ("witch_king_any_deck", "His first combat card lets the Shadow draw from either deck", ""),
)
"""Fields of :class:`editions.Edition` in the order of the table, in words."""
UNKNOWN = """
## What the first edition leaves open

- The texts of its Event cards are not known here, so each is resolved by hand: the player declares a step
  (move armies, place figures, dice against an army, ...), the referee checks it, the opponent agrees. Combat
  cards likewise.
- The units that start in Erebor are not known: the box book asks for them once.
- Its board is taken to have the second edition's borders; no difference was found.
- The texts of Gollum, Meriadoc and Peregrin are not known; the second edition's stand, and both hobbits may
  leave because of one tile (official answer).
- The tile that a stronghold on a revealed Fellowship's way costs is resolved after the damage of the tile
  that revealed it. Declared at the gates, the Fellowship enters Mordor; that is no choice.
- Official questions and answers for it are followed where they correct the book: a revealed Fellowship may
  end in a free town, and dice gained or lost count from the next turn.
"""


@cache
def rulings() -> Mapping[str, Mapping[str, Any]]:
    """All rulings by id."""
    found: Mapping[str, Mapping[str, Any]] = FILES.read("rulings")
    return found


def document() -> str:
    """``docs/war_of_the_ring_rulings.md`` as text."""
    parts = [HEAD, *_differences(), UNKNOWN, "\n## Questions\n"]
    topics = dict.fromkeys(entry["topic"] for entry in rulings().values())
    for topic in sorted(topics):
        parts.append(f"\n### {str(topic).replace('_', ' ').capitalize()}\n")
        parts += [_ruling(name, entry) for name, entry in rulings().items() if entry["topic"] == topic]
    parts.append("\n## House rules\n\nRecorded in the game's header; the first choice is what stands.\n\n")
    parts += [f"- `{name}`: {', '.join(f'`{way}`' for way in ways)}\n" for name, ways in HOUSE_RULES.items()]
    return "".join(parts)


def _differences() -> list[str]:
    rows = []
    for name, title, words in DIFFERENCES:
        first, second = getattr(FIRST, name), getattr(SECOND, name)
        if words:
            in_first, in_second = words.split(", or ")
        else:
            in_first, in_second = _cell(first), _cell(second)
        rows.append(f"| {title} | {in_first} | {in_second} |\n")
    return rows


def _cell(value: bool | int) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _ruling(name: str, entry: Mapping[str, Any]) -> str:
    edition = "first edition" if entry["edition"] == 1 else "second edition"
    page = f", p. {entry['page']}" if "page" in entry else ""
    question = f"**{entry['question']}** (`{name}`, {edition})"
    return f"\n{question}  \n{entry['answer']}  \n*{entry['authority']}{page}*\n"


if __name__ == "__main__":
    from pathlib import Path

    target = Path(__file__).parents[4] / "docs" / "war_of_the_ring_rulings.md"
    target.write_text(document(), encoding="utf-8")
