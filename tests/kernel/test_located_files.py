"""Reading a YAML file with line numbers: each kind of mistake is named where it stands."""

from __future__ import annotations

from typing import Any

import pytest

from referee.kernel.located import FileProblems, LocatedValue, read_yaml

TEXT = """\
turn: nine
open: maybe
side: shadwo
name: [1, 2]
units: {orcs: 3}
list: orcs
map: orcs
nothing:
also:
"""


def spot(key: str) -> LocatedValue:
    found = read_yaml(TEXT).get(key)
    assert found is not None
    return found


def said(one: LocatedValue) -> tuple[int, str, str]:
    (problem,) = one.problems.found
    return problem.line, problem.text.in_words("en"), problem.text.in_words("de")


@pytest.mark.parametrize(
    ("key", "read", "line", "word"),
    [
        ("turn", lambda one: one.number(1, 9), 1, "a whole number from 1 to 9"),
        ("open", lambda one: one.flag(), 2, "true or false"),
        ("side", lambda one: one.word(["shadow", "free"]), 3, "Perhaps: shadow"),
        ("name", lambda one: one.text(), 4, "a text is wanted"),
        ("list", lambda one: list(one.items()), 6, "a list [a, b]"),
        ("map", lambda one: list(one.entries()), 7, "`name: value`"),
    ],
)
def test_a_value_of_the_wrong_kind_is_named_with_its_line(key: str, read: Any, line: int, word: str) -> None:
    one = spot(key)
    assert read(one) in (1, False, None, "", [])
    at, english, german = said(one)
    assert at == line and word in english and german != english


def test_what_is_left_empty_is_no_mistake() -> None:
    for key in ("nothing", "also"):
        one = spot(key)
        assert list(one.items()) == [] and list(one.entries()) == []
        assert not one.problems.found


def test_good_values_are_given_plain() -> None:
    whole = read_yaml("turn: 9\nopen: true\nside: Schatten\nname: Änne\nlist: [a, {b: 1}]\n")
    assert whole.get("turn").number(1, 9) == 9  # type: ignore[union-attr]
    assert whole.get("open").flag() is True  # type: ignore[union-attr]
    assert whole.get("side").word(["shadow"], {"Schatten": "shadow"}) == "shadow"  # type: ignore[union-attr]
    assert whole.get("name").text() == "Änne"  # type: ignore[union-attr]
    assert whole.get("list").plain() == ["a", {"b": 1}]  # type: ignore[union-attr]
    assert whole.get("name").get("x") is None  # type: ignore[union-attr]
    long = read_yaml(f"name: {'x' * 80}").get("name")
    assert long is not None and long.shown().endswith("...") and len(long.shown()) == 40


def test_a_reader_gets_each_entry_and_some_of_them_last() -> None:
    class Reader:
        def __init__(self) -> None:
            self.order: list[str] = []

        def on_first(self, one: LocatedValue) -> None:
            self.order.append(f"first {one.plain()}")

        def on_late(self, one: LocatedValue) -> None:
            self.order.append(f"late {one.plain()}")

    reader = Reader()
    whole = read_yaml("late: 1\nfirst: 2\nother: 3\n")
    whole.read_by(reader, later=["late", "missing"])
    assert reader.order == ["first 2", "late 1"]
    line, english, _ = said(whole)
    assert line == 3 and "'other'" in english


def test_nothing_and_what_is_no_yaml() -> None:
    assert read_yaml("").plain() is None
    with pytest.raises(FileProblems) as caught:
        read_yaml("a: [1\nb: 2\n")
    (problem,) = caught.value.problems
    assert (
        problem.line == 2
        and "kein YAML" in problem.text.in_words("de")
        and "not YAML" in problem.text.in_words("en")
    )
