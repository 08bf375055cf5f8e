"""What hands have to do, as the screens are told it, and the three things that a seat may say of it."""

from __future__ import annotations

from typing import Any

from fake_hall import FakeHall
from screens import Screen


def table_of(screen: Screen, seat: str) -> dict[str, Any]:
    found: dict[str, Any] = screen.client.get(f"/api/seat/{seat}/state").json["table"]
    return found


def test_every_seat_is_told_and_any_may_tick(white: Screen, black: Screen, hall: FakeHall) -> None:
    assert hall.table is not None and "hands" not in table_of(white, "white")
    hall.table.follow_hands("listed")
    sent = white.post("/api/seat/white/answer", {"values": ["east"], "revision": 0})
    assert sent.status_code == 200
    shown = table_of(black, "black")
    (deed,) = shown["hands"]["deeds"]
    assert shown["hands"]["hold"] and not deed["done"] and set(deed["places"]) == {"north", "east"}
    assert {shown["lights"][place]["meaning"] for place in deed["places"]} == {"audit"}
    assert "draft" not in table_of(white, "white")["ask"], "the game waits"
    again = white.post("/api/seat/white/preview", {"values": [{"men": 1}], "revision": 1})
    assert again.status_code == 423 and "Liste" in again.json["error"]["sentence"]
    assert black.post("/api/seat/black/hands/clap", {}).status_code == 404
    assert black.post("/api/seat/white/hands/tick", {"key": deed["key"]}).status_code == 403
    assert black.post("/api/seat/black/hands/tick", {"key": deed["key"]}).status_code == 200
    shown = table_of(white, "white")
    assert not shown["hands"]["hold"] and shown["hands"]["deeds"] == [] and shown["ask"]["draft"]


def test_the_list_is_turned_down_to_a_line(white: Screen, hall: FakeHall) -> None:
    assert hall.table is not None
    hall.table.follow_hands("listed")
    assert white.post("/api/seat/white/hands/way", {"way": "never"}).status_code == 400
    assert white.post("/api/seat/white/hands/way", {"way": "line"}).status_code == 200
    white.post("/api/seat/white/answer", {"values": ["east"], "revision": 0})
    shown = table_of(white, "white")["hands"]
    assert shown["way"] == "line" and not shown["hold"] and len(shown["deeds"]) == 1
