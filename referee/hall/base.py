"""What the parts of a table share: the keeper, what stands between answers, and the first checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.hall.board_check import BoardCheck
from referee.hall.keeper import Keeper
from referee.journal.errors import Frozen, GameOver, GameStopped, NotAllowed, NotPossible
from referee.journal.events import ARBITER, Draft, Event
from referee.journal.standing import Standing
from referee.kernel.errors import InvalidAnswer, NotYourTurn, StaleAnswer
from referee.kernel.naming import domain_of, namer
from referee.kernel.play import Outcome
from referee.kernel.requests import ChooseSecretly, Request


@dataclass
class Holding:
    """Why no answer is taken just now, though no event says so: a board check ``offered`` or under way.

    ``begun`` is the number of the last event when the walk began.
    """

    offered: bool = False
    walk: BoardCheck | None = None
    begun: int = 0


class Hall:
    """The common ground of :class:`referee.hall.table.Table`'s parts."""

    def __init__(self, keeper: Keeper) -> None:
        self.keeper = keeper
        self.guard = keeper.guard
        """Held while anything is read or changed; may be taken again by the same thread."""
        self.holding = Holding()

    @property
    def standing(self) -> Standing:
        """What stands between answers."""
        return self.keeper.standing

    @property
    def revision(self) -> int:
        """The number of the last event."""
        return self.keeper.revision

    @property
    def request(self) -> Request | None:
        """The open question, or None where the game is over."""
        return None if self.standing.resigned else self.keeper.request

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it runs.  A resignation has the rule ``table.resignation``."""
        return self.standing.outcome(self.seats, self.keeper.play.outcome)

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats of this game, in the game's order: those that its header's players name."""
        return self.keeper.seats

    @property
    def asked_seats(self) -> tuple[str, ...]:
        """The seats whose answer is awaited now."""
        request = self.request
        if request is None:
            return ()
        if isinstance(request, ChooseSecretly):
            return tuple(seat for seat in request.of if seat not in self.standing.sealed)
        return (request.seat,)

    def _record(self, drafts: list[Draft], openings: Mapping[int, Any] | None = None) -> list[Event]:
        return self.keeper.record(drafts, openings=openings)

    def _remark(self, seat: str, kind: str, answer: Any, *, source: str = "tablet") -> Event:
        """Record an event that leaves the position as it is."""
        return self._record([Draft(seat, source, kind, answer, self.keeper.play.digest())])[0]

    def _check_seat(self, seat: str) -> None:
        if seat not in self.seats:
            known = ", ".join(self.seats)
            raise InvalidAnswer(
                f"There is no seat {seat!r} in this game. Its seats are: {known}.",
                f"Einen Platz {seat!r} gibt es in diesem Spiel nicht. Die Plätze sind: {known}.",
            )

    def _check_playing(self, seat: str) -> None:
        self._check_seat(seat)
        if seat not in self.keeper.playing:
            raise NotPossible(
                "You have resigned: the others play on without you.",
                "Du hast aufgegeben: Die anderen spielen ohne dich weiter.",
            )

    def _check_revision(self, revision: int) -> None:
        """An answer is stale where the question has changed since ``revision``."""
        if self.keeper.question <= revision <= self.revision:
            return
        raise StaleAnswer(
            "The game has moved on since this was shown. Look at the new question and answer that.",
            "Die Partie ist inzwischen weiter. Bitte die neue Frage ansehen und diese beantworten.",
        )

    def _check_running(self) -> None:
        if self.standing.stopped is not None:
            raise GameStopped(
                "The game has stopped on a fault of the program. The arbiter can rule or correct.",
                "Die Partie steht wegen eines Programmfehlers. Die Spielleitung kann entscheiden "
                "oder berichtigen.",
            )
        if self.standing.objection is not None:
            raise Frozen(
                "An objection is open. It is withdrawn or the arbiter decides, then the game goes on.",
                "Ein Einspruch ist offen. Er wird zurückgezogen, oder die Spielleitung entscheidet; "
                "dann geht es weiter.",
            )
        if self.holding.offered or self.holding.walk is not None:
            raise Frozen(
                "The board is being compared with the record. Finish or skip that, then the game goes on.",
                "Das Brett wird mit dem Protokoll verglichen. Bitte erst beenden oder überspringen; "
                "dann geht es weiter.",
            )
        if self.request is None:
            raise GameOver(
                "The game is over. Its result can be confirmed, or the last step taken back.",
                "Die Partie ist zu Ende. Das Ergebnis kann bestätigt oder der letzte Schritt "
                "zurückgenommen werden.",
            )

    def _check_asked(self, seat: str) -> Request:
        """The open question, which must be for ``seat``."""
        self._check_seat(seat)
        self._check_running()
        request = self.request
        assert request is not None
        if isinstance(request, ChooseSecretly) and seat in self.standing.sealed:
            raise StaleAnswer(
                "Your choice is in already. Take it back first if you want another.",
                "Deine Wahl ist schon abgegeben. Bitte erst zurücknehmen, wenn es eine andere sein soll.",
            )
        if seat not in self.asked_seats:
            raise NotYourTurn(
                f"It is not your turn. Asked now: {self._names(self.asked_seats, 'en')}.",
                f"Du bist nicht an der Reihe. Gefragt ist jetzt: {self._names(self.asked_seats, 'de')}.",
            )
        return request

    def _names(self, seats: Iterable[str], language: str) -> str:
        return namer(self.keeper.game, language).names(seats, "seat")

    def _check_arbiter(self, seat: str) -> None:
        if seat != ARBITER:
            raise NotAllowed(
                "Only the arbiter may do this. Ask for a ruling with an objection.",
                "Das darf nur die Spielleitung. Mit einem Einspruch bittet man um eine Entscheidung.",
            )


def request_in_short(request: Request | None) -> dict[str, Any] | None:
    """The question as the record keeps it."""
    if request is None:
        return None
    return {
        "kind": request.kind,
        "prompt": request.prompt,
        "seat": request.seat,
        "about": dict(request.about),
        "domain": domain_of(request),
        "rule": request.rule,
        "reveals": request.reveals,
    }
