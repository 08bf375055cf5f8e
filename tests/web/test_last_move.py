"""The last move of the big screen: the sentence, the die and the way of what was done last."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_hall import FakeHall
from screens import Screen
from test_odds_screens import FREE, MARCH, SHADOW, seated

from referee.kernel.registry import load_game


@pytest.fixture
def five_armies(tmp_path: Path) -> Iterator[FakeHall]:
    """A hall with nothing on its table yet."""
    hall = FakeHall(tmp_path, [load_game("five_armies")])
    yield hall
    hall.close()


def last(screen: Screen) -> Any:
    found = screen.client.get("/api/watch/state")
    assert found.status_code == 200
    return found.json["table"]["last"]


def test_an_attack_is_told_with_its_die_and_its_way(five_armies: FakeHall) -> None:
    shadow = seated(five_armies)["shadow"]
    assert last(shadow) is None, "nothing was moved yet"
    revision = shadow.state("shadow")["table"]["revision"]
    values = {"values": [*MARCH, FREE], "revision": revision}
    assert shadow.post("/api/seat/shadow/answer", values).status_code == 200
    told = last(shadow)
    assert told["seat"] == "shadow" and told["die"] == "army"
    assert told["way"] == {"from": SHADOW, "to": FREE}
    # seats do not need it: their own log says more
    assert shadow.state("shadow")["table"]["last"] is None
