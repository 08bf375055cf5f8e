"""Whether ``explain`` tells the truth: random written moves, held against the table's own requests.

In positions of random games moves are written, legal ones from what the requests
offer, illegal ones by changing a place, figure, count or die of a legal one, or by
words that belong to another question.  What the table does with such a move is
found by answering its requests; what ``explain`` says of the words must be that.

Wrong is

- "allowed" where a request refuses the answer, and the other way round,
- a refusal by a rule that is not among those by which the request refuses it,
- "allowed" for words that stand for no answer to anything,
- answers that are not those of the words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Any

from referee.kernel.capabilities import Notated
from referee.kernel.errors import IllegalAnswer, InvalidAnswer, RefereeError
from referee.kernel.explain import ALLOWED, REFUSED, ExplainHooks, Explanation, explain
from referee.kernel.notation import NOTHING, NotSaid, Words, spoken, why_refused
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.registry import load_game
from referee.kernel.requests import ChooseOne, ChooseSecretly, ChooseSome, Request, RollDice

MOST_ANSWERS = 16
"""Longer moves are cut off."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of a move: what was asked, what is said to it, and whether the table asks it at all."""

    request: Request
    value: Any
    forced: bool


@dataclass(slots=True)
class Expected:
    """What the table does with a written move: ``rules`` are those by which it refuses, if it does."""

    line: str
    answers: list[Any] = field(default_factory=list)
    rules: frozenset[str] | None = None
    at: str = ""
    value: Any = None
    """The answer that is refused at the question ``at``."""
    words: str = ""
    """How it is written."""
    known: bool = True
    """Whether that question knows the answer: what is no candidate at all may be no word either."""


@dataclass(slots=True)
class Found:
    """What came of many written moves."""

    tried: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)

    def add(self, kind: str, example: str) -> None:
        """One more wrong answer of a kind."""
        self.wrong[kind] += 1
        seen = self.examples.setdefault(kind, [])
        if len(seen) < 400:
            seen.append(example)

    @property
    def wrong_answers(self) -> int:
        """How many of the written moves were answered wrongly."""
        return sum(self.wrong.values())


def fuzz_words(
    name: str,
    seed: int,
    moves: int,
    *,
    options: Callable[[Random], Mapping[str, Any]],
    player: Callable[[Request, Random, Any], Any],
    each: int = 6,
) -> Found:
    """Try ``moves`` written moves in positions of random games of the game ``name``, ``each`` in a position.

    ``options`` are those of a game; ``player`` plays every other game, the others go at random.
    """
    game = load_game(name)
    assert isinstance(game, Notated), name
    rng = Random(seed)
    found = Found()
    fuzzer = WordFuzzer(game.words, rng, found)
    games = 0
    while found.tried < moves:
        games += 1
        play: Play[Any] = Play(game, game.new_state(options(rng)), audit=False)
        while play.request is not None and found.tried < moves and play.answered < 3000:
            if rng.random() < 0.15 and len(play.since) < MOST_ANSWERS:
                for _ in range(each):
                    fuzzer.try_one(play)
            request = play.request
            clever = games % 2 and not request.is_chance
            play.answer(player(request, rng, play.state) if clever else request.sample(rng))
    return found


