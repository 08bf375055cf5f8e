"""What a table was asked about its box goes into the owner's box book, so that the next game need not ask.

An entry says that it was told at the table, of middle certainty: its owner may read the component and correct
it.  What he wrote himself is never changed; what was taken back leaves the book again.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from calibration.boxbook import BoxBook, Entry
from referee.journal.events import Event
from referee.journal.line import line_of
from referee.kernel.errors import RefereeError

log = logging.getLogger(__name__)

DOMAIN = "box_book"
"""The domain of questions about the box; their ``about`` has the ``key`` of the book."""
TOLD = "told at the table, game {game}"
"""The source of such an entry."""
CERTAINTY = "medium"
CHANGES = frozenset({"answer", "take_back", "correction", "stands"})
"""Events after which other answers may stand."""


def answers_of(events: Sequence[Event]) -> dict[str, Any]:
    """What was told of the box and stands, by the book's key."""
    found = {}
    for event in line_of(events):
        request = event.request or {}
        if event.kind == "answer" and request.get("domain") == DOMAIN:
            found[str(request["about"]["key"])] = event.answer
    return found


def keep_answers(book: BoxBook, game_id: str, told: Mapping[str, Any]) -> None:
    """Bring a box book up to what is told in a game.  A disk that refuses does not stop the game."""
    source = TOLD.format(game=game_id)
    mine = {key for key, entry in book.entries.items() if entry.source == source}
    changes: dict[str, Entry | None] = dict.fromkeys(mine - set(told))
    for key, value in told.items():
        known = book.entries.get(key)
        if known is None or (known.source == source and known.value != value):
            changes[key] = Entry(value, CERTAINTY, source)
    if not changes:
        return
    try:
        book.write(changes)
    except RefereeError as error:
        log.warning("what was told of the box is not kept for the next game: %s", error)


def is_about_the_box(event: Event) -> bool:
    """Whether other answers about the box may stand after an event."""
    asked = (event.request or {}).get("domain")
    return event.kind in CHANGES and (event.kind != "answer" or asked == DOMAIN)
