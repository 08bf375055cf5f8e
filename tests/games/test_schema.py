"""One declaration of a state: copy, JSON, position file, bounds, counters and corrections follow from it.

The state is one that no game here has: three seats, hexes, tableaus of cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
import yaml

from referee.games.kit import codecs
from referee.games.kit.audit import conserved
from referee.games.kit.codecs import counts, each, flag, index, listed, mask, number, sparse, text
from referee.games.kit.corrections import (
    EACH,
    VALUE,
    Amount,
    Amounts,
    Choice,
    Corrections,
    Figures,
    Whereabouts,
    refuse_sum,
)
from referee.games.kit.packed import Worked, count, packer
from referee.games.kit.schema import Schema, declare
from referee.kernel.errors import InvalidAnswer
from referee.kernel.located import FileProblems, LocatedValue, Problems, read_yaml

SEATS = ("red", "green", "blue")
HEXES = tuple(f"h{row}_{column}" for row in range(3) for column in range(4))
TROLLS = ("troll", "giant")
CARDS = ("axe", "bell", "crown")
HEROES = ("ann", "bob")
AWAY = -1
pack = packer(TROLLS)
THERE = Worked(lambda packed: {name: n for k, name in enumerate(TROLLS) if (n := count(packed, k))})


@dataclass(slots=True, eq=False)
class Clash:
    """A part that is there now and then."""

    attacker: int = declare(index(SEATS), always=True)
    rolled: list[list[int]] = declare(codecs.Rows(2, 6))
    rounds: int = declare(number(1, 9), start=1)


CLASH = Schema(Clash, short=True, in_files=True)


@dataclass(slots=True, eq=False)
class State:
    """One of each sort."""

    turn: int = declare(number(0, 20), start=1)
    step: str = declare(text(("", "fight")), file="step")
    leader: int = declare(index(SEATS, {-1: None}), start=-1)
    flooded: int = declare(mask(HEXES), file="land.flooded")
    open: bool = declare(flag(), start=True, file="land.open", always=True)
    trolls: list[int] = declare(sparse(HEXES, codecs.Packed(TROLLS, THERE.__getitem__, pack)), key="hexes")
    supply: list[int] = declare(counts(TROLLS, (9, 2)), start=(9, 2), file="supply")
    hands: list[list[int]] = declare(each(SEATS, listed(CARDS)), file="hands")
    honour: list[int] = declare(each(SEATS, number(0, 30)), file="honour", always=True)
    asleep: list[bool] = declare(each(SEATS, flag()), file="asleep")
    order: tuple[int, ...] = declare(each(SEATS, number(), kept_as=tuple), start=(2, 0, 1))
    heroes: list[int] = declare(codecs.Locations(HEROES, HEXES, {AWAY: "away"}, AWAY))
    memory: dict[str, Any] = declare(codecs.Json())
    clash: Clash | None = declare(codecs.Part(CLASH), file="clash")
    crowds: list[int] = declare(codecs.Derived(), start=[0] * len(HEXES))


def _derive(state: State) -> None:
    state.crowds = [sum(THERE[packed].values()) for packed in state.trolls]


SCHEMA = Schema(State, derive=_derive)


def some_state() -> State:
    state = State()
    state.leader, state.flooded, state.step = 1, 0b101, "fight"
    state.trolls[3] = pack({"troll": 2, "giant": 1})
    state.supply = [7, 1]
    state.hands[2] = [2, 0, 1]
    state.honour, state.asleep = [3, 0, 30], [False, True, False]
    state.heroes = [5, AWAY]
    state.memory = {"axe": {"seen": [1, 2]}}
    state.clash = Clash(attacker=2, rolled=[[6, 1], [2, 0]])
    _derive(state)
    return state


def test_json_has_readable_ids_and_leaves_out_what_is_not_there() -> None:
    data = SCHEMA.to_json(some_state())
    assert data["leader"] == "green" and data["flooded"] == ["h0_0", "h0_2"]
    assert data["hexes"] == {"h0_3": {"troll": 2, "giant": 1}} and data["heroes"] == {"ann": "h1_1"}
    assert data["hands"]["blue"] == {"axe": 2, "crown": 1} and data["order"]["red"] == 2
    assert data["clash"] == {"attacker": "blue", "rolled": [[6, 1], [2, 0]]} and "crowds" not in data
    assert SCHEMA.to_json(State())["leader"] is None and SCHEMA.to_json(State())["clash"] is None


def test_reading_gives_the_same_state_and_what_is_derived() -> None:
    state = some_state()
    again = SCHEMA.from_json(SCHEMA.to_json(state))
    assert SCHEMA.to_json(again) == SCHEMA.to_json(state)
    assert again.crowds[3] == 3 and again.clash is not None and again.clash.rounds == 1
    with pytest.raises(ValueError):
        SCHEMA.from_json({**SCHEMA.to_json(state), "flooded": ["narnia"]})


def test_a_copy_shares_nothing_that_is_changed_in_place() -> None:
    state = some_state()
    before = SCHEMA.to_json(state)
    other = SCHEMA.copy(state)
    assert SCHEMA.to_json(other) == before
    other.trolls[0], other.hands[0][1], other.honour[0], other.heroes[1] = 1, 5, 9, 3
    other.memory["axe"]["seen"].append(3)
    assert other.clash is not None
    other.clash.rolled[0][0], other.crowds[0] = 1, 7
    assert SCHEMA.to_json(state) == before and state.crowds[0] == 0
    assert State().honour is not State().honour


def test_bounds_are_told_by_field() -> None:
    state = some_state()
    assert SCHEMA.out_of_bounds(state) == []
    state.turn, state.supply[1], state.honour[2], state.hands[0][0] = 21, -1, 31, -1
    assert [told.partition(":")[0] for told in SCHEMA.out_of_bounds(state)] == [
        "turn",
        "supply",
        "hands",
        "honour",
    ]


def test_counters_of_a_seat() -> None:
    found = dict(SCHEMA.counters(some_state(), 2, ("hands", "honour")))
    assert found == {"hands_axe": 2, "hands_bell": 0, "hands_crown": 1, "honour": 30}


# --- position files ----------------------------------------------------------------------------------


def test_what_is_as_in_a_new_state_is_not_told() -> None:
    assert SCHEMA.say(State()) == {"land": {"open": True}, "honour": {"red": 0, "green": 0, "blue": 0}}


def test_a_file_tells_only_the_ids_where_something_is() -> None:
    sort = each(SEATS, sparse(HEXES))
    rows = sort.empty()
    assert rows == [[0] * len(HEXES)] * 3 and rows[0] is not rows[1]
    rows[1][2] = 4
    assert sort.say(rows) == {"green": {"h0_2": 4}}
    spot = read_yaml("{green: {h0_2: 4}}")
    assert sort.hear(spot, sort.empty()) == rows


def test_what_is_said_can_be_heard() -> None:
    said = SCHEMA.say(some_state())
    assert said["hands"] == {"blue": ["axe", "axe", "crown"]} and said["asleep"] == ["green"]
    assert said["land"] == {"flooded": ["h0_0", "h0_2"], "open": True}
    assert said["clash"] == {"attacker": "blue", "rolled": [[6, 1], [2, 0]]}
    state = State()
    spot = read_yaml(yaml.safe_dump(said))
    SCHEMA.hear(state, spot)
    spot.problems.check()
    assert SCHEMA.say(state) == said


@pytest.mark.parametrize(
    ("lines", "line", "words"),
    [
        ("step: lunch", 1, "lunch"),
        ("land:\n  flooded: [h0_0, sea]", 2, "sea"),
        ("land: {open: perhaps}", 1, "true or false"),
        ("\nsupply: {giant: 3}", 2, "from 0 to 2"),
        ("hands: {red: [axe, sword]}", 1, "sword"),
        ("hands:\n  pink: [axe]", 2, "pink"),
        ("honour: {blue: 31}", 1, "from 0 to 30"),
        ("asleep: [nobody]", 1, "nobody"),
        ("clash: {attacker: red, rolled: [[1, 2, 3]]}", 1, "2 numbers"),
        ("clash:\n  weather: wet", 2, "weather"),
        ("land: {weather: wet}", 1, "weather"),
    ],
)
def test_each_mistake_is_told_with_its_line(lines: str, line: int, words: str) -> None:
    spot = read_yaml(lines)
    SCHEMA.hear(State(), spot)
    with pytest.raises(FileProblems) as caught:
        spot.problems.check()
    told = caught.value.problems[0]
    assert told.line == line and words in told.sentence("en") and told.sentence("de") != told.sentence("en")


# --- corrections -------------------------------------------------------------------------------------


def _put_trolls(state: State, place: int, there: Any) -> None:
    state.trolls[place] = pack(there)
    _derive(state)


def _put_hero(state: State, hero: int, place: int) -> None:
    state.heroes[hero] = place


def _trolls(sides: tuple[int, int]) -> Figures[State]:
    return Figures(
        "trolls",
        "trolls",
        HEXES,
        TROLLS,
        sides,
        "supply",
        lambda state, place: THERE[state.trolls[place]],
        _put_trolls,
    )


CORRECTIONS: Corrections[State] = Corrections(
    HEXES,
    Choice("leader", "seat", "leader", SEATS, "label.leader", "seat"),
    Amounts("turn", {VALUE: Amount(("turn",), 20, 1)}, "label.turn"),
    Amounts("open", {VALUE: Amount(("open",))}, "label.open", options=("shut", "open"), domain="gate"),
    Amounts("honour", {VALUE: Amount(("honour", EACH), 30)}, "label.{id}", arg="seat", ids=SEATS),
    Amounts(
        "cards",
        {card: Amount(("hands", EACH, n), 3) for n, card in enumerate(CARDS)},
        "label.{part}",
        arg="seat",
        ids=SEATS,
        of=("seat.{id}",),
        check=lambda state, seat, numbers: refuse_sum(SEATS[seat], numbers, 0, 6),
    ),
    Amounts("flood", {VALUE: Amount(("flooded", EACH))}, "label.flood", arg="place", ids=HEXES, places=HEXES),
    _trolls((0, -1)),
    Whereabouts(
        "hero", HEROES, "heroes", {"away": AWAY, **{name: n for n, name in enumerate(HEXES)}}, _put_hero
    ),
)


@pytest.mark.parametrize("place", ["", "h0_3", "h2_1"])
def test_every_row_changed_by_itself_gives_primitives_that_make_it_true(place: str) -> None:
    for item in CORRECTIONS.form(some_state(), place):
        state = some_state()
        value = item.most if item.count != item.most else item.least
        if value == item.count:
            continue
        primitives = CORRECTIONS.wanted(state, place, {item.key: value})
        for primitive in primitives:
            CORRECTIONS.correct(state, primitive)
        there = {one.key: one.count for one in CORRECTIONS.form(state, place)}
        assert primitives and there[item.key] == value, (item, primitives)
        assert conserved(TROLLS, (9, 2), {"hexes": _standing(state), "supply": state.supply}) == ()


def _standing(state: State) -> list[int]:
    packed = sum(state.trolls)
    return [count(packed, kind) for kind in range(len(TROLLS))]


def test_an_unchanged_form_corrects_nothing_and_an_unknown_place_has_none() -> None:
    state = some_state()
    for place in ("", "h0_3"):
        form = CORRECTIONS.form(state, place)
        assert form and CORRECTIONS.wanted(state, place, {one.key: one.count for one in form}) == []
    assert CORRECTIONS.form(state, "narnia") == ()


@pytest.mark.parametrize(
    "primitive",
    [
        {"do": "miracle"},
        {"do": "turn", "value": 0},
        {"do": "honour", "seat": "pink", "value": 1},
        {"do": "open", "value": "yes"},
        {"do": "cards", "seat": "red", "axe": 3, "bell": 3, "crown": 1},
        {"do": "flood", "place": "sea", "value": 1},
        {"do": "hero", "hero": "ann", "place": "sea"},
        {"do": "trolls", "place": "h0_0", "trolls": {"elf": 1}},
    ],
)
def test_what_is_no_correction_is_refused_in_both_languages(primitive: dict[str, Any]) -> None:
    state = some_state()
    before = SCHEMA.to_json(state)
    with pytest.raises(InvalidAnswer) as caught:
        CORRECTIONS.correct(state, primitive)
    assert caught.value.sentence("de") != caught.value.sentence("en")
    assert SCHEMA.to_json(state) == before


def test_figures_of_two_sides_do_not_stand_together() -> None:
    both = {"unit.troll": 1, "unit.giant": 1}
    assert CORRECTIONS.wanted(State(), "h0_0", both)
    with pytest.raises(InvalidAnswer):
        Corrections(HEXES, _trolls((0, 1))).wanted(State(), "h0_0", both)


# --- what must hold ----------------------------------------------------------------------------------


def test_what_is_lost_or_too_many_is_told_with_where_it_is() -> None:
    parts = {"on the board": (1, 2), "in supply": (7, 1)}
    assert list(conserved(TROLLS, (9, 2), parts)) == [
        "troll: 1 on the board, 7 in supply, 9 in the box",
        "giant: 2 on the board, 1 in supply, 2 in the box",
    ]
    assert len(conserved(TROLLS, (9, 2), parts, at_most=0b1)) == 1


IDS = ("a", "b")
SHAPES = [
    (codecs.number(0, 3), [0, 3], [4, -1, True, 1.0, "1", None]),
    (codecs.flag(), [True, False], [0, 1, "true"]),
    (codecs.text(("x",)), ["", "x"], ["y", 1, None]),
    (codecs.index(IDS, {-1: None}), ["a", None], ["c", 0, []]),
    (codecs.index(IDS, plain=True), [0, 1], [2, -1, "a", True]),
    (codecs.mask(IDS), [[], ["b", "a"]], [["c"], "a", {"a": 1}, [["a"]]]),
    (codecs.mask(IDS, plain=True), [0, 3], [4, -1, ["a"]]),
    (codecs.Bits(), [[], [63]], [[64], [-1], 3, ["1"]]),
    (codecs.counts(IDS), [{}, {"a": 2}], [{"c": 1}, {"a": -1}, {"a": "2"}, [1, 2]]),
    (codecs.each(IDS), [{"a": 1, "b": 0}], [{"a": 1}, {"a": 1, "b": "0"}, [1, 0], 7]),
    (codecs.sparse(IDS), [{}, {"b": 1}], [{"c": 1}, {"a": []}, []]),
    (codecs.Some(IDS, ("a",), 9), [{"a": 4}], [{}, {"b": 4}, {"a": None}]),
    (codecs.Rows(2, 6), [[], [[1, 6]]], [[[1]], [[1, 7]], [1, 6], {}]),
    (codecs.Json(list), [[], [{}]], [{}, 3]),
    (codecs.Json(list, codecs.Row((codecs.flag(), codecs.number()))), [[True, 2]], [[2, True], [True], []]),
    (codecs.Json(list, codecs.Several(codecs.text(("x",)))), [[], ["x", ""]], [["y"], {}]),
    (codecs.Memory({"n": codecs.number()}), [{}, {"n": 1}], [{"m": 1}, {"n": "1"}, []]),
    (codecs.Flat(known=IDS, of=codecs.number()), [{}, {"a": 1}], [{"c": 1}, {"a": "1"}, {1: 1}, []]),
    (codecs.OneOf({}, "id"), [], ["x", [], None]),
]


@pytest.mark.parametrize(("codec", "good", "bad"), SHAPES)
def test_a_sort_knows_the_shape_of_its_json(codec: codecs.Codec, good: list[Any], bad: list[Any]) -> None:
    for data in good:
        assert codec.fits(data), data
        assert codec.write(codec.read(data)) is not None or data is None
    for data in bad:
        assert not codec.fits(data), data


def test_a_state_knows_the_shape_of_its_json() -> None:
    data = SCHEMA.to_json(State())
    assert SCHEMA.fits(data) and not SCHEMA.fits({}) and not SCHEMA.fits([]) and not SCHEMA.fits(None)
    for key in data:
        assert not SCHEMA.fits({**data, key: object()}), key
        assert not SCHEMA.fits({other: value for other, value in data.items() if other != key}), key
    assert not SCHEMA.fits({**data, "weather": "fine"})


def test_what_has_no_words_of_its_own_in_files_is_heard_by_its_shape() -> None:
    codec = codecs.Flat(known=IDS, of=codecs.number())
    problems = Problems()
    assert codec.hear(LocatedValue({"a": LocatedValue(2, 3, "x.a", problems)}, 3, "x", problems), {}) == {
        "a": 2
    }
    assert codec.hear(LocatedValue(7, 4, "x", problems), {"b": 1}) == {"b": 1}
    (problem,) = problems.found
    assert problem.line == 4 and problem.sentence("de") != problem.sentence("en")