class WordFuzzer:
    """Written moves of one game, made, tried and judged; what is wrong goes to ``found``."""

    def __init__(self, words: ExplainHooks, rng: Random, found: Found) -> None:
        self.words = words
        self.notation = words.notation
        self.rng = rng
        self.found = found
        self.seen: dict[str, str] = {}
        """Words of other questions, by prompt."""
        self.ids = {name for names in self.notation.vocabulary.values() for name in names}

    def try_one(self, play: Play[Any]) -> None:
        move = self._move(play)
        kind = self.rng.random()
        if kind < 0.3:
            expected = self._expect(play, move, -1)
        elif kind < 0.85:
            expected = self._expect(play, move, self.rng.randrange(len(move)))
        else:
            expected = self._with_foreign_words(play, move)
        if not spoken(expected.line):
            return
        self.found.tried += 1
        told = explain(play, expected.line, self.words)
        self.found.verdicts[told.verdict] += 1
        problem = self._problem(play, expected, told)
        if problem:
            rule = "" if told.rule is None else told.rule.id
            reason = "" if told.refusal is None else told.refusal.reason
            asked = "" if play.request is None else play.request.prompt
            self.found.add(
                problem,
                f"{expected.line!r} ({asked}): {told.verdict} {rule} {reason} at {told.at!r}; "
                f"expected {_told(expected)} at {expected.at}",
            )

    # --- a legal move ------------------------------------------------------------------------

    def _move(self, play: Play[Any]) -> list[Answer]:
        """Random answers to the open request and those after it, until the next milestone."""
        twin = play.fork(asks_forced=True)
        move: list[Answer] = []
        while twin.request is not None and len(move) < MOST_ANSWERS:
            request = twin.request
            value = request.sample(self.rng) if twin.forced is None else twin.forced.answer
            move.append(Answer(request, value, twin.forced is not None))
            self.seen[request.prompt] = self.notation.write(request, value)
            twin.answer(value)
            if not twin.since and not move[-1].forced:
                break
        length = self.rng.randint(1, len(move))
        return move[:length]

    # --- what the table does ------------------------------------------------------------------

    def _expect(self, play: Play[Any], move: Sequence[Answer], changed: int) -> Expected:
        """Answer the table's requests with a move, of which the answer ``changed`` is changed."""
        table = play.fork(asks_forced=True)
        real = play.fork()
        said: list[tuple[Request, Any]] = []
        answers: list[Any] = []
        unsaid: list[Request] = []
        begins = table.kept  # a move that begins after another one says its die
        for number, answer in enumerate(move):
            while table.forced is not None and table.request is not None:
                if table.request.prompt == answer.request.prompt:
                    break
                rules = self._silence(table.request)
                if rules is not None:
                    return Expected(self._line(said), answers, rules, table.request.prompt)
                if table.kept is not begins and said:
                    begins = table.kept
                    said.append((table.request, table.forced.answer))
                unsaid.append(table.request)
                table.answer(table.forced.answer)
            request = table.request
            asked = answer.request
            if request is None or (request.prompt, request.seat) != (asked.prompt, asked.seat):
                break
            value = answer.value if number != changed else self._changed(request, answer.value)
            forced = table.forced
            if table.kept is not begins and said:
                begins = table.kept
            elif (
                forced is not None
                and number != changed
                and self.rng.random() < 0.5
                and self._silence(request) is None
            ):
                unsaid.append(request)
                table.answer(forced.answer)
                continue
            rules = _refusing(forced or request, value)
            if rules is not None:
                line = self._line([*said, (request, value)])
                for other in unsaid:  # the same words may be meant for what goes without saying
                    if other.domain == request.domain and isinstance(other, ChooseOne):
                        rules |= _refusing(other, value) or frozenset()
                known = _refusal(request, value) is not None
                return Expected(
                    line, answers, rules, request.prompt, value, self.notation.write(request, value), known
                )
            if self.notation.write(request, value):
                unsaid = []
            else:
                unsaid.append(request)
            said.append((request, value))
            if forced is None:
                assert real.request is not None and real.request.prompt == request.prompt
                real.answer(value)
                answers.append(value)
            table.answer(value)
        rules = self._unfinished(table, begins) if said else None
        return Expected(self._line(said), answers, rules, "the end")

    def _silence(self, request: Request) -> frozenset[str] | None:
        """The rule by which a question does not go without saying; None where it may."""
        silent = self.notation.style(request).silent_answer(request)
        return frozenset({silent.rule}) if isinstance(silent, Refusal) else None

    def _unfinished(self, table: Play[Any], begins: Any) -> frozenset[str] | None:
        """The rule by which a move cannot end here, though nothing more is said; None where it can."""
        while table.request is not None and table.kept is begins:
            silent = self.notation.style(table.request).silent_answer(table.request)
            if isinstance(silent, Refusal):
                return frozenset({silent.rule})
            if table.forced is not None:
                silent = table.forced.answer
            elif silent is NOTHING or why_refused(table.request, silent) is not None:
                return None
            table.answer(silent)
        return None

    def _line(self, said: Sequence[tuple[Request, Any]]) -> str:
        return self.notation.line(said)

    def _with_foreign_words(self, play: Play[Any], move: Sequence[Answer]) -> Expected:
        """Words of another question in a legal move: what comes of them is seen from the answers."""
        expected = self._expect(play, move, -1)
        foreign = self.seen[self.rng.choice(sorted(self.seen))].strip(":;, ") or "x"
        words = expected.line.split(" ")
        at = self.rng.randint(0, len(words))
        expected.line = " ".join([*words[:at], foreign, *words[at:]])
        expected.at = f"foreign {foreign!r}"
        return expected

    # --- changing an answer -------------------------------------------------------------------

    def _changed(self, request: Request, value: Any) -> Any:
        rng = self.rng
        if isinstance(request, ChooseSecretly):
            seat = rng.choice(sorted(request.of))
            return {**value, seat: self._changed(request.of[seat], value[seat])}
        if isinstance(request, RollDice):
            return _other_dice(request, value, rng)
        if isinstance(request, ChooseSome):
            return self._other_counts(request, value)
        if isinstance(request, ChooseOne):
            return rng.choice(self._others(request, request.options, value) or [value])
        return value  # several steps in secret: no word of them is changed

    def _others(self, request: Request, offered: Sequence[str], value: str) -> list[str]:
        known = set(offered) | set(self.notation.vocabulary.get(request.domain, ()))
        return sorted(known - {value})

    def _other_counts(self, request: ChooseSome, value: Mapping[str, int]) -> dict[str, int]:
        rng, counts = self.rng, dict(value)
        way = rng.randrange(3)
        if counts and way == 0:
            counts[rng.choice(sorted(counts))] += 1
        elif counts and way == 1:
            item = rng.choice(sorted(counts))
            counts[item] -= 1
            if not counts[item]:
                del counts[item]
        others = self._others(request, tuple(request.limits), "")
        if way == 2 and others:
            item = rng.choice(others)
            counts[item] = counts.get(item, 0) + 1
        return counts

    # --- judging ------------------------------------------------------------------------------

    def _problem(self, play: Play[Any], expected: Expected, told: Explanation) -> str:
        if told.verdict == ALLOWED:
            swallowed = self.swallowed(told, expected.line)
            if swallowed:
                return f"swallowed ({expected.at})"
            if _replayed(play, told) != play.game.to_json(told.play.state):
                return "other position"
        if expected.at.startswith("foreign"):
            return ""
        if expected.rules is None:
            if told.verdict != ALLOWED:
                return f"{told.verdict} what the table accepts"
            answers = [answer for _, answer in told.pairs]
            agreed = answers[: len(expected.answers)] == expected.answers
            return "" if agreed or self._read_as_written(told, expected.line) else "other answers"
        if told.verdict == ALLOWED:
            # what one question refuses may be said to the next of its kind
            said = (expected.value is not None and self._read_as_written(told, expected.line)) or any(
                request.prompt == expected.at
                and (answer == expected.value or self.notation.write(request, answer) == expected.words)
                for request, answer in told.steps
            )
            return "" if said else "allowed what the table refuses"
        if not expected.rules:
            return ""
        if told.verdict != REFUSED:
            return "no reason" if expected.known else ""
        rule = "" if told.rule is None else told.rule.id
        return "" if rule in expected.rules or self._refuses_too(told, expected, rule) else "another reason"

    def _refuses_too(self, told: Explanation, expected: Expected, rule: str) -> bool:
        """Whether it is the same words that are refused, by this rule of the question that they meet where
        those before them are read in another way."""
        if told.request is None or spoken(told.at) != spoken(expected.words):
            return False
        if not self._read_as_written(told, told.said):
            return False
        try:
            value = self.notation.read(told.request, Words(told.at))
        except NotSaid:
            return False
        return rule in (_refusing(told.request, value) or ())

    def _read_as_written(self, told: Explanation, line: str) -> bool:
        """Whether the answers, which the table has accepted, are written just as the line is.

        Such words say these answers, though they may have been made from others: what goes without
        saying leaves room for more than one reading.
        """
        return spoken(self.notation.line(told.steps)) == spoken(line)

    def swallowed(self, told: Explanation, line: str) -> list[str]:
        """Words of a line for things of the game that are in none of the answers."""
        words = Words(line).words
        held = {request.seat for request, _ in told.steps if _comes(words, request.seat, ":")}
        held.update(name for name in words if _comes(words, "0", name))  # none of them
        for request, answer in told.steps:
            held.update(_ids(answer))
            held.update(Words(self.notation.write(request, answer)).words)
            held.add(request.about.get("face", ""))  # a die may be named with its action too
        names = {word for word in words if self.notation.aliases.get(word, word) in self.ids}
        held.update(word for word in names if self.notation.aliases.get(word) in held)
        return sorted(name for name in names - held if not name.isdigit())


