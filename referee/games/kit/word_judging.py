"""Whether what ``explain`` says of a line of words is true, seen from the table's own requests.

*Allowed* is true where these requests accept answers that hold every word of the line, and lead to the
position that was told of; *refused* where they accept no reading of it, and the rule is one by which the
request that was met refuses what the words say to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.games.kit.word_telling import Expected, refusing
from referee.kernel.errors import IllegalAnswer, InvalidAnswer
from referee.kernel.explain import ALLOWED, REFUSED, ExplainHooks, Explanation
from referee.kernel.notation import MARKS, NOTHING, NotSaid, Style, Words, spoken, why_refused
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseSecretly, Request

MOST_READINGS = 300
"""So many questions are met at most in search of a reading that the table accepts."""


class Judge:
    """Holds what is told of a line against a game's requests."""

    def __init__(self, words: ExplainHooks) -> None:
        self.words = words
        self.notation = words.notation
        self.ids = {name for names in self.notation.vocabulary.values() for name in names}

    def problem(self, play: Play[Any], line: str, expected: Expected | None, told: Explanation) -> str:
        """What is wrong with what is told of a line, "" where nothing is.

        ``expected`` is what the table does with the answers that the line was made of, None where it was
        made of words that belong to no answers.
        """
        if told.verdict == ALLOWED:
            unheld = self.unheld(told, line)
            if unheld:
                return "allowed with words left out"
            if _replayed(play, told) != play.game.to_json(told.play.state):
                return "allowed with another position"
            return self._other_answers(line, expected, told)
        if expected is None or expected.rules is not None:
            if LineReading(self.words, Words(line)).accepted(play):
                return f"{told.verdict} what the table accepts"
        elif expected.rules is None:
            return f"{told.verdict} what the table accepts"
        if told.verdict != REFUSED:
            reason = expected is not None and expected.known and not self._read_on(expected, told)
            return "no reason" if reason else ""
        if expected is not None and told.rule is not None and told.rule.id in (expected.rules or ()):
            return ""
        return self.false_reason(told)

    def _other_answers(self, line: str, expected: Expected | None, told: Explanation) -> str:
        """Whether a line that is made of answers, and allowed, is read as others that do not say the same."""
        if expected is not None and expected.rules is not None and expected.value is None:
            return "allowed what cannot end there"
        if expected is None:
            return ""
        again = spoken(self.notation.line(told.steps))
        first = [request.seat for request, _ in told.steps[:1]]  # it may stand in front
        if spoken(line) in (again, [*first, *again]):
            return ""
        if expected.rules is None:
            answers = [answer for _, answer in told.pairs]
            # words for what is not asked, and left out here, may be the same as those for what is
            either = any(step not in expected.said for step in told.unasked)
            return "" if either or answers[: len(expected.answers)] == expected.answers else "other answers"
        if expected.goes_on:
            return ""
        # what one question refuses may be said to the next of its kind
        said = any(
            request.prompt == expected.at
            and (answer == expected.value or self.notation.write(request, answer) == expected.words)
            for request, answer in told.steps
        )
        return "" if said else "allowed what the table refuses"

    def _read_on(self, expected: Expected, told: Explanation) -> bool:
        """Whether the words that are refused were accepted as another answer, with words after them: dice of
        which there are too few, with a number behind that is one more, or the only way of the gnome before,
        which nobody is asked for."""
        refused = spoken(self.notation.line(expected.said))
        before = (expected.at, expected.value) in [(one.prompt, answer) for one, answer in told.unasked]
        return expected.goes_on and (before or len(spoken(told.said)) > len(refused))

    def false_reason(self, told: Explanation) -> str:
        """What is wrong with the reason of a refusal: its rule is none of those by which the request that the
        words came to refuses what they say to it.

        Words that say nothing to this request are judged by the game's own attempts, which are taken as they
        are.
        """
        if told.rule is None:
            return "no rule"
        request, words = told.request, Words(told.at)
        if request is None:
            return ""
        if words.peek() in self.words.seats and words.peek(1) == ":":
            turn = self.words.turn_rule(told.play, request, told.at)
            return "" if told.rule.id == turn else "another reason for another seat"
        before = [None, *Words(told.said).words][-1]
        if told.pairs and not told.play.since and not begins(self.notation.style(request), words, before):
            return ""
        try:
            value = self.notation.read(request, words)
        except NotSaid:
            return ""
        rules = refusing(request, value)
        if rules is None:  # another answer than the only one
            rules = frozenset({request.rule})
        return "" if told.rule.id in rules | self._sharper(told, request, value, words) else "another reason"

    def _sharper(self, told: Explanation, request: Request, value: Any, words: Words) -> frozenset[str]:
        """The rule that stands against the words after those that are refused, where it tells more."""
        refusal = why_refused(request, value)
        if refusal is None or words.done:
            return frozenset()
        return frozenset({self.words.sharpen(told.play, request, value, refusal, words).rule})

    def unheld(self, told: Explanation, line: str) -> list[str]:
        """Words of a line, for things of the game and for numbers, that are in none of the answers."""
        if spoken(self.notation.line(told.steps)) == spoken(line):
            return []
        words = [word for word in Words(line).words if word not in MARKS or word == ":"]
        asked = [*(request for request, _ in told.steps), *([told.request] if told.request else ())]
        free = {str(request.about.get("face", "")) for request in asked}  # a die, with its action too
        slots = [slot for request, answer in told.steps for slot in self._slots(request, answer)]
        missing = []
        at = 0
        while at < len(words):
            word, at = words[at], at + 1
            if word == ":":
                continue
            if word.isdigit() and at < len(words) and _take(slots, words[at], int(word)):
                at += 1
            elif not (
                self.notation.aliases.get(word, word) in free
                or self._is_seat(words, at, told)
                or _take(slots, word, 1)
            ):
                missing.append(word)
        return [word for word in missing if word.isdigit() or self._is_a_thing(word, slots)]

    def _is_a_thing(self, word: str, slots: Sequence[_Slot]) -> bool:
        known = self.notation.aliases.get(word, word) in self.ids or any(word in slot.words for slot in slots)
        return known

    def _is_seat(self, words: Sequence[str], at: int, told: Explanation) -> bool:
        """Whether the word before ``at`` is a seat in front of a move that it makes."""
        seats = {request.seat for request, _ in told.steps}
        return words[at - 1] in seats and words[at : at + 1] == [":"]

    def _slots(self, request: Request, answer: Any) -> Iterator[_Slot]:
        """The things and numbers that an answer holds, each with its words and how many there are."""
        written = Words(self.notation.write(request, answer)).words
        for name, number in _held(answer):
            words = self._words_for(request, name)
            yield _Slot({*words, name}, number)
            written = [word for word in written if word not in words]
            if isinstance(answer, Mapping):
                yield _Slot({str(number)}, 1)
        for word in written:
            yield _Slot({word}, 1)

    def _words_for(self, request: Request, name: str) -> set[str]:
        requests = request.of.values() if isinstance(request, ChooseSecretly) else (request,)
        words = {name, self.notation.short.get(name, name)}
        for one in requests:
            words.update(self.notation.style(one).renamed(one).get(name, name).split("|"))
        words.update(word for word, meant in self.notation.aliases.items() if meant in words)
        return words


