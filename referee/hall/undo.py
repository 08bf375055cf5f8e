"""Taking back: what it would undo, and who has to agree.

=========== =====================================================================================
free        nothing was revealed since, and only one's own answers are undone
consent     something was revealed, or another seat's answer is undone: the others must agree
arbiter     in a tournament after dice or hidden information, or past an arbiter's decision
=========== =====================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from referee.record.events import Event

UndoKind = Literal["free", "consent", "arbiter"]

_WHY: Mapping[str, tuple[str, str]] = {
    "own": (
        "Nothing was revealed since: you may take this back freely.",
        "Seitdem wurde nichts aufgedeckt: Das kann frei zurückgenommen werden.",
    ),
    "revealed": (
        "Dice or something hidden were seen since: the others have to agree.",
        "Seitdem waren Würfel oder Verdecktes zu sehen: Die anderen müssen zustimmen.",
    ),
    "others": (
        "This would undo another seat's answer too: the others have to agree.",
        "Das nähme auch die Antwort eines anderen zurück: Die anderen müssen zustimmen.",
    ),
    "tournament": (
        "In a tournament only the arbiter may take back what was revealed.",
        "Im Turnier darf nur die Spielleitung zurücknehmen, was aufgedeckt wurde.",
    ),
    "decided": (
        "The arbiter decided here: only the arbiter may go back behind that.",
        "Hier hat die Spielleitung entschieden: Nur sie darf dahinter zurückgehen.",
    ),
}


@dataclass(frozen=True, slots=True)
class Undo:
    """One possible step back: to before event ``to``, undoing ``events``; ``why`` is a stable code."""

    kind: UndoKind
    why: str
    to: int
    events: tuple[int, ...]

    def sentence(self, language: str) -> str:
        """Why it is of this class, in ``language``."""
        english, german = _WHY[self.why]
        return german if language == "de" else english

    def as_json(self, language: str) -> dict[str, Any]:
        """For screens."""
        return {"kind": self.kind, "why": self.sentence(language), "to": self.to, "events": list(self.events)}


def undo_of(line: Sequence[Event], seat: str, tournament: bool, to: int | None = None) -> Undo | None:
    """What ``seat`` would undo by going back to before event ``to`` (None: what was confirmed last).

    None where there is nothing to take back.
    """
    if not line:
        return None
    first = line[-1].batch if to is None else to
    undone = [event for event in line if event.number >= first]
    if not undone:
        return None
    kind, why = _class_of(undone, seat, tournament)
    return Undo(kind, why, undone[0].number, tuple(event.number for event in undone))


def _class_of(undone: Sequence[Event], seat: str, tournament: bool) -> tuple[UndoKind, str]:
    if any(event.kind != "answer" for event in undone):
        return "arbiter", "decided"
    revealed = any(event.request is not None and event.request["reveals"] for event in undone)
    if revealed:
        return ("arbiter", "tournament") if tournament else ("consent", "revealed")
    if any(event.seat != seat for event in undone):
        return "consent", "others"
    return "free", "own"