def _told(expected: Expected) -> str:
    if expected.rules is None:
        return "allowed"
    return "refused by " + (", ".join(sorted(expected.rules)) or "none")


def _comes(words: Sequence[str], first: str, then: str) -> bool:
    """Whether one word comes right before another."""
    return (first, then) in pairwise(words)


def _ids(answer: Any) -> Iterator[str]:
    if isinstance(answer, str):
        yield answer
    elif isinstance(answer, Mapping):
        for key, value in answer.items():
            yield str(key)
            yield from _ids(value)
    elif isinstance(answer, Sequence):
        for value in answer:
            yield from _ids(value)


def _replayed(play: Play[Any], told: Explanation) -> dict[str, Any]:
    """The position after the answers alone."""
    twin = play.fork()
    for _, answer in told.pairs:
        twin.answer(answer)
    return twin.game.to_json(twin.state)


def _refusing(request: Request, value: Any) -> frozenset[str] | None:
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


def _other_dice(request: RollDice, value: Mapping[str, Sequence[str]], rng: Random) -> dict[str, list[str]]:
    dice = {die: list(faces) for die, faces in value.items()}
    die = rng.choice(sorted(dice))
    way = rng.randrange(3)
    if way == 0 and len(dice[die]) > 1:
        dice[die].pop()
    elif way == 1:
        dice[die].append(rng.choice(request.types[die].faces))
    else:
        dice[die][0] = rng.choice(request.types[die].faces)
    return dice
