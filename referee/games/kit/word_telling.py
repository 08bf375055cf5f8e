"""What the table does with a move: its answers are given to the open requests, one after the other.

Some of them go without saying: then they are in no words, and the table passes them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from referee.kernel.errors import IllegalAnswer, InvalidAnswer, RefereeError
from referee.kernel.notation import NOTHING, Notation, NotSaid, Words, why_refused
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, ChooseSome, Request


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of a move: what was asked, what is said to it, and whether the table asks it at all."""

    request: Request
    value: Any
    forced: bool


@dataclass(slots=True)
class Expected:
    """What the table does with a written move: ``rules`` are those by which it refuses, if it does."""

    said: list[tuple[Request, Any]]
    answers: list[Any] = field(default_factory=list)
    rules: frozenset[str] | None = None
    at: str = ""
    value: Any = None
    """The answer that is refused at the question ``at``."""
    words: str = ""
    """How it is written."""
    known: bool = True
    """Whether that question knows the answer: what is no candidate at all may be no word either."""
    goes_on: bool = False
    """Whether more words follow those of the refused answer: with these they may be read in another way."""


class MoveTelling:
    """A move as far as it is told to the table, and what is written of it."""

    def __init__(self, notation: Notation, play: Play[Any]) -> None:
        self.notation = notation
        self.table = play.fork(asks_forced=True)
        """It meets every question..."""
        self.real = play.fork()
        """...and this one those that the table asks."""
        self.said: list[tuple[Request, Any]] = []
        self.answers: list[Any] = []
        self.unsaid: list[tuple[Request, Any]] = []
        """What was passed without words since something was said, each with the milestone before it."""
        self.unsure = False
        """Whether words may be meant for a question of the move before that knows them and refuses them: then
        they may begin no new move."""
        self.begins = self.table.kept
        """Where the move began: one that begins after another says its die."""
        self.looks_back = False
        """Whether what went without words is asked about later, in the position of that question."""

    def tell(
        self,
        move: list[Answer],
        changed: int,
        other: Callable[[Request, Any], Any],
        left_out: Callable[[], bool],
    ) -> Expected:
        """Tell a move of which the answer with the number ``changed`` is changed to an ``other`` one.

        ``left_out`` says each time whether what leaves no choice is left out of the words.
        """
        self.looks_back = changed >= 0
        for number, answer in enumerate(move):
            rules = self._pass_up_to(answer.request)
            if rules is not None:
                return self._expected(rules, self._asked())
            request, forced = self.table.request, self.table.forced
            asked = answer.request
            if request is None or (request.prompt, request.seat) != (asked.prompt, asked.seat):
                break
            value = answer.value if number != changed else other(request, answer.value)
            if self.table.kept is not self.begins and self.said:
                self.begins = self.table.kept
            elif forced is not None and number != changed and left_out() and self._silence(request) is None:
                self._pass()
                continue
            rules = refusing(forced or request, value)
            if rules is not None:
                return self._refused(request, value, rules)
            self._say(request, value)
        return self._expected(self._unfinished() if self.said else None, "the end")

    def _asked(self) -> str:
        return "" if self.table.request is None else self.table.request.prompt

    def _expected(self, rules: frozenset[str] | None, at: str) -> Expected:
        return Expected(self.said, self.answers, rules, at)

    def _pass_up_to(self, asked: Request) -> frozenset[str] | None:
        """Pass what leaves no choice before a question; the rule by which it must not, None where it may."""
        while (request := self.table.request) is not None and self.table.forced is not None:
            if request.prompt == asked.prompt:
                break
            rules = self._silence(request)
            if rules is not None:
                return rules
            if self.table.kept is not self.begins and self.said:
                self.begins = self.table.kept
                self.said.append((request, self.table.forced.answer))
            self._pass()
        return None

    def _pass(self) -> None:
        """Give the only answer, without words."""
        assert self.table.request is not None and self.table.forced is not None
        self._leave_unsaid()
        self.table.answer(self.table.forced.answer)

    def _leave_unsaid(self) -> None:
        """Keep the question that gets no words now, of a table that stays there where it is asked again."""
        request = self.table.fork(asks_forced=True).request if self.looks_back else self.table.request
        assert request is not None
        self.unsaid.append((request, self.table.kept))

    def _say(self, request: Request, value: Any) -> None:
        """Give an answer that the table accepts, with its words."""
        words = self.notation.write(request, value)
        if words:
            kept = self.table.kept
            self.unsure |= any(
                at is not kept and self._may_mean(one, request, words) for one, at in self.unsaid
            )
            self.unsaid = []
        else:
            self._leave_unsaid()
        self.said.append((request, value))
        if self.table.forced is None:
            assert self.real.request is not None and self.real.request.prompt == request.prompt
            self.real.answer(value)
            self.answers.append(value)
        self.table.answer(value)

    def _may_mean(self, unsaid: Request, request: Request, words: str) -> bool:
        """Whether words for a question may be meant for one before it: a die has the name of a deck."""
        if unsaid.prompt == request.prompt:
            return True
        try:
            self.notation.read(unsaid, Words(words))
        except NotSaid:
            return False
        return True

    def _refused(self, request: Request, value: Any, rules: frozenset[str]) -> Expected:
        for other, _ in self.unsaid:  # the same words may be meant for what goes without saying
            if other.domain == request.domain and isinstance(other, ChooseOne):
                rules |= refusing(other, value) or frozenset()
        self.said.append((request, value))
        words, known = self.notation.write(request, value), _refusal(request, value) is not None
        return Expected(self.said, self.answers, rules, request.prompt, value, words, known)

    def _silence(self, request: Request) -> frozenset[str] | None:
        """The rule by which a question does not go without saying; None where it may."""
        silent = self.notation.style(request).silent_answer(request)
        return frozenset({silent.rule}) if isinstance(silent, Refusal) else None

    def _unfinished(self) -> frozenset[str] | None:
        """The rule by which a move cannot end here, though nothing more is said; None where it can."""
        table = self.table
        while table.request is not None and table.kept is self.begins:
            silent = self.notation.style(table.request).silent_answer(table.request)
            if isinstance(silent, Refusal):
                return frozenset({silent.rule})
            if table.forced is not None:
                silent = table.forced.answer
            elif silent is NOTHING or why_refused(table.request, silent) is not None:
                return None
            table.answer(silent)
        return None


def refusing(request: Request, value: Any) -> frozenset[str] | None:
    """The rules by which a request refuses an answer; None where it accepts it."""
    try:
        request.check(value)
    except (IllegalAnswer, InvalidAnswer):
        pass
    else:
        return None
    rules = {_rule(request, value)}
    inner = getattr(request, "request", request)
    if isinstance(inner, ChooseSome) and isinstance(value, dict):
        for item, number in value.items():
            rules.add(_rule(inner, {item: number}))
            rules.add(_rule(inner, {item: 1}))
    return frozenset(rules - {""})


def _refusal(request: Request, value: Any) -> Refusal | None:
    """The refusal of a candidate that the request knows; None where it does not know it."""
    try:
        return request.why_not(value)
    except RefereeError:
        return None


def _rule(request: Request, value: Any) -> str:
    refusal = _refusal(request, value)
    # no candidate at all: by the rule that makes the referee ask
    return request.rule if refusal is None else refusal.rule
