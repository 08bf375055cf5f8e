"""What the readable records of all games have in common: the steps of a tale, and words for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from referee.kernel.messages import Messages
from referee.kernel.play import Play


@dataclass(frozen=True, slots=True)
class TaleStep:
    """One event of a game: the ``answer`` given (None for what the arbiter did), a ``note`` to tell
    besides, and how it is applied where that is not simply answering."""

    answer: Any = None
    note: str = ""
    apply: Callable[[Play[Any]], Play[Any]] | None = None


class Sentences:
    """Sentences of the report in one language: ``tell("turn", turn=6)``."""

    def __init__(self, messages: Messages, language: str) -> None:
        self.messages = messages
        self.language = language

    def __call__(self, key: str, **params: Any) -> str:
        """The sentence ``report.<key>``."""
        return self.messages.text(f"report.{key}", self.language, params)

    def find(self, key: str) -> bool:
        """Whether there is a sentence ``report.<key>``."""
        return self.messages.find(f"report.{key}", self.language) is not None

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