@dataclass(slots=True)
class _Slot:
    """A thing that an answer holds: the words for it, and how many of it are not said yet."""

    words: set[str]
    left: int


def _take(slots: Sequence[_Slot], word: str, number: int) -> bool:
    """Take a number of something, none too, from the first that has so many left."""
    for slot in slots:
        if word in slot.words and slot.left >= number:
            slot.left -= number
            return True
    return not number


def _held(answer: Any) -> Iterator[tuple[str, int]]:
    """Everything in an answer, with how many of it there are."""
    if isinstance(answer, str):
        yield answer, 1
    elif isinstance(answer, Mapping):
        for key, value in answer.items():
            yield str(key), value if isinstance(value, int) else 1
            if not isinstance(value, int):
                yield from _held(value)
    elif isinstance(answer, Sequence):
        for value in answer:
            yield from _held(value)


def _replayed(play: Play[Any], told: Explanation) -> dict[str, Any]:
    """The position after the answers alone."""
    twin = play.fork()
    for _, answer in told.pairs:
        twin.answer(answer)
    return twin.game.to_json(twin.state)


@dataclass(frozen=True, slots=True)
class _Point:
    """How far a line is read: the number of the next word, whether a new move begins there and whether it is
    the first one, and from which word on no new move may begin."""

    at: int
    fresh: bool
    first: bool = False
    same_move: int = -1


