"""A game of two to five seats at the table: who plays, sleeping tablets, resignation, reactions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import five_game
import pytest
import table_bot
import toy_game
from five_game import SEATS

from referee.archive.rechecking import Illegal, Recheck
from referee.archive.results import outcome_of
from referee.hall.silence import SILENCE_S
from referee.hall.table import Table
from referee.journal.errors import NotAllowed, NotPossible
from referee.journal.events import NewEvent
from referee.kernel.at_table import game_of
from referee.kernel.errors import IllegalAnswer, InvalidAnswer
from referee.kernel.requests import ChooseSecretly, RollDice
from referee.kernel.together import ChooseInSteps, ConsentOfAll, Reaction
from referee.store.store import Store

PLAYERS = dict(zip(SEATS, ("Ada", "Bo", "Cy", "Dee", "Eli"), strict=True))


@pytest.fixture
def five(store: Store) -> Iterator[Callable[..., Table]]:
    """Makes tables of the game of five: ``five(seats=[...], caverns=7)``."""
    five_game.register()
    made: list[Table] = []

    def make(seats: list[str] | None = None, tournament: bool = False, **options: Any) -> Table:
        table = Table.create(
            store, five_game.GAME, options=options, players=PLAYERS, seats=seats, tournament=tournament
        )
        made.append(table)
        return table

    yield make
    for table in made:
        table.close()


def rechecked(table: Table) -> Recheck:
    """The record played again, event by event."""
    check = Recheck(game_of(table.header), table.header)
    for event in table.events():
        check.take(event)
    return check


def play_until(table: Table, found: Callable[[], Any], seed: int = 1) -> None:
    """Play at random until something holds."""
    rng = Random(seed)
    while not found():
        assert table.request is not None, "the game ended first"
        table_bot.one_answer(table, rng)


def quiet(table: Table, absent: tuple[str, ...], start: float = 100.0) -> list[Any]:
    """A minute of silence of ``absent``, second by second."""
    said: list[Any] = []
    for second in range(int(SILENCE_S) + 2):
        said += table.hear(absent, start + second)
    return said


# -- who plays ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [["blue", "green"], ["pink", "grey", "blue"], list(SEATS)])
def test_who_plays_is_said_by_the_header(five: Callable[..., Table], seats: list[str]) -> None:
    table = five(seats)
    wanted = tuple(seat for seat in SEATS if seat in seats)
    assert table.seats == wanted and tuple(table.header["players"]) == wanted
    table_bot.play(table, Random(3))
    assert table.outcome is not None
    again = table_bot.restarted(table)
    assert again.seats == wanted and again.outcome == table.outcome
    assert rechecked(again).outcome == table.outcome
    with pytest.raises(InvalidAnswer):
        again.raise_objection(next((one for one in SEATS if one not in seats), "violet"), "who am I?")
    again.close()


def test_seats_that_cannot_play_are_refused(five: Callable[..., Table], store: Store) -> None:
    with pytest.raises(InvalidAnswer, match="2–5"):
        five(["green"])
    with pytest.raises(InvalidAnswer, match="violet"):
        five(["green", "violet"])
    with pytest.raises(InvalidAnswer, match="2 players"):
        Table.create(store, toy_game.GAME, seats=["white"])


def test_a_game_of_two_has_the_header_that_it_always_had(store: Store) -> None:
    with Table.create(store, toy_game.GAME, options={"turns": 4}, players={"white": "Änne"}) as table:
        assert table.header["players"] == {"white": "Änne", "black": ""}
        assert table.header["options"] == {"turns": 4}


# -- the end -----------------------------------------------------------------------------------------------


def test_victory_is_shared_and_all_are_ranked(five: Callable[..., Table]) -> None:
    table = five(waves=1)
    table_bot.play(table, Random(4))
    outcome = table.outcome
    assert outcome is not None
    best = max(table.play.state.honour.values())
    winners = tuple(seat for seat in SEATS if table.play.state.honour[seat] == best)
    assert outcome.winners == winners and outcome.ranking[0] == winners
    assert sorted(seat for place in outcome.ranking for seat in place) == sorted(SEATS)
    event = table.confirm_result("pink")
    assert event.answer["ranking"] == [list(place) for place in outcome.ranking]
    assert event.answer.get("winners", [event.answer["winner"]]) == list(winners)
    assert rechecked(table).standing.confirmed == {"pink"}
    assert outcome_of(table.live_game.store.load(table.id)) == outcome


def test_some_seed_shares_the_victory(five: Callable[..., Table]) -> None:
    for seed in range(40):
        table = five(waves=1)
        table_bot.play(table, Random(seed))
        assert table.outcome is not None
        if len(table.outcome.winners) > 1:
            data = table.outcome.as_json()
            assert data["winner"] is None and data["winners"] == list(table.outcome.winners)
            return
    raise AssertionError("no shared victory in 40 games")


def test_an_outcome_of_two_is_written_as_ever(store: Store) -> None:
    with Table.create(store, toy_game.GAME, options={"turns": 2}) as table:
        table_bot.play(table, Random(2))
        assert table.outcome is not None
        assert set(table.confirm_result("white").answer) == {"winner", "rule"}


# -- resignation -------------------------------------------------------------------------------------------


def test_one_resigns_and_the_others_play_on(five: Callable[..., Table]) -> None:
    table = five()
    play_until(table, lambda: table.request is not None and table.request.prompt == "prompt.tile")
    asked = table.asked_seats[0]
    leaver = next(seat for seat in SEATS if seat != asked)
    event = table.resign(leaver)
    assert event.kind == "resignation" and event.answer == {"plays_on": True}
    assert table.outcome is None and table.asked_seats == (asked,), "the open question stays"
    assert leaver not in table.live_game.playing
    for act in (table.resign, lambda seat: table.take_back(seat, revision=table.revision)):
        with pytest.raises(NotPossible):
            act(leaver)
    again = table_bot.restarted(table)
    assert again.play.digest() == event.digest and again.live_game.playing == table.live_game.playing
    table_bot.play(again, Random(5))
    assert all(e.seat != leaver for e in again.events(event.number)), "nobody asks who has left"
    assert again.outcome is not None and again.outcome.ranking[-1] == (leaver,)
    assert rechecked(again).outcome == again.outcome
    again.close()


def test_who_is_asked_resigns_and_the_turn_goes_on_to_the_next(five: Callable[..., Table]) -> None:
    table = five()
    play_until(table, lambda: table.request is not None and table.request.prompt == "prompt.wheel")
    leaver = table.asked_seats[0]
    table.resign(leaver)
    assert table.asked_seats and leaver not in table.asked_seats
    rechecked(table)


def test_who_resigns_in_a_council_leaves_it_to_the_others(five: Callable[..., Table]) -> None:
    """They are asked the same again, so what they have sealed stays sealed."""
    table = five()
    chosen = ["attack", {"cavern_1": 2, "cavern_0": 1}, "bragi"]
    table.answer("green", chosen, revision=0)
    table.answer("pink", ["rest"], revision=table.revision)
    event = table.resign("pink")
    assert event.answer == {"plays_on": True, "keeps": ["green"]} and "bragi" not in json.dumps(
        event.as_json()
    )
    again = table_bot.restarted(table)
    assert set(again.asked_seats) == {"blue", "yellow", "grey"}
    for seat in again.asked_seats:
        again.answer(seat, ["rest"], revision=again.revision)
    assert again.play.state.strength["green"] == {"cavern_1": 2, "cavern_0": 1, "bragi": 1}
    assert "pink" not in again.play.state.strength
    table_bot.play(again, Random(2))
    assert rechecked(again).outcome == again.outcome
    again.close()


def test_a_kept_part_is_taken_back_by_the_arbiter_alone(five: Callable[..., Table]) -> None:
    table = five()
    table.answer("green", ["rest"], revision=0)
    table.answer("blue", ["rest"], revision=table.revision)
    table.resign("pink")
    with pytest.raises(NotAllowed, match="resigned"):
        table.take_back("blue", revision=table.revision)  # going back before it would bring pink back
    table.answer("grey", ["rest"], revision=table.revision)
    table.take_back("grey", revision=table.revision)
    assert set(table.asked_seats) == {"yellow", "grey"}
    rechecked(table)
    table.take_back("arbiter", revision=table.revision)
    assert "pink" in table.asked_seats and "pink" in table.live_game.playing
    rechecked(table)


def test_the_last_who_had_to_choose_resigns_and_the_seals_are_opened(five: Callable[..., Table]) -> None:
    table = five(["green", "blue", "pink"])
    table.answer("green", ["rest"], revision=0)
    table.answer("blue", ["rest"], revision=table.revision)
    table.resign("pink")
    assert [event.kind for event in table.events()[-2:]] == ["resignation", "answer"]
    assert table.request is not None and table.request.prompt == "prompt.bid"
    assert set(table.asked_seats) == {"green", "blue"} and not table.standing.sealed
    rechecked(table)
    assert table_bot.restarted(table).play.digest() == table.play.digest()


def test_what_is_not_asked_again_lapses(five: Callable[..., Table]) -> None:
    """In the second choice of a council: it is held anew, from its first question on."""
    table = five(["green", "blue", "pink"])
    for seat in table.seats:
        table.answer(seat, ["rest"], revision=table.revision)
    table.answer("green", {"gold": 1}, revision=table.revision)
    event = table.resign("pink")
    assert event.answer == {"plays_on": True} and set(table.asked_seats) == {"green", "blue"}
    rechecked(table)


def test_keeping_what_was_never_sealed_is_found(five: Callable[..., Table]) -> None:
    table = five()
    table.answer("green", ["rest"], revision=0)
    table.live_game.leave("pink")
    said = {"plays_on": True, "keeps": ["green", "blue"]}
    table.live_game.record([NewEvent("pink", "tablet", "resignation", said, table.play.digest())])
    with pytest.raises(Illegal, match="asked again"):
        rechecked(table)


def test_the_last_but_one_who_resigns_ends_the_game(five: Callable[..., Table]) -> None:
    table = five(["green", "blue", "pink"])
    table.resign("green")
    event = table.resign("pink")
    assert event.answer == {} and table.request is None
    assert table.outcome is not None and table.outcome.rule == "table.resignation"
    rechecked(table)


def test_only_the_arbiter_goes_back_behind_a_resignation(five: Callable[..., Table]) -> None:
    table = five()
    play_until(table, lambda: table.request is not None and table.request.prompt == "prompt.tile")
    before, asked = table.play.digest(), table.asked_seats[0]
    leaver = next(seat for seat in SEATS if seat != asked)
    table.resign(leaver)
    undo = table.undo_class(asked)
    assert undo is not None and undo.kind == "arbiter" and "resigned" in undo.text.in_words("en")
    table.take_back("arbiter", revision=table.revision)
    assert table.play.digest() == before and leaver in table.live_game.playing
    rechecked(table)


def test_a_resignation_told_wrongly_is_found(five: Callable[..., Table]) -> None:
    table = five()
    table.live_game.record([NewEvent("pink", "tablet", "resignation", {}, table.play.digest())])
    with pytest.raises(Illegal, match="play on"):
        rechecked(table)


# -- consent -----------------------------------------------------------------------------------------------


def rolled(table: Table) -> str:
    """Play to just after a roll; gives whose roll it was."""
    play_until(table, lambda: isinstance(table.request, RollDice))
    roller = table.asked_seats[0]
    table_bot.one_answer(table, Random(1))
    table.take_back(roller, revision=table.revision)
    return roller


def test_taking_back_needs_the_yes_of_all_who_are_there(five: Callable[..., Table]) -> None:
    table = five(seats=["green", "blue", "pink"])
    roller = rolled(table)
    before = table.play.digest()
    first, second = (seat for seat in table.seats if seat != roller)
    table.consent(first, True, revision=table.revision)
    assert quiet(table, (), 0) == [], "a tablet that is there and says nothing has not agreed"
    assert table.play.digest() == before
    table.consent(second, True, revision=table.revision)
    assert table.play.digest() != before
    rechecked(table)


def test_a_minutes_silence_of_a_sleeping_tablet_counts_as_yes(five: Callable[..., Table]) -> None:
    table = five()
    roller = rolled(table)
    before = table.play.digest()
    others = [seat for seat in SEATS if seat != roller]
    for seat in others[:3]:
        table.consent(seat, True, revision=table.revision)
    sleeper = others[3]
    for second in range(59):
        assert table.hear([sleeper], float(second)) == []
    assert table.hear([], 59.0) == [], "it woke up: the minute begins anew"
    assert table.hear([sleeper], 61.0) == []
    said = quiet(table, (sleeper,), 62.0)
    assert [event.kind for event in said] == ["take_back"] and table.play.digest() != before
    consent = table.events()[-2]
    assert (consent.kind, consent.seat, consent.source) == ("consent", sleeper, "table")
    assert consent.evidence == {"silence_s": 60}
    rechecked(table)


def test_in_a_tournament_silence_says_nothing(five: Callable[..., Table]) -> None:
    table = five(tournament=True)
    table.answer("green", ["rest"], revision=0)
    play_until(table, lambda: isinstance(table.request, ConsentOfAll), seed=7)
    assert not table.awaits_consent and quiet(table, SEATS) == []


def test_a_correction_for_good_needs_a_yes(store: Store) -> None:
    with Table.create(store, toy_game.GAME) as table:
        put = [{"do": "put", "seat": "white", "place": "east"}]
        table.propose_correction("white", put, "it slipped", revision=table.revision)
        assert not table.awaits_consent and quiet(table, ("black",)) == []


def test_silence_that_the_rules_do_not_hear_is_found(five: Callable[..., Table]) -> None:
    table = five(tournament=False)
    asker = rolled(table)
    sleeper = next(seat for seat in SEATS if seat != asker)
    answer = {"asks": table.standing.asked.number, "yes": False}  # type: ignore[union-attr]
    digest = table.play.digest()
    evidence = {"silence_s": 60}
    table.live_game.record([NewEvent(sleeper, "table", "consent", answer, digest, evidence=evidence)])
    with pytest.raises(Illegal, match="silence"):
        rechecked(table)


def test_a_step_by_hand_is_agreed_to_by_all_opponents(five: Callable[..., Table]) -> None:
    table = five()
    play_until(table, lambda: isinstance(table.request, ConsentOfAll), seed=7)
    player = table.play.state.order[table.play.state.turn]
    others = [seat for seat in SEATS if seat != player]
    assert sorted(table.asked_seats) == sorted(others)
    honour = table.play.state.honour[player]
    for seat in others[:2]:
        table.answer(seat, "agree", revision=table.revision)
    said = quiet(table, tuple(others[2:]))
    assert [event.seat for event in said] == others[2:] and {e.source for e in said} == {"table"}
    assert table.play.state.honour[player] > honour, "carried out"
    rechecked(table)


def test_one_objection_drops_a_step_by_hand(five: Callable[..., Table]) -> None:
    table = five()
    play_until(table, lambda: isinstance(table.request, ConsentOfAll), seed=7)
    player = table.play.state.order[table.play.state.turn]
    honour = table.play.state.honour[player]
    for seat in [one for one in SEATS if one != player]:
        table.answer(seat, "object" if seat == table.asked_seats[-1] else "agree", revision=table.revision)
    assert table.play.state.honour[player] == honour and table.asked_seats == (player,)


# -- secrets and reactions -----------------------------------------------------------------------------------


def test_secret_steps_are_sealed_together(five: Callable[..., Table]) -> None:
    table = five(["green", "blue", "pink"])
    request = table.request
    assert isinstance(request, ChooseSecretly) and isinstance(request.of["green"], ChooseInSteps)
    first = table.preview("green", [])
    assert first.request is not None and first.request.prompt == "prompt.way" and first.open
    second = table.preview("green", ["guard"])
    assert second.request is not None and second.request.kind == "choose_some"
    with pytest.raises(InvalidAnswer):
        table.preview("green", ["rest", "rest"])
    with pytest.raises(IllegalAnswer):
        table.answer("green", ["guard", {"cavern_1": 3}, "bragi"], revision=0)
    with pytest.raises(InvalidAnswer, match="complete"):
        table.answer("green", ["guard", {"cavern_1": 2, "cavern_0": 1}], revision=0)
    event = table.answer("green", ["guard", {"cavern_1": 2, "cavern_0": 1}, "bragi"], revision=0)
    assert set(event.answer) == {"sealed"} and "bragi" not in json.dumps(event.as_json())
    again = table_bot.restarted(table)
    again.answer("blue", ["rest"], revision=again.revision)
    again.answer("pink", ["rest"], revision=again.revision)
    assert again.play.state.strength["green"] == {"cavern_1": 2, "cavern_0": 1, "bragi": 1}
    again.answer("green", {"gold": 2, "gems": 1}, revision=again.revision)
    rechecked(again)
    again.close()


def test_a_standing_wish_answers_for_a_seat(five: Callable[..., Table]) -> None:
    table = five(["green", "blue", "pink"])
    assert table.wishes_of("blue") == {"react": "always"}
    table.wish("blue", "react", "never")
    table.wish("pink", "react", "here")
    for bad in (("blue", "react", "sometimes"), ("blue", "nap", "never")):
        with pytest.raises(InvalidAnswer):
            table.wish(*bad)
    play_until(table, lambda: table.request is not None and table.request.prompt == "prompt.walk")
    walker = table.asked_seats[0]
    assert walker == "green"
    # blue stands at cavern_1, pink at cavern_2: nobody comes to pink
    revision = table.revision
    table.answer("green", "cavern_5", revision=revision)
    given = table.events(revision)
    assert [(e.seat, e.source, e.answer) for e in given] == [
        ("green", "tablet", "cavern_5"),
        ("blue", "wish", "pass"),
        ("pink", "wish", "pass"),
    ]
    assert len({event.batch for event in given}) == 1
    assert table.request is not None and table.request.prompt == "prompt.tile"
    undo = table.undo_class("green")
    assert undo is not None and undo.kind == "free" and undo.events == tuple(e.number for e in given)
    table.take_back("green", revision=table.revision)
    assert table.request.prompt == "prompt.walk"
    again = table_bot.restarted(table)
    assert again.wishes_of("blue") == {"react": "never"}, "it outlasts a restart"
    rechecked(again)
    again.close()


def test_who_wants_to_be_asked_is_asked(five: Callable[..., Table]) -> None:
    table = five(["green", "blue", "pink"])
    table.wish("blue", "react", "here")
    table.wish("pink", "react", "never")
    play_until(table, lambda: table.request is not None and table.request.prompt == "prompt.walk")
    table.answer("green", "cavern_1", revision=table.revision)
    assert isinstance(table.request, Reaction) and table.asked_seats == ("blue",)


def test_an_answer_by_no_wish_is_found(five: Callable[..., Table]) -> None:
    table = five(["green", "blue", "pink"])
    play_until(table, lambda: isinstance(table.request, Reaction))
    seat = table.asked_seats[0]
    table.answer(seat, "pass", revision=table.revision, source="wish")
    with pytest.raises(Illegal, match="wish"):
        rechecked(table)


# -- boards ------------------------------------------------------------------------------------------------


def test_the_board_follows_from_the_options(five: Callable[..., Table]) -> None:
    six, eight = five(caverns=6), five(caverns=8)
    assert six.board is not None and eight.board is not None
    assert six.board.digest != eight.board.digest and six.board.digest == five(caverns=6).board.digest  # type: ignore[union-attr]
    assert six.board.layout_digest != eight.board.layout_digest
    assert six.game.messages.find("place.cavern_2", "en") == "Salt Lake", "its names come with the board"
    assert six.game.messages.find("place.cavern_7", "de") is None
    assert eight.game.messages.find("place.cavern_7", "de") == "Weites Schiff"
    assert five_game.GAME.messages.find("place.cavern_2", "en") is None
    play_until(eight, lambda: eight.request is not None and eight.request.prompt == "prompt.walk")
    assert {"cavern_7", "cavern_1"} <= set(eight.lights()), "places of this board are lit"
