"""Moves as one line of words: reading them into answers, writing answers as words.

A line is nothing but the answers to the open requests, one after the other, in
short words: ``army: attack eb_north_plain x camp``.  A game says with a
:class:`Style` for each prompt how its answers look; reading and writing use the
same table, so that every written line can be read again.

Reading is led by the requests: each one takes the words that fit it and leaves
the rest to the next.  A request whose style has a ``silent`` answer takes that
one when no word fits, so that a line need not say what goes without saying.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from referee.kernel.errors import IllegalAnswer, InvalidAnswer, RefereeError
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, ChooseSecretly, ChooseSome, Request, RollDice
from referee.kernel.together import ChooseInSteps

NOTHING = object()
"""The ``silent`` of a style that has none: this must be said."""
MARKS = (":", ",", ";", "=", "+", "|")
"""Words that only help the eye, unless a style has one as its marker."""
ARROWS = (">", "x")
"""Words that always belong to a style that has them as its marker."""

_WORD = re.compile(r"[\w/'.-]+|[:,;>=+|]")


@dataclass(frozen=True, slots=True)
class Style:
    """How the answers to one prompt are written.

    ``before`` is written in front of them (``"; "``).  ``marker`` is a word that
    must stand in front, or the answer counts as not given.  ``silent`` is the
    answer that need not be written (or the refusal that stands against saying
    nothing).  ``words`` renames options (id to word, or to several, ``a|b``, of
    which the first is written).  ``before``, ``silent``
    and ``words`` may be functions of the request.  ``always``: written even where
    it goes without saying, as the other side may be asked the same next.
    ``after_colon``: at the beginning of a new move it needs a colon in front.
    ``implied`` tells which option the words mean that follow it, where it is not said.
    """

    before: str | Callable[[Request], str] = ""
    marker: str = ""
    silent: Any = NOTHING
    words: Mapping[str, str] | Callable[[Request], Mapping[str, str]] = field(default_factory=dict)
    always: bool = False
    after_colon: bool = False
    implied: Callable[[Request, Words], str | None] | None = None

    def renamed(self, request: Request) -> Mapping[str, str]:
        """What options are called in this request, where not by their id."""
        return self.words(request) if callable(self.words) else self.words

    def silent_answer(self, request: Request) -> Any:
        """The answer that goes without saying, or :data:`NOTHING`."""
        return self.silent(request) if callable(self.silent) else self.silent


PLAIN = Style()


class Words:
    """The words of a line, and how far they are read."""

    __slots__ = ("at", "words")

    def __init__(self, text: str) -> None:
        self.words: list[str] = _WORD.findall(text)
        self.at = 0

    def peek(self, ahead: int = 0) -> str | None:
        """The next word, marks included, or None at the end."""
        index = self.at + ahead
        return self.words[index] if index < len(self.words) else None

    def previous(self) -> str | None:
        """The word just read, marks included."""
        return self.words[self.at - 1] if self.at else None

    def skip_marks(self, but: str = "") -> None:
        """Go over marks, other than ``but``."""
        while (word := self.peek()) is not None and word in MARKS and word != but:
            self.at += 1

    @property
    def done(self) -> bool:
        """Whether nothing but marks is left."""
        return all(word in MARKS for word in self.words[self.at :])

    def rest(self) -> str:
        """What is not read yet."""
        return _join(self.words[self.at :])

    def read_so_far(self) -> str:
        """What was read."""
        return _join(self.words[: self.at])


def spoken(text: str) -> list[str]:
    """The words of a line without the marks that only help the eye."""
    return [word for word in Words(text).words if word not in MARKS]


class NotSaid(Exception):
    """The words have no answer for the open request."""


class Notation:
    """The notation of one game.

    ``styles`` by prompt id.  ``aliases`` maps words that people write to ids
    (``eye`` to ``lidless_eye``).  ``vocabulary`` gives for each domain the ids
    that exist at all, so that a word for something that is not a candidate is
    still understood and can be refused.  ``short`` are the words written for ids.
    """

    def __init__(
        self,
        styles: Mapping[str, Style],
        aliases: Mapping[str, str],
        vocabulary: Mapping[str, Sequence[str]],
        short: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.short = short
        self.styles = styles
        self.aliases = aliases
        self.vocabulary = {domain: frozenset(ids) for domain, ids in vocabulary.items()}

    def style(self, request: Request) -> Style:
        """The style of a request."""
        return self.styles.get(request.prompt, PLAIN)

    # --- reading -----------------------------------------------------------------------------

    def read(self, request: Request, words: Words) -> Any:
        """The answer that the next words give.  Raises :class:`NotSaid` and leaves the words alone
        where they do not speak to this request at all."""
        style = self.style(request)
        start = words.at
        words.skip_marks(but=style.marker)
        if "=" in words.words[start : words.at] and not str(style.before).startswith("="):
            words.at = start  # what stands behind "=" belongs to the questions that are written so
            raise NotSaid
        if style.marker:
            if words.peek() != style.marker:
                words.at = start
                raise NotSaid
            words.at += 1
            words.skip_marks()
        try:
            return self._read_value(request, words, style)
        except NotSaid:
            words.at = start
            raise

    def _read_value(self, request: Request, words: Words, style: Style) -> Any:
        if isinstance(request, ChooseSecretly):
            return self._read_secret(request, words)
        if isinstance(request, ChooseInSteps):
            return self._read_steps(request, words)
        if isinstance(request, RollDice):
            return self._read_dice(request, words)
        if isinstance(request, ChooseSome):
            return self._read_counts(request, words, style)
        assert isinstance(request, ChooseOne)
        return self._read_one(request, words, style)

    def _ids(self, request: Request) -> set[str]:
        known = set(self.vocabulary.get(request.domain, ()))
        if isinstance(request, ChooseOne):
            known.update(request.options)
            known.update(value for value, _ in _refused(request))
        elif isinstance(request, ChooseSome):
            known.update(request.limits)
            known.update(value for value, _ in _refused(request) if isinstance(value, str))
        return known

    def _meaning(self, word: str, known: Collection[str], names: Mapping[str, str]) -> str | None:
        for candidate, written in names.items():
            if word in written.split("|") and candidate in known:
                return candidate
        if word in known:
            return word
        alias = self.aliases.get(word)
        return alias if alias in known else None

    def _read_one(self, request: ChooseOne, words: Words, style: Style) -> str:
        word = words.peek()
        found = None if word is None else self._meaning(word, self._ids(request), style.renamed(request))
        if found is None and word is not None and _refused_by_name(request, word):
            found = word
        if found is None:
            found = None if style.implied is None else style.implied(request, words)
            if found is None:
                raise NotSaid
            return found
        words.at += 1
        return found

    def _read_counts(self, request: ChooseSome, words: Words, style: Style) -> dict[str, int]:
        word = words.peek()
        if word in ("none", "-"):
            words.at += 1
            return {}
        if word == "all":
            words.at += 1
            return dict(request.limits)
        known, names = self._ids(request), style.renamed(request)
        counts: dict[str, int] = {}
        said = False
        while True:
            here = words.at
            while words.peek() == ",":
                words.at += 1
            number, word = 1, words.peek()
            if word is not None and word.isdigit() and word not in known:
                number = int(word)
                following = words.peek(1)
                item = None if following is None else self._meaning(following, known, names)
                # a number alone, once: a second one is said of something else
                if item is None and len(request.limits) == 1 and style.marker and not said:
                    item = next(iter(request.limits))
                    words.at -= 1
                words.at += 1
            else:
                item = None if word is None else self._meaning(word, known, names)
            if item is None:
                words.at = here
                break
            words.at += 1
            said = True
            if number or item in counts:
                counts[item] = counts.get(item, 0) + number
        if not said:
            raise NotSaid
        return counts

    def _read_dice(self, request: RollDice, words: Words) -> dict[str, list[str]]:
        rolled: dict[str, list[str]] = {}
        wanted = {die: number for die, number in request.dice.items() if number}
        die = next(iter(wanted), "")
        total = sum(wanted.values())
        taken, by_name = 0, False
        while taken < total:
            words.skip_marks()
            word = words.peek()
            if word is None:
                break
            named = self._meaning(word, request.types, {})
            if named is not None:
                die, by_name = named, True
            else:
                faces = request.types[die].faces if die else ()
                face = self._meaning(word, faces, {})
                if face is None:
                    break
                if not by_name and len(rolled.get(die, ())) == wanted.get(die):
                    die = next((d for d in wanted if len(rolled.get(d, ())) < wanted[d]), die)
                rolled.setdefault(die, []).append(face)
                taken += 1
            words.at += 1
        if taken == total and die:
            self._read_too_many(request, words, rolled, die)
        if not taken:
            raise NotSaid
        return rolled

    def _read_too_many(self, request: RollDice, words: Words, rolled: dict[str, list[str]], die: str) -> None:
        """Further faces right after the dice that are wanted belong to the roll too: there are too many."""
        while (word := words.peek()) is not None:
            named = self._meaning(word, request.types, {})
            face = self._meaning(
                words.peek(1) or "" if named else word, request.types[named or die].faces, {}
            )
            if face is None:
                return
            die = named or die
            rolled.setdefault(die, []).append(face)
            words.at += 2 if named else 1

    def _read_secret(self, request: ChooseSecretly, words: Words) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for _ in request.of:
            words.skip_marks()
            seat = words.peek()
            if seat is None or seat not in request.of or seat in found:
                break
            words.at += 1
            words.skip_marks()
            own = request.of[seat]
            found[seat] = self._read_value(own, words, self.style(own))
        if not found:
            raise NotSaid
        for seat, own in request.of.items():
            if seat not in found:
                silent = self.style(own).silent_answer(own)
                if silent is NOTHING:
                    raise NotSaid
                found[seat] = silent
        return found

    def _read_steps(self, request: ChooseInSteps, words: Words) -> list[Any]:
        taken: list[Any] = []
        question = request.following(())
        while question is not None:
            words.skip_marks()
            taken.append(self._read_value(question, words, self.style(question)))
            try:
                question = request.following(taken)
            except RefereeError:  # refused: whoever checks the whole answer says why
                break
        return taken

    # --- writing -----------------------------------------------------------------------------

    def write(self, request: Request, answer: Any) -> str:
        """The words of an answer, with what is written before them; "" where it goes without saying."""
        style = self.style(request)
        silent = style.silent_answer(request)
        if silent is not NOTHING and answer == silent and not style.always:
            return ""
        before = style.before(request) if callable(style.before) else style.before
        marker = f"{style.marker} " if style.marker else ""
        return f"{before}{marker}{self._write_value(request, answer, style)}"

    def _write_value(self, request: Request, answer: Any, style: Style) -> str:
        if isinstance(request, ChooseSecretly):
            of = request.of.items()
            return " ".join(f"{seat} {self._write_part(part, answer[seat])}" for seat, part in of)
        if isinstance(request, ChooseInSteps):
            return " ".join(
                self._write_part(question, value)
                for at, value in enumerate(answer)
                if (question := request.following(answer[:at])) is not None
            )
        if isinstance(request, RollDice):
            several = len([die for die, number in request.dice.items() if number]) > 1
            parts = []
            for die, faces in answer.items():
                name = f"{self._short(die)} " if several else ""
                parts.append(name + " ".join(self._short(face) for face in faces))
            return " ".join(parts)
        if isinstance(request, ChooseSome):
            if not answer:
                return "none"
            names = style.renamed(request)
            if style.marker and list(answer) == list(request.limits) and len(request.limits) == 1:
                return str(next(iter(answer.values())))
            return " ".join(
                f"{number} {_first(names.get(item), self._short(item))}"
                if request.limits.get(item, 2) > 1 or number > 1
                else _first(names.get(item), self._short(item))
                for item, number in answer.items()
            )
        return _first(style.renamed(request).get(answer), self._short(answer))

    def _write_part(self, request: Request, answer: Any) -> str:
        return self._write_value(request, answer, self.style(request))

    def write_option(self, request: Request, item: str) -> str:
        """The word for one option, item or face, with the marker in front where there is one."""
        style = self.style(request)
        marker = f"{style.marker} " if style.marker else ""
        return marker + self._name(request, item)

    def _name(self, request: Request, value: str) -> str:
        return _first(self.style(request).renamed(request).get(value), self._short(value))

    def _short(self, item: str) -> str:
        return self.short.get(item, item)

    def line(self, pairs: Iterable[tuple[Request, Any]]) -> str:
        """One line for a whole move, from its requests and answers.

        Where a word behind several things that were chosen could be one more of them, a ``;`` ends these.
        """
        text = ""
        last: Request | None = None
        for request, answer in pairs:
            part = self.write(request, answer)
            if part:
                glue = "" if not text or part[0] in ":;," else " "
                text += (";" if last is not None and self._goes_on(last, part) else "") + glue + part
                last = request
        return text

    def _goes_on(self, request: Request, part: str) -> bool:
        """Whether the words of the next answer could be read as more of this one."""
        if not isinstance(request, ChooseSome) or part[0] in MARKS:
            return False
        words = Words(part)
        if (words.peek() or "").isdigit():
            words.at += 1
        word, names = words.peek(), self.style(request).renamed(request)
        return word is not None and self._meaning(word, self._ids(request), names) is not None


def _refused_by_name(request: ChooseOne, word: str) -> bool:
    """Whether a question knows why not of a word that it does not list; too high a number is a number."""
    if request.otherwise is not None and request.otherwise(word) is not None:
        return True
    return _is_number(word) and all(map(_is_number, request.options))


def _is_number(word: str) -> bool:
    return word.removeprefix("-").isdigit()


def _join(words: Sequence[str]) -> str:
    text = ""
    for word in words:
        text += word if not text or word in ":;," else f" {word}"
    return text


def _first(written: str | None, otherwise: str) -> str:
    return otherwise if written is None else written.split("|")[0]


def _refused(request: Request) -> Iterable[tuple[Any, Refusal]]:
    refused: Callable[[], Iterable[tuple[Any, Refusal]]] | None = getattr(request, "refused", None)
    return () if refused is None else refused()


def why_refused(request: Request, answer: Any) -> Refusal | None:
    """The refusal of an answer, or None where it is allowed.

    What is not even a candidate is refused by the rule that makes the referee ask.
    """
    try:
        refusal = request.why_not(answer)
        if refusal is None:
            request.check(answer)
        return refusal
    except IllegalAnswer as error:
        return error.refusal or Refusal(request.rule, "not_offered")
    except InvalidAnswer:
        return Refusal(request.rule, "not_offered", {"value": str(answer)})
