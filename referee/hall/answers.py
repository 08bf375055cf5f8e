"""Answers: drafts that are only tried, and answers that count."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.hall.base import TableCore, request_in_short
from referee.hall.live_game import RulesFault
from referee.journal.events import Event, NewEvent, digest_of
from referee.kernel.capabilities import DrawsLots
from referee.kernel.errors import InvalidAnswer, NotYourTurn, RefereeError
from referee.kernel.messages import Text
from referee.kernel.naming import named
from referee.kernel.play import Outcome, Play
from referee.kernel.requests import BoxQuestion, ChooseOne, ChooseSecretly, Report, Request, RollDice
from referee.kernel.together import ALWAYS, Reaction, following


@dataclass(frozen=True, slots=True)
class Preview:
    """Where a draft leads: the next question, what the seat would see, and whether the draft may go on."""

    request: Request | None
    view: dict[str, Any]
    open: bool
    play: Play[Any]

    @property
    def outcome(self) -> Outcome | None:
        """The outcome that the draft would lead to, if any."""
        return self.play.outcome


CHANCE = secrets.SystemRandom()
NOTHING = ("no_attack", "no_move", "no_advance")
"""Answers by which an action comes to less than its name says."""


def goes_on(request: Request | None, seat: str) -> bool:
    """True where a draft of ``seat`` may answer ``request`` too: its own question, no chance, no secret."""
    return (
        request is not None
        and request.seat == seat
        and not request.is_chance
        and not isinstance(request, ChooseSecretly)
    )


class Answers(TableCore):
    """The part of a table that takes answers."""

    def answer(
        self,
        seat: str,
        value: Any,
        *,
        revision: int,
        source: str = "tablet",
        evidence: Mapping[str, Any] | None = None,
    ) -> Event:
        """Answer the open question for ``seat``; returned when it is on disk.

        ``revision`` is the revision that the seat saw.  For a secret choice this is
        the seat's own part, and the event is that of the part.  Raises an error
        of ``referee.kernel.errors`` or ``referee.journal.errors``; nothing has changed then.
        """
        with self.guard:
            self._check_revision(revision)
            request = self._check_asked(seat)
            if isinstance(request, ChooseSecretly):
                return self._answer_secretly(request, seat, value, source, evidence)
            if isinstance(request, RollDice) and evidence is None:
                evidence = {"manual": True}
            return self._record_steps([self._step(seat, value, source, evidence)])[0]

    def answer_many(
        self, seat: str, values: Sequence[Any], *, revision: int, source: str = "tablet"
    ) -> list[Event]:
        """Confirm a draft: all ``values`` in one transaction, or none of them."""
        with self.guard:
            if not values:
                raise InvalidAnswer(Text("hall.nothing_to_confirm"))
            if len(values) == 1:
                return [self.answer(seat, values[0], revision=revision, source=source)]
            self._check_revision(revision)
            self._check_asked(seat)
            drafts: list[NewEvent] = []
            try:
                for value in values:
                    self._check_draft(self.live_game.request, seat)
                    drafts.append(self._step(seat, value, source, None))
            except RefereeError:
                # the play is some steps ahead of the record
                self.live_game.rebuild()
                raise
            return self._record_steps(drafts)

    def lots_known(self, seat: str) -> bool:
        """Whether the table may draw what ``seat`` is asked to draw: never in a tournament."""
        game, request = self.live_game.game, self.request
        return (
            isinstance(game, DrawsLots)
            and not self.live_game.header["tournament"]
            and isinstance(request, Report)
            and not isinstance(request, BoxQuestion)
            and request.seat == seat
            and game.may_draw(self.live_game.play.state)
        )

    def draw_lots(self, seat: str, *, revision: int) -> list[Event]:
        """The table draws for ``seat``, by chance, until somebody has something to decide.

        Raises as :meth:`answer` does, and where there is nothing to draw.
        """
        with self.guard:
            self._check_revision(revision)
            self._check_asked(seat)
            if not self.lots_known(seat):
                raise InvalidAnswer(Text("hall.nothing_to_draw"))
            found: list[Event] = []
            while self.lots_known(seat) and self.request is not None:
                value = self.request.sample(CHANCE)
                found.append(self.answer(seat, value, revision=self.revision))
            return found

    def preview(self, seat: str, values: Sequence[Any], *, language: str = "en") -> Preview:
        """Try ``values`` on a copy of the game; nothing is recorded.

        Raises as :meth:`answer` does for the value that is refused.
        """
        with self.guard:
            request = self._check_asked(seat)
            if isinstance(request, ChooseSecretly):
                return self._preview_secretly(request.of[seat], seat, values, language)
            twin = self.live_game.play.fork()
            for value in values:
                self._check_draft(twin.request, seat)
                twin.answer(value)
            view = self.live_game.game.view(twin.state, seat, language)
            return Preview(twin.request, view, goes_on(twin.request, seat), twin)

    def left_out(self, seat: str, values: Sequence[Any]) -> list[Request]:
        """Questions of a draft that ``seat`` was not asked, since only one answer is left that is no place,
        unit or card: such as whom to attack where nobody can be attacked."""
        with self.guard:
            if isinstance(self.request, ChooseSecretly):
                return []
            twin = self.live_game.play.fork()
            twin.asks_forced = True
            found: list[Request] = []
            for value in values:
                twin.answer(value)
                while twin.forced is not None and twin.request is not None:
                    if twin.request.seat == seat and twin.forced.answer in NOTHING:
                        found.append(twin.request)
                    twin.answer(twin.forced.answer)
            return found

    def _preview_secretly(self, part: Request, seat: str, values: Sequence[Any], language: str) -> Preview:
        """Where the steps of a secret part lead; the position stays as it is until all have chosen."""
        request, play = following(part, values), self.live_game.play
        view = self.live_game.game.view(play.state, seat, language)
        return Preview(request, view, request is not None, play)

    def own_part(self, seat: str) -> Request | None:
        """What ``seat`` itself is asked by the open question, or None."""
        request = self.request
        if isinstance(request, ChooseSecretly):
            return request.of.get(seat)
        return request if request is not None and request.seat == seat else None

    def _check_draft(self, request: Request | None, seat: str) -> None:
        if goes_on(request, seat):
            return
        if request is not None and request.seat not in (seat, "*"):
            raise NotYourTurn(
                Text("hall.draft_ends_for_other_seat", seat=named(self.live_game.game, request.seat, "seat")),
            )
        raise InvalidAnswer(
            Text("hall.draft_ends"),
        )

    def _record_steps(self, drafts: list[NewEvent], openings: Mapping[int, Any] | None = None) -> list[Event]:
        """Record ``drafts``, and with them what nobody need be asked of the questions that follow."""
        unasked: list[NewEvent] = []
        while (step := self._unasked()) is not None:
            unasked.append(step)
        return self._record([*drafts, *unasked], openings)

    def go_past_the_obvious(self) -> None:
        """A game may begin with a question that nobody need be asked."""
        with self.guard:
            if (step := self._unasked()) is not None:
                self._record_steps([step])

    def _unasked(self) -> NewEvent | None:
        """The answer to the open question by a standing wish, or the obvious one; None where one is asked."""
        request = self.request
        if isinstance(request, Reaction):
            says = self.standing.wishes.get(request.seat, {}).get(request.wish, ALWAYS)
            if not request.is_asked(says):
                return self._step(request.seat, request.decline, "wish", {"wish": says})
        elif isinstance(request, ChooseOne) and request.obvious is not None:
            return self._step(request.seat, request.obvious, "obvious", None)
        return None

    def _step(self, seat: str, value: Any, source: str, evidence: Mapping[str, Any] | None) -> NewEvent:
        request = request_in_short(self.live_game.request)
        try:
            value = self.live_game.step(value)
        except RulesFault as fault:
            raise self.live_game.stop(
                fault, NewEvent(seat, source, "answer", value, "", request, evidence)
            ) from fault
        return NewEvent(seat, source, "answer", value, self.live_game.play.digest(), request, evidence)

    # -- secrets -----------------------------------------------------------------------------------------

    def _answer_secretly(
        self, request: ChooseSecretly, seat: str, value: Any, source: str, evidence: Mapping[str, Any] | None
    ) -> Event:
        value = request.of[seat].check(value)
        opening = {"seat": seat, "value": value, "nonce": secrets.token_hex(16)}
        asked = request_in_short(request)
        sealed = {"sealed": digest_of(opening)}
        part = NewEvent(seat, source, "sealed_part", sealed, self.live_game.play.digest(), asked, evidence)
        number = self.revision + 1
        openings = {number: opening}
        drafts = [part]
        if set(self.standing.sealed) | {seat} == set(request.of):
            parts = {one: self._sealed_opening(one) for one in self.standing.sealed}
            drafts.append(self._open_seals({**parts, seat: (number, opening)}))
        return self._record_steps(drafts, openings)[0]

    def _sealed_opening(self, seat: str) -> tuple[int, Mapping[str, Any]]:
        """The number of the event that sealed the part of ``seat``, and what opens it."""
        number = self.standing.sealed[seat].number
        return number, self.live_game.store.openings(self.live_game.header["id"])[number]

    def _open_seals(self, parts: Mapping[str, tuple[int, Mapping[str, Any]]]) -> NewEvent:
        opened = {one: {"event": n, "nonce": part["nonce"]} for one, (n, part) in sorted(parts.items())}
        values = {one: part["value"] for one, (_, part) in sorted(parts.items())}
        return self._step("*", values, "table", {"opened": opened})
