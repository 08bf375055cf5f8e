"""What nobody is asked at a table: where declaring the Fellowship would do nothing at all."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from referee.games.war_of_the_ring import GAME
from referee.games.war_of_the_ring.rules.fellowship import DECLARE
from referee.games.war_of_the_ring.rules.setup import UNKNOWN_STARTS
from referee.hall.table import Table
from referee.kernel.play import Play
from referee.kernel.requests import ChooseOne
from referee.store.store import Store

PHASE = "prompt.fellowship_phase"


def test_where_declaring_is_not_asked_it_changes_nothing_and_elsewhere_it_does() -> None:
    tried: set[bool] = set()
    for seed in range(4):
        rng = Random(seed)
        play: Play[Any] = Play(GAME, GAME.new_state({"edition": ("first", "second")[seed % 2]}), audit=False)
        while play.request is not None:
            request = play.request
            if request.prompt == PHASE and DECLARE in getattr(request, "options", ()):
                assert isinstance(request, ChooseOne)
                tried.add(request.obvious is not None)
                if request.obvious is not None:
                    declared, not_declared = play.fork(), play.fork()
                    declared.answer(DECLARE)
                    not_declared.answer(request.obvious)
                    assert _told(declared) == _told(not_declared), request.about
            play.answer(request.sample(rng))
    assert tried == {True, False}


def _told(play: Play[Any]) -> tuple[Any, Any]:
    state = GAME.to_json(play.state)
    return {**state, "declared": None}, None if play.request is None else play.request.prompt


def test_a_table_begins_after_the_obvious_and_the_record_says_so(tmp_path: Path) -> None:
    with Store.open(tmp_path / "games.sqlite") as store:
        table = Table.create(store, GAME, options={"edition": "second"})
        assert table.request is not None and table.request.prompt == "prompt.choose_guide"
        (event,) = table.events()
        assert (event.seat, event.answer, event.source) == ("free", "no", "obvious")
        table.answer("free", "strider", revision=table.revision)
        undo = table.undo_class("free")
        assert undo is not None and undo.to == 2, "what nobody was asked is not what is taken back first"
        table.close()


def test_the_first_edition_stands_on_the_board_while_its_unknown_numbers_are_asked_for() -> None:
    state = GAME.new_state({"edition": "first"})
    play: Play[Any] = Play(GAME, state)
    assert play.request is not None and play.request.domain == "box_book"
    places = GAME.view(play.state, None, "en")["places"]
    (unknown,) = UNKNOWN_STARTS
    assert len(places) > 20 and unknown not in places
    play.answer("2")
    assert GAME.view(play.state, None, "en")["places"][unknown]["pieces"][0]["count"] == 2
    while play.request is not None and play.request.domain == "box_book":
        play.answer("0")
    after = GAME.view(play.state, None, "en")["places"]
    assert {place: shown for place, shown in after.items() if place != unknown} == places
