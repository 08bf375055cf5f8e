"""Comparing board and record: the walk by light, and putting the record right with the others' consent.

While a walk is under way, or offered after a restart, no answer is taken: what
people compare must hold still.  Its result is an event; what differs stays known
(:attr:`PendingMatters.differing`) until it is corrected or checked again.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from referee.hall import walkfile
from referee.hall.board_check import UNSURE, BoardCheck, Contents, contents
from referee.hall.disputes import Disputes
from referee.hall.live_game import RULES_FAULTS
from referee.hall.takeback import TakeBacks
from referee.journal.errors import NotAllowed, NotPossible
from referee.journal.events import ARBITER, Event, NewEvent, as_read, moves
from referee.journal.line import apply, line_of
from referee.kernel.at_table import board_of
from referee.kernel.capabilities import CorrectionForms, LaysTiles
from referee.kernel.corrections import Item, check_counts
from referee.kernel.errors import InvalidAnswer, RefereeError
from referee.kernel.messages import Text
from referee.kernel.play import Play

log = logging.getLogger(__name__)

SET_UP = "setup"
"""The phase in which views say that a game is set up."""


class BoardChecks(TakeBacks, Disputes):
    """The part of a table that compares board and record."""

    walk_path: Path | None = None
    """Where a walk under way is kept, so that it survives a power cut; None: only in memory."""

    @property
    def board_check(self) -> BoardCheck | None:
        """The walk that is under way."""
        return self.holding.walk

    def offer_board_check(self) -> None:
        """After a restart: ask for a comparison before the game goes on, if anything stands on the board.

        A comparison that was under way when the power went goes on where it was.
        """
        with self.guard:
            if self.walk_path is not None:
                live_game = self.live_game
                kept = walkfile.load(
                    self.walk_path, live_game.header["id"], live_game.question, live_game.events
                )
                if kept is not None:
                    self.holding.begun, self.holding.walk = kept
                    return
            if self.revision > 0 and self.request is not None and self._stands_now():
                self.holding.offered = True

    def offer_laying(self) -> None:
        """Before a new game begins: offer to lay its board by light, where that is more than figures."""
        with self.guard:
            if isinstance(self.live_game.game, LaysTiles) and self.revision == 0 and self._stands_now():
                self.holding.offered = self.holding.laying = True

    def begin_laying(self, seat: str) -> BoardCheck:
        """Begin to lay the board of a new game: its tiles, then what stands on it."""
        with self.guard:
            self._check_person(seat)
            if not (self.holding.offered and self.holding.laying):
                raise NotPossible(Text("hall.no_board_check"))
            game, now = self.live_game.game, self._stands_now()
            assert isinstance(game, LaysTiles)
            tiles = game.tiles(self._kept())
            order = self._order(now, None)
            walk = BoardCheck.laying(
                [place for place in order if place in tiles], [place for place in order if place in now]
            )
            self.holding.offered = False
            self.holding.walk, self.holding.begun = walk, self.revision
            self._keep_walk()
            return walk

    def confirm_laying(self, seat: str) -> Event | None:
        """A seat says that the finished position stands; gives the event once all have said so."""
        with self.guard:
            self._check_person(seat)
            walk = self._walk()
            if walk.tiles is None or walk.current is not None:
                raise NotPossible(Text("hall.no_board_check"))
            if seat not in walk.confirmed:
                walk.confirmed.append(seat)
            asked = set(self.live_game.playing)
            if seat != ARBITER and not asked <= set(walk.confirmed):
                self._keep_walk()
                return None
            try:
                return self._end(seat, complete=True)
            except RefereeError:
                walk.confirmed.remove(seat)
                raise

    def begin_board_check(self, seat: str, *, everything: bool = False) -> BoardCheck:
        """Begin the walk over what changed since the last complete check, or over ``everything``."""
        with self.guard:
            self._check_person(seat)
            if self.holding.walk is not None:
                raise NotPossible(Text("hall.board_check_runs"))
            now = self._stands_now()
            before = None if everything else self._stood_at_last_check()
            walk = BoardCheck.since(before, now, self._order(now, before))
            if not walk.places:
                raise NotPossible(
                    Text("hall.board_unchanged"),
                )
            self.holding.offered = False
            self.holding.walk, self.holding.begun = walk, self.revision
            self._keep_walk()
            return walk

    def answer_board_check(self, seat: str, place: str, says: str, number: int | None = None) -> Event | None:
        """What stands at the lit ``place``: ``right``, ``mended`` (figures were put right) or ``differs``.

        ``number`` is that of its step, where a place comes up more than once.  Gives the event with the
        result after the last place; a board that is laid waits until all have confirmed it.  An answer to a
        place that is lit no longer (two tapped at once) changes nothing.
        """
        with self.guard:
            self._check_person(seat)
            walk = self._walk()
            if place != walk.current or number not in (None, len(walk.answers) + 1):
                return None
            if says not in walkfile.SAYS:
                raise InvalidAnswer(Text("hall.no_answer", says=says))
            walk.answer(says != "differs", mended=says == "mended")
            if walk.current is not None or walk.tiles is not None:
                self._keep_walk()
                return None
            try:
                return self._end(seat, complete=True)
            except RefereeError:
                walk.back()  # the last place stays lit and can be answered again
                raise

    def right_on_board(self, seat: str, places: Sequence[str]) -> Event | None:
        """All these lit places are as they should; gives the event with the result after the last of all."""
        with self.guard:
            self._check_person(seat)
            if tuple(places) != self._walk().lit:
                return None  # looked at already, by another tap
            events = [self.answer_board_check(seat, place, "right") for place in places]
            return events[-1]

    def look_one_by_one(self, seat: str, at_once: int = 1) -> None:
        """Light so many places at once from now on."""
        with self.guard:
            self._check_person(seat)
            self._walk().at_once = at_once

    def back_in_board_check(self, seat: str) -> None:
        """Light the place before again."""
        with self.guard:
            self._check_person(seat)
            walk = self._walk()
            walk.back()
            walk.confirmed.clear()
            self._keep_walk()

    def end_board_check(self, seat: str) -> Event:
        """Skip what was offered, or break the walk off; either is recorded."""
        with self.guard:
            self._check_person(seat)
            if self.holding.walk is None and not self.holding.offered:
                raise NotPossible(Text("hall.no_board_check"))
            return self._end(seat, complete=False)

    def _end(self, seat: str, *, complete: bool) -> Event:
        walk = self.holding.walk or BoardCheck(())
        answer = {
            "places": list(walk.places[: len(walk.answers)]),
            "mended": list(walk.mended),
            "differing": list(walk.differing),
            "complete": complete,
            "skipped": self.holding.walk is None,
        }
        if walk.tiles is not None:
            answer["laid"] = list(walk.confirmed)
        source = "arbiter" if seat == ARBITER else "tablet"
        kept = self.holding.walk, self.holding.offered, self.holding.laying
        # let go first, so that whoever hears of the event sees the usual lights
        self.holding.walk, self.holding.offered, self.holding.laying = None, False, False
        try:
            event = self._remark(seat, "board_check", answer, source=source)
        except BaseException:
            self.holding.walk, self.holding.offered, self.holding.laying = kept
            raise
        self._keep_walk()
        return event

    def on_recorded(self, event: Event) -> None:
        """An arbiter's decision under way changes what should stand: the walk is over, unfinished."""
        if self.holding.walk is not None and (moves(event) or event.kind == "take_back"):
            self.holding.walk = None
            self._keep_walk()

    def _keep_walk(self) -> None:
        """Bring the file of the walk up to date."""
        if self.walk_path is None:
            return
        walk = self.holding.walk
        if walk is None:
            walkfile.clear(self.walk_path)
        else:
            game_id = self.live_game.header["id"]
            walkfile.save(self.walk_path, game_id, self.holding.begun, self.live_game.question, walk)

    def _walk(self) -> BoardCheck:
        walk = self.holding.walk
        if walk is None:
            raise NotPossible(Text("hall.no_board_check"))
        return walk

    def _check_person(self, seat: str) -> None:
        """Who has resigned cannot hold up those who play on."""
        if seat != ARBITER:
            self._check_playing(seat)

    def _stands_now(self) -> dict[str, Contents]:
        play = self.live_game.play
        return contents(play.game.view(play.state, None, "en").get("places", {}))

    def _stood_at_last_check(self) -> dict[str, Contents] | None:
        """What the record said at the last complete check, or at the end of a set-up that all confirmed;
        None where there was neither.

        Where the board differed then, whatever stands now is to be looked at again.
        """
        done = [e for e in self.live_game.events if e.kind == "board_check" and e.answer["complete"]]
        if not done:
            return self._stood_after_set_up()
        last = done[-1]
        try:
            play, _ = self.live_game.replayed(line_of(self.live_game.events[: last.number]))
        except RULES_FAULTS as error:
            log.info("the position of the last board check cannot be reckoned: %s", error)
            return None
        stood = contents(play.game.view(play.state, None, "en").get("places", {}))
        return stood | dict.fromkeys(last.answer["differing"], UNSURE)

    def _stood_after_set_up(self) -> dict[str, Contents] | None:
        """What stood at the end of the set-up; None where there was none, or not all had a part in it."""
        game = self.live_game.game
        play: Play[Any] = Play(game, game.new_state(self.live_game.header["options"]), audit=False)
        asked: set[str] = set()
        for event in self.live_game.line:
            shown = game.view(play.state, None, "en")
            if (shown.get("phase") or {}).get("id") != SET_UP:
                return contents(shown["places"]) if asked >= set(self.seats) else None
            asked.add(event.seat)
            try:
                play = apply(play, event)
            except RULES_FAULTS as error:
                log.info("the set-up cannot be reckoned: %s", error)
                return None
        return None

    def _order(self, now: Mapping[str, Contents], before: Mapping[str, Contents] | None) -> list[str]:
        """Along the board, so that nobody has to run to and fro."""
        board = board_of(self.live_game.game, self.live_game.header["options"])
        known = list(board.places) if board is not None else []
        return list(dict.fromkeys([*known, *now, *(before or ())]))

    # -- putting the record right --------------------------------------------------------------------------

    def correction_form(self, place: str) -> Sequence[Item]:
        """What may be said to stand at ``place``; empty where the game has no such form."""
        with self.guard:
            game = self.live_game.game
            return game.correction_form(self._kept(), place) if isinstance(game, CorrectionForms) else ()

    def primitives_for(self, place: str, counts: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The primitives that make ``counts`` stand at ``place``.  Raises ``InvalidAnswer``."""
        with self.guard:
            game = self.live_game.game
            checked = check_counts(self.correction_form(place), counts)
            made = game.corrections(self._kept(), place, checked) if isinstance(game, CorrectionForms) else []
            if not made:
                raise InvalidAnswer(Text("hall.record_agrees"))
            return made

    def _kept(self) -> Any:
        """The state that a correction changes: that of the last milestone."""
        play = self.live_game.play
        return play.state if play.kept is None else play.kept

    def propose_correction(
        self, seat: str, primitives: Sequence[Mapping[str, Any]], reason: str, *, revision: int
    ) -> Event:
        """Ask the others to agree that the position is changed; :meth:`consent` carries it out.

        Tried first, so that nobody is asked for what cannot be.  In a tournament only the arbiter corrects.
        """
        with self.guard:
            self._check_playing(seat)
            self._check_reason(reason)
            self._check_revision(revision)
            if self.live_game.header["tournament"]:
                raise NotAllowed(
                    Text("hall.arbiter_corrects"),
                )
            self._try_correction(primitives)
            answer = {"primitives": as_read(primitives), "reason": reason}
            return self._remark(seat, "correction_asked", answer)

    def proposed_view(self, language: str) -> dict[str, Any]:
        """What would be seen if the open request to correct were agreed to; {} where there is none."""
        with self.guard:
            asked = self.standing.asked
            if asked is None or asked.kind != "correction_asked":
                return {}
            _, play = self._try_correction(asked.answer["primitives"])
            return play.game.view(play.state, None, language)

    def _agreed_to(self, asked: Event, said: NewEvent) -> Event:
        if asked.kind != "correction_asked":
            return super()._agreed_to(asked, said)
        to, play = self._try_correction(asked.answer["primitives"])
        if to > self.revision:  # nothing is undone: the consent is recorded first, then the correction
            self._let_roll_go()
            to = self.revision + 2
        self.live_game.play = play
        answer = {"to": to, "primitives": asked.answer["primitives"], "reason": asked.answer["reason"]}
        draft = NewEvent(asked.seat, "tablet", "correction", answer, play.digest())
        return self._record([said, draft])[-1]
