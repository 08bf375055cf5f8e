"""Answers read from words and written as words, for a notation that belongs to no game."""

from __future__ import annotations

from typing import Any

import pytest

from referee.kernel.dice import PIP_FACES, DieType
from referee.kernel.errors import InvalidAnswer
from referee.kernel.notation import Notation, NotSaid, Style, Words, why_refused
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, ChooseSecretly, ChooseSome, Request, RollDice

DICE = {
    "pip": DieType("pip", "pip", PIP_FACES, "white"),
    "sign": DieType("sign", "symbol", ("sun", "sun", "moon", "star", "star", "star"), "blue"),
}
PIPS = {**DICE, "pips": DieType("pips", "pip", PIP_FACES, "black")}
NOTATION = Notation(
    {
        "way": Style(before="; ", words={"north": "up|upwards"}),
        "spend": Style(marker="+"),
        "perhaps": Style(silent="no"),
        "hand": Style(silent="paper"),
        "far": Style(implied=lambda request, words: "south" if words.peek() == "beyond" else None),
        "each": Style(words=lambda request: {"east": "e"}, before=lambda request: f"{request.seat}: "),
    },
    aliases={"men_at_arms": "men", "nobody": "ghosts"},
    vocabulary={"unit": ("men", "elves", "dwarves")},
    short={"west": "w"},
)


def one(prompt: str, *options: str, **more: Any) -> ChooseOne:
    return ChooseOne("white", prompt, options, **more)


def some(prompt: str = "", **limits: int) -> ChooseSome:
    return ChooseSome("white", prompt, limits, domain="unit", rule="pay")


def roll(**dice: int) -> RollDice:
    return RollDice("white", "roll", dice, DICE)


def secret(prompt: str = "hand") -> ChooseSecretly:
    hands = {seat: ChooseOne(seat, prompt, ("rock", "paper")) for seat in ("white", "black")}
    return ChooseSecretly("secret", hands)


def read(request: Request, text: str) -> tuple[Any, str]:
    """The answer that the words give, and the words that are left."""
    words = Words(text)
    return NOTATION.read(request, words), words.rest()


@pytest.mark.parametrize(
    ("request_", "text", "answer", "left"),
    [
        (one("way", "north", "south"), "up south", "north", "south"),
        (one("way", "north", "south"), "; upwards", "north", ""),
        (one("far", "south"), "beyond", "south", "beyond"),
        (one("each", "east", "west"), "e", "east", ""),
        (some(men=3, elves=2), "2 men, elves x camp", {"men": 2, "elves": 1}, "x camp"),
        (some(men=3, elves=2), "men men_at_arms 3", {"men": 2}, "3"),
        (some(men=3, elves=2), "0 men elves", {"elves": 1}, ""),
        (some(men=3, elves=2), "men 0 men", {"men": 1}, ""),
        (some(men=3, elves=2), "none up", {}, "up"),
        (some(men=3, elves=2), "all", {"men": 3, "elves": 2}, ""),
        (some("spend", men=3), "+ 2 up", {"men": 2}, "up"),
        (some("spend", men=3), "+ 2 men", {"men": 2}, ""),
        (some(men=3), "dwarves", {"dwarves": 1}, ""),
        (roll(pip=2), "3, 4", {"pip": ["3", "4"]}, ""),
        (roll(pip=2), "3 4 5 6 men", {"pip": ["3", "4", "5", "6"]}, "men"),
        (roll(pip=2, sign=1), "3 4 sign sun", {"pip": ["3", "4"], "sign": ["sun"]}, ""),
        (roll(pip=1, sign=1), "pip 3 4", {"pip": ["3", "4"]}, ""),
        (
            RollDice("white", "roll", {"pip": 2, "pips": 1}, PIPS),
            "3 4 5",
            {"pip": ["3", "4"], "pips": ["5"]},
            "",
        ),
        (RollDice("white", "roll", {"pip": 2, "pips": 1}, PIPS), "pip 3 4 5", {"pip": ["3", "4", "5"]}, ""),
        (roll(pip=1, sign=1), "sign moon pip 6", {"sign": ["moon"], "pip": ["6"]}, ""),
        (roll(pip=3, sign=0), "3 men", {"pip": ["3"]}, "men"),
        (secret(), "white rock, black paper", {"white": "rock", "black": "paper"}, ""),
        (secret(), "black: rock", {"black": "rock", "white": "paper"}, ""),
        (secret(), "white rock white paper", {"white": "rock", "black": "paper"}, "white paper"),
    ],
)
def test_words_are_read_as_far_as_they_speak_to_the_question(
    request_: Request, text: str, answer: Any, left: str
) -> None:
    assert read(request_, text) == (answer, left)


