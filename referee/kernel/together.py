"""What several seats decide together, or one in another's turn: secret steps, consent, reactions.

Parts of :class:`referee.kernel.requests.ChooseSecretly` and kinds of ``ChooseOne`` that the hall may
answer for a seat: by what it wished beforehand, or where it has been silent for long enough.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from random import Random
from typing import Any

from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import Text
from referee.kernel.refusals import Candidate, Refusal
from referee.kernel.requests import ChooseOne, ChooseSecretly, Forced, Request

_NOTHING: Mapping[str, Any] = {}
NEVER, ALWAYS = "never", "always"
"""Standing wishes that every reaction knows; a game may name conditions besides."""

Steps = Generator[Request, Any, Any]


class ChooseInSteps(Request):
    """One seat's part of a secret choice that takes several questions; its answer is the list of answers.

    ``steps`` begins the questions anew each time: a small flow without chance or milestones that asks
    this seat only and must not change the state.  What it returns is the part's :meth:`result`.
    """

    __slots__ = ("steps",)
    kind = "choose_in_steps"

    def __init__(
        self,
        seat: str,
        prompt: str,
        steps: Callable[[], Steps],
        *,
        about: Mapping[str, Any] = _NOTHING,
        rule: str = "",
    ) -> None:
        self.seat = seat
        self.prompt = prompt
        self.steps = steps
        self.domain = "secret"
        self.about = about
        self.rule = rule

    def following(self, values: Sequence[Any]) -> Request | None:
        """The question after ``values``, or None where they are complete.

        Raises :class:`InvalidAnswer` or :class:`IllegalAnswer` for a value that cannot be given.
        """
        return self._walk(values)[0]

    def result(self, values: Sequence[Any]) -> Any:
        """What the steps return after ``values``, which must be complete."""
        return self._walk(values)[1]

    def _walk(self, values: Sequence[Any]) -> tuple[Request | None, Any, list[Any]]:
        flow = self.steps()
        taken: list[Any] = []
        try:
            request = _asked(flow, next(flow))
            for value in values:
                taken.append(request.check(value))
                request = _asked(flow, flow.send(taken[-1]))
        except StopIteration as end:
            if len(taken) < len(values):
                raise _too_many() from None
            return None, end.value, taken
        return request, None, taken

    def candidates(self) -> list[Candidate]:
        """Those of the first step."""
        first = self.following(())
        return [] if first is None else first.candidates()

    def why_not(self, value: Any) -> Refusal | None:
        if not isinstance(value, list | tuple):
            raise _no_list()
        flow = self.steps()
        try:
            request = _asked(flow, next(flow))
            for one in value:
                refusal = request.why_not(one)
                if refusal is not None:
                    return refusal
                request = _asked(flow, flow.send(request.check(one)))
        except StopIteration:
            return None
        raise _unfinished()

    def check(self, value: Any) -> list[Any]:
        if not isinstance(value, list | tuple):
            raise _no_list()
        request, _, taken = self._walk(value)
        if request is not None:
            raise _unfinished()
        return taken

    def sample(self, rng: Random) -> list[Any]:
        flow, taken = self.steps(), list[Any]()
        try:
            request = _asked(flow, next(flow))
            while True:
                taken.append(request.sample(rng))
                request = _asked(flow, flow.send(taken[-1]))
        except StopIteration:
            return taken

    def is_forced(self) -> bool:
        return False


def following(part: Request, values: Sequence[Any]) -> Request | None:
    """The question that a part of a secret choice asks after ``values``; None where they are complete.

    Raises what checking a value raises.
    """
    if isinstance(part, ChooseInSteps):
        return part.following(values)
    if not values:
        return part
    part.check(values[0])
    if len(values) > 1:
        raise _too_many()
    return None


class Consent(ChooseOne):
    """Whether a seat agrees to what another has declared; asked as a plain choice.

    At home a minute's silence of an absent tablet counts as ``silence``; in a tournament it does not.
    """

    __slots__ = ("silence",)

    def __init__(
        self,
        seat: str,
        prompt: str,
        options: Sequence[str],
        *,
        silence: str,
        about: Mapping[str, Any] = _NOTHING,
        rule: str = "",
    ) -> None:
        super().__init__(seat, prompt, options, about=about, rule=rule)
        self.silence = silence


class ConsentOfAll(ChooseSecretly):
    """Consent of several seats, asked at once; nothing hidden is told by it."""

    __slots__ = ()
    reveals = False

    def __init__(self, of: Mapping[str, Consent]) -> None:
        first = next(iter(of.values()))
        super().__init__(first.prompt, of, about=first.about, rule=first.rule)


class Reaction(ChooseOne):
    """Whether a seat reacts in another's turn; asked of everyone who could, whatever they hold.

    ``wish`` names the standing wish that may answer it, ``decline`` the option that does nothing,
    ``when`` the conditions of that wish that hold now.  Who wished "never" is never asked, who
    wished "always" always is: so that being asked tells nothing of what one holds.
    """

    __slots__ = ("decline", "when", "wish")

    def __init__(
        self,
        seat: str,
        prompt: str,
        options: Sequence[str],
        *,
        wish: str,
        decline: str,
        when: Collection[str] = (),
        domain: str = "option",
        about: Mapping[str, Any] = _NOTHING,
        rule: str = "",
        refused: Callable[[], Iterable[tuple[Any, Refusal]]] | None = None,
    ) -> None:
        super().__init__(seat, prompt, options, domain=domain, about=about, rule=rule, refused=refused)
        self.wish = wish
        self.decline = decline
        self.when = when

    def is_asked(self, says: str) -> bool:
        """Whether a seat that ``says`` so (``never``, ``always`` or a condition) is asked."""
        return says != NEVER and (says == ALWAYS or says in self.when)


def _asked(steps: Steps, request: Request) -> Request:
    """The next question of some steps that leaves a choice."""
    while isinstance(request, Forced):
        request = steps.send(request.answer)
    return request


def _no_list() -> InvalidAnswer:
    return InvalidAnswer(
        Text("kernel.choice_takes_several_steps"),
    )


def _unfinished() -> InvalidAnswer:
    return InvalidAnswer(
        Text("kernel.choice_not_complete"),
    )


def _too_many() -> InvalidAnswer:
    return InvalidAnswer(
        Text("kernel.choice_no_more_steps"),
    )
