"""Rolling dice: nobody decides anything, and the faces are read or typed in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from referee.kernel.dice import DieType
from referee.kernel.errors import WrongDice
from referee.kernel.refusals import Candidate, Refusal
from referee.kernel.requests.request import NOTHING, Request, not_an_answer


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
        kept: Mapping[str, Sequence[str]] = NOTHING,
        about: Mapping[str, Any] = NOTHING,
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
            raise not_an_answer(value)
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
                    raise not_an_answer(value)
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
