"""Taking back: what it would undo, and who has to agree.

=========== =====================================================================================
free        nothing was revealed since, and only one's own answers are undone
consent     something was revealed, another seat's answer is undone, or a correction that all had
            agreed to: the others must agree
arbiter     in a tournament after dice or hidden information, or past an arbiter's decision
=========== =====================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from referee.journal.events import ARBITER, Event
from referee.journal.line import line_of
from referee.journal.standing import Standing

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
    "left": (
        "A seat resigned here, and the others play on: only the arbiter may go back behind that.",
        "Hier hat ein Platz aufgegeben, und die anderen spielen weiter: Nur die Spielleitung darf dahinter "
        "zurückgehen.",
    ),
    "decided": (
        "The arbiter decided here: only the arbiter may go back behind that.",
        "Hier hat die Spielleitung entschieden: Nur sie darf dahinter zurückgehen.",
    ),
    "agreed": (
        "The position was corrected here by agreement: that is undone by agreement as well. The answers that "
        "the correction removed then count again.",
        "Hier wurde die Stellung einvernehmlich berichtigt: Ebenso wird das zurückgenommen. Die Antworten, "
        "die die Berichtigung gestrichen hatte, gelten dann wieder.",
    ),
    "corrected": (
        "The position was corrected here: only the arbiter may undo that. The answers that the correction "
        "removed then count again.",
        "Hier wurde die Stellung berichtigt: Das darf nur die Spielleitung zurücknehmen. Die Antworten, die "
        "die Berichtigung gestrichen hatte, gelten dann wieder.",
    ),
}


@dataclass(frozen=True, slots=True)
class Undo:
    """One possible step back: to before event ``to``, undoing ``events``; ``why`` is a stable code.

    ``restores``: answers and sealed choices that a correction had removed and that count again.
    """

    kind: UndoKind
    why: str
    to: int
    events: tuple[int, ...]
    restores: tuple[int, ...] = ()

    def sentence(self, language: str) -> str:
        """Why it is of this class, in ``language``."""
        english, german = _WHY[self.why]
        return german if language == "de" else english

    def as_json(self, language: str) -> dict[str, Any]:
        """For screens."""
        return {
            "kind": self.kind,
            "why": self.sentence(language),
            "to": self.to,
            "events": list(self.events),
            "restores": list(self.restores),
        }

    def as_answer(self) -> dict[str, Any]:
        """As the event keeps it."""
        answer: dict[str, Any] = {"to": self.to, "class": self.kind, "why": self.why}
        return {**answer, "restores": list(self.restores)} if self.restores else answer


def undo_of(
    events: Sequence[Event], line: Sequence[Event], seat: str, tournament: bool, to: int | None = None
) -> Undo | None:
    """What ``seat`` would undo by going back to before event ``to`` (None: what was confirmed last).

    ``line`` is that of ``events``, the whole record.  None where there is nothing to take back.
    """
    if not line:
        return None
    first = line[-1].batch if to is None else to
    undone = [event for event in line if event.number >= first]
    if not undone:
        return None
    kind, why = _class_of(undone, seat, tournament)
    back = undone[0].number
    corrected = any(event.kind == "correction" for event in undone)
    # where an event is named that a correction had removed, only what came before it counts again
    limit = back if to is None else to
    restores = tuple(number for number in restored(events, back) if number < limit) if corrected else ()
    if restores and kind == "arbiter":
        why = "corrected"
    return Undo(kind, why, back, tuple(event.number for event in undone), restores)


def restored(events: Sequence[Event], to: int) -> tuple[int, ...]:
    """What counted before event ``to`` and was removed later by something other than taking back."""
    before = events[: to - 1]
    counted = [*line_of(before), *Standing.of(before).sealed.values()]
    still = {event.number for event in line_of(events)} | {
        event.number for event in Standing.of(events).sealed.values()
    }
    return tuple(sorted(event.number for event in counted if event.number not in still))


def _class_of(undone: Sequence[Event], seat: str, tournament: bool) -> tuple[UndoKind, str]:
    agreed = [event for event in undone if event.kind == "correction" and event.seat != ARBITER]
    if any(event.kind == "resignation" for event in undone):
        return "arbiter", "left"
    if any(event.kind != "answer" for event in undone if event not in agreed):
        return "arbiter", "decided"
    if agreed:
        return ("arbiter", "decided") if tournament else ("consent", "agreed")
    revealed = any(event.request is not None and event.request["reveals"] for event in undone)
    if revealed:
        return ("arbiter", "tournament") if tournament else ("consent", "revealed")
    # what a standing wish answered goes and comes with the answer that led to it
    if any(event.seat != seat and event.source != "wish" for event in undone):
        return "consent", "others"
    return "free", "own"
