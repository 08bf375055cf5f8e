"""Is a move allowed?  A written move is tried on a copy of the game, and the first refusal is told.

Every answer goes through the open request's own check, and every word through
some request: also through those that the table does not ask as they leave no
choice (:class:`referee.kernel.requests.Forced`).  So what this says and what the
table does can never differ.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from referee.kernel.capabilities import Notated
from referee.kernel.errors import IllegalAnswer, InvalidAnswer
from referee.kernel.messages import Text
from referee.kernel.naming import domain_of, namer
from referee.kernel.notation import MARKS, NOTHING, Notation, NotSaid, Words, why_refused
from referee.kernel.play import Game, Play
from referee.kernel.refusals import Refusal, Rule
from referee.kernel.requests import ChooseSecretly, ChooseSome, Request

ALLOWED, REFUSED, UNCLEAR = "allowed", "refused", "unclear"


@dataclass(slots=True)
class Explanation:
    """What came of a written move.

    ``verdict`` is ``allowed``, ``refused`` (``refusal`` and ``rule`` say why) or
    ``unclear`` (the words could not be read).  ``said`` are the words that were
    accepted, ``at`` the words where it stopped, ``pairs`` the requests and
    answers so far, ``unasked`` those that were said although the table does not
    ask them, ``steps`` both in their order, ``play`` the copy of the game after them.
    """

    verdict: str
    play: Play[Any]
    refusal: Refusal | None = None
    rule: Rule | None = None
    said: str = ""
    at: str = ""
    request: Request | None = None
    pairs: list[tuple[Request, Any]] = field(default_factory=list)
    unasked: list[tuple[Request, Any]] = field(default_factory=list)
    steps: list[tuple[Request, Any]] = field(default_factory=list)

    @property
    def allowed(self) -> bool:
        """True where every word was accepted."""
        return self.verdict == ALLOWED

    @property
    def at_step(self) -> int:
        """How many answers were accepted before it stopped."""
        return len(self.pairs)

    @property
    def reach(self) -> int:
        """How many words were accepted before it stopped."""
        return len(Words(self.said).words)

    def sentence(self, language: str, game: Game[Any]) -> str:
        """The whole answer in ``language``: verdict, reason, rule and page."""
        if self.verdict == ALLOWED:
            return Text("kernel.allowed").in_words(language)
        if self.verdict == UNCLEAR:
            at = self.at.lstrip(":;,= ")
            wanted = "" if self.request is None else asked_for(self.request, language, game)
            return Text("kernel.unclear", at=at, wanted=wanted).in_words(language)
        return refusal_sentence(self.refusal, self.rule, language, game)


_SHOWN = 12
_MOST_READINGS = 40
"""So many ways to share a line out to the questions are tried, those that leave fewest out first."""


def asked_for(request: Request, language: str, game: Game[Any]) -> str:
    """The open question, and the words that answer it with what they stand for."""
    names = namer(game, language)
    question = names.question(request.prompt, request.about)
    answers = []
    for candidate in request.candidates():
        if candidate.allowed:
            item = _only_item(candidate.value)
            word = game.words.notation.write_option(request, item) if isinstance(game, Notated) else item
            name = names.option(request.prompt, item, domain_of(request), request.about)
            answers.append(word if name in (word, item) else f"{word} ({name})")
    answers = list(dict.fromkeys(answers))
    more = ", ..." if len(answers) > _SHOWN else ""
    return f"{question} {', '.join(answers[:_SHOWN])}{more}".strip()


def _only_item(value: Any) -> str:
    """The id in a candidate, whichever the kind of question: ``a``, ``{"a": 1}``, ``{"seat": "a"}``..."""
    while isinstance(value, dict | list):
        first = next(iter(value))
        inner = value[first] if isinstance(value, dict) else first
        value = first if isinstance(inner, int) else inner
    return str(value)


def refusal_sentence(refusal: Refusal | None, rule: Rule | None, language: str, game: Game[Any]) -> str:
    """A refusal as a person reads it: particulars, the rule's sentence, title and page."""
    first = Text("kernel.refused").in_words(language)
    names = namer(game, language)
    if refusal is not None:
        first = f"{first} {names.reason(refusal)}".strip()
    if rule is None:
        return first
    return f"{first} {rule.sentence(language)} ({names.rule_line(rule)})"


