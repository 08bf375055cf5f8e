"""What the readable records of all games have in common: the steps of a tale, and words for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.kernel.naming import Namer
from referee.kernel.play import Play
from referee.kernel.requests import Request
from referee.kernel.together import ChooseInSteps


@dataclass(frozen=True, slots=True)
class NarrativeStep:
    """One event of a game: the ``answer`` given (None for what the arbiter did), a ``note`` to tell
    besides, and how it is applied where that is not simply answering."""

    answer: Any = None
    note: str = ""
    apply: Callable[[Play[Any]], Play[Any]] | None = None


class Sentences:
    """Sentences of the report in one language, ``tell("turn", turn=6)``, and the names in them."""

    def __init__(self, names: Namer) -> None:
        self.names = names
        self.messages = names.messages
        self.language = names.language

    def __call__(self, key: str, **params: Any) -> str:
        """The sentence ``report.<key>``."""
        return self.messages.text(f"report.{key}", self.language, params)

    def find(self, key: str) -> bool:
        """Whether there is a sentence ``report.<key>``."""
        return self.messages.find(f"report.{key}", self.language) is not None

    def name(self, item: str, domain: str = "") -> str:
        """What an id is called."""
        return self.names.name(item, domain)

    def counts(self, counts: Mapping[str, int]) -> str:
        """``2 × Orcs and Bolg``: what is one of a kind is named without its count."""
        return self.all(
            self.name(item, "character")
            if self.messages.find(f"character.{item}", self.language)
            else self.names.counts({item: number}, "unit")
            for item, number in counts.items()
        )

    def answer(self, request: Request, value: Any) -> str:
        """An answer in words."""
        if isinstance(value, str):
            return self.names.option(request.prompt, value, request.domain, request.about)
        if isinstance(request, ChooseInSteps):
            steps = (request.following(value[:at]) for at in range(len(value)))
            asked = zip(steps, value, strict=True)
            return ", ".join(self.answer(step, one) for step, one in asked if step is not None)
        rolled = [self.names.faces(die, faces) for die, faces in value.items() if isinstance(faces, list)]
        if rolled:
            return ", ".join(rolled)
        return self.counts(value) if value else self("nobody")

    def about(self, about: Mapping[str, Any]) -> dict[str, Any]:
        """What a request is about, in words; ``from`` is called ``origin``."""
        words = self.names.particulars(about)
        return {"origin" if key == "from" else key: value for key, value in words.items()}

    def all(self, names: Iterable[str]) -> str:
        """``a, b and c``."""
        found = list(names)
        if len(found) < 2:
            return "".join(found)
        return ", ".join(found[:-1]) + self("and") + found[-1]


def report_text(tell: Sentences, players: str, lines: Iterable[str]) -> str:
    """The whole text: title, players where they are told, then the lines of the story."""
    head = [tell("title"), players] if players else [tell("title")]
    return "\n".join([*head, *lines]) + "\n"
