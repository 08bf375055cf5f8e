"""A game of five at the table: what the lights say of who holds what, and comparing board and record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import five_game
import pytest
import table_bot
from five_game import SEATS

from referee.archive.rechecking import Illegal, Recheck
from referee.hall.table import Table
from referee.journal.errors import Frozen, NotPossible
from referee.journal.events import NewEvent
from referee.kernel.at_table import game_of
from referee.kernel.lights import HOLDING, PALETTE, Meaning, Selection, lights_for, lit_places, seat_light
from referee.store.store import Store

CAVERNS = tuple(f"cavern_{number}" for number in range(6))


@pytest.fixture
def five(store: Store) -> Iterator[Callable[..., Table]]:
    """Makes tables of the game of five."""
    five_game.register()
    made: list[Table] = []

    def make(seats: tuple[str, ...] = SEATS, **options: Any) -> Table:
        made.append(Table.create(store, five_game.GAME, options=options, seats=seats))
        return made[-1]

    yield make
    for table in made:
        table.close()


def to_prompt(table: Table, prompt: str) -> str:
    """Play at random to a question; gives who is asked."""
    rng = Random(1)
    while table.request is None or table.request.prompt != prompt:
        table_bot.one_answer(table, rng)
    return table.asked_seats[0]


def rechecked(table: Table) -> Recheck:
    """The record played again with all its checks."""
    check = Recheck(game_of(table.header), table.header)
    for event in table.events():
        check.take(event)
    assert check.play.digest() == table.play.digest()
    return check


def walk(table: Table, seats: tuple[str, ...], says: dict[str, str] | None = None) -> Any:
    """Answer the walk under way, each place from the next seat; the event at its end."""
    event = None
    while table.board_check is not None:
        place = table.board_check.current
        assert place is not None
        seat = seats[len(table.board_check.answers) % len(seats)]
        event = table.answer_board_check(seat, place, (says or {}).get(place, "right"))
    return event


# -- lights ------------------------------------------------------------------------------------------------


def test_whoever_is_asked_sees_what_is_theirs_and_what_is_not(five: Callable[..., Table]) -> None:
    table = five()
    asked = to_prompt(table, "prompt.tile")
    lights = table.lights()
    held = five_game.GAME.holders(table.play.state)
    assert len(set(held.values())) > 2, "several others hold something"
    for place, seat in held.items():
        wanted = Meaning.HELD_ACTING if seat == asked else Meaning.HELD_OTHER
        assert lights[place] == PALETTE[wanted], place
    assert {place for place in CAVERNS if place in lights} == set(held)
    assert {place for place, one in lights.items() if one == PALETTE[Meaning.TURN]} == {seat_light(asked)}


def test_the_same_place_shows_each_who_is_asked_the_right_thing(five: Callable[..., Table]) -> None:
    table = five()
    state = table.play.state
    for asked in SEATS:
        lights = lights_for(five_game.GAME, state, None, None, [asked])
        own = {place for place in CAVERNS if lights.get(place) == PALETTE[Meaning.HELD_ACTING]}
        assert own == {state.at[asked]}
        others = {place for place in CAVERNS if lights.get(place) == PALETTE[Meaning.HELD_OTHER]}
        assert others == {state.at[seat] for seat in SEATS if seat != asked}


def test_where_all_choose_at_once_no_side_of_two_is_made_up(five: Callable[..., Table]) -> None:
    table = five()
    shown = set(table.lights().values())
    assert shown == {PALETTE[Meaning.TURN]}, "nobody alone is asked: only the five seats are lit"
    assert {place for place in table.lights()} == {seat_light(seat) for seat in SEATS}
    table.answer("pink", ["rest"], revision=table.revision)
    assert seat_light("pink") not in table.lights()


def test_in_no_moment_of_whole_games_is_a_light_of_two_sides_lit(five: Callable[..., Table]) -> None:
    two_sides = {PALETTE[Meaning.CONTROL_A], PALETTE[Meaning.CONTROL_B]}
    for seats in (("green", "blue"), ("blue", "pink", "grey"), SEATS):
        table, rng = five(seats, waves=1), Random(len(seats))
        places = set(lit_places(table.game, table.header["options"]))
        while table.outcome is None:
            lights = table.lights()
            assert not two_sides & set(lights.values())
            assert set(lights) <= places
            turn = {place for place, one in lights.items() if one == PALETTE[Meaning.TURN]}
            assert turn == {seat_light(seat) for seat in table.asked_seats}
            table_bot.one_answer(table, rng)
        assert table.lights() == {}, "over: nobody acts"


def test_what_may_be_chosen_covers_who_holds_it(five: Callable[..., Table]) -> None:
    table = five()
    asked = to_prompt(table, "prompt.walk")
    lights = table.lights(Selection(refused="cavern_3"))
    assert table.play.state.at[asked] == "cavern_0"
    assert lights["cavern_1"] == lights["cavern_5"] == PALETTE[Meaning.TARGET]
    assert lights["cavern_0"] == PALETTE[Meaning.ORIGIN] and lights["cavern_3"] == PALETTE[Meaning.REFUSED]
    assert lights["cavern_2"] == PALETTE[Meaning.HELD_OTHER]


def test_who_resigned_holds_nothing_and_is_not_lit(five: Callable[..., Table]) -> None:
    table = five()
    asked = to_prompt(table, "prompt.tile")
    leaver = next(seat for seat in SEATS if seat != asked)
    place = table.play.state.at[leaver]
    alone = [one for one in SEATS if table.play.state.at[one] == place] == [leaver]
    table.resign(leaver)
    assert seat_light(leaver) not in table.lights()
    assert (place in table.lights()) != alone
    assert leaver not in five_game.GAME.holders(table.play.state).values()


# -- board check ---------------------------------------------------------------------------------------------


def test_five_walk_over_the_board_together(five: Callable[..., Table]) -> None:
    table = five()
    before = table.play.digest()
    table.begin_board_check("yellow")
    for seat in SEATS:
        with pytest.raises(Frozen):
            table.answer(seat, ["rest"], revision=table.revision)
    event = walk(table, SEATS)
    assert event.seat == "grey" and event.answer["places"] == list(CAVERNS[:5])
    assert event.answer["complete"] and table.play.digest() == before
    rechecked(table)


def test_the_lit_place_and_besides_only_who_holds_what(five: Callable[..., Table]) -> None:
    table = five()
    asked = to_prompt(table, "prompt.walk")
    table.begin_board_check("blue", everything=True)
    lights = table.lights()
    assert lights["cavern_0"] == PALETTE[Meaning.AUDIT]
    around = {place: one for place, one in lights.items() if place != "cavern_0"}
    assert set(around.values()) <= {PALETTE[meaning] for meaning in HOLDING}
    held = five_game.GAME.holders(table.play.state)
    # of the question's own places nothing is left, and nothing is said of who holds them
    assert set(around) == {place for place in held if place not in ("cavern_0", "cavern_1", "cavern_5")}
    assert asked == "green"


def test_two_on_one_place_are_told_apart(five: Callable[..., Table]) -> None:
    table = five()
    table.begin_board_check("green")
    walk(table, SEATS)
    to_prompt(table, "prompt.walk")
    table.answer("green", "cavern_1", revision=table.revision)
    while table.play.state.at["green"] != "cavern_1":
        table_bot.one_answer(table, Random(1))
    check = table.begin_board_check("grey")
    assert check.places == ("cavern_0", "cavern_1"), "left, and come to another that stands there already"
    walk(table, SEATS, {"cavern_1": "differs"})
    assert table.standing.differing == ("cavern_1",)
    rechecked(table)


def test_two_tablets_tap_at_once_and_one_goes_back(five: Callable[..., Table]) -> None:
    table = five()
    table.begin_board_check("green")
    table.answer_board_check("green", "cavern_0", "right")
    assert table.answer_board_check("pink", "cavern_0", "differs") is None
    table.back_in_board_check("grey")
    assert table.board_check is not None and table.board_check.current == "cavern_0"
    event = table.end_board_check("yellow")
    assert not event.answer["complete"] and table.board_check is None


def test_who_resigned_cannot_hold_up_the_others(five: Callable[..., Table]) -> None:
    table = five()
    to_prompt(table, "prompt.tile")
    leaver = next(seat for seat in SEATS if seat not in table.asked_seats)
    table.resign(leaver)
    with pytest.raises(NotPossible):
        table.begin_board_check(leaver)
    with pytest.raises(NotPossible):
        table.raise_objection(leaver, "one moment")
    others = tuple(seat for seat in SEATS if seat != leaver)
    check = table.begin_board_check(others[0], everything=True)
    with pytest.raises(NotPossible):
        table.answer_board_check(leaver, str(check.current), "right")
    walk(table, others)
    rechecked(table)
    table.live_game.record(
        [NewEvent(leaver, "tablet", "board_check", table.events()[-1].answer, table.play.digest())]
    )
    with pytest.raises(Illegal):
        rechecked(table)


def test_after_a_restart_the_offer_waits_for_any_of_the_five(five: Callable[..., Table]) -> None:
    table = five()
    table.answer("blue", ["rest"], revision=0)
    again = table_bot.restarted(table)
    again.offer_board_check()
    assert again.holding.offered
    with pytest.raises(Frozen):
        again.answer("green", ["rest"], revision=again.revision)
    again.end_board_check("grey")
    again.answer("green", ["rest"], revision=again.revision)
    assert again.standing.sealed.keys() == {"blue", "green"}
    rechecked(again)
    again.close()
