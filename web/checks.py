"""Comparing board and record, for snapshots: what should stand at the lit place, what would be corrected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.hall.table import Table
from referee.kernel.capabilities import LaysTiles
from web.history import event_text
from web.told import corrections_text
from web.words import name_of


def check_json(table: Table, view: Mapping[str, Any], language: str) -> dict[str, Any] | None:
    """The comparison that is offered or under way; None where there is none."""
    walk = table.holding.walk
    if walk is None:
        laying = {"laying": True} if table.holding.laying else {}
        return {"place": None, **laying} if table.holding.offered else None
    if walk.current is None:
        return {"place": None, "laying": True, "confirmed": list(walk.confirmed), "of": len(walk.places)}
    lit = [_standing(table, view, place, language) for place in walk.lit]
    laying = {} if walk.tiles is None else {"laying": True, "tile": walk.is_tile}
    return {**lit[0], **laying, "number": len(walk.answers) + 1, "of": len(walk.places), "lit": lit}


def _standing(table: Table, view: Mapping[str, Any], place: str, language: str) -> dict[str, Any]:
    game, walk = table.play.game, table.holding.walk
    content: Mapping[str, Any] = view.get("places", {}).get(place) or {}
    if walk is not None and walk.is_tile and isinstance(game, LaysTiles):
        named = (
            name_of(game, kind, language, "terrain") for kind in game.tiles(table.play.state).get(place, ())
        )
        content = {"markers": [{"count": 1, "name": name} for name in named]}
    return {
        "place": place,
        "name": name_of(game, place, language, "place"),
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
