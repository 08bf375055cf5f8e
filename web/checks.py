"""Comparing board and record, for snapshots: what should stand at the lit place, what would be corrected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from web.hall import Table
from web.words import name_of


def check_json(table: Table, view: Mapping[str, Any], language: str) -> dict[str, Any] | None:
    """The comparison that is offered or under way; None where there is none."""
    walk = table.holding.walk
    if walk is None:
        return {"place": None} if table.holding.offered else None
    place = walk.current
    content = view.get("places", {}).get(place) or {}
    return {
        "place": place,
        "name": name_of(table.play.game, place, language, "place"),
        "number": len(walk.answers) + 1,
        "of": len(walk.places),
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
    """What somebody asks the others to agree to; of a correction what would stand where."""
    found = {"seat": asked.seat, "agreed": sorted(table.standing.agreed), "kind": asked.kind, "text": ""}
    if asked.kind != "correction_asked":
        return found
    places = table.proposed_view(language).get("places", {})
    named = [one["place"] for one in asked.answer["primitives"] if "place" in one]
    told = []
    for place in dict.fromkeys(named):
        content = places.get(place) or {"pieces": [], "markers": []}
        standing = ", ".join(
            f"{one['count']} × {one['name']}" for key in ("pieces", "markers") for one in content[key]
        )
        told.append(f"{name_of(table.play.game, place, language, 'place')}: {standing or '–'}")
    found["text"] = f"{'; '.join(told)} ({asked.answer['reason']})"
    return found
