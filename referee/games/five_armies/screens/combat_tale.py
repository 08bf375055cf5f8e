"""The readable record's tale of a combat: attack, rounds, hits, who leaves, who advances."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.games.five_armies.box.components import SEATS
from referee.games.five_armies.box.map import places_in
from referee.games.five_armies.screens.telling import Telling
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.state import State
from referee.kernel.requests import Request

_LEAVING = ("prompt.break_off", "prompt.stay_or_leave", "prompt.advance")
_RETREATING = ("prompt.retreat_to", "prompt.forced_retreat_to")
_ROLLS = ("prompt.combat_roll", "prompt.combat_reroll_dice")
_ROUND = (
    *("prompt.manoeuvre_both", "prompt.manoeuvre", "prompt.event_card_played"),
    *("prompt.use_ability", "prompt.vampire_like", "prompt.bodyguard"),
)
TOLD_HERE = {*_LEAVING, *_RETREATING, *_ROLLS, *_ROUND}
"""Answers that the tale of a combat tells."""


class CombatTale:
    """Hears every answer of a game and keeps sentences about combats until they are asked for."""

    def __init__(self, tell: Telling) -> None:
        self.tell = tell
        self.told: list[str] = []
        self.later: list[str] = []
        """Who leaves and who advances: told after the losses."""
        self.hits: dict[str, int] = {}
        self.known: tuple[int, int] | None = None
        """Attacker's armies and target of the combat that was announced."""

    def sentences(self) -> tuple[list[str], list[str]]:
        """What there is to tell since the last call: up to the losses, and after them."""
        self._tell_hits()
        told = self.told, self.later
        self.told, self.later = [], []
        return told

    def hear(self, state: State, request: Request, answer: Any, said: Iterable[str]) -> None:
        """Hear an answer before it is carried out, with the sentences that say it."""
        self.announce(state)
        if request.prompt in _ROLLS:
            hits = sum(int(face) >= request.about["target"] for faces in answer.values() for face in faces)
            self.hits[request.seat] = self.hits.get(request.seat, 0) + hits
            return
        if request.prompt != "prompt.combat_reroll":
            self._tell_hits()
        if request.prompt in _RETREATING:
            told, way = self.later or self.told, f"→ {self.tell.name(answer, 'place')}."
            if told:
                told[-1] = f"{told[-1].removesuffix('.')} {way}"
            else:
                self.later.append(way)
        elif request.prompt == "prompt.choose_army" and state.combat is not None:
            self.told.append(self.tell("round.army", army=self.tell.name(answer, "place")))
        else:
            (self.later if request.prompt in _LEAVING else self.told).extend(said)

    def announce(self, state: State) -> None:
        """Tell of the combat that has begun."""
        battle = state.combat
        if battle is None:
            self.known = None
        elif self.known != (battle.armies, battle.target):
            self.known = battle.armies, battle.target
            names = [self.tell.place(place) for place in places_in(battle.armies)]
            sides = {}
            if len(names) == 1:
                sides = {"mine": _who(self.tell, state, battle.source)}
                sides["theirs"] = _who(self.tell, state, battle.target)
            key = "attack" if sides else "attack.many"
            self.told.append(
                self.tell(key, a=self.tell.all(names), b=self.tell.place(battle.target), **sides)
            )

    def _tell_hits(self) -> None:
        if self.hits:
            numbers = {seat: self.hits.get(seat, 0) for seat in SEATS}
            named = {seat: self.tell(f"hits.{n if n < 2 else 'n'}", n=n) for seat, n in numbers.items()}
            self.told.append(self.tell("hits", **named))
            self.hits = {}


def _who(tell: Telling, state: State, place: int) -> str:
    counts = ARMY[state.units[place]].counts
    return tell.counts(counts) if counts else tell.name("beorn", "character")
