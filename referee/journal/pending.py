"""What stands between answers: sealed parts, open objections, requests to take back, a resignation.

All of it follows from the events alone, so it survives a restart by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.journal.clocks import ClockState
from referee.journal.events import ARBITER, Event, moves
from referee.kernel.play import Outcome

ARBITER_AGREES = frozenset({"roll_asked"})
"""What an arbiter may agree to for all others; all else an arbiter decides by an event of its own."""


APPEALABLE = frozenset({"ruling", "stands", "correction", "take_back", "penalty", "time", "ended"})
"""Decisions of an arbiter that can be put to the head arbiter."""


def fork_of(event: Event) -> Mapping[str, Any] | None:
    """What a ``stopped`` event says of two continuations of the game; None: another stop."""
    fork = event.answer.get("fork") if event.kind == "stopped" and isinstance(event.answer, Mapping) else None
    return fork if isinstance(fork, Mapping) else None


@dataclass
class PendingMatters:
    """Folded over all events by :meth:`add`.

    ``sealed`` maps a seat to the event that holds its secret part; ``objection``
    is the open objection; ``asked`` an open request to take back or to correct,
    ``agreed`` the seats that agreed to it; ``stopped`` an unresolved fault of the rules;
    ``resigned`` the seat whose giving up ended the game; ``confirmed`` who confirmed the result;
    ``wishes`` what each seat wishes beforehand of questions in others' turns;
    ``differing`` the places where the board was found other than the record;
    ``discarded`` the complete readings of the open roll that were not taken; ``clock`` the clock;
    ``ended`` the agreement or the decision by which the game ended, ``handed_over`` whether the arbiter
    said that its slip or export was; ``appealable`` the arbiter's decisions that can be put to the head
    arbiter, each once.
    """

    sealed: dict[str, Event] = field(default_factory=dict)
    objection: Event | None = None
    asked: Event | None = None
    agreed: set[str] = field(default_factory=set)
    stopped: Event | None = None
    resigned: str | None = None
    confirmed: set[str] = field(default_factory=set)
    differing: tuple[str, ...] = ()
    wishes: dict[str, dict[str, str]] = field(default_factory=dict)
    discarded: list[Event] = field(default_factory=list)
    clock: ClockState = field(default_factory=ClockState)
    ended: Event | None = None
    handed_over: bool = False
    appealable: set[int] = field(default_factory=set)
    _parts: dict[int, Event] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, events: Iterable[Event]) -> PendingMatters:
        """What stands after ``events``."""
        standing = cls()
        for event in events:
            standing.add(event)
        return standing

    def outcome(self, seats: Sequence[str], played: Outcome | None) -> Outcome | None:
        """How a game of ``seats`` ended: as it was ``played``; by a resignation, which has the rule
        ``table.resignation`` and a winner where only one seat is left; or by agreement or decision, with
        the rule ``table.`` and how."""
        if self.ended is not None:
            answer = self.ended.answer
            params = {"seat": answer.get("seat"), "reason": answer["reason"]}
            return Outcome(tuple(answer["winners"]), f"table.{answer['how']}", params)
        if self.resigned is None:
            return played
        others = tuple(seat for seat in seats if seat != self.resigned)
        return Outcome(others if len(others) == 1 else (), "table.resignation", {"seat": self.resigned})

    @property
    def appeal(self) -> Event | None:
        """The open objection, where it was put to the head arbiter."""
        return self.objection if self.objection is not None and self.objection.kind == "appeal" else None

    @property
    def is_over(self) -> bool:
        """Whether the game was given up, or ended by agreement or decision."""
        return self.resigned is not None or self.ended is not None

    @property
    def first_throw(self) -> Event | None:
        """The first throw of the open roll that was not taken though it could have been as it stood."""
        for event in self.discarded:
            again = event.answer["why"] == "read_again"  # of the same dice, which lie there still
            if not again and event.evidence is not None and event.evidence["reading"]["status"] == "ok":
                return event
        return None

    def all_agree(self, playing: Iterable[str], *more: str) -> bool:
        """Whether all others of those ``playing`` have agreed to what is asked, ``more`` counted in, or an
        arbiter has where that is enough."""
        if self.asked is None:
            return False
        agreed = {*self.agreed, *more}
        if ARBITER in agreed:
            return self.asked.kind in ARBITER_AGREES
        return agreed >= set(playing) - {self.asked.seat}

    def add(self, event: Event) -> None:
        """Bring this up to ``event``, which comes next."""
        if event.seat == ARBITER and event.kind in APPEALABLE and not (event.evidence or {}).get("head"):
            self.appealable.add(event.number)
        if moves(event) or event.kind == "take_back":
            self._moved(event)
        handler = getattr(self, f"_on_{event.kind}", None)
        if handler is not None:
            handler(event)

    def _moved(self, event: Event) -> None:
        if event.kind == "take_back":
            self.sealed = {
                seat: part for seat, part in self.sealed.items() if part.number < event.answer["to"]
            }
            again = (self._parts[n] for n in event.answer.get("restores", ()) if n in self._parts)
            self.sealed |= {part.seat: part for part in again}
        elif event.kind == "resignation":
            kept = event.answer.get("keeps", ())
            self.sealed = {seat: part for seat, part in self.sealed.items() if seat in kept}
        else:
            self.sealed = {}
        self.asked = None
        self.agreed = set()
        self.confirmed = set()
        self.handed_over = False
        self.discarded = []

    def _on_sealed_part(self, event: Event) -> None:
        self.sealed[event.seat] = event
        self._parts[event.number] = event

    def _on_objection(self, event: Event) -> None:
        self.objection = event

    def _on_appeal(self, event: Event) -> None:
        self.objection = event
        self.appealable.discard(event.answer["about"])

    def _on_withdrawal(self, event: Event) -> None:
        self.objection = None

    def _on_ruling(self, event: Event) -> None:
        self.objection = None
        self.stopped = None
        if event.answer.get("reopens"):
            self.resigned = self.ended = None
            self.confirmed = set()
            self.handed_over = False

    def _on_correction(self, event: Event) -> None:
        self.objection = None
        self.stopped = None
        corrected = {one.get("place") for one in event.answer["primitives"]}
        self.differing = tuple(place for place in self.differing if place not in corrected)

    def _on_correction_asked(self, event: Event) -> None:
        self.asked = event
        self.agreed = set()

    def _on_board_check(self, event: Event) -> None:
        seen = {*event.answer["places"], *event.answer["mended"]}
        kept = tuple(place for place in self.differing if place not in seen)
        self.differing = (*kept, *event.answer["differing"])

    def _on_stands(self, event: Event) -> None:
        self.objection = None
        self.stopped = None

    def _on_take_back_asked(self, event: Event) -> None:
        self.asked = event
        self.agreed = set()

    def _on_draw_asked(self, event: Event) -> None:
        self.asked = event
        self.agreed = set()

    def _on_ended(self, event: Event) -> None:
        self.ended = event
        self.asked = None
        self.confirmed = set()

    def _on_handed_over(self, event: Event) -> None:
        self.handed_over = True

    def _on_roll_asked(self, event: Event) -> None:
        self.asked = event
        self.agreed = set()

    def _on_reading_discarded(self, event: Event) -> None:
        self.discarded.append(event)

    def _on_consent(self, event: Event) -> None:
        if event.answer["yes"]:
            self.agreed.add(event.seat)
        else:
            self.asked = None

    def _on_clock(self, event: Event) -> None:
        self.clock.add(event)

    def _on_time(self, event: Event) -> None:
        self.clock.add(event)

    def _on_stopped(self, event: Event) -> None:
        self.stopped = event

    def _on_resignation(self, event: Event) -> None:
        if not moves(event):
            self.resigned = event.seat

    def _on_wish(self, event: Event) -> None:
        self.wishes.setdefault(event.seat, {})[event.answer["wish"]] = event.answer["says"]

    def _on_result_confirmed(self, event: Event) -> None:
        self.confirmed.add(event.seat)
