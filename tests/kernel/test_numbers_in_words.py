"""Numbers in a line of words: one too high is a number all the same, and refused."""

from __future__ import annotations

import pytest

from referee.kernel.notation import Notation, NotSaid, Style, Words
from referee.kernel.requests import ChooseOne

NOTATION = Notation({"hexes": Style(marker="number")}, {}, {})


@pytest.mark.parametrize("word", ["2", "9", "100", "-4"])
def test_any_number_answers_a_question_for_one(word: str) -> None:
    asked = ChooseOne("red", "hexes", ("1", "2", "3"), domain="number", rule="hexes")
    assert NOTATION.read(asked, Words(f"number {word}")) == word


@pytest.mark.parametrize(("options", "word"), [(("1", "2"), "two"), (("1", "none"), "2")])
def test_other_words_and_other_questions_do_not(options: tuple[str, ...], word: str) -> None:
    asked = ChooseOne("red", "hexes", options, domain="number", rule="hexes")
    with pytest.raises(NotSaid):
        NOTATION.read(asked, Words(f"number {word}"))
