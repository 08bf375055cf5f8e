"""A position and a combat in it, answered by hand: what the combat tests share."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent
from typing import Any

from referee.games.five_armies.box.components import SEATS
from referee.games.five_armies.box.map import PLACE
from referee.games.five_armies.position.position import read_position
from referee.games.five_armies.rules import combat
from referee.games.five_armies.rules.victory import GameEnds
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.battle import Side
from referee.games.five_armies.state.state import State
from referee.kernel.play import Flow, Milestone
from referee.kernel.requests import ChooseSecretly, Forced, Request


def position(text: str) -> State:
    """The state of a position file without its heading (regions and the like, indented by nothing)."""
    lines = "\n".join("  " + line for line in dedent(text).strip().splitlines())
    return read_position(f"position:\n  phase: 5\n{lines}\n").state


def armies(**regions: str) -> State:
    """A short position: ``camp="free lake_men 2, elven_archers 1; damage 1; leadership 2; bard"``."""
    rows = []
    for region, text in regions.items():
        head, *rest = [part.strip() for part in text.split(";")]
        side, _, units = head.partition(" ")
        fields = [f"side: {side}", "units: {" + ", ".join(_pair(u) for u in units.split(",")) + "}"]
        characters = [part for part in rest if " " not in part]
        fields += [_pair(part) for part in rest if " " in part]
        if characters:
            fields.append(f"characters: [{', '.join(characters)}]")
        rows.append(f"  {region}: {{{', '.join(fields)}}}")
    return position("regions:\n" + "\n".join(rows))


def _pair(text: str) -> str:
    name, number = text.split()
    return f"{name}: {number}"


class Fight:
    """Runs a flow and answers it; ``request`` is what is asked now (None: over)."""

    def __init__(self, state: State, flow: Flow) -> None:
        self.state = state
        self.flow = flow
        self.request: Request | None = None
        self._send(None)

    @classmethod
    def attack(cls, state: State, source: str, target: str, **options: Any) -> Fight:
        """The army in ``source`` attacks ``target``."""
        place = PLACE[source]
        seat = 0 if state.armies[0] >> place & 1 or state.where[7] == place else 1
        return cls(state, combat.attack(state, seat, place, PLACE[target], **options))

    def _send(self, value: Any) -> None:
        try:
            item = self.flow.send(value)
            while isinstance(item, Milestone | Forced):
                item = self.flow.send(item.answer)
        except (StopIteration, GameEnds):
            self.request = None
        else:
            assert isinstance(item, Request)
            self.request = item

    @property
    def asked(self) -> str:
        """``seat prompt`` of the open request, without ``prompt.``; "" when all is over."""
        if self.request is None:
            return ""
        return f"{self.request.seat} {self.request.prompt.removeprefix('prompt.')}"

    def answer(self, value: Any) -> Fight:
        """Answer the open request, which checks it."""
        assert self.request is not None, "nothing is asked"
        self._send(self.request.check(value))
        return self

    def refusal(self, value: Any) -> str:
        """The rule by which ``value`` is refused now, "" where it is allowed."""
        assert self.request is not None, "nothing is asked"
        refusal = self.request.why_not(value)
        return "" if refusal is None else refusal.rule

    def offered(self) -> list[Any]:
        """The allowed candidates of the open request."""
        assert self.request is not None
        return [c.value for c in self.request.candidates() if c.allowed]

    def cards(self, free: str, shadow: str) -> Fight:
        """Both lay their manoeuvre card (Beorn lays none)."""
        if isinstance(self.request, ChooseSecretly):
            return self.answer({"free": free, "shadow": shadow})
        assert self.asked == "shadow manoeuvre"
        return self.answer(shadow)

    def roll(self, text: str) -> Fight:
        """One roll: ``"5 2 1"`` white, ``"6 | 5 3"`` black before the bar."""
        assert self.asked.endswith(("combat_roll", "combat_reroll_dice")), self.asked
        black, _, white = text.rpartition("|")
        faces = {"combat_white": white.split(), "combat_black": black.split()}
        return self.answer({die: shown for die, shown in faces.items() if shown})

    def rolls(self, free: str, shadow: str) -> Fight:
        """Both combat rolls, in whichever order they are asked for."""
        for _ in SEATS:
            assert self.request is not None
            self.roll(free if self.request.seat == "free" else shadow)
        return self

    def until(self, stop: str | Callable[[Fight], bool]) -> Fight:
        """Decline whatever is asked until ``seat prompt`` is asked (or all is over)."""
        while self.request is not None:
            if self.asked == stop if isinstance(stop, str) else stop(self):
                return self
            self.decline()
        return self

    def decline(self) -> Fight:
        """The answer that does least: no re-roll, no ability, no casualties beyond duty, go on, stay."""
        request = self.request
        assert request is not None
        for value in ("decline", "take_damage", "go_on", "stay", "no_advance"):
            if getattr(request, "options", None) and value in request.options:  # type: ignore[attr-defined]
                return self.answer(value)
        default = getattr(request, "default", None)
        if getattr(request, "minimum", 1) == 0:
            return self.answer({})
        if default is None:
            limits = dict(request.limits)  # type: ignore[attr-defined]
            default, number = {}, request.minimum  # type: ignore[attr-defined]
            for item, most in limits.items():
                taken = min(most, number)
                if taken:
                    default[item] = taken
                number -= taken
        return self.answer(default)

    # --- looking -------------------------------------------------------------------------------

    def side(self, seat: str) -> Side:
        """One side of the running combat."""
        assert self.state.combat is not None
        return self.state.combat.sides[SEATS.index(seat)]

    def army(self, region: str) -> dict[str, int]:
        """Units in a region."""
        return dict(ARMY[self.state.units[PLACE[region]]].counts)

    def units(self, region: str) -> int:
        """Number of units in a region."""
        return ARMY[self.state.units[PLACE[region]]].size

    def damage(self, region: str) -> int:
        """Damage tokens on the army of a region."""
        return self.state.damage[PLACE[region]]

    def leaders(self, region: str) -> int:
        """Leadership tokens in a region."""
        return self.state.leaders[PLACE[region]]

    def controlled(self, region: str) -> str:
        """Who controls a settlement or fortification."""
        return SEATS[self.state.control >> PLACE[region] & 1]
