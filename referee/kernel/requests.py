"""The few kinds of request a flow can make, and how each checks an answer.

Answers are plain JSON values made of short readable ids, so that the record
can be read by a person:

=================  ==============================================================
``ChooseOne``      one of ``options`` (a string)
``Report``         the same, but reports what a physical draw or card showed
``ChooseSome``     ``{item: count}``, counts above 0
``RollDice``       ``{die type: [face, ...]}``, one face a die
``ChooseSecretly`` ``{seat: answer to that seat's own request}``
=================  ==============================================================

Refused candidates are computed only when somebody looks (``candidates``); a bot
that plays at random never pays for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any

from referee.kernel.dice import DieType
from referee.kernel.errors import IllegalAnswer, InvalidAnswer, WrongDice
from referee.kernel.messages import Text
from referee.kernel.refusals import Candidate, Refusal

Counts = dict[str, int]
Refused = Iterable[tuple[Any, Refusal]]
Notes = Iterable[tuple[str, Mapping[str, Any]]]
"""Messages of the game with their particulars."""


class Request:
    """What a flow asks of one seat.

    ``seat`` is who is asked; ``prompt`` a message id; ``about`` fills the
    message and tells the screens what it concerns (``{"from": "camp"}``);
    ``domain`` says what the options are (``place``, ``die``, ``unit``, ``card``,
    ``character``, ``option``...), so that screens and lights know where to show
    them; ``rule`` is the catalogue rule that makes the referee ask.
    """

    __slots__ = ("about", "domain", "prompt", "rule", "seat")

    kind = "request"
    reveals = False
    """True where the answer tells something that was hidden: undo is no longer free."""
    is_chance = False
    """True where nobody decides anything: dice and draws."""

    seat: str
    prompt: str
    about: Mapping[str, Any]
    domain: str
    rule: str

    def candidates(self) -> list[Candidate]:
        """All candidates, the allowed ones first, the refused ones with their refusal."""
        raise NotImplementedError

    def why_not(self, value: Any) -> Refusal | None:
        """The refusal that stands against ``value``, or None where it is allowed.

        Raises :class:`InvalidAnswer` where ``value`` is not of this request's form.
        """
        raise NotImplementedError

    def check(self, value: Any) -> Any:
        """``value`` in its normal form.  Raises :class:`InvalidAnswer` or :class:`IllegalAnswer`."""
        raise NotImplementedError

    def sample(self, rng: Random) -> Any:
        """A legal answer drawn at random, for bots and fuzzing."""
        raise NotImplementedError

    def is_forced(self) -> bool:
        """True where at most one answer is possible."""
        return False


_NOTHING: Mapping[str, Any] = {}


def _unknown(value: Any) -> InvalidAnswer:
    return InvalidAnswer(
        Text("kernel.not_an_answer", value=value),
    )


def _illegal(value: Any, refusal: Refusal) -> IllegalAnswer:
    return IllegalAnswer(
        Text("kernel.not_allowed", value=value, rule=refusal.rule),
        refusal=refusal,
    )


class ChooseOne(Request):
    """One of ``options`` (strings).  ``refused`` lists, when asked, what is not allowed and why.

    ``otherwise`` knows why not of what is not worth listing, where somebody names it.  ``notes`` says of an
    option what is good to know before it is chosen: messages of the game with their particulars.
    ``obvious`` is the one option that does anything, or the one without harm: a table takes it without
    asking, and the record says so.  ``at_once`` are options that one tap takes, since there is nothing to
    look at before.
    """

    __slots__ = ("at_once", "notes", "obvious", "options", "otherwise", "refused")
    kind = "choose_one"

    def __init__(
        self,
        seat: str,
        prompt: str,
        options: Sequence[str],
        *,
        domain: str = "option",
        about: Mapping[str, Any] = _NOTHING,
        rule: str = "",
        refused: Callable[[], Refused] | None = None,
        otherwise: Callable[[str], Refusal | None] | None = None,
        notes: Callable[[str], Notes] | None = None,
        obvious: str | None = None,
        at_once: Sequence[str] = (),
    ) -> None:
        self.seat = seat
        self.prompt = prompt
        self.options = options
        self.notes = notes
        self.obvious = obvious
        self.at_once = at_once
        self.domain = domain
        self.about = about
        self.rule = rule
        self.refused = refused
        self.otherwise = otherwise

    def candidates(self) -> list[Candidate]:
        found = [Candidate(option) for option in self.options]
        if self.refused is not None:
            found.extend(Candidate(value, refusal) for value, refusal in self.refused())
        return found

    def why_not(self, value: Any) -> Refusal | None:
        if value in self.options:
            return None
        if self.refused is not None:
            for candidate, refusal in self.refused():
                if candidate == value:
                    return refusal
        found = None if self.otherwise is None else self.otherwise(value)
        if found is None:
            raise _unknown(value)
        return found

    def check(self, value: Any) -> str:
        if value in self.options:
            return value  # type: ignore[no-any-return]
        refusal = self.why_not(value)
        assert refusal is not None
        raise _illegal(value, refusal)

    def sample(self, rng: Random) -> str:
        return self.options[int(rng.random() * len(self.options))]

    def is_forced(self) -> bool:
        return len(self.options) <= 1


class Report(ChooseOne):
    """What a physical draw or a turned token showed.  ``weights`` (a count an option) serves bots."""

    __slots__ = ("weights",)
    kind = "report"
    reveals = True
    is_chance = True

    def __init__(
        self,
        seat: str,
        prompt: str,
        options: Sequence[str],
        *,
        weights: Sequence[int] | None = None,
        domain: str = "option",
        about: Mapping[str, Any] = _NOTHING,
        rule: str = "",
        refused: Callable[[], Refused] | None = None,
        otherwise: Callable[[str], Refusal | None] | None = None,
        at_once: Sequence[str] = (),
    ) -> None:
        super().__init__(
            seat,
            prompt,
            options,
            domain=domain,
            about=about,
            rule=rule,
            refused=refused,
            otherwise=otherwise,
            at_once=at_once,
        )
        self.weights = weights

    def sample(self, rng: Random) -> str:
        if self.weights is None:
            return ChooseOne.sample(self, rng)
        return rng.choices(self.options, self.weights)[0]


class BoxQuestion(Report):
    """Asks for a value printed on a component, once; nothing hidden is revealed by it."""

    __slots__ = ()
    reveals = False


class ChooseSome(Request):
    """A count of each item: ``{item: count}``.

    ``limits`` gives the most of each item; ``minimum`` and ``maximum`` bound the
    sum.  ``refuses`` judges a whole answer (None: allowed); ``examples`` may list
    legal answers where sampling by trial would be slow.  ``default`` is one legal
    answer, for those who play at random; ``proposes`` says that taking all has one
    sensible reading, see :attr:`proposal`.  ``otherwise`` knows why there is no
    more of an item, or none where that is not worth listing.
    """

    __slots__ = (
        "default",
        "examples",
        "limits",
        "maximum",
        "minimum",
        "otherwise",
        "proposes",
        "refused",
        "refuses",
        "too_few",
        "too_many",
    )
    kind = "choose_some"

    def __init__(
        self,
        seat: str,
        prompt: str,
        limits: Mapping[str, int],
        *,
        minimum: int = 0,
        maximum: int | None = None,
        refuses: Callable[[Counts], Refusal | None] | None = None,
        examples: Callable[[], Sequence[Counts]] | None = None,
        default: Counts | None = None,
        domain: str = "unit",
        about: Mapping[str, Any] = _NOTHING,
        rule: str = "",
        too_few: Refusal | None = None,
        too_many: Refusal | None = None,
        otherwise: Callable[[str], Refusal | None] | None = None,
        refused: Callable[[], Refused] | None = None,
        proposes: bool = False,
    ) -> None:
        self.seat = seat
        self.prompt = prompt
        self.limits = limits
        self.minimum = minimum
        self.maximum = sum(limits.values()) if maximum is None else maximum
        self.refuses = refuses
        self.examples = examples
        self.default = default
        self.domain = domain
        self.about = about
        self.rule = rule
        self.too_few = too_few
        self.too_many = too_many
        self.otherwise = otherwise
        self.refused = refused
        self.proposes = proposes

    @property
    def proposal(self) -> Counts | None:
        """What screens may propose: the only answer, or all where that is the sensible reading.

        A part of what may be chosen is a choice, and so is taking nothing: neither is ever proposed.
        None where nothing is.
        """
        if self.maximum == 0:
            return {}
        forced = self.is_forced()
        if not self.proposes and not forced:
            return None
        if forced and self.examples is not None:
            return dict(self.examples()[0])
        everything = {item: most for item, most in self.limits.items() if most}
        if len(everything) == 1:  # as many as may be of the only kind
            everything = {item: min(most, self.maximum) for item, most in everything.items()}
        return everything if self.why_not(everything) is None else None

    def candidates(self) -> list[Candidate]:
        """One candidate an item, ``{item: 1}``, then the refused items."""
        found = [Candidate({item: 1}) for item, most in self.limits.items() if most > 0]
        if self.refused is not None:
            found.extend(Candidate({item: 1}, refusal) for item, refusal in self.refused())
        return found

    def _form(self, value: Any) -> Counts:
        if not isinstance(value, dict):
            raise _unknown(value)
        counts: Counts = {}
        for item, count in value.items():
            if isinstance(count, bool) or not isinstance(count, int) or count < 0:
                raise _unknown(value)
            if count:
                counts[item] = count
        return counts

    def why_not(self, value: Any) -> Refusal | None:
        counts = self._form(value)
        total = 0
        for item, count in counts.items():
            most = self.limits.get(item)
            if most is None or count > most:
                return self._why_not_item(item, most, value)
            total += count
        if total < self.minimum:
            return self.too_few or Refusal(self.rule, "too_few", {"minimum": self.minimum})
        if total > self.maximum:
            return self.too_many or Refusal(self.rule, "too_many", {"maximum": self.maximum})
        return None if self.refuses is None else self.refuses(counts)

    def _why_not_item(self, item: str, most: int | None, value: Any) -> Refusal:
        if self.refused is not None:
            for candidate, refusal in self.refused():
                if candidate == item:
                    return refusal
        found = None if self.otherwise is None else self.otherwise(item)
        if found is not None:
            return found
        if most is None:
            raise _unknown(value)
        return self.too_many or Refusal(self.rule, "only_so_many", {"item": item, "maximum": most})

    def check(self, value: Any) -> Counts:
        refusal = self.why_not(value)
        if refusal is not None:
            raise _illegal(value, refusal)
        return self._form(value)

    def sample(self, rng: Random) -> Counts:
        if self.examples is not None:
            examples = self.examples()
            return dict(examples[int(rng.random() * len(examples))])
        for _ in range(64):
            counts = self._guess(rng)
            if self.refuses is None or self.refuses(counts) is None:
                return counts
        if self.default is not None:
            return dict(self.default)
        raise LookupError(f"no legal answer found by trial for {self.prompt!r}: give it examples")

    def _guess(self, rng: Random) -> Counts:
        pool = [item for item, most in self.limits.items() for _ in range(most)]
        highest = min(self.maximum, len(pool))
        size = self.minimum + int(rng.random() * (highest - self.minimum + 1))
        counts: Counts = {}
        for item in rng.sample(pool, size):
            counts[item] = counts.get(item, 0) + 1
        return counts

    def is_forced(self) -> bool:
        if self.examples is not None:
            return len(self.examples()) <= 1
        total = sum(self.limits.values())
        return (
            self.maximum == 0
            or self.minimum >= total
            or (self.minimum == self.maximum and len(self.limits) == 1)
        )


class RollDice(Request):
    """Dice to roll: ``dice`` maps a die type's id to how many.

    ``types`` are the game's die types.  ``kept`` maps a type to faces that are
    kept aside from this roll, for screens that show a re-roll.  ``wrong`` gives the
    reason why not so many dice are rolled as somebody says.
    """

    __slots__ = ("dice", "kept", "types", "wrong")
    kind = "roll_dice"
    reveals = True
    is_chance = True

    def __init__(
        self,
        seat: str,
        prompt: str,
        dice: Mapping[str, int],
        types: Mapping[str, DieType],
        *,
        kept: Mapping[str, Sequence[str]] = _NOTHING,
        about: Mapping[str, Any] = _NOTHING,
        rule: str = "",
        wrong: Callable[[int], Refusal | None] | None = None,
    ) -> None:
        self.seat = seat
        self.prompt = prompt
        self.dice = dice
        self.types = types
        self.kept = kept
        self.wrong = wrong
        self.domain = "die"
        self.about = about
        self.rule = rule

    def candidates(self) -> list[Candidate]:
        """One candidate a face that can come up, ``{type: [face]}``."""
        return [
            Candidate({die: [face]})
            for die, count in self.dice.items()
            if count
            for face in self.types[die].distinct_faces
        ]

    def why_not(self, value: Any) -> Refusal | None:
        try:
            self.check(value)
        except WrongDice:
            given = sum(len(faces) for faces in value.values() if isinstance(faces, list | tuple))
            refusal = None if self.wrong is None else self.wrong(given)
            if refusal is None:
                raise
            return refusal
        return None

    def check(self, value: Any) -> dict[str, list[str]]:
        if not isinstance(value, dict):
            raise _unknown(value)
        wanted = {die: count for die, count in self.dice.items() if count}
        found = {
            die: len(faces) for die, faces in value.items() if isinstance(faces, list | tuple) and len(faces)
        }
        if found != wanted:
            raise WrongDice(found, wanted)
        result: dict[str, list[str]] = {}
        for die in wanted:
            faces = [str(face) for face in value[die]]
            known = self.types[die].faces
            for face in faces:
                if face not in known:
                    raise _unknown(value)
            result[die] = faces
        return result

    def sample(self, rng: Random) -> dict[str, list[str]]:
        rolled: dict[str, list[str]] = {}
        random = rng.random
        for die, count in self.dice.items():
            if count:
                faces = self.types[die].faces
                sides = len(faces)
                rolled[die] = [faces[int(random() * sides)] for _ in range(count)]
        return rolled


def same_question(first: Request, second: Request) -> bool:
    """Whether both ask the same of the same seat, as far as a glance tells: kind, words and candidates.

    Of a part in several steps only the first question can be compared.
    """
    alike = all(
        getattr(first, key) == getattr(second, key)
        for key in ("kind", "seat", "prompt", "domain", "rule", "about")
    )
    return alike and first.candidates() == second.candidates()


class Forced(Request):
    """A question with one answer left: the table asks nobody, and the flow goes on with ``answer``.

    A flow yields it all the same, so that whoever holds words against the questions of the rules
    (:mod:`referee.kernel.explain`) meets it: words that give the answer are right, words that give
    another are refused as ``request`` refuses them.
    """

    __slots__ = ("answer", "request")
    kind = "forced"

    def __init__(self, request: Request, answer: Any) -> None:
        self.request = request
        self.answer = answer
        self.seat = request.seat
        self.prompt = request.prompt
        self.about = request.about
        self.domain = request.domain
        self.rule = request.rule

    def candidates(self) -> list[Candidate]:
        return self.request.candidates()

    def why_not(self, value: Any) -> Refusal | None:
        return None if value == self.answer else self.request.why_not(value)

    def check(self, value: Any) -> Any:
        if value != self.answer and self.request.check(value) != self.answer:
            raise _unknown(value)
        return self.answer

    def sample(self, rng: Random) -> Any:
        return self.answer

    def is_forced(self) -> bool:
        return True


def unless_forced(request: ChooseOne) -> ChooseOne | Forced:
    """``request``, which the table is asked only where it leaves a choice."""
    return Forced(request, request.options[0]) if len(request.options) == 1 else request


class ChooseSecretly(Request):
    """Several seats choose at once; nobody sees another's answer before all are in.

    ``of`` gives each seat its own part: a choice, counts, or several steps
    (:class:`referee.kernel.together.ChooseInSteps`).
    """

    __slots__ = ("of",)
    kind = "choose_secretly"
    reveals = True

    def __init__(
        self, prompt: str, of: Mapping[str, Request], *, about: Mapping[str, Any] = _NOTHING, rule: str = ""
    ) -> None:
        self.seat = "*"
        self.prompt = prompt
        self.of = of
        self.domain = "secret"
        self.about = about
        self.rule = rule

    def asks_again(self, earlier: Request | None) -> tuple[str, ...]:
        """The seats that are asked here what ``earlier`` asked them: their answers to it may stay."""
        if not isinstance(earlier, ChooseSecretly) or (self.prompt, self.rule) != (
            earlier.prompt,
            earlier.rule,
        ):
            return ()
        both = (seat for seat in self.of if seat in earlier.of)
        return tuple(seat for seat in both if same_question(earlier.of[seat], self.of[seat]))

    def candidates(self) -> list[Candidate]:
        """Candidates of all seats, ``{seat: value}``; show a seat only its own."""
        return [
            Candidate({seat: c.value}, c.refusal)
            for seat, request in self.of.items()
            for c in request.candidates()
        ]

    def why_not(self, value: Any) -> Refusal | None:
        if not isinstance(value, dict) or set(value) != set(self.of):
            raise _unknown(value)
        for seat, request in self.of.items():
            refusal = request.why_not(value[seat])
            if refusal is not None:
                return refusal
        return None

    def check(self, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict) or set(value) != set(self.of):
            raise _unknown(value)
        return {seat: request.check(value[seat]) for seat, request in self.of.items()}

    def sample(self, rng: Random) -> dict[str, Any]:
        return {seat: request.sample(rng) for seat, request in self.of.items()}

    def is_forced(self) -> bool:
        return all(request.is_forced() for request in self.of.values())
