"""On the table now: what hands have to do is listed until it is done, and the record knows nothing of it."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
import toy_game

from referee.hall.board_check import contents
from referee.hall.deeds import deeds
from referee.hall.hands import LINE, LISTED
from referee.hall.table import Table
from referee.journal.errors import Frozen
from referee.kernel.at_table import at_table
from referee.kernel.errors import InvalidAnswer, StaleAnswer
from referee.kernel.lights import PALETTE, Meaning
from referee.kernel.play import Play
from referee.kernel.registry import game_ids, load_game
from referee.store.store import Store

ID_LIKE = re.compile(r"\b[a-z]+(?:[._][a-z0-9]+)+\b")


@pytest.fixture
def table(tmp_path: Path) -> Any:
    store = Store.open(tmp_path / "games.sqlite")
    made = Table.create(store, toy_game.register())
    yield made
    made.close()
    store.close()


def step(table: Table, value: Any) -> None:
    assert table.request is not None
    table.answer(table.request.seat, value, revision=table.revision)


@pytest.mark.parametrize("game", game_ids())
def test_whatever_changes_on_a_board_is_told_with_its_places_in_both_languages(game: str) -> None:
    rules, chance = at_table(load_game(game), {}), random.Random(4)
    play: Play[Any] = Play(rules, rules.new_state({}), audit=False)
    told = 0

    def views() -> dict[str, dict[str, Any]]:
        return {language: rules.view(play.state, None, language) for language in ("de", "en")}

    was = views()
    for answer in range(240):
        if play.request is None:
            break
        play.answer(play.request.sample(chance))
        if answer % 3:
            continue
        now = views()
        said = {language: deeds(rules, was[language], now[language], language) for language in now}
        assert [one.key for one in said["de"]] == [one.key for one in said["en"]]
        assert len({one.key for one in said["de"]}) == len(said["de"])
        before, after = (contents(one["en"]["places"]) for one in (was, now))
        silent = getattr(rules, "only_counted", ())
        for shown in (before, after):
            for place, content in list(shown.items()):
                shown[place] = frozenset(item for item in content if item[1] not in silent)
        nothing: Any = frozenset()
        places = before.keys() | after.keys()
        changed = {place for place in places if before.get(place, nothing) != after.get(place, nothing)}
        assert changed <= {place for one in said["en"] for place in one.places}
        assert not [one.text for one in said["de"] + said["en"] if ID_LIKE.search(one.text)]
        told += len(said["en"])
        was = now
    assert told > 30


def test_nothing_is_done_where_nothing_changed() -> None:
    rules = load_game("five_armies")
    view = rules.view(rules.new_state({}), None, "en")
    assert deeds(rules, view, view, "en") == []


def test_the_game_waits_for_hands_and_the_places_are_lit(table: Table) -> None:
    table.follow_hands(LISTED)
    assert table.hands("en") == [] and not table.hands_hold
    step(table, "east")
    (deed,) = table.hands("en")
    assert set(deed.places) == {"north", "east"} and "East" in deed.text
    lit = PALETTE[Meaning.AUDIT]
    assert {place for place, light in table.lights().items() if light == lit} == {"north", "east"}
    with pytest.raises(Frozen):
        step(table, {"men": 1})
    with pytest.raises(Frozen):
        table.preview("white", [{"men": 1}])
    events = table.revision
    with pytest.raises(StaleAnswer):
        table.hands_done("black", revision=0)
    table.hands_done("black", revision=table.revision)
    assert table.hands("en") == [] and table.revision == events, "nothing of it is in the record"
    table.hands_done("white", revision=0)  # both tapped at once
    step(table, {"men": 1})


def test_lines_are_ticked_one_by_one_by_any_seat(table: Table) -> None:
    table.follow_hands(LISTED)
    step(table, "east")
    (deed,) = table.hands("de")
    table.tick_hands("black", "something else")
    assert table.hands_hold
    table.tick_hands("black", deed.key)
    assert not table.hands_hold


def test_what_is_taken_back_before_it_was_done_is_not_done(table: Table) -> None:
    table.follow_hands(LISTED)
    step(table, "east")
    table.take_back("white", revision=table.revision)
    assert not table.hands_hold and table.hands("en") == []
    step(table, "east")
    table.hands_done("white", revision=table.revision)
    table.take_back("white", revision=table.revision)
    (deed,) = table.hands("en")
    assert deed.places == ("east", "north"), "what was done already is put back"


def test_an_experienced_table_is_told_the_last_step_and_waits_for_nothing(
    table: Table, tmp_path: Path
) -> None:
    table.hands_path = tmp_path / "hands"
    table.follow_hands(LISTED)
    table.set_hands_way("black", LINE)
    assert table.hands_path.read_text() == LINE
    step(table, "east")
    assert len(table.hands("en")) == 1 and not table.hands_hold
    step(table, {"men": 1})
    assert all("east" not in one.places for one in table.hands("en")), "that was a step before"
    with pytest.raises(InvalidAnswer):
        table.set_hands_way("black", "never")


def test_dice_wait_for_nobody_and_what_came_before_them_stays_listed(table: Table) -> None:
    step(table, "east")
    step(table, {"men": 1})
    table.follow_hands(LISTED)
    table._shown = table.game.new_state({})  # as if all of it were still to be done
    assert table.request is not None and table.request.kind == "roll_dice"
    assert table.hands("en") and not table.hands_hold
    step(table, table.request.sample(random.Random(1)))
    assert table.hands_hold


def test_nobody_follows_the_hands_of_a_program(table: Table) -> None:
    step(table, "east")
    assert table.hands("en") == [] and not table.hands_hold
