"""Playing a record again, event by event, and asking of each whether the hall would have taken it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from referee.hall.base import request_in_short
from referee.hall.keeper import RULES_FAULTS
from referee.journal.events import ARBITER, Event, digest_of, moves
from referee.journal.line import corrected, follow, left_of, replay, snapshot_of
from referee.journal.standing import Standing
from referee.journal.undo import Undo, undo_of
from referee.kernel.errors import IllegalAnswer, RefereeError
from referee.kernel.play import Game, Outcome, Play, canonical_json
from referee.kernel.requests import ChooseSecretly, Request
from referee.kernel.seats import PlaysOn, TakesReactions, seats_of
from referee.kernel.together import ALWAYS, NEVER, Consent, Reaction

REMARKS = frozenset({"note", "penalty", "time", "stopped", "ruling", "objection", "withdrawal"})
ARBITERS = frozenset({"ruling", "penalty", "time", "correction", "stands"})
SNAPSHOT_EVERY = 25


class Illegal(Exception):
    """An event that the hall would not have recorded, and why."""

    def __init__(self, english: str, german: str) -> None:
        super().__init__(english)
        self.english = english
        self.german = german


def _by_silence(event: Event) -> bool:
    return "silence_s" in (event.evidence or {})


class Recheck:
    """One game being played again.  :meth:`take` the events in order."""

    def __init__(self, game: Game[Any], header: Mapping[str, Any]) -> None:
        self.game = game
        self.header = header
        self.seats = seats_of(game, header)
        self.standing = Standing()
        self.line: list[Event] = []
        self.events: list[Event] = []
        self.play: Play[Any] = Play(game, game.new_state(header["options"]))
        self._digest = self.play.digest()
        self._snapshots: dict[int, tuple[str, str]] = {}
        self._since = 0
        self._parts: dict[str, Event] = {}

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, as far as it was taken."""
        return self.standing.outcome(self.seats, self.play.outcome)

    @property
    def playing(self) -> set[str]:
        """The seats that have not resigned."""
        return set(self.seats) - set(left_of(self.line))

    def take(self, event: Event) -> None:
        """Check one event and play it.  Raises :class:`Illegal`."""
        if event.kind in ARBITERS and event.seat != ARBITER and not self._agreed_correction(event):
            raise Illegal("only an arbiter does this", "das darf nur eine Spielleitung")
        handler = getattr(self, f"_{event.kind}", None)
        if handler is not None:
            try:
                handler(event)
            except (KeyError, TypeError, AttributeError) as error:
                raise Illegal(f"its answer has not the form it needs ({error})",
                              f"seine Antwort hat nicht die nötige Form ({error})") from error  # fmt: skip
        elif event.kind not in REMARKS:
            raise Illegal(f"there is no kind {event.kind!r}", f"eine Art {event.kind!r} gibt es nicht")
        if handler is not None and (moves(event) or event.kind == "take_back"):
            self._digest = self.play.digest()
        if event.digest != self._digest:
            raise Illegal(
                "the position afterwards is another than the record says",
                "die Stellung danach ist eine andere, als das Protokoll sagt",
            )
        follow(self.line, event, self.events)
        self.standing.add(event)
        self.events.append(event)
        self._maybe_snapshot(event)

    def _agreed_correction(self, event: Event) -> bool:
        """Whether this corrects what its seat had asked for and all others had agreed to."""
        asked = self.standing.asked
        others = self.playing - {event.seat}
        return (
            event.kind == "correction"
            and asked is not None
            and asked.kind == "correction_asked"
            and asked.seat == event.seat
            and self.standing.agreed >= others
            and isinstance(event.answer, Mapping)
            and asked.answer["primitives"] == event.answer.get("primitives")
        )

    def _maybe_snapshot(self, event: Event) -> None:
        self._since += 1
        if self._since >= SNAPSHOT_EVERY and not self.play.since and self.line and self.line[-1] is event:
            self._snapshots[event.number] = snapshot_of(self.play)
            self._since = 0

    def _no_silence(self) -> Illegal:
        return Illegal(
            "silence counts as yes at home only, to taking back or a step by hand",
            "Schweigen gilt nur zu Hause als Ja, zu einer Rücknahme oder einem Schritt von Hand",
        )

    def _check_unsaid(self, event: Event, part: Request | None, value: Any) -> None:
        """What nobody tapped: by silence, or by a standing wish.  ``value`` None: it is still sealed."""
        if _by_silence(event):
            at_home = not self.header["tournament"]
            if not at_home or not isinstance(part, Consent) or value not in (None, part.silence):
                raise self._no_silence()
        elif event.source == "wish":
            said = self.standing.wishes.get(event.seat, {})
            if (
                not isinstance(part, Reaction)
                or value != part.decline
                or part.is_asked(said.get(part.wish, ALWAYS))
            ):
                raise Illegal("no standing wish says that", "kein hinterlegter Wunsch sagt das")

    # -- kinds that move the position --------------------------------------------------------------------

    def _answer(self, event: Event) -> None:
        request = self._open(event)
        if isinstance(request, ChooseSecretly):
            self._check_opened(request, event)
        elif event.seat != request.seat:
            raise Illegal(f"{request.seat} was asked", f"gefragt war {request.seat}")
        else:
            self._check_unsaid(event, request, event.answer)
        try:
            value = request.check(event.answer)
        except IllegalAnswer as error:
            rule = error.refusal.rule if error.refusal else "?"
            raise Illegal(f"illegal by rule {rule}: {error}", f"unerlaubt nach Regel {rule}") from error
        except RefereeError as error:
            raise Illegal(error.sentence_en, error.sentence_de) from error
        self._go(lambda: self.play.answer(value))

    def _open(self, event: Event) -> Request:
        """The open question, which must be the one that the event says it answers."""
        request = self.play.request
        if self.standing.objection is not None or self.standing.stopped is not None:
            raise Illegal("the game was frozen", "die Partie war angehalten")
        if request is None or self.standing.resigned:
            raise Illegal("the game was over", "die Partie war zu Ende")
        if not _is_same(event.request, request):
            raise Illegal(
                f"it answers another question than was open ({request.prompt} to {request.seat})",
                f"es beantwortet eine andere Frage, als offen war ({request.prompt} an {request.seat})",
            )
        return request

    def _sealed_part(self, event: Event) -> None:
        request = self._open(event)
        if not isinstance(request, ChooseSecretly) or event.seat not in request.of:
            raise Illegal("no secret choice of this seat was open", "eine geheime Wahl war nicht offen")
        if event.seat in self.standing.sealed:
            raise Illegal("this seat had chosen already", "dieser Platz hatte schon gewählt")
        if not isinstance(event.answer["sealed"], str):
            raise Illegal("the sealed choice is missing", "die versiegelte Wahl fehlt")
        self._check_unsaid(event, request.of[event.seat], None)

    def _check_opened(self, request: ChooseSecretly, event: Event) -> None:
        opened = (event.evidence or {})["opened"]
        if set(self.standing.sealed) != set(request.of) or event.seat != "*":
            raise Illegal("not all had chosen", "es hatten noch nicht alle gewählt")
        for seat, part in self.standing.sealed.items():
            opening = {"seat": seat, "value": event.answer[seat], "nonce": opened[seat]["nonce"]}
            if digest_of(opening) != part.answer["sealed"]:
                raise Illegal(
                    f"{seat} had sealed another choice", f"{seat} hatte eine andere Wahl versiegelt"
                )
            self._check_unsaid(part, request.of[seat], event.answer[seat])

    def _stands(self, event: Event) -> None:
        request = self._open(event)
        try:
            request.check(event.answer["value"])
        except IllegalAnswer:
            self._go(lambda: self.play.answer_unchecked(event.answer["value"]))
            return
        except RefereeError as error:
            raise Illegal(error.sentence_en, error.sentence_de) from error
        raise Illegal("what stands there was legal anyway", "was da gelten soll, war ohnehin erlaubt")

    def _correction(self, event: Event) -> None:
        to = event.answer["to"]
        since = len(self.play.since)
        expected = self.line[-since].number if since else event.number
        if to != expected:
            raise Illegal(
                f"a correction here goes back to before event {expected}, not {to}",
                f"eine Berichtigung geht hier vor Ereignis {expected} zurück, nicht {to}",
            )
        base = self._replayed(to)
        try:
            self.play = corrected(base, event.answer["primitives"])
        except RULES_FAULTS as error:
            raise Illegal(
                f"the correction is impossible: {error}", f"die Berichtigung ist unmöglich: {error}"
            ) from error

    def _take_back(self, event: Event) -> None:
        undo = self._undo(event)
        sealed = self.standing.sealed.get(event.seat)
        if sealed is not None and sealed.number == event.answer["to"]:
            return
        if undo is None or undo.to != event.answer["to"]:
            raise Illegal("there was nothing to take back", "es gab nichts zurückzunehmen")
        if event.seat != ARBITER and undo.kind != "free" and not self._agreed(event, undo.kind):
            raise Illegal(
                "the others had not agreed to take this back",
                "die anderen hatten der Rücknahme nicht zugestimmt",
            )
        # none in a record of an older program; not all where it goes back further than the correction
        again = tuple(event.answer.get("restores", ()))
        if again != undo.restores[: len(again)]:
            raise Illegal(
                "it lets other answers count again than the correction had removed",
                "sie lässt andere Antworten wieder gelten, als die Berichtigung gestrichen hatte",
            )
        line = [one for one in self.line if one.number < undo.to]
        line += [one for one in (self.events[number - 1] for number in again) if moves(one)]
        self.play = replay(self.game, self.header["options"], line, self._snapshots)[0]

    def _undo(self, event: Event) -> Undo | None:
        tournament = bool(self.header["tournament"])
        return undo_of(self.events, self.line, event.seat, tournament, event.answer["to"])

    def _agreed(self, event: Event, kind: str) -> bool:
        asked = self.standing.asked
        others = self.playing - {event.seat}
        return (
            kind == "consent"
            and asked is not None
            and asked.seat == event.seat
            and asked.answer["to"] == event.answer["to"]
            and self.standing.agreed >= others
        )

    def _replayed(self, to: int) -> Play[Any]:
        line = [one for one in self.line if one.number < to]
        return replay(self.game, self.header["options"], line, self._snapshots)[0]

    def _go(self, step: Any) -> None:
        try:
            step()
        except RULES_FAULTS as error:
            raise Illegal(f"the rules fail on it: {error}", f"die Regeln scheitern daran: {error}") from error

    # -- kinds that do not ------------------------------------------------------------------------------

    def _take_back_asked(self, event: Event) -> None:
        if self._undo(event) is None:
            raise Illegal("there was nothing to take back", "es gab nichts zurückzunehmen")

    def _consent(self, event: Event) -> None:
        asked = self.standing.asked
        if asked is None or asked.number != event.answer["asks"] or asked.seat == event.seat:
            raise Illegal("nobody had asked for this consent", "um diese Zustimmung hatte niemand gebeten")
        if event.seat not in self.playing:
            raise Illegal("this seat had resigned", "dieser Platz hatte aufgegeben")
        if _by_silence(event) and (
            self.header["tournament"] or asked.kind != "take_back_asked" or not event.answer["yes"]
        ):
            raise self._no_silence()

    def _correction_asked(self, event: Event) -> None:
        if self.header["tournament"] or event.seat not in self.seats:
            raise Illegal("only an arbiter corrects here", "hier berichtigt nur eine Spielleitung")
        if not isinstance(event.answer["primitives"], list):
            raise Illegal("it corrects nothing", "sie berichtigt nichts")

    def _board_check(self, event: Event) -> None:
        if event.seat not in (*self.seats, ARBITER):
            raise Illegal(
                "nobody of this table compared the board", "niemand von diesem Tisch hat verglichen"
            )
        answer = event.answer
        visited = set(answer["places"])
        if not visited >= {*answer["mended"], *answer["differing"]} or (answer["complete"] and not visited):
            raise Illegal(
                "it tells of places that it did not visit", "sie nennt Felder, die nicht verglichen wurden"
            )

    def _resignation(self, event: Event) -> None:
        if event.seat not in self.playing or self.outcome is not None:
            raise Illegal("nobody could resign here", "hier konnte niemand aufgeben")
        plays_on = isinstance(self.game, PlaysOn) and self.game.plays_on_without(self.play.state, event.seat)
        if plays_on != moves(event):
            raise Illegal(
                "whether the others play on is told otherwise than the rules say",
                "ob die anderen weiterspielen, steht hier anders als in den Regeln",
            )
        if plays_on:
            self._go(lambda: self.play.leave(event.seat))

    def _wish(self, event: Event) -> None:
        wishes = self.game.wishes if isinstance(self.game, TakesReactions) else {}
        known = wishes.get(event.answer["wish"])
        if event.seat not in self.playing or known is None:
            raise Illegal("this game knows no such wish", "einen solchen Wunsch kennt dieses Spiel nicht")
        if event.answer["says"] not in (NEVER, ALWAYS, *known):
            raise Illegal("this game knows no such wish", "einen solchen Wunsch kennt dieses Spiel nicht")

    def _result_confirmed(self, event: Event) -> None:
        outcome = self.outcome
        if outcome is None or event.answer != outcome.as_json():
            raise Illegal("this is not the result", "das ist nicht das Ergebnis")


def _is_same(recorded: Mapping[str, Any] | None, request: Request) -> bool:
    """Whether an event answers ``request``; earlier records do not name the domain."""
    asked = json.loads(canonical_json(request_in_short(request)))
    return recorded is not None and {"domain": asked["domain"], **recorded} == asked
