"""Occasions: moments of the rules at which cards may speak.

Rules announce an occasion and do not know who answers; the cards room registers
what answers it.  So imports go one way (rules <- cards), and a card is named in
the cards room only.

    # rules/occasions.py
    before_hunt_roll: Occasion[[State], Ask] = Occasion("before_hunt_roll")

    # cards/cards_in_play.py
    @occasions.before_hunt_roll.answered_by
    def before_hunt_roll(state: State) -> Ask: ...

    # rules/hunt.py
    added = yield from occasions.before_hunt_roll(state)

A game's ``game.py`` imports the modules that register, so that a game that is
loaded hears all its cards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Occasion(Generic[P, R]):
    """One such moment: called like the function that answers it.

    Raises :class:`LookupError` where nobody registered: rules without their cards
    would silently play another game.
    """

    __slots__ = ("_answer", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self._answer: Callable[P, R] | None = None

    def answered_by(self, answer: Callable[P, R]) -> Callable[P, R]:
        """Register the function that answers; a decorator.  Raises :class:`ValueError` for a second one."""
        if self._answer is not None and self._answer.__module__ != answer.__module__:
            raise ValueError(f"{self.name} is answered by {self._answer.__module__} already")
        self._answer = answer
        return answer

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Ask the cards."""
        if self._answer is None:
            raise LookupError(f"Nobody answers {self.name}: load the game by GAME, not its rules alone.")
        return self._answer(*args, **kwargs)
