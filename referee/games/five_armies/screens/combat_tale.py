"""The readable record's tale of a combat: attack, rounds, hits, who leaves, who advances."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.games.five_armies.box.map import PLACES, places_in
from referee.games.five_armies.screens.telling import Telling
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.battle import Battle
from referee.games.five_armies.state.state import State
from referee.kernel.requests import Request

_LEAVING = ("prompt.break_off", "prompt.stay_or_leave", "prompt.advance")
_ROLLS = ("prompt.combat_roll", "prompt.combat_reroll_dice")


class CombatTale:
    """Hears every answer of a game and keeps sentences about combats until they are asked for."""

    def __init__(self, tell: Telling) -> None:
        self.tell = tell
        self.told: list[str] = []
        self.later: list[str] = []
        """Who leaves and who advances: told after the losses."""
        self.fought = False
        """Whether the sentences asked for last were about a combat."""
        self.hits: dict[str, int] = {}
        self.known: tuple[int, int] | None = None
        """Attacker's armies and target of the combat that was announced."""

    def sentences(self) -> Iterator[str]:
        """What there is to tell since the last call, up to the losses."""
        self._tell_hits()
        told, self.told = self.told, []
        self.fought = bool(told or self.later)
        yield from told

    def aftermath(self) -> Iterator[str]:
        """What came after the losses."""
        told, self.later = self.later, []
        yield from told

    def before(self, state: State, request: Request, answer: Any) -> None:
        """Hear an answer before it is carried out."""
        battle = state.combat
        if battle is not None:
            self._announce(state, battle)
        if request.prompt in _ROLLS:
            target = request.about["target"]
            hits = sum(int(face) >= target for faces in answer.values() for face in faces)
            self.hits[request.seat] = self.hits.get(request.seat, 0) + hits
            return
        if request.prompt not in ("prompt.combat_reroll",):
            self._tell_hits()
        if request.prompt in ("prompt.retreat_to", "prompt.forced_retreat_to"):
            told = self.later or self.told
            way = f"→ {self.tell.name(answer, 'place')}."
            if told:
                told[-1] = f"{told[-1].removesuffix('.')} {way}"
            else:
                self.later.append(way)
            return
        told_now = self._answer(request, answer, battle)
        if told_now:
            (self.later if request.prompt in _LEAVING else self.told).append(told_now)

    def after(self, state: State, request: Request, answer: Any) -> None:
        """Hear what came of it."""
        if state.combat is not None:
            self._announce(state, state.combat)
        else:
            self.known = None

    def _announce(self, state: State, battle: Battle) -> None:
        if self.known == (battle.armies, battle.target):
            return
        self.known = battle.armies, battle.target
        names = [self.tell.place(place) for place in places_in(battle.armies)]
        target = self.tell.place(battle.target)
        if len(names) > 1:
            self.told.append(self.tell("attack.many", a=self.tell.all(names), b=target))
            return
        self.told.append(
            self.tell(
                "attack",
                a=names[0],
                b=target,
                mine=self._who(state, battle, battle.source),
                theirs=self._who(state, battle, battle.target),
            )
        )

    def _who(self, state: State, battle: Battle, place: int) -> str:
        army = ARMY[state.units[place]]
        return self.tell.units(army.counts) if army.size else self.tell.name("beorn", "character")

    def _tell_hits(self) -> None:
        if not self.hits:
            return
        free, shadow = (self._number(self.hits.get(seat, 0)) for seat in ("free", "shadow"))
        self.told.append(self.tell("hits", free=free, shadow=shadow))
        self.hits = {}

    def _number(self, hits: int) -> str:
        return self.tell(f"hits.{hits}" if hits < 2 else "hits.n", n=hits)

    def _answer(self, request: Request, answer: Any, battle: Battle | None) -> str:
        prompt, tell = request.prompt, self.tell
        if prompt == "prompt.manoeuvre_both":
            free, shadow = (tell.name(answer[seat], "card") for seat in ("free", "shadow"))
            return tell("round", n=request.about.get("round", 1), free=free, shadow=shadow)
        if prompt == "prompt.manoeuvre":
            beorn = tell.name("beorn", "character")
            return tell(
                "round", n=request.about.get("round", 1), free=beorn, shadow=tell.name(answer, "card")
            )
        if prompt == "prompt.event_card_played":
            return tell(f"card.{request.seat}", card=tell.name(answer, "card"))
        if prompt == "prompt.choose_army" and battle is not None:
            return tell("round.army", army=tell.name(answer, "place"))
        if prompt in ("prompt.use_ability", "prompt.vampire_like") and answer == "use":
            return tell(f"ability.{request.seat}" if prompt == "prompt.use_ability" else "bat")
        if prompt == "prompt.bodyguard" and answer == "discard_bodyguard":
            return tell("guard")
        if prompt == "prompt.break_off" and answer == "break_off":
            return tell("break_off")
        if prompt == "prompt.stay_or_leave" and answer != "stay":
            return tell(answer)
        if prompt == "prompt.advance":
            if not answer:
                return tell("no_advance")
            target = PLACES[battle.target] if battle is not None else request.about.get("to", "")
            one = ".one" if sum(answer.values()) == 1 else ""
            return tell(f"advance{one}", units=tell.units(answer), b=tell.name(target, "place"))
        return ""
