"""Positions of our own, played by written moves: what the open scenarios do not touch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from test_battlelore_refusals import position_of

from referee.games.battlelore.box.components import COLOURS, PLACES
from referee.games.battlelore.box.scenario import field_of, write_scenario
from referee.games.battlelore.cards.effects import Running, halved, number_of
from referee.games.battlelore.game import GAME
from referee.games.battlelore.position.position import read_position, write_position
from referee.games.battlelore.rules import morale
from referee.games.battlelore.state.state import State
from referee.kernel.errors import InvalidAnswer
from referee.kernel.explain import attempt
from referee.kernel.located import FileProblems
from referee.kernel.play import Play
from referee.kernel.requests import ChooseOne, RollDice
from referee.kernel.together import Reaction

CASES: dict[str, Any] = yaml.load(
    (Path(__file__).with_name("own_positions.yaml")).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
)


def begun(case: dict[str, Any]) -> Play[State]:
    """The game at the position of a case."""
    told = {key: value for key, value in case.items() if key not in ("rules", "then", "last")}
    state = position_of(told)
    state.last = list(case.get("last", state.last))
    return Play(GAME, state)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.rule(*case["rules"]), id=name) for name, case in CASES.items()],
)
def test_it_comes_out_so(name: str) -> None:
    case = CASES[name]
    play = begun(case)
    moves = case["do"] if isinstance(case["do"], list) else [case["do"]]
    history: list[Any] = []
    for move in filter(None, moves):
        result = attempt(play, move, GAME.words, finish=False, history=history)
        assert result.allowed, f"{result.at!r}: {result.sentence('en', GAME)}"
        history += result.pairs
    for key, wanted in case["then"].items():
        assert found(play, key, wanted) == wanted, key


def found(play: Play[State], key: str, wanted: Any) -> Any:
    """What stands under a key of ``then``."""
    state, request = play.state, play.request
    ids = state.field.index
    assert request is not None
    options = list(request.options) if isinstance(request, ChooseOne) else []
    if key == "asked":
        return f"{request.seat} {request.prompt.removeprefix('prompt.')}"
    if key == "dice":
        assert isinstance(request, RollDice), request.prompt
        return sum(request.dice.values())
    if key in ("offers", "lacks"):
        return [one for one in wanted if (one in options) is (key == "offers")]
    if key == "units":
        where = {name: (state.at[ids[name]], state.figures[ids[name]]) for name in wanted}
        return {name: "gone" if at < 0 else f"{PLACES[at]} {count}" for name, (at, count) in where.items()}
    if key == "ordered":
        return [name for name, number in ids.items() if state.ordered >> number & 1]
    if key == "colour":
        return {name: COLOURS[state.colour[ids[name]]] for name in wanted}
    if key == "store":
        return {name: state.store[ids[name]] for name in wanted}
    if key == "bold":
        return {name: morale.bold(state, ids[name]) for name in wanted}
    return getattr(state, key)


@pytest.mark.rule("victory.nobody_left", "creature.banner_on_track")
def test_a_battle_ends_where_a_side_has_nobody_left() -> None:
    """Random battles found it: a last unit whose banner went to nobody left a battle without an end."""
    units = ["S1 e6 foot blue 4", "N1 e7 creature green 1 spider"]
    case = {"house_rules": {"creature_banner_counts": "no"}, "phase": 4, "ordered": ["S1"], "units": units}
    play: Play[State] = Play(GAME, position_of(case))
    result = attempt(play, "fight e6 roll green red red again green ground no", GAME.words, finish=False)
    assert result.allowed, result.sentence("en", GAME)
    assert play.outcome is not None and play.state.banners == [0, 0]
    assert (play.outcome.winners, play.outcome.rule) == (("south",), "victory.nobody_left")


@pytest.mark.rule("lore.halves_round_up")
def test_halves_are_rounded_up() -> None:
    assert [halved(number) for number in range(5)] == [0, 1, 1, 2, 2]
    run = Running(0, "war_5", level=3)
    assert number_of(run, {"do": "dice", "number": "level", "half": True}) == 2


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("scenario: own_99", 1, "own_99"),
        ("units: {S1: z9 4}", 1, "S1"),
        ("units: {S1: c3 9}", 1, "S1"),
        ("units: {S1: c5 4}", 1, "S2"),
        ("units: {S1: c3 4 stored 1}", 1, "S1"),
        ("fight: {attacker: S1}", 1, ""),
        (
            "scenario: {id: x, victory_banners: {south: 4}, units: {south: [S1 c3 foot green 4 axe]}}",
            1,
            "axe",
        ),
        (
            "scenario: {id: x, victory_banners: {south: 4, north: 4}, terrain: {lava: [c3]}, units: {}}",
            1,
            "lava",
        ),
        ("hands: {south: 50, north: 30}", 1, "60"),
    ],
)
def test_a_wrong_position_names_its_line(text: str, line: int, said: str) -> None:
    with pytest.raises(FileProblems) as caught:
        read_position(text + "\n")
    assert {problem.line for problem in caught.value.problems} == {line}
    for language in ("de", "en"):
        assert any(said in problem.sentence(language) for problem in caught.value.problems), language


def test_a_scenario_of_ones_own_is_played_from_its_text() -> None:
    case = {"units": ["S1 e6 foot blue 4", "N1 e7 foot blue 4"], "phase": 4, "ordered": ["S1"], "do": ""}
    state = position_of(case)
    again = read_position(write_position(state)).state
    assert GAME.to_json(again) == GAME.to_json(state)
    with pytest.raises(InvalidAnswer, match="own_01"):
        GAME.new_state({"scenario": "agincourt"})


def test_an_arbiter_sets_units_figures_and_banners() -> None:
    state = GAME.new_state({"scenario": "own_01"})
    unit = state.field.index["S1"]
    for primitive in GAME.corrections(state, "e6", {"unit.S1": 2}):
        GAME.correct(state, primitive)
    assert (PLACES[state.at[unit]], state.figures[unit]) == ("e6", 2)
    for primitive in GAME.corrections(state, "e6", {"unit.S1": 0}):
        GAME.correct(state, primitive)
    assert state.at[unit] < 0 and GAME.audit(state) == []
    GAME.correct(state, {"do": "banners", "seat": "north", "value": 2})
    assert state.banners == [0, 2]
    with pytest.raises(InvalidAnswer):
        GAME.correct(state, {"do": "unit", "unit": "S3", "place": "c5", "figures": 4})


@pytest.mark.rule("council.board_special_rules")
def test_what_a_council_board_says_is_set_by_those_who_read_it() -> None:
    state = GAME.new_state({"scenario": "own_05"})
    state.council = [[2, 1, 0, 1, 2, 0], [2, 1, 0, 1, 2, 0]]
    changed = GAME.corrections(state, "", {"council.south.wizard": 2})
    for primitive in changed:
        GAME.correct(state, primitive)
    assert len(changed) == 1 and state.council == [[2, 2, 0, 1, 2, 0], [2, 1, 0, 1, 2, 0]]
    assert "council" not in {item.key.partition(".")[0] for item in plain_form()}


def test_tokens_beside_a_creature_are_told_by_files_and_set_by_an_arbiter() -> None:
    units = ["S1 e6 creature green 1 spider", "S2 c3 foot green 4", "N1 e7 foot blue 4"]
    state = position_of({"lore": True, "units": units, "unit_figures": {"S1": "e6 1 stored 2"}})
    state.colour[state.field.index["S2"]] = 1
    GAME.correct(state, {"do": "unit", "unit": "S2", "place": "", "figures": 0})
    assert state.store == [2, 0, 0]
    again = read_position(write_position(state)).state
    assert GAME.to_json(again) == GAME.to_json(state)
    (changed,) = GAME.corrections(state, "e6", {"stored.S1": 1})
    GAME.correct(state, changed)
    assert state.store == [1, 0, 0]
    with pytest.raises(InvalidAnswer):
        GAME.correct(state, {"do": "stored", "unit": "N1", "tokens": 1})


def plain_form() -> Any:
    """What may be corrected beside the board of a battle without lore."""
    return GAME.correction_form(GAME.new_state({"scenario": "own_01"}), "")


@pytest.mark.rule("lore.reaction_cards")
@pytest.mark.parametrize(
    ("figures", "says", "asked"),
    [(4, "weak", False), (2, "weak", True), (4, "always", True), (4, "never", False), (1, "never", False)],
)
def test_standing_wishes_decide_who_is_asked(figures: int, says: str, asked: bool) -> None:
    """By what everybody sees of the board: that somebody is asked tells nothing of his cards."""
    case = {"lore": True, "phase": 4, "ordered": ["S1"], "tokens": {"north": 2}, "lore_hands": {"north": 1}}
    state = position_of(
        {**case, "council": {"north": {"warrior": 1}}, "unit_figures": {"N1": f"e7 {figures}"}}
    )
    play: Play[State] = Play(GAME, state)
    play.answer("e6")
    request = play.request
    assert isinstance(request, Reaction) and request.seat == "north"
    assert request.is_asked(says) is asked
    assert set(request.when) <= set(GAME.wishes[request.wish])


def test_every_wish_has_its_words() -> None:
    for wish, conditions in GAME.wishes.items():
        for name in (f"wish.{wish}", *(f"wish.{wish}.{one}" for one in conditions)):
            assert all(GAME.messages.find(name, language) for language in ("de", "en")), name


def test_the_board_is_drawn_with_the_lines_of_the_box_and_none_where_nobody_told() -> None:
    told = {cut: GAME.board({"box": {"sections": cut}}) for cut in ("fifth", "fourth", "none")}
    assert len({board.digest for board in told.values()}) == 3
    assert all(len(board.lines) == 2 for board in told.values())
    assert GAME.board({}).lines == ()
    crossed = {"terrain": {"bridge": ["a1"], "ford": ["e5"]}}
    text = write_scenario(field_of({**GAME.new_state({}).field.data, **crossed}))
    drawn = GAME.board({"scenario": text}).lines
    assert [(line.kind, line.between) for line in drawn] == [("ford", ("e4", "e6")), ("bridge", ("a1", "a2"))]
    state = GAME.new_state({"box": {"sections": "fourth"}})
    play: Play[State] = Play(GAME, state)
    assert play.state.lines == [6, 18]


def test_a_target_is_told_with_its_dice_and_why_before_it_is_chosen() -> None:
    """Colour, ceiling, cards, and how bold whoever is struck would be."""
    enemies = ["N1 e7 foot blue 4 dwarf", "N2 f6 foot green 4", "N3 e8 foot blue 4", "N4 f7 foot blue 4"]
    units = ["S1 e6 foot red 4", *enemies]
    case = {"phase": 4, "ordered": ["S1"], "units": units, "terrain": {"woods": ["f6"]}}
    play: Play[State] = Play(GAME, position_of(case))
    request = play.request
    assert isinstance(request, ChooseOne) and request.notes is not None
    assert {about["place"] for note, about in request.notes("e6") if note == "note.dice"} == {"e7", "f6"}
    play.answer("e6")
    request = play.request
    assert isinstance(request, ChooseOne) and request.notes is not None
    assert list(request.notes("f6")) == [
        ("note.dice", {"place": "f6", "count": 2}),
        ("dice.base", {"count": 4}),
        ("dice.ceiling", {"count": 2}),
        ("morale.support", {"count": 1}),
    ]
    told = [note for note, _ in request.notes("e7")]
    assert told == ["note.dice", "dice.base", "morale.race", "morale.support"]