class LineReading:
    """The search for a reading of a line that the table's requests accept, question by question."""

    def __init__(self, house: ExplainHooks, words: Words) -> None:
        self.house = house
        self.notation = house.notation
        self.words = words
        self.met = 0

    def accepted(self, play: Play[Any]) -> bool:
        """Whether there is one, from where ``play`` stands."""
        return self._goes_on(play.fork(asks_forced=True), _Point(0, not play.since, True))

    def _goes_on(self, table: Play[Any], here: _Point) -> bool:
        """Whether the words from a point on are answers to what is asked and to what comes after it."""
        self.met += 1
        request = table.request
        self.words.at = here.at
        if self.words.done:
            return self._may_end(table, fresh=here.fresh)
        if request is None or self.met > MOST_READINGS or (here.fresh and here.at == here.same_move):
            return False
        if table.forced is None and self._seat(request) not in ("", request.seat):
            return False
        said = self._said(request, here)
        to, refused = self.words.at, False
        if said is not NOTHING:
            refused = why_refused(table.forced or request, said) is not None
            twin = table.fork(asks_forced=True)
            kept = twin.kept
            if not refused and _answered(twin, said):
                fresh = twin.kept is not kept or (here.fresh and not twin.since)
                if self._goes_on(twin, _Point(to, fresh)):
                    return True
        silent, kept = self._silent(table), table.kept
        first = here.first and table.forced is not None
        if silent is NOTHING or not _answered(table, silent):
            return False
        # what a question refuses begins no new move, unless a colon behind it says that it does
        same_move = here.at if refused and self.words.words[to : to + 1] != [":"] else here.same_move
        fresh = table.kept is not kept or (here.fresh and not refused)
        return self._goes_on(table, _Point(here.at, fresh, first, same_move))

    def _seat(self, request: Request) -> str:
        """The seat in front of the next words, which stand before it then; "" where there is none."""
        words = self.words
        at = words.at
        words.skip_marks()
        seat = words.peek()
        if not isinstance(request, ChooseSecretly) and seat in self.house.seats and words.peek(1) == ":":
            return str(seat)
        words.at = at
        return ""

    def _said(self, request: Request, here: _Point) -> Any:
        """The answer that the words from a point on give, NOTHING where they give none."""
        words = self.words
        words.at = here.at
        seat = self._seat(request)
        if seat not in ("", request.seat):
            return NOTHING
        words.at += 2 if seat else 0
        try:
            style = self.notation.style(request)
            if here.fresh and not here.first and not begins(style, words, words.previous()):
                raise NotSaid
            return self.notation.read(request, words)
        except NotSaid:
            return NOTHING

    def _silent(self, table: Play[Any]) -> Any:
        """What is answered without words, NOTHING where something must be said."""
        assert table.request is not None
        silent = self.notation.style(table.request).silent_answer(table.request)
        if isinstance(silent, Refusal):
            return NOTHING
        if table.forced is not None:
            return table.forced.answer
        return NOTHING if silent is NOTHING or why_refused(table.request, silent) is not None else silent

    def _may_end(self, table: Play[Any], *, fresh: bool) -> bool:
        """Whether the move may end here, when what goes without saying is done."""
        kept = table.kept
        while table.request is not None and (table.forced is not None or not fresh):
            silent = self._silent(table)
            if silent is NOTHING:
                return not isinstance(
                    self.notation.style(table.request).silent_answer(table.request), Refusal
                )
            if not _answered(table, silent):
                return False
            fresh = fresh or table.kept is not kept
        return True


def begins(style: Style, words: Words, before: str | None) -> bool:
    """Whether a new move can begin with these words, ``before`` which one stands: a colon is about the last
    move, unless the answers of the style stand behind one."""
    if style.after_colon:
        return before == ":"
    return words.peek() != ":" or str(style.before).startswith(":")


def _answered(table: Play[Any], answer: Any) -> bool:
    try:
        table.answer(answer)
    except (IllegalAnswer, InvalidAnswer):
        return False
    return True