@dataclass(frozen=True, slots=True)
class ExplainHooks:
    """What explaining needs from a game besides its flow.

    ``turn_rule`` names the rule by which somebody else is asked now; ``over_rule`` what comes after the
    end.  ``stuck`` is asked where words do not speak to the open question: it
    gives the refusal of what they attempt, or how many of them to go over
    because they only repeat what was said, or None where it knows neither.
    ``sharpen`` may give a better reason for a refusal, knowing the words after it.
    """

    notation: Notation
    seats: Sequence[str]
    turn_rule: Callable[[Play[Any], Request, str], str]
    over_rule: str
    stuck: Callable[[Play[Any], Request | None, Words, Sequence[tuple[Request, Any]]], Refusal | int | None]
    sharpen: Callable[[Play[Any], Request, Any, Refusal, Words], Refusal]


def explain(play: Play[Any], text: str, house: ExplainHooks) -> Explanation:
    """Try a written move (or several, one after the other) on a fork of ``play``.

    Words that fit a question which may go without saying are read as its answer;
    where the move then comes to nothing, they are tried on what is asked after it.
    Of readings that all fail the one that understands most tells why.
    """
    found: Explanation | None = None
    readings: deque[frozenset[int]] = deque([frozenset()])
    for _ in range(_MOST_READINGS):
        if not readings or (found is not None and found.allowed):
            break
        left_out = readings.popleft()
        one = _Attempt(play.fork(asks_forced=True), text, house, left_out=left_out)
        other = one.run()
        if found is None or _tells_more(other, found):
            found = other
        last = max(left_out, default=-1)
        readings.extend(left_out | {number} for number in reversed(one.could_be_left_out) if number > last)
    assert found is not None
    if found.allowed:  # where words are refused, the position stays that of the question
        found.play.ask_no_forced()
    return found


def _tells_more(other: Explanation, found: Explanation) -> bool:
    """Whether another reading of the same words is the better one: it is allowed, or it gives a reason where
    none was found, or one that comes later in the line."""
    if other.verdict != REFUSED:
        return other.allowed
    return other.reach > found.reach or (found.verdict == UNCLEAR and other.reach == found.reach)


def attempt(
    play: Play[Any],
    text: str,
    house: ExplainHooks,
    *,
    finish: bool = True,
    history: Sequence[tuple[Request, Any]] = (),
) -> Explanation:
    """As :func:`explain`, on ``play`` itself: what is accepted stays.

    ``finish`` ends the move after the last word with what goes without saying;
    without it the move stays open, to be gone on with.  ``history`` are requests
    and answers of moves before this one, where it goes on with them.
    """
    play.asks_forced = True
    found = _Attempt(play, text, house, finish=finish, history=history).run()
    play.ask_no_forced()
    return found


