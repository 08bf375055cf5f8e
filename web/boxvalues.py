"""What a table told of its box in the course of a game, and keeping it for the games to come."""

from __future__ import annotations

from typing import Any

from calibration.boxbook import BoxBook, Entry
from referee.hall.table import Table
from referee.journal.events import Event
from web.history import event_text

BOX = "box_book"
"""The domain of questions about what is printed on components."""


class BoxValues:
    """Finds what the record knows of the box and its book does not; looks again only after an answer."""

    def __init__(self) -> None:
        self._found: tuple[str, int, list[Event]] = ("", -1, [])

    def forget(self) -> None:
        """The book has changed."""
        self._found = ("", -1, [])

    def told(self, table: Table, bench: Any) -> list[Event]:
        """The answers about the box that could go into its book; none at a table without one, nor in a
        tournament, where the box belongs to somebody else."""
        if bench is None or table.header["tournament"]:
            return []
        game_id, revision, found = self._found
        if (game_id, revision) != (table.id, table.revision):
            asked = [event for event in table.live_game.line if (event.request or {}).get("domain") == BOX]
            book = bench.book(table.game) if asked else None
            found = [] if book is None else [event for event in asked if _lacks(book, event)]
            self._found = table.id, table.revision, found
        return found

    def as_json(self, table: Table, bench: Any, language: str) -> dict[str, Any] | None:
        """What may be kept, in words, and the event after which nothing of it was told; None: nothing."""
        events = self.told(table, bench)
        if not events:
            return None
        texts = [event_text(table.game, event, language) for event in events]
        return {"number": events[-1].number, "texts": texts}

    def keep(self, table: Table, bench: Any, source: str) -> None:
        """Write it into the book of this box; later games ask no more."""
        events = self.told(table, bench)
        if events:
            bench.book(table.game).write({_key(one): Entry(one.answer, "high", source) for one in events})
        self.forget()


def _key(event: Event) -> str:
    return str((event.request or {}).get("about", {}).get("key", ""))


def _lacks(book: BoxBook, event: Event) -> bool:
    key = _key(event)
    return key not in book.entries and any(field.key == key for field in book.form)
