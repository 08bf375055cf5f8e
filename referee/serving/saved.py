"""The games on disk, each with what the right one is found again by: its turn, and who is to act."""

from __future__ import annotations

import logging
from typing import Any

from referee.hall.live_game import RULES_FAULTS
from referee.hall.table import Table
from referee.journal.errors import StoreError
from referee.journal.events import MOVES
from referee.journal.line import follow, replay
from referee.journal.pending import PendingMatters
from referee.kernel.messages import languages
from referee.kernel.play import Play
from referee.kernel.registry import game_ids, load_game
from referee.kernel.requests import ChooseSecretly
from referee.kernel.seats import seats_of
from referee.serving.hosting import SavedGame, Stand
from referee.store.recover import chain_from
from referee.store.store import Store

log = logging.getLogger(__name__)

OVER = ("resignation", "result_confirmed", "ended", "handed_over")
"""Kinds of events after which a game is over, unless something moves it again."""
NEWEST = 20
"""Games whose stand is reckoned; older ones are told by their players and their date."""


class SavedGames:
    """Lists the games of a store.  Where each stands is reckoned one by one (:meth:`look`), since a long game
    takes a while, or remembered when it leaves the table."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._stands: dict[tuple[str, int], Stand] = {}
        self._unseen: list[str] | None = None

    def all(self) -> list[SavedGame]:
        """The games that can be continued, the newest first."""
        known = set(game_ids())
        headers = (self._store.header(one) for one in reversed(self._store.game_ids()))
        return [self._info(header) for header in headers if header["game"] in known]

    def _info(self, header: dict[str, Any]) -> SavedGame:
        key = header["id"]
        number, _ = self._store.last(key)
        kind, said = self._store.last_of(key, (*MOVES, *OVER, "take_back", "ruling"))
        over = kind in OVER and not (said or {}).get("plays_on")
        game, players = load_game(header["game"]), header.get("players", {})
        return SavedGame(
            key,
            game.id,
            game.title,
            header["table"],
            number,
            over,
            tuple(players[seat] for seat in seats_of(game, header) if players.get(seat)),
            str(header.get("created", "")),
            over and bool(header["tournament"]) and kind != "handed_over",
            self._stands.get((key, number)),
        )

    def remember(self, table: Table) -> None:
        """The stand of a game that leaves the table."""
        try:
            self._stands[table.id, table.revision] = _stand(table.play, table.asked_seats)
        except RULES_FAULTS:  # a game that was stopped
            log.warning("where %s stands cannot be told", table.id, exc_info=True)

    def look(self, running: str) -> bool:
        """Reckon the stand of one more game that is neither over nor ``running``; whether more is known."""
        if self._unseen is None:
            newest = [one for one in self.all() if one.id != running][:NEWEST]
            self._unseen = [one.id for one in newest if not one.finished and one.stand is None]
        if not self._unseen:
            return False
        key = self._unseen.pop(0)
        return key != running and self._reckon(key)

    def _reckon(self, key: str) -> bool:
        try:
            found = self._store.found(key)
            events, lost = chain_from(found.header or {}, found.events, {})
            if found.header is None or lost or len(events) != found.rows:
                return False  # mended, and told of, when it is continued
            line: list[Any] = []
            pending = PendingMatters()
            for event in events:
                follow(line, event, events)
                pending.add(event)
            game = load_game(found.header["game"])
            play, _ = replay(game, found.header["options"], line, self._store.snapshots(key))
            if line and play.digest() != line[-1].digest:
                return False  # today's rules lead elsewhere, which is told when it is continued
            self._stands[key, len(events)] = _stand(play, _asked(play, pending))
        except (StoreError, *RULES_FAULTS):  # so it is told by its players and its date
            log.warning("where %s stands cannot be told", key, exc_info=True)
            return False
        return True


def _asked(play: Play[Any], pending: PendingMatters) -> tuple[str, ...]:
    request = play.request
    if isinstance(request, ChooseSecretly):
        return tuple(seat for seat in request.of if seat not in pending.sealed)
    return () if request is None else (request.seat,)


def _stand(play: Play[Any], asked: tuple[str, ...]) -> Stand:
    views = {language: play.game.view(play.state, None, language) for language in languages()}
    titles = {language: str(view["turn_title"]) for language, view in views.items() if view.get("turn_title")}
    return Stand(int(views[languages()[0]].get("turn") or 0), titles, asked)