@pytest.mark.parametrize(
    ("request_", "text"),
    [
        (one("way", "north", "south"), "elsewhere"),
        (one("way", "north", "south"), ""),
        (one("far", "south"), "near"),
        (some(men=3), "up"),
        (some(men=3), "2"),
        (some(men=3, elves=2), "nobody"),
        (some("spend", men=3), "2 men"),
        (some("spend", men=3), "+ up"),
        (roll(pip=2), "moon"),
        (roll(pip=2), ""),
        (secret(), "rock"),
        (secret("bare"), "white rock"),
    ],
)
def test_words_that_do_not_speak_to_the_question_are_left_alone(request_: Request, text: str) -> None:
    words = Words(text)
    with pytest.raises(NotSaid):
        NOTATION.read(request_, words)
    assert words.at == 0


@pytest.mark.parametrize(
    ("request_", "answer", "text"),
    [
        (one("way", "north", "south"), "north", "; up"),
        (one("each", "east", "west"), "west", "white: w"),
        (one("perhaps", "yes", "no"), "no", ""),
        (one("perhaps", "yes", "no"), "yes", "yes"),
        (some(men=3, elves=1), {"men": 1, "elves": 1}, "1 men elves"),
        (some(men=3), {}, "none"),
        (some("spend", men=3), {"men": 2}, "+ 2"),
        (roll(pip=2), {"pip": ["3", "4"]}, "3 4"),
        (roll(pip=1, sign=1), {"pip": ["3"], "sign": ["sun"]}, "pip 3 sign sun"),
        (secret(), {"white": "rock", "black": "paper"}, "white rock black paper"),
    ],
)
def test_what_is_written_can_be_read_again(request_: Request, answer: Any, text: str) -> None:
    assert NOTATION.write(request_, answer) == text
    if text:
        body = text.removeprefix("white: ") if request_.prompt == "each" else text
        known = {"w": "west"}
        got = NOTATION.read(request_, Words(" ".join(known.get(word, word) for word in body.split(" "))))
        assert got == answer


def test_a_line_leaves_out_what_goes_without_saying() -> None:
    pairs = [
        (one("perhaps", "yes", "no"), "no"),
        (some(men=3), {"men": 1}),
        (one("perhaps", "yes", "no"), "no"),
        (one("way", "north", "south"), "south"),
        (one("", "here"), "here"),
    ]
    assert NOTATION.line(pairs) == "1 men; south here"


def test_a_question_without_words_left_has_nothing_before_it() -> None:
    words = Words("up")
    assert words.previous() is None and not words.done
    words.at = 1
    assert (words.previous(), words.peek(), words.done, words.read_so_far()) == ("up", None, True, "up")


def test_what_is_refused_is_refused_for_its_own_reason_or_by_the_rule_that_asks() -> None:
    own = Refusal("too_far", "two_steps")
    asked = one("way", "north", rule="step", refused=lambda: [("south", own)])
    assert why_refused(asked, "north") is None
    assert why_refused(asked, "south") == own
    assert read(asked, "south") == ("south", ""), "refused, but understood"
    other = why_refused(asked, "moon")
    assert other is not None and (other.rule, other.reason) == ("step", "not_offered")
    too_many = why_refused(some(men=1), {"men": 4})
    assert too_many is not None and too_many.rule == "pay"


def test_a_dice_answer_of_another_kind_is_not_offered() -> None:
    refusal = why_refused(roll(pip=2), {"pip": ["9", "9"]})
    assert refusal is not None and refusal.reason == "not_offered"
    with pytest.raises(InvalidAnswer):
        roll(pip=2).check({"pip": ["9", "9"]})


def test_what_could_be_one_more_of_several_stands_apart() -> None:
    chosen = (some(men=3, elves=2), {"men": 2})
    for answer, written in (("elves", "2 men; elves"), ("ruins", "2 men ruins")):
        line = NOTATION.line([chosen, (one("where", "elves", "ruins"), answer)])
        assert line == written
        assert read(chosen[0], line)[0] == {"men": 2}
