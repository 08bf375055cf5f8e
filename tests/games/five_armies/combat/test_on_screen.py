"""Numbers and names of combat and card questions as screens show them."""

from __future__ import annotations

import pytest
from fighting import Fight, armies

from referee.games.five_armies.box.components import FREE
from referee.games.five_armies.cards import by_hand
from referee.games.five_armies.game import GAME

asks = pytest.importorskip("web.asks")


@pytest.mark.parametrize("language", ["de", "en"])
def test_numbers_are_shown_as_numbers(language: str) -> None:
    state = armies(camp="free lake_men 2; dain", eb_north_plain="shadow orcs 3")
    fight = Fight(state, by_hand.resolve(state, FREE, "ability.dain", may_fight=False)).answer("shift_fate")
    data = asks.ask_json(GAME, fight.request, language, 0, False)
    assert [option["text"] for option in data["options"]] == ["-3", "-2", "-1", "0", "1", "2", "3"]
