"""The laws of every game over random games of two to five seats, on both boards."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import game_laws as laws
import pytest
import yaml
from mountain_driving import BOARD, ON_BOARD, SEATS, Mountain, at
from mountain_driving import place as called

from referee.games.kit.places import places_in
from referee.games.mountain_king.box.components import CLANS, PLACES
from referee.games.mountain_king.game import GAME
from referee.games.mountain_king.play.bots import play_random
from referee.games.mountain_king.play.fuzz import fuzz
from referee.games.mountain_king.rules.advance import origins, targets_of
from referee.games.mountain_king.rules.invasion import candidates, easiest
from referee.games.mountain_king.state.grid import cells_of, groups, is_connected
from referee.games.mountain_king.state.state import FRAY, State
from referee.kernel.at_table import at_table
from referee.kernel.lights import Meaning
from referee.kernel.located import FileProblems
from referee.kernel.play import Play
from referee.kernel.seats import taken_seats

PRACTICE = at_table(GAME, {})


def on(board: Any, seats: int) -> dict[str, Any]:
    """Options of a game."""
    return {"seats": SEATS[:seats], **({"board": board} if board else {})}


@pytest.mark.rule("endgame.winner", "turn.phases")
def test_games_of_two_to_five_end_audited() -> None:
    found = fuzz(0, 24)
    assert not found.failures and sum(found.outcomes.values()) == 24 and found.longest > 200


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_games_end_on_another_board(seats: int) -> None:
    for seed in range(2):
        played = play_random(seed, options=on(BOARD, seats))
        assert played.play.outcome is not None


@pytest.mark.parametrize("board", [None, BOARD], ids=["practice", "second"])
def test_taking_back(board: Any) -> None:
    game = ON_BOARD if board else PRACTICE
    laws.taking_back_and_redoing_gives_the_same_digest(game, on(board, 3), seed=11, often=0.1)
    laws.states_survive_json_and_games_restart_from_it(game, on(board, 5), seed=12, often=0.05)


def test_the_same_answers_give_the_same_game() -> None:
    options = on(None, 4)
    laws.the_same_answers_give_the_same_game(
        GAME, lambda seed, **how: play_random(seed, options=options, **how), options
    )


def test_everything_asked_has_words_rules_and_answers() -> None:
    looking = laws.Looking(PRACTICE)
    for seed in range(12):
        rng = Random(seed)
        play: Play[Any] = Play(PRACTICE, PRACTICE.new_state(on(None, 2 + seed % 4)), audit=False)
        while play.request is not None:
            if rng.random() < 0.15 or play.request.prompt not in looking.asked:
                looking.look(play.request)
            play.answer(play.request.sample(rng))
    assert not looking.missing, "\n".join(sorted(looking.missing))


def test_both_languages_are_complete() -> None:
    laws.both_languages_are_complete(GAME)


@pytest.mark.parametrize("language", ["de", "en"])
def test_nothing_is_told_in_ids(language: str) -> None:
    laws.nothing_is_told_in_ids(PRACTICE, [{}], language, answers=120)


def test_somebody_leaves_and_the_others_play_on() -> None:
    for seed in range(12):
        rng = Random(seed)
        play: Play[Any] = Play(GAME, GAME.new_state(on(None, 4)))
        leaving = [200 + seed * 17, 260 + seed * 11]
        while play.request is not None:
            if leaving and play.answered >= leaving[0]:
                leaving.pop(0)
                seat = SEATS[seed % 4] if len(leaving) else SEATS[(seed + 1) % 4]
                assert GAME.plays_on_without(play.state, seat)
                play.leave(seat)
                continue
            play.answer(play.request.sample(rng))
        outcome = play.outcome
        assert outcome is not None and not set(outcome.winners) & {SEATS[seed % 4]}
        assert len(outcome.ranking[-1]) == 2 - len(leaving) or leaving


def test_position_files_give_the_same_position() -> None:
    for seats in (2, 5):
        rng = Random(seats)
        play: Play[Any] = Play(GAME, GAME.new_state(on(None, seats)), audit=False)
        while play.request is not None:
            if rng.random() < 0.03:
                text = GAME.write_position(play.kept)
                assert GAME.to_json(GAME.read_position(text).state) == GAME.to_json(play.kept)
            play.answer(play.request.sample(rng))


def test_groups_are_all_connected_sets_and_each_once() -> None:
    rng = Random(1)
    for seed in range(6):
        state = play_random(seed, options=on(None, 3), audit=False).play.state
        cells = cells_of(state.grids[0])
        covered = sum(1 << cell for cell in range(122) if cells.cards >> cell & 1 and rng.random() < 0.3)
        free = (cells.of_kind[seed % 4] | cells.wild) & ~covered
        found = [*groups(free, cells.strong, covered)]
        assert len(set(found)) == len(found)
        bits = [1 << cell for cell in range(122) if free >> cell & 1][:11]
        whole = sum(bits)
        listed = {group for group in found if not group & ~whole}
        for number in range(1, 1 << len(bits)):
            group = sum(bit for at, bit in enumerate(bits) if number >> at & 1)
            wanted = group.bit_count() > 1 or group & cells.strong
            assert (group in listed) == bool(wanted and is_connected(group, covered))


def states(board: Any, seed: int) -> Iterator[State]:
    """States of a random game in the middle of play."""
    rng = Random(seed)
    play: Play[Any] = Play(GAME, GAME.new_state(on(board, 4)), audit=False)
    while play.request is not None:
        if play.state.phase == FRAY and rng.random() < 0.06:
            yield play.state
        play.answer(play.request.sample(rng))


@pytest.mark.rule("invasion.easiest", "invasion.nearest", "invasion.pass_overrun")
@pytest.mark.parametrize("board", [None, BOARD], ids=["practice", "second"])
def test_a_gnome_takes_the_first_of_all_its_candidates(board: Any) -> None:
    for state in states(board, 21):
        for clan in range(len(CLANS)):
            reached = candidates(state, clan)
            best, trolls, passed = easiest(state, clan)
            least = min(reached.values(), default=None)
            assert {place for place, worth in reached.items() if worth == least} == set(places_in(best))
            assert least in (None, (trolls, passed))


@pytest.mark.rule("advance.path", "advance.origins")
@pytest.mark.ruling("amb_16")
@pytest.mark.parametrize("board", [None, BOARD], ids=["practice", "second"])
def test_an_order_of_moves_exists_for_all_who_may_advance(board: Any) -> None:
    """Whoever may go can go together, the farthest first, each over places that are trolled then."""
    for state in states(board, 22):
        seat = state.active
        for target in places_in(targets_of(state, seat)):
            away = {
                origin: steps_to(state, seat, origin, target)
                for origin in places_in(origins(state, seat, target))
            }
            row = [*state.units[seat]]
            for origin in sorted(away, key=lambda one: -away[one]):
                for _ in range(row[origin]):
                    there = sum(1 << place for place, number in enumerate(row) if number)
                    assert target_reached(state, origin, target, there)
                    row[origin] -= 1
                    row[target] += 1


def target_reached(state: State, origin: int, target: int, there: int) -> bool:
    """Whether a unit walks from a place to another over trolled ones only."""
    edge = seen = 1 << origin
    while edge:
        near = state.box.near[edge]
        if near >> target & 1:
            return True
        edge = near & there & ~seen
        seen |= edge
    return False


def steps_to(state: State, seat: int, origin: int, target: int) -> int:
    """How far a place is from the target, over trolled places."""
    steps, edge, seen = 0, 1 << target, 1 << target
    while not edge >> origin & 1:
        edge = state.box.near[edge] & state.there[seat] & ~seen
        seen |= edge
        steps += 1
    return steps


def test_a_board_is_equal_for_equal_options() -> None:
    first, second = GAME.board({"board": BOARD}), GAME.board({"board": {**BOARD}})
    assert first.digest == second.digest != GAME.board({}).digest
    assert first.layout_digest != GAME.board({}).layout_digest
    assert taken_seats(GAME, ["blue", "pink"]) == ("pink", "blue")


def test_corrections_make_what_was_wanted_stand() -> None:
    rng = Random(8)
    play: Play[Any] = Play(GAME, GAME.new_state(on(None, 3)), audit=False)
    while play.request is not None and play.answered < 200:
        play.answer(play.request.sample(rng))
    for place in ("", "moss_2", "lair_a1"):
        for item in GAME.correction_form(play.state, place):
            state = GAME.copy(play.state)
            wanted = {item.key: item.least if item.count > item.least else min(item.most, item.count + 1)}
            for primitive in GAME.corrections(state, place, wanted):
                GAME.correct(state, primitive)
            now = {one.key: one.count for one in GAME.correction_form(state, place)}
            assert now.get(item.key, 0) == wanted[item.key], item.key


def test_the_swarm_and_overrun_caverns_are_lit_and_the_fight_over_both() -> None:
    """Where gnomes come from next is seen on the board, in every position of a game."""
    state = play_random(5, audit=False, keep=False, checked=False).play.state
    state.overrun, state.fight = 0b110, 2
    for clan, name in enumerate(CLANS):
        state.swarm = clan
        lit = GAME.markers(state)
        assert {place for place in lit if place.startswith("swarm_")} == {f"swarm_{name}"}
        assert f"swarm_{name}" in GAME.board().places
        gates = {PLACES[place] for place in places_in(state.box.gates[clan] & ~state.overrun)}
        threatened = {place for place, meaning in lit.items() if meaning is Meaning.THREAT}
        assert gates and threatened == gates | {f"swarm_{name}"}
        assert lit[PLACES[1]] is Meaning.OBJECTIVE_LOST and lit[PLACES[2]] is Meaning.FIGHT
    state.swarm = -1
    assert not [place for place in GAME.markers(state) if place.startswith("swarm_")]


def test_where_rivals_stand_and_nobody_has_most_is_lit_until_gnomes_are_attacked() -> None:
    m = Mountain({"M2": {"pink": 2, "green": 2, "blue": 1}, "M3": {"pink": 2, "green": 1}, "O2": {"pink": 1}})
    fights = {place for place, meaning in GAME.markers(m.state).items() if meaning is Meaning.FIGHT}
    assert fights == {called("M2")} and GAME.holders(m.state)[called("M3")] == "pink"
    m.state.fight = at("O2")
    fights = {place for place, meaning in GAME.markers(m.state).items() if meaning is Meaning.FIGHT}
    assert fights == {called("O2")}


@pytest.mark.parametrize(
    ("part", "wrong"),
    [("seats", []), ("seats", ["pink"]), ("ledger", [[1, "scoring.hall", [{}], "pink", 4]])],
)
def test_a_position_of_nobody_or_with_an_entry_of_another_shape_is_refused(part: str, wrong: Any) -> None:
    """Nobody's game ended in a traceback at its end; what an entry was for could be a list."""
    play: Play[Any] = Play(GAME, GAME.new_state({"seats": ["pink", "green"]}))
    rng = Random(8)
    while play.request is not None and not (play.state.ledger and not play.since):
        play.answer(play.request.sample(rng))
    data = yaml.safe_load(GAME.write_position(play.state))
    here = data["position"] if part == "seats" else data["position"]["details"]
    assert part in here
    here[part] = wrong
    text = yaml.safe_dump(data, sort_keys=False)
    with pytest.raises(FileProblems) as told:
        GAME.read_position(text)
    assert part == "ledger" or text.splitlines()[told.value.problems[0].line - 1].startswith("  seats:")
