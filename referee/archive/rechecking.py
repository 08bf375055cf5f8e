"""Playing a record again, event by event, and asking of each whether the hall would have taken it."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from referee.archive.exchange import shown
from referee.archive.forms import wrong_form
from referee.archive.table_checks import Illegal, TableChecks, asked_otherwise, is_same
from referee.hall.dice import corrected_faces
from referee.hall.live_game import RULES_FAULTS
from referee.journal.events import ARBITER, TOGETHER, Event, digest_of, moves
from referee.journal.kinds import KINDS, ROLL, SOURCES, Kind
from referee.journal.line import corrected, follow, replay, snapshot_of
from referee.journal.pending import APPEALABLE, ARBITER_AGREES, PendingMatters
from referee.journal.undo import Undo, undo_of
from referee.kernel.at_table import first_state
from referee.kernel.capabilities import PlaysOn, TakesReactions
from referee.kernel.errors import IllegalAnswer, InvalidAnswer, RefereeError
from referee.kernel.messages import Text
from referee.kernel.naming import InWords, Namer, domain_of, named, told_rule
from referee.kernel.play import Game, Play, canonical_json
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseSecretly, Request, RollDice
from referee.kernel.seats import seats_of
from referee.kernel.together import ALWAYS, NEVER, Consent, Reaction
from referee.store.pictures import DIGEST

log = logging.getLogger(__name__)
SNAPSHOT_EVERY = 25


def _by_silence(event: Event) -> bool:
    return "silence_s" in (event.evidence or {})


class Recheck(TableChecks):
    """One game being played again.  :meth:`take` the events in order."""

    def __init__(self, game: Game[Any], header: Mapping[str, Any]) -> None:
        self.game = game
        self.header = header
        self.seats = seats_of(game, header)
        self.standing = PendingMatters()
        self.line: list[Event] = []
        self.events: list[Event] = []
        self.play: Play[Any] = Play(game, first_state(game, header["options"]))
        strange = next((seat for seat in header["players"] if seat not in game.seats), None)
        if strange is not None:
            raise InvalidAnswer(Text("archive.no_such_seat", seat=shown(strange)))
        self._digest = self.play.digest()
        self._snapshots: dict[int, tuple[str, str]] = {}
        self._since = 0
        self._handlers: Mapping[str, Callable[[Event], None]] = {
            "answer": self._answer,
            "sealed_part": self._sealed_part,
            "stands": self._stands,
            "correction": self._correction,
            "correction_asked": self._correction_asked,
            "take_back": self._take_back,
            "take_back_asked": self._take_back_asked,
            "reading_discarded": self._reading_discarded,
            "roll_asked": self._roll_asked,
            "clock": self._clock,
            "draw_asked": self._draw_asked,
            "ended": self._ended,
            "handed_over": self._handed_over,
            "time": self._time,
            "penalty": self._check_about,
            "consent": self._consent,
            "objection": self._objection,
            "appeal": self._appeal,
            "withdrawal": self._withdrawal,
            "ruling": self._ruling,
            "board_check": self._board_check,
            "resignation": self._resignation,
            "wish": self._wish,
            "result_confirmed": self._result_confirmed,
        }

    def take(self, event: Event) -> None:
        """Check one event and play it.  Raises :class:`Illegal`."""
        kind = KINDS.get(event.kind)
        if kind is None:
            raise Illegal(Text("archive.no_kind", kind=shown(event.kind)))
        wrong = wrong_form(kind, event)
        if wrong is not None:
            raise Illegal(wrong)
        if event.batch not in (event.number, self.events[-1].batch if self.events else event.number):
            raise Illegal(Text("archive.malformed_answer", why="batch"))
        self._check_who(kind, event)
        handler = self._handlers.get(event.kind)
        if handler is not None:
            try:
                handler(event)
            except RULES_FAULTS as error:
                log.debug("event %s cannot be played", event.number, exc_info=True)
                raise Illegal(Text("archive.malformed_answer", why=shown(str(error)))) from error
        if handler is not None and (moves(event) or event.kind == "take_back"):
            self._digest = self.play.digest()
        if event.digest != self._digest:
            raise Illegal(
                Text("archive.other_position"),
            )
        follow(self.line, event, self.events)
        self.standing.add(event)
        self.events.append(event)
        self._maybe_snapshot(event)

    def _check_who(self, kind: Kind, event: Event) -> None:
        """Whether whoever caused ``event`` may cause one of its kind."""
        if event.source not in SOURCES:
            raise Illegal(Text("archive.no_source", source=shown(event.source)))
        by_arbiter, together = event.seat == ARBITER, event.seat == TOGETHER
        if not kind.seats and not by_arbiter:
            raise Illegal(Text("archive.only_arbiter_does"))
        said = event.evidence or {}
        if not by_arbiter and ("arbiter" in said or "head" in said):
            raise Illegal(Text("archive.only_arbiter_does"))
        if not by_arbiter and event.source == ARBITER:
            raise Illegal(Text("archive.only_arbiter_does"))
        appealed = self.standing.appeal is not None and event.kind in APPEALABLE
        if by_arbiter and appealed and not said.get("head"):
            raise Illegal(Text("archive.only_head_arbiter"))
        if event.kind == "correction" and not by_arbiter and not self._agreed_correction(event):
            raise Illegal(Text("archive.only_arbiter_does"))
        if (by_arbiter and not kind.arbiter) or (together and not kind.together):
            raise Illegal(Text("archive.only_seat_does"))
        if not by_arbiter and not together and event.seat not in self.seats:
            raise Illegal(Text("archive.no_such_seat", seat=shown(event.seat)))

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
            Text("archive.silence_counts_yes_home"),
        )

    def _check_unsaid(self, event: Event, part: Request | None, value: Any) -> None:
        """What nobody tapped: by silence, by a standing wish, or because it is obvious.

        ``value`` None: it is still sealed.
        """
        if _by_silence(event):
            at_home = not self.header["tournament"]
            if not at_home or not isinstance(part, Consent) or value not in (None, part.silence):
                raise self._no_silence()
        elif event.source == "wish":
            said = self.standing.wishes.get(event.seat, {})
            if (
                not isinstance(part, Reaction)
                or value != part.decline
                or (event.evidence or {}).get("wish") != said.get(part.wish, ALWAYS)
                or part.is_asked(said.get(part.wish, ALWAYS))
            ):
                raise Illegal(Text("archive.no_standing_wish_says"))
        elif event.source == "table":  # the table answers for nobody else
            raise Illegal(Text("archive.only_seat_does"))
        elif event.source == "obvious" and value != getattr(part, "obvious", None):
            raise Illegal(Text("archive.not_obvious"))

    # -- kinds that move the position --------------------------------------------------------------------

    def _answer(self, event: Event) -> None:
        request = self._open(event)
        if isinstance(request, ChooseSecretly):
            self._check_opened(request, event)
        elif event.seat != request.seat:
            raise Illegal(Text("archive.other_seat_asked", seat=named(self.play.game, request.seat, "seat")))
        else:
            self._check_unsaid(event, request, event.answer)
        self._check_evidence(request, event)
        self._check_agreed_roll(request, event)
        try:
            value = request.check(event.answer)
        except IllegalAnswer as error:
            raise Illegal(_why_illegal(self.play.game, request, event.answer, error.refusal)) from error
        except RefereeError as error:
            raise Illegal(error.text) from error
        self._check_normal(event.answer, value)
        self._go(lambda: self.play.answer(value))

    @staticmethod
    def _check_normal(said: Any, value: Any) -> None:
        """The hall writes an answer as the question has it, and nothing beside."""
        if canonical_json(said) != canonical_json(value):
            raise Illegal(Text("archive.malformed_answer", why="answer"))

    def _check_evidence(self, request: Request, event: Event) -> None:
        """A roll that the camera read is what its reading says after the corrections; no other answer is."""
        evidence = event.evidence or {}
        if not isinstance(request, RollDice) and set(evidence) & set(ROLL):
            raise Illegal(Text("archive.reading_of_no_roll"))
        if ("opened" in evidence) != isinstance(request, ChooseSecretly):
            raise Illegal(Text("archive.not_what_was_chosen"))
        if ("wish" in evidence) != (event.source == "wish"):
            raise Illegal(Text("archive.no_standing_wish_says"))
        picture = evidence.get("picture")
        if picture is not None and not (type(picture) is str and DIGEST.fullmatch(picture)):
            raise Illegal(Text("archive.malformed_answer", why="picture"))
        reading = evidence.get("reading")
        if isinstance(request, RollDice) and reading is None and not evidence.get("manual"):
            raise Illegal(Text("archive.neither_typed_nor_read"))
        if reading is None:
            if event.source == "camera" or evidence.get("corrections") or evidence.get("picture"):
                raise Illegal(Text("archive.no_reading"))
            return
        if event.kind == "answer" and (found := evidence.get("event")) is not None:
            self._check_earlier_throw(found, reading)
        elif "agreed" not in evidence and evidence.get("throw", 1) != self._throw_number():
            raise Illegal(Text("archive.no_such_throw"))
        if evidence.get("manual") or event.source != "camera":
            raise Illegal(Text("archive.typed_and_read"))
        if reading["status"] == "refused":
            raise Illegal(Text("archive.reading_refused"))
        dice = [(die["type"], die["face"]) for die in reading["dice"]]
        read = corrected_faces(dice, evidence.get("corrections", ()))
        if {die: Counter(faces) for die, faces in read.items()} != {
            die: Counter(faces) for die, faces in event.answer.items() if faces
        }:
            raise Illegal(Text("archive.reading_says_else", read=_faces(self.play.game, request, read)))

    def _roll_asked(self, event: Event) -> None:
        self._open(event)
        request = self._awaited_roll(event)
        if not self.header["tournament"] or self.standing.asked is not None:
            raise Illegal(Text("archive.nobody_asked"))
        # who types names kinds of dice that were not rolled, too, with no faces
        said = {
            die: faces for die, faces in event.answer["value"].items() if faces or die not in request.types
        }
        self._check_normal(said, request.check(said))

    def _open(self, event: Event) -> Request:
        """The open question, which must be the one that the event says it answers."""
        request = self.play.request
        if self.standing.objection is not None or self.standing.stopped is not None:
            raise Illegal(Text("archive.game_frozen"))
        if request is None or self.standing.is_over:
            raise Illegal(Text("archive.game_over"))
        if not is_same(event.request, request):
            raise Illegal(asked_otherwise(self.play.game, request))
        return request

    def _sealed_part(self, event: Event) -> None:
        request = self._open(event)
        if not isinstance(request, ChooseSecretly) or event.seat not in request.of:
            raise Illegal(Text("archive.no_secret_choice_seat"))
        if event.seat in self.standing.sealed:
            raise Illegal(Text("archive.chosen_already"))
        self._check_unsaid(event, request.of[event.seat], None)

    def _check_opened(self, request: ChooseSecretly, event: Event) -> None:
        opened = (event.evidence or {})["opened"]
        if set(self.standing.sealed) != set(request.of) or event.seat != "*":
            raise Illegal(Text("archive.not_what_was_chosen"))
        for seat, part in self.standing.sealed.items():
            if opened[seat].get("event", part.number) != part.number:
                raise Illegal(Text("archive.other_choice_sealed", seat=named(self.play.game, seat, "seat")))
            opening = {"seat": seat, "value": event.answer[seat], "nonce": opened[seat]["nonce"]}
            if digest_of(opening) != part.answer["sealed"]:
                raise Illegal(Text("archive.other_choice_sealed", seat=named(self.play.game, seat, "seat")))
            self._check_unsaid(part, request.of[seat], event.answer[seat])

    def _stands(self, event: Event) -> None:
        request = self._open(event)
        try:
            request.check(event.answer["value"])
        except IllegalAnswer:
            self._go(lambda: self.play.answer_unchecked(event.answer["value"]))
            return
        except RefereeError as error:
            raise Illegal(error.text) from error
        raise Illegal(Text("archive.stands_legal_anyway"))

    def _correction(self, event: Event) -> None:
        to = event.answer["to"]
        since = len(self.play.since)
        expected = self.line[-since].number if since else event.number
        if to != expected:
            raise Illegal(
                Text("archive.correction_behind_ruling", expected=expected, to=to),
            )
        base = self._replayed(to)
        try:
            self.play = corrected(base, event.answer["primitives"], strictly=True)
        except RULES_FAULTS as error:
            raise Illegal(Text("archive.correction_impossible", why=error)) from error

    def _take_back(self, event: Event) -> None:
        undo = self._undo(event)
        sealed = self.standing.sealed.get(event.seat)
        latest = self.line[-1].number if self.line else 0
        if sealed is not None and latest < sealed.number == event.answer["to"]:
            if event.answer.get("restores"):
                raise Illegal(Text("archive.restores_others"))
            return
        if undo is None or undo.to != event.answer["to"]:
            raise Illegal(Text("archive.nothing_to_take_back"))
        if event.seat != ARBITER and undo.kind != "free" and not self._agreed(event, undo.kind):
            raise Illegal(
                Text("archive.not_agreed"),
            )
        # none in a record of an older program; not all where it goes back further than the correction
        again = tuple(event.answer.get("restores", ()))
        if again != undo.restores[: len(again)]:
            raise Illegal(
                Text("archive.restores_others"),
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
            raise Illegal(Text("archive.rules_fail", why=error)) from error

    # -- kinds that do not ------------------------------------------------------------------------------

    def _objection(self, event: Event) -> None:
        if self.standing.objection is not None:
            raise Illegal(Text("archive.objection_open_already"))

    def _withdrawal(self, event: Event) -> None:
        objection = self.standing.objection
        if objection is None or objection.seat != event.seat or objection.number != event.answer["objection"]:
            raise Illegal(Text("archive.not_own_objection"))

    def _ruling(self, event: Event) -> None:
        objection, settles = self.standing.objection, event.answer.get("settles")
        if settles is not None and (objection is None or objection.number != settles):
            raise Illegal(Text("archive.settles_nothing"))
        appeal = self.standing.appeal
        beside = None if appeal is None or "stands" in event.answer else appeal.answer["about"]
        if event.answer.get("beside") != beside:
            raise Illegal(Text("archive.settles_nothing"))
        if not 0 < event.answer.get("stands", 1) <= event.number:
            raise Illegal(Text("archive.no_event_before", number=event.answer["stands"]))

    def _take_back_asked(self, event: Event) -> None:
        if self._undo(event) is None:
            raise Illegal(Text("archive.nothing_to_take_back"))

    def _consent(self, event: Event) -> None:
        asked = self.standing.asked
        if asked is None or asked.number != event.answer["asks"] or asked.seat == event.seat:
            raise Illegal(Text("archive.nobody_asked"))
        if event.seat == ARBITER:
            if asked.kind not in ARBITER_AGREES:
                raise Illegal(Text("archive.only_seat_does"))
        elif event.seat not in self.playing:
            raise Illegal(Text("archive.seat_had_resigned"))
        if _by_silence(event) and (
            self.header["tournament"] or asked.kind != "take_back_asked" or not event.answer["yes"]
        ):
            raise self._no_silence()

    def _correction_asked(self, event: Event) -> None:
        if self.header["tournament"]:
            raise Illegal(Text("archive.only_arbiter_corrects"))

    def _board_check(self, event: Event) -> None:
        answer = event.answer
        if not {event.seat, *answer.get("laid", ())} <= {*self.playing, ARBITER}:
            raise Illegal(Text("archive.no_comparison"))
        visited = set(answer["places"])
        if not visited >= {*answer["mended"], *answer["differing"]} or (answer["complete"] and not visited):
            raise Illegal(Text("archive.places_not_compared"))

    def _resignation(self, event: Event) -> None:
        if event.seat not in self.playing or self.outcome is not None:
            raise Illegal(Text("archive.nobody_could_resign"))
        plays_on = isinstance(self.game, PlaysOn) and self.game.plays_on_without(self.play.state, event.seat)
        if plays_on != moves(event):
            raise Illegal(
                Text("archive.whether_others_play_told"),
            )
        if not plays_on:
            return
        asked = self.play.request
        self._go(lambda: self.play.leave(event.seat))
        request, kept = self.play.request, set(event.answer.get("keeps", ()))
        again = request.asks_again(asked) if isinstance(request, ChooseSecretly) else ()
        if not kept <= {*again} & {*self.standing.sealed} - {event.seat}:
            raise Illegal(Text("archive.keeps_what_is_not_asked_again"))

    def _wish(self, event: Event) -> None:
        wishes = self.game.wishes if isinstance(self.game, TakesReactions) else {}
        known = wishes.get(event.answer["wish"])
        if event.seat not in self.playing or known is None:
            raise Illegal(Text("archive.game_knows_no_such"))
        if event.answer["says"] not in (NEVER, ALWAYS, *known):
            raise Illegal(Text("archive.game_knows_no_such"))

    def _result_confirmed(self, event: Event) -> None:
        outcome = self.outcome
        if outcome is None or event.answer != outcome.as_json():
            raise Illegal(Text("archive.not_result"))


def _why_illegal(game: Game[Any], request: Request, answer: Any, refusal: Refusal | None) -> Text:
    def said(names: Namer) -> str:
        told = names.answer(answer, request.prompt, domain_of(request))
        return f"{told}. {names.reason(refusal)}".strip() if refusal is not None else told

    rule = refusal.rule if refusal is not None else request.rule
    return Text("archive.illegal", rule=told_rule(game, rule), why=InWords(game, said))


def _faces(game: Game[Any], request: Request, read: Any) -> Text:
    return InWords(game, lambda names: names.answer(read, request.prompt, domain_of(request)))
