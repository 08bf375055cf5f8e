"""Comparing board and record, for snapshots: what should stand at the lit place, what would be corrected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.hall.table import Table
from web.history import event_text
from web.told import corrections_text
from web.words import name_of


def check_json(table: Table, view: Mapping[str, Any], language: str) -> dict[str, Any] | None:
    """The comparison that is offered or under way; None where there is none."""
    walk = table.holding.walk
    if walk is None:
        return {"place": None} if table.holding.offered else None
    lit = [_standing(table, view, place, language) for place in walk.lit]
    return {**lit[0], "number": len(walk.answers) + 1, "of": len(walk.places), "lit": lit}


def _standing(table: Table, view: Mapping[str, Any], place: str, language: str) -> dict[str, Any]:
    content = view.get("places", {}).get(place) or {}
    return {
        "place": place,
        "name": name_of(table.play.game, place, language, "place"),
        "pieces": content.get("pieces", []),
        "markers": content.get("markers", []),
    }


def differing_json(table: Table, language: str) -> list[dict[str, str]]:
    """Where the board was found other than the record, and nobody has put that right yet."""
    game = table.play.game
    return [
        {"id": place, "name": name_of(game, place, language, "place")} for place in table.standing.differing
    ]


def wish_json(table: Table, asked: Any, language: str) -> dict[str, Any]:
    """What somebody asks the others to agree to: what would be changed, or what would be taken back."""
    agreed = sorted(table.standing.agreed)
    found = {"seat": asked.seat, "agreed": agreed, "kind": asked.kind, "number": asked.number}
    found["silence"] = asked.kind == "take_back_asked" and not table.header["tournament"]
    if asked.kind == "correction_asked":
        told = corrections_text(table.play.game, asked.answer["primitives"], language)
        return {**found, "text": f"{told} ({asked.answer['reason']})"}
    if asked.kind != "take_back_asked":
        return {**found, "text": event_text(table.play.game, asked, language)}
    first = table.events()[asked.answer["to"] - 1]
    return {**found, "text": event_text(table.play.game, first, language)}