class _Attempt:
    def __init__(
        self,
        play: Play[Any],
        text: str,
        house: ExplainHooks,
        *,
        finish: bool = True,
        history: Sequence[tuple[Request, Any]] = (),
        left_out: frozenset[int] = frozenset(),
    ) -> None:
        self.play = play
        self.house = house
        self.finish = finish
        self.history = history
        self.words = Words(text)
        self.pairs: list[tuple[Request, Any]] = []
        self.unasked: list[tuple[Request, Any]] = []
        self.steps: list[tuple[Request, Any]] = []
        self.passed = 0
        """How many questions are behind it, asked or not."""
        self.fresh = not play.since
        """Nothing was said since the last milestone."""
        self.suspect: Refusal | None = None
        """Why the next words are wrong, where nothing that comes later takes them."""
        self.left_out = left_out
        """Numbers of the questions to which nothing is to be said."""
        self.could_be_left_out: list[int] = []
        """Numbers of the questions to which something was said though it could go without."""
        self.same_move = -1
        """Where words begin that are tried on a later question of the same move, -1 where none are."""

    def run(self) -> Explanation:
        if not self.words.words:
            return self._end(UNCLEAR)
        while True:
            request = self.play.request
            if request is None:
                return self._end(ALLOWED) if self.words.done else self._after_the_end()
            end = self._nothing_left(request) if self.words.done else self._meet(request)
            if end is not None:
                return end

    def _nothing_left(self, request: Request) -> Explanation | None:
        """The words are over: what goes without saying ends the move; None where that can be gone on with."""
        if self.play.forced is not None:
            return self._go_unasked(request)
        if self.fresh or not self.finish:
            return self._end(ALLOWED)
        return None if self._say_nothing(request) else self._unfinished(request)

    def _meet(self, request: Request) -> Explanation | None:
        """Hold the next words against the open request; None where they can be gone on with."""
        with_seat = self.words.at
        if self.fresh and with_seat == self.same_move:
            return self._end(UNCLEAR)
        if self._seat(request):
            # what is said before may be unfinished; of the first words of a line only the seat is wrong
            if self.play.forced is not None and (self.steps or self._why_not_silent(request) is None):
                return self._go_unasked(request)
            rule = self.house.turn_rule(self.play, request, self.words.rest())
            return self._refused(rule, {"seat": request.seat})
        start = self.words.at
        try:
            if self.fresh and self.pairs and not self._begins(request):
                raise NotSaid
            answer = self.house.notation.read(request, self.words)
        except NotSaid:
            if self.play.forced is None:
                self.words.at = start
                return self._not_said(request)
            self.words.at = with_seat
            return self._go_unasked(request)
        refusal = why_refused(self.play.forced or request, answer)
        if refusal is not None:
            return self._meet_refused(request, answer, refusal, with_seat, start)
        read_to, self.words.at = self.words.at, start
        if self._may_be_the_other_sides(request, read_to) and self._is_the_other_sides(
            request, answer, read_to
        ):
            self._go_unasked(request)
            return None
        self.words.at = read_to
        self.suspect = None
        if self._could_go_without(request, answer):
            if self.passed in self.left_out:
                self.words.at = with_seat
                self._pass(request)
                return None
            self.could_be_left_out.append(self.passed)
        if not self._answer(request, answer):
            self.words.at = start
            return self._refused(Refusal(request.rule, "not_offered"))
        return None

    def _meet_refused(
        self, request: Request, answer: Any, refusal: Refusal, with_seat: int, start: int
    ) -> Explanation | None:
        """The words from ``start`` on are refused here: said in part, or to a later question; else why."""
        read_to = self.words.at
        refusal = self.house.sharpen(self.play, request, answer, refusal, self.words)
        self.words.at = start
        if self._said_in_part(request, read_to):
            return None
        self.words.at = with_seat  # a seat in front moves, whatever these words are said to
        if self._said_to_a_later_one(request, read_to):
            return None
        self.words.at = start
        return self._refused(refusal)

    def _could_go_without(self, request: Request, answer: Any) -> bool:
        """Whether nothing could be said here, and the words for what comes after be meant."""
        if self.play.forced is not None:
            return self._why_not_silent(request) is None
        return self._sayable(request) not in (NOTHING, answer)

    def _may_be_the_other_sides(self, request: Request, read_to: int) -> bool:
        """Whether a bare number fits what is not asked, while the other side may be asked the same."""
        said = self.words.words[self.words.at : read_to]
        style = self.house.notation.style(request)
        return (
            self.play.forced is not None
            and style.always
            and all(word.isdigit() or word in MARKS or word == style.marker for word in said)
        )

    def _is_the_other_sides(self, request: Request, answer: Any, read_to: int) -> bool:
        """Whether a number that fits what is not asked is meant for the other side: where all that follows
        is right then, or more of it, or at least a reason can be told, than with the number here."""
        other = self._twin()
        if not other._pass(request):
            return False
        there = other.run()
        if there.allowed:
            return True
        one = self._twin()
        one.words.at = read_to
        if not one._answer(request, answer):
            return True
        here = one.run()
        if here.allowed or there.verdict == UNCLEAR:
            return False
        return here.verdict == UNCLEAR or there.reach > here.reach

    def _said_in_part(self, request: Request, read_to: int) -> bool:
        """Whether the last word up to ``read_to``, with which the request refuses what is chosen, begins the
        next move, as a colon behind it says; then the words before it are the answer."""
        if not isinstance(request, ChooseSome) or not self._colon_at(read_to):
            return False
        fewer = copy(self.words)
        fewer.words = fewer.words[: read_to - 1]
        try:
            answer = self.house.notation.read(request, fewer)
        except NotSaid:
            return False
        if why_refused(self.play.forced or request, answer) is not None:
            return False
        twin = self._twin()
        twin.words.at = fewer.at
        if not twin._answer(request, answer) or not (twin.run().allowed or twin.words.at > read_to):
            return False
        self.words.at = fewer.at
        return self._answer(request, answer)

    def _colon_at(self, at: int) -> bool:
        """Whether the word with this number is a colon."""
        return self.words.words[at : at + 1] == [":"]

    def _said_to_a_later_one(self, request: Request, read_to: int) -> bool:
        """Whether the words up to ``read_to`` are right where this request, which refuses them, goes
        without saying; then it is passed.

        They begin no new move then, unless a colon behind them says that they do.
        """
        twin = self._twin()
        twin.same_move, twin.fresh = -1 if self._colon_at(read_to) else self.words.at, False
        if not twin._pass(request):
            return False
        there = twin.run()
        told_there = read_to if there.verdict == REFUSED else read_to + 1  # at least a reason, or more words
        return (there.allowed or twin.words.at >= told_there) and self._pass(request)

    def _twin(self) -> _Attempt:
        """The same attempt as far as it came, to be gone on with in another way."""
        twin = copy(self)
        twin.play = self.play.fork(asks_forced=True)
        twin.words, twin.pairs, twin.unasked = copy(self.words), [*self.pairs], [*self.unasked]
        twin.steps, twin.could_be_left_out = [*self.steps], []
        return twin

    def _pass(self, request: Request) -> bool:
        if self.play.forced is None:
            return self._say_nothing(request)
        return self._go_unasked(request) is None

    def _go_unasked(self, request: Request) -> Explanation | None:
        """Pass a question that the table does not ask; None where it may go without saying."""
        assert self.play.forced is not None
        refusal = self._why_not_silent(request)
        if refusal is not None:
            return self._refused(refusal)
        kept = self.play.kept
        self.play.answer(self.play.forced.answer)
        self.passed += 1
        self.fresh |= self.play.kept is not kept
        return None

    def _begins(self, request: Request) -> bool:
        """Whether the next words can begin a new move: not with a colon, which is still about the last
        answer that left nothing to ask, unless the request's answers stand behind one."""
        style = self.house.notation.style(request)
        if style.after_colon:
            return self.words.previous() == ":"
        return self.words.peek() != ":" or str(style.before).startswith(":")

    def _seat(self, request: Request) -> bool:
        """Read a seat in front of a move; True where another seat is asked."""
        if isinstance(request, ChooseSecretly):
            return False
        start = self.words.at
        self.words.skip_marks()
        word = self.words.peek()
        if word in self.house.seats and self.words.peek(1) == ":":
            self.words.at += 2
            if request.seat != word:
                self.words.at = start
                return True
            return False
        self.words.at = start
        return False

    def _answer(self, request: Request, answer: Any) -> bool:
        forced, kept = self.play.forced, self.play.kept
        try:
            self.play.answer(answer)
        except (IllegalAnswer, InvalidAnswer):
            return False
        (self.pairs if forced is None else self.unasked).append((request, answer))
        self.steps.append((request, answer))
        self.passed += 1
        self.fresh = self.play.kept is not kept
        return True

    def _say_nothing(self, request: Request) -> bool:
        silent = self._sayable(request)
        return silent is not NOTHING and self._answer(request, silent)

    def _sayable(self, request: Request) -> Any:
        """What goes without saying here, NOTHING where something must be said."""
        silent = self.house.notation.style(request).silent_answer(request)
        if silent is NOTHING or isinstance(silent, Refusal) or why_refused(request, silent) is not None:
            return NOTHING
        return silent

    def _why_not_silent(self, request: Request) -> Refusal | None:
        """The refusal that stands against saying nothing here."""
        silent = self.house.notation.style(request).silent_answer(request)
        return silent if isinstance(silent, Refusal) else None

    def _not_said(self, request: Request) -> Explanation | None:
        """Words that do not speak to the open request; None where they can be gone on with.

        What goes without saying is said first; a reason against the words is kept
        for the case that they fit nothing that comes later either.
        """
        start = self.words.at
        self.words.skip_marks()
        known = self.house.stuck(self.play, request, self.words, [*self.history, *self.pairs])
        if isinstance(known, int):
            self.words.at += known
            return None
        self.words.at = start
        self.suspect = self.suspect or known or self._why_not_silent(request)
        if self._say_nothing(request):
            return None
        return self._refused(self.suspect) if self.suspect is not None else self._end(UNCLEAR)

    def _unfinished(self, request: Request) -> Explanation:
        """The words are over and the move is not: fine, unless it cannot end here."""
        known = self._why_not_silent(request)
        return self._end(ALLOWED) if known is None else self._refused(known)

    def _after_the_end(self) -> Explanation:
        known = self.house.stuck(self.play, None, self.words, [*self.history, *self.pairs])
        if isinstance(known, int):
            self.words.at += known
            if self.words.done:
                return self._end(ALLOWED)
        return self._refused(known if isinstance(known, Refusal) else self.house.over_rule)

    def _refused(self, refusal: Refusal | str, params: dict[str, Any] | None = None) -> Explanation:
        if isinstance(refusal, str):
            refusal = Refusal(refusal, "", params or {})
        end = self._end(REFUSED)
        end.refusal = refusal
        end.rule = self.play.game.catalogue.get(refusal.rule)
        return end

    def _end(self, verdict: str) -> Explanation:
        return Explanation(
            verdict,
            self.play,
            said=self.words.read_so_far(),
            at=self.words.rest(),
            request=self.play.request,
            pairs=self.pairs,
            unasked=self.unasked,
            steps=self.steps,
        )
