"""On the table now: what hands have to do, listed until somebody says that it is done.

A matter of the table alone: nothing of it enters the record, and rules never wait for it.  After a restart
board and record are compared instead (:mod:`referee.hall.boardchecks`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from referee.hall.base import TableCore
from referee.hall.board_check import STAYING
from referee.hall.deeds import Deed, deeds
from referee.journal.events import Event, moves
from referee.kernel.errors import InvalidAnswer
from referee.kernel.files import write_whole
from referee.kernel.lights import PALETTE, Lights, Meaning
from referee.kernel.messages import Text
from referee.kernel.requests import RollDice

LISTED: Final = "listed"
"""What is to be done is listed, and the game waits until it is done."""
LINE: Final = "line"
"""For an experienced table: the last step in one line, and nobody waits."""
WAYS: Final = (LISTED, LINE)


class HandsAtTable(TableCore):
    """The part of a table that knows what its hands have to do."""

    hands_way: str = ""
    """One of :data:`WAYS`; "": nobody follows the hands (programs that play, records that are looked at)."""
    hands_path: Path | None = None
    """Where the way is kept: it belongs to the table, not to a game."""
    _shown: Any = None
    """The position that the table was last said to show."""
    _latest: Any = None
    _copied_at: int = 0
    _ticked: frozenset[str] = frozenset()
    _found: tuple[int, dict[str, list[Deed]]] = (-1, {})

    def follow_hands(self, way: str) -> None:
        """From now on what hands have to do is told, beginning from the position that is there."""
        with self.guard:
            self._check_way(way)
            if not self.hands_way:
                self._shown = self._latest = self._copied()
                self._copied_at = self.revision
                self.live_game.subscribe(self._hands_heard)
            self.hands_way = way

    def set_hands_way(self, seat: str, way: str) -> None:
        """Turn the list down to a line, or up again."""
        with self.guard:
            self._check_playing(seat)
            self._check_way(way)
            if self.hands_path is not None:
                write_whole(self.hands_path, way)
            self.hands_way = way

    def _check_way(self, way: str) -> None:
        if way not in WAYS:
            raise InvalidAnswer(Text("hall.no_answer", says=way))

    def _copied(self) -> Any:
        return self.live_game.game.copy(self.live_game.play.state)

    def _hands_heard(self, event: Event) -> None:
        if event.kind == "board_check" and event.answer["complete"]:
            self._all_done()
        # what is confirmed together is one step, however many events it takes
        if (moves(event) or event.kind == "take_back") and self._copied_at != self.revision:
            if self.hands_way == LINE:
                self._shown = self._latest
            self._latest, self._copied_at = self._copied(), self.revision

    def hands(self, language: str) -> list[Deed]:
        """What is to be done, in words; empty where the table shows all, or nobody follows the hands."""
        with self.guard:
            if not self.hands_way:
                return []
            revision = self.revision
            if self._found[0] != revision:
                self._found = revision, {}
            found = self._found[1]
            if language not in found:
                game, state = self.live_game.game, self.live_game.play.state
                before, now = (game.view(one, None, language) for one in (self._shown, state))
                found[language] = deeds(game, before, now, language)
            return found[language]

    def hands_ticked(self) -> frozenset[str]:
        """The keys of what is done of :meth:`hands`."""
        return self._ticked

    @property
    def hands_hold(self) -> bool:
        """Whether the game waits for hands.  A roll never does: the dice may be in the tray already."""
        if self.hands_way != LISTED or self.request is None or isinstance(self.request, RollDice):
            return False
        return bool(self.hands("en"))

    def tick_hands(self, seat: str, key: str) -> None:
        """One of :meth:`hands` is done, or is not after all; after the last one the game goes on."""
        with self.guard:
            self._check_playing(seat)
            keys = {deed.key for deed in self.hands("en")}
            if key not in keys:
                return  # the table has moved on, or somebody else ticked the last one
            self._ticked = (self._ticked & keys) ^ {key}
            if self._ticked == keys:
                self._all_done()

    def hands_done(self, seat: str, *, revision: int) -> None:
        """The table shows all that was listed at ``revision``."""
        with self.guard:
            self._check_playing(seat)
            if self.hands("en"):  # otherwise somebody else has said so
                self._check_revision(revision)
                self._all_done()

    def _all_done(self) -> None:
        self._shown, self._ticked, self._found = self._copied(), frozenset(), (-1, {})

    def hands_lights(self, usual: Lights) -> Lights:
        """The places where hands have to do something, and of the usual lights who holds what."""
        places = [place for deed in self.hands("en") if deed.key not in self._ticked for place in deed.places]
        held = {place: light for place, light in usual.items() if light in STAYING}
        return {**held, **dict.fromkeys(places, PALETTE[Meaning.AUDIT])}
