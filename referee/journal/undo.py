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
from referee.journal.kinds import UNASKED
from referee.journal.line import line_of
from referee.journal.pending import PendingMatters
from referee.kernel.messages import Text

UndoKind = Literal["free", "consent", "arbiter"]

_WHY: Mapping[str, Text] = {
    "own": Text("journal.undo_free"),
    "revealed": Text("journal.undo_after_reveal"),
    "others": Text("journal.undo_of_others"),
    "tournament": Text("journal.undo_in_tournament"),
    "left": Text("journal.seat_resigned_others_play"),
    "decided": Text("journal.undo_of_ruling"),
    "agreed": Text("journal.undo_of_agreed_correction"),
    "corrected": Text("journal.undo_of_correction"),
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

    @property
    def text(self) -> Text:
        """Why it is of this class."""
        return _WHY[self.why]

    def as_json(self, language: str) -> dict[str, Any]:
        """For screens."""
        return {
            "kind": self.kind,
            "why": self.text.in_words(language),
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
    counted = [*line_of(before), *PendingMatters.of(before).sealed.values()]
    still = {event.number for event in line_of(events)} | {
        event.number for event in PendingMatters.of(events).sealed.values()
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
    if any(event.seat != seat and event.source not in UNASKED for event in undone):
        return "consent", "others"
    return "free", "own"
