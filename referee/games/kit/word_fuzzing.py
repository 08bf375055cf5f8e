"""Whether ``explain`` tells the truth: random written moves, held against the table's own requests.

In positions of random games moves are written: legal ones, and illegal ones by changing a place, figure,
count or die of a legal one (what comes after it may follow), by leaving out a part, by words that belong to
another question, or with a seat in front.  What the table does with such a move is found by answering its
requests (:mod:`word_telling`); what ``explain`` says of the words must be that (:mod:`word_judging`), in a
sentence of German or English.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from referee.games.kit.word_judging import Judge
from referee.games.kit.word_telling import Answer, Expected, MoveTelling
from referee.kernel.capabilities import Notated
from referee.kernel.explain import ExplainHooks, Explanation, explain
from referee.kernel.notation import spoken
from referee.kernel.play import Game, Play
from referee.kernel.registry import load_game
from referee.kernel.requests import ChooseOne, ChooseSecretly, ChooseSome, Request, RollDice

MOST_ANSWERS = 16
"""Longer moves are cut off."""
WAYS = {"legal": 25, "changed": 30, "changed within": 25, "foreign": 10, "left out": 7, "seat": 3}
"""How moves are written, with how many of a hundred are."""


@dataclass(slots=True)
class Written:
    """A written move: its words, in which of the :data:`WAYS` it was made, and what the table does with it,
    None where the words are no longer those of answers."""

    line: str
    way: str
    expected: Expected | None


@dataclass(slots=True)
class Found:
    """What came of many written moves."""

    tried: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    ways: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How many were written in which way, and what was told of them."""
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
    start: Callable[[Game[Any], Random], Any] | None = None,
) -> Found:
    """Try ``moves`` written moves in positions of random games of the game ``name``, ``each`` in a position.

    ``options`` are those of a game; ``player`` plays every other game, the others go at random.  ``start``
    gives the position that a game is begun from instead, None where it finds none.
    """
    game = load_game(name)
    assert isinstance(game, Notated), name
    rng = Random(seed)
    found = Found()
    fuzzer = WordFuzzer(game.words, rng, found)
    games = 0
    while found.tried < moves:
        games += 1
        state = game.new_state(options(rng)) if start is None else start(game, rng)
        if state is None:
            continue
        play: Play[Any] = Play(game, state, audit=False)
        most = 3000 if start is None else 60  # what was rare at its beginning, a game soon leaves behind
        while play.request is not None and found.tried < moves and play.answered < most:
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
        self.judge = Judge(words)
        self.rng = rng
        self.found = found
        self.seen: dict[str, str] = {}
        """Words of other questions, by prompt."""

    def try_one(self, play: Play[Any]) -> None:
        """Write a move, and judge what ``explain`` says of it."""
        (way,) = self.rng.choices(list(WAYS), list(WAYS.values()))
        written = self._written(play, self._move(play), way)
        if not spoken(written.line):
            return
        self.found.tried += 1
        told = explain(play, written.line, self.words)
        self.found.verdicts[told.verdict] += 1
        self.found.ways[written.way, told.verdict] += 1
        problem = self.judge.problem(play, written.line, written.expected, told)
        language = ("de", "en")[self.found.tried % 2]
        if not problem and "{" in told.sentence(language, play.game):
            problem = "a sentence with a gap"
        if problem:
            self.found.add(f"{problem} ({written.way})", _example(play, written, told))

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

    # --- its words ----------------------------------------------------------------------------

    def _written(self, play: Play[Any], move: list[Answer], way: str) -> Written:
        """The words of a move, made in one of the :data:`WAYS`."""
        changed = self.rng.randrange(len(move)) if way.startswith("changed") else -1
        telling = MoveTelling(self.notation, play)
        expected = telling.tell(move, changed, self._changed, lambda: self.rng.random() < 0.5)
        line = self.notation.line(expected.said)
        if way == "changed within":
            rest = [(answer.request, answer.value) for answer in move[changed + 1 :] if not answer.forced]
            if expected.value is not None:
                whole = self.notation.line([*expected.said, *rest])
                expected.goes_on, line = whole != line, whole
        elif way == "foreign":
            return Written(self._with_foreign_words(line), way, None)
        elif way == "left out":
            at = self.rng.randrange(len(expected.said) or 1)
            said = [*expected.said[:at], *expected.said[at + 1 :]]
            return Written(self.notation.line(said), way, None)
        elif way == "seat":
            return self._with_a_seat(play, line, expected)
        return Written(line, way, None if telling.unsure else expected)

    def _with_foreign_words(self, line: str) -> str:
        """Words of another question somewhere in a line."""
        foreign = self.seen[self.rng.choice(sorted(self.seen))].strip(":;, ") or "x"
        words = line.split(" ")
        at = self.rng.randint(0, len(words))
        return " ".join([*words[:at], foreign, *words[at:]])

    def _with_a_seat(self, play: Play[Any], line: str, expected: Expected) -> Written:
        """A seat in front of a line: who is asked first says the same, another one may not say it."""
        if not spoken(line) or isinstance(expected.said[0][0], ChooseSecretly):
            return Written(line, "legal", expected)
        seat = self.rng.choice(sorted(self.words.seats))
        own = seat == expected.said[0][0].seat
        return Written(f"{seat}: {line}", "seat", expected if own else None)

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
            return rng.choice(
                self._refused(request) or self._others(request, request.options, value) or [value]
            )
        return value  # several steps in secret: no word of them is changed

    def _refused(self, request: ChooseOne) -> list[str]:
        """What the request itself lists as refused, every other time: close to what is allowed."""
        if self.rng.random() < 0.5:
            return []
        return [str(one.value) for one in request.candidates() if not one.allowed]

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


def _example(play: Play[Any], written: Written, told: Explanation) -> str:
    rule = "" if told.rule is None else told.rule.id
    reason = "" if told.refusal is None else told.refusal.reason
    asked = "" if play.request is None else play.request.prompt
    expected = written.expected
    wanted = "" if expected is None else f"; expected {_told(expected)} at {expected.at}"
    return f"{written.line!r} ({asked}): {told.verdict} {rule} {reason} at {told.at!r}{wanted}"


def _told(expected: Expected) -> str:
    if expected.rules is None:
        return "allowed"
    return "refused by " + (", ".join(sorted(expected.rules)) or "none")


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
