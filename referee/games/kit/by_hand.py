"""What nobody has described, resolved by hand: declared step by step, checked, agreed to, carried out.

A game gives the steps as methods of a :class:`Hand`; each asks for its
particulars and returns what the opponents are told and how it is carried out
under the ordinary rules.  All opponents have to agree.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from referee.games.kit.asking import Ask, Refused, refuse_all
from referee.games.kit.places import IdTuples
from referee.kernel.play import SeatLeft
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, Request
from referee.kernel.together import Consent, ConsentOfAll

S = TypeVar("S")
MOST_STEPS = 8
"""Steps of one card or ability; no printed one of the games known here has more."""
DONE = "done"
AGREE = "agree"
LAST = "attack"
"""After this step nothing more is declared: the combat ends the action."""


@dataclass(slots=True)
class Declared:
    """A step that was declared: what the opponents are told, and how it is carried out."""

    about: Mapping[str, Any]
    apply: Callable[[], Ask]


def at_once(about: Mapping[str, Any], do: Callable[[], object]) -> Declared:
    """A step that is carried out without asking anything."""

    def apply() -> Ask:
        do()
        yield from ()

    return Declared(about, apply)


@dataclass(frozen=True, slots=True)
class Simple:
    """A step that stands for one primitive: its fixed arguments, and one number that is asked for, if any."""

    primitive: str
    step: Mapping[str, Any] = field(default_factory=dict)
    argument: str = ""
    prompt: str = ""
    least: int = 1
    most: int = 1


Declaration = Generator[Request, Any, Declared | None]
"""Asks for the particulars of a step; None where it turns out that there is nothing to do."""


@dataclass(slots=True)
class Hand(Generic[S]):
    """Who resolves what by hand.  Each step that can be declared is a method of its name, or ``SIMPLE``."""

    state: S
    seat: int
    what: str

    SEATS: ClassVar[Sequence[str]]
    PLACES: ClassVar[Sequence[str]]
    OPTIONS: ClassVar[IdTuples]
    RULE: ClassVar[str]
    SIMPLE: ClassVar[Mapping[str, Simple]] = {}

    def primitive(self, name: str, **step: Any) -> Declared:
        """A step that is one primitive of the game's cards."""
        raise NotImplementedError

    def declared(self, name: str) -> Declaration:
        """Ask for the particulars of a step."""
        simple = self.SIMPLE.get(name)
        if simple is None:
            found: Declared | None = yield from getattr(self, name)()
            return found
        step = dict(simple.step)
        if simple.argument:
            step[simple.argument] = yield from self.number(simple.prompt, simple.least, simple.most)
        return self.primitive(simple.primitive, **step)

    def opponents(self) -> Sequence[str]:
        """The seats that have to agree; a game whose seats come and go says who is there."""
        return [name for at, name in enumerate(self.SEATS) if at != self.seat]

    def why_not_step(self, name: str) -> Refusal | None:
        """Why a step that the game has cannot be declared now; None for what is no step."""
        step = vars(type(self)).get(name)
        if name in self.SIMPLE or getattr(step, "__annotations__", {}).get("return") == "Declaration":
            return Refusal(self.RULE, "not_offered")
        return None

    def option(
        self,
        prompt: str,
        options: Sequence[str],
        domain: str,
        refused: Refused | None = None,
        otherwise: Callable[[str], Refusal | None] | None = None,
    ) -> Generator[Request, Any, str]:
        """Ask for one of some ids."""
        answer = yield ChooseOne(
            self.SEATS[self.seat],
            prompt,
            tuple(options),
            domain=domain,
            about={"card": self.what},
            rule=self.RULE,
            refused=refused,
            otherwise=otherwise,
        )
        return str(answer)

    def number(self, prompt: str, least: int, most: int) -> Generator[Request, Any, int]:
        """Ask for a number."""
        answer = yield from self.option(prompt, tuple(map(str, range(least, most + 1))), "number")
        return int(answer)

    def place(self, mask: int, why: Refusal) -> Generator[Request, Any, int]:
        """Ask for one of some places; ``why`` is what is wrong with the others."""

        def refusal(place: int) -> Refusal | None:
            if mask >> place & 1:
                return None
            return Refusal(why.rule, why.reason, {"place": self.PLACES[place]})

        answer = yield from self.option(
            "prompt.by_hand_place", self.OPTIONS[mask], "place", lambda: refuse_all(self.PLACES, refusal)
        )
        return self.PLACES.index(answer)


def resolve(hand: Hand[Any], steps: Callable[[], Sequence[str]]) -> Ask:
    """Resolve a card or an ability; ``steps`` says which steps can be declared now."""
    for _ in range(MOST_STEPS):
        chosen = yield from hand.option(
            "prompt.by_hand", (*steps(), DONE), "by_hand", otherwise=hand.why_not_step
        )
        if chosen == DONE:
            return
        declared = yield from hand.declared(chosen)
        if declared is None:
            continue
        if (yield from _all_agree(hand, chosen, declared.about)):
            yield from declared.apply()
            if chosen == LAST:
                return


def _all_agree(hand: Hand[Any], step: str, about: Mapping[str, Any]) -> Generator[Request, Any, bool]:
    """Ask the opponents, several at once; one objection is enough to drop the step.

    Where one of them leaves meanwhile, the others are asked anew.
    """
    while True:
        parts = _consents(hand, step, about)
        try:
            if not parts:
                return True
            said = yield ConsentOfAll(parts) if len(parts) > 1 else next(iter(parts.values()))
        except SeatLeft:
            continue
        answers = said.values() if len(parts) > 1 else (said,)
        return all(answer == AGREE for answer in answers)


def _consents(hand: Hand[Any], step: str, about: Mapping[str, Any]) -> dict[str, Consent]:
    return {
        seat: Consent(
            seat,
            f"prompt.by_hand_agree.{step}",
            (AGREE, "object"),
            silence=AGREE,
            about={"card": hand.what, "step": step, **about},
            rule=hand.RULE,
        )
        for seat in hand.opponents()
    }
