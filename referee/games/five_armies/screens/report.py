"""The readable record of a game: what happened, as a player would tell it, in German or English.

Each action becomes a paragraph (see :mod:`referee.games.kit.story`) and ends with
its line in the notation of moves, so that it can be tried again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from referee.games.five_armies.box.components import CHARACTERS, UNITS
from referee.games.five_armies.box.map import EYRIE, FORTIFICATIONS, PASSES, PLACE, PLACES, places_in
from referee.games.five_armies.rules.characters import is_ready
from referee.games.five_armies.rules.victory import points
from referee.games.five_armies.screens.combat_tale import TOLD_HERE, CombatTale
from referee.games.five_armies.screens.telling import Telling
from referee.games.five_armies.state.armies import ARMY, SEAT_BITS
from referee.games.five_armies.state.state import ELIMINATED, IN_TERRITORY_OF, State
from referee.games.five_armies.words.notation import NOTATION
from referee.games.kit.report import NarrativeStep
from referee.games.kit.story import Story
from referee.kernel.play import Game
from referee.kernel.requests import Request

_ACTS = ("prompt.choose_die", "prompt.choose_action")
_WENT = ("prompt.choose_destination", "prompt.retreat_to", "prompt.forced_retreat_to")


def written(pairs: Sequence[tuple[Request, Any]]) -> str:
    """The line of a stretch of play in the notation of moves, its die in front where it was not asked for."""
    line, face = NOTATION.line(pairs), _forced_face(pairs)
    return NOTATION.short.get(face, face) + line


def _forced_face(pairs: Sequence[tuple[Request, Any]]) -> str:
    """The die of the stretch where it was not asked for, as it was the only one; "" otherwise."""
    first = next((request for request, _ in pairs if request.prompt in _ACTS), None)
    return "" if first is None or first.prompt == "prompt.choose_die" else str(first.about["face"])


class Tale(Story[State, Telling]):
    """A paragraph for each stretch between two milestones; ``notation`` adds each action's line."""

    SENTENCES = Telling

    def __init__(
        self,
        game: Game[State],
        start: State,
        steps: Iterable[NarrativeStep],
        tell: Telling,
        notation: bool = True,
    ) -> None:
        super().__init__(game, start, steps, tell)
        self.notation = notation
        self.pairs: list[tuple[Request, Any]] = []
        self.acts: list[str] = []
        self.fight = CombatTale(tell)

    def _step(self, step: NarrativeStep) -> None:
        super()._step(step)
        self.fight.announce(self.play.state)

    def sentences(self, request: Request, answer: Any) -> Iterator[str]:
        """None at once: what was said is put in order at the end of the paragraph."""
        said = list(super().sentences(request, answer))
        if request.prompt == "prompt.choose_die" and answer.startswith("ability:"):
            said = [self.tell("ability_of", name=self.tell.name(answer.partition(":")[2], "character"))]
        self.pairs.append((request, answer))
        self.fight.hear(self.play.state, request, answer, said if request.prompt in TOLD_HERE else ())
        if request.prompt not in TOLD_HERE:
            self.acts += said
        return iter(())

    # --- paragraphs ------------------------------------------------------------------------------

    def flush(self) -> None:
        """Write the paragraph of what was answered since the last milestone."""
        state = self.play.state
        if self.pairs or self.said or state.turn != self.turn:
            sentences = [*self.changes(self.before, state), *self.said]
            if sentences and sentences[-1].endswith(":"):
                sentences.append(self.tell("nothing" if state.combat is None else "strike"))
            turn = self.before.turn if self.pairs and self.turn else state.turn
            if turn and turn != self.turn:
                self.turn = turn
                self.done += ["", self.tell("turn", turn=turn)]
            if sentences:
                line = written(self.pairs) if self.notation else ""
                self.done.append(" ".join(sentences) + (f"\n    [{line}]" if line else ""))
        self.before = self.game.copy(state)
        self.said, self.acts, self.pairs = [], [], []

    def changes(self, before: State, state: State) -> Iterator[str]:
        """What was done, what came of it, and in between the tale of a combat."""
        told, later = self.fight.sentences()
        if before.phase == 0 and state.phase > 0:
            yield from self._armies(state)
            return
        face = _forced_face(self.pairs)
        if face:
            seat = self.game.seats.index(next(r.seat for r, _ in self.pairs if r.prompt in _ACTS))
            yield self.tell("say.choose_die", seat=self.seat(seat), answer=self.tell.name(face, "face"))
        yield from (*self.acts, *told)
        fought = bool(told or later)
        if fought:
            yield from self._losses(before, state)
            yield from self._walls(before, state)
        yield from later
        yield from self._marches()
        yield from self._characters(before, state)
        if not fought:
            yield from self._losses(before, state)
            yield from self._walls(before, state)
            yield from self._wounds(before, state)
        yield from self._control(before, state)
        yield from self._fate(before, state)

    def _armies(self, state: State) -> Iterator[str]:
        """The starting armies of both sides."""
        for seat, places in enumerate(state.armies):
            named = [
                f"{self.tell.place(p)} {self.tell.counts(ARMY[state.units[p]].counts)}"
                for p in places_in(places)
            ]
            yield self.tell("armies", seat=self.seat(seat), armies="; ".join(named))

    def _marches(self) -> Iterator[str]:
        """Every march of the paragraph: who went where."""
        origin, path = "", list[str]()
        for request, answer in [*self.pairs, (None, None)]:
            prompt = request.prompt if request is not None else ""
            if prompt in ("prompt.choose_army", "prompt.choose_attacker", "prompt.choose_step") or not prompt:
                if path:
                    yield self._march(origin, path)
                origin, path = (answer, []) if answer in PLACE else ("", [])
            elif prompt == "prompt.choose_destination" and answer in PLACE:
                origin = origin or request.about["from"]  # type: ignore[union-attr]
                path.append(answer)

    def _march(self, origin: str, path: Sequence[str]) -> str:
        counts = self._marched(PLACE[origin])
        names = [self.tell.name(place, "place") for place in (origin, *path)]
        single = ".one" if sum(counts.values()) == 1 else ""
        units = self.tell.counts(counts)
        if len(path) > 1:
            via = ", ".join(names[1:-1])
            return self.tell(f"march.via{single}", units=units, a=names[0], via=via, b=names[-1])
        return self.tell(f"march{single}", units=units, a=names[0], b=names[1])

    def _marched(self, origin: int) -> Mapping[str, int]:
        """Who left the origin: as said, or the whole army."""
        for request, answer in self.pairs:
            if request.prompt == "prompt.who_marches" and request.about.get("from") == PLACES[origin]:
                return dict(answer)
        return ARMY[self.before.units[origin]].counts

    # --- what came of it -------------------------------------------------------------------------

    def _fate(self, before: State, state: State) -> Iterator[str]:
        if state.fate != before.fate:
            yield self.tell("fate" if state.fate > before.fate else "fate.left", space=state.fate)
            fresh = [c for c in range(len(CHARACTERS)) if is_ready(state, c) and not is_ready(before, c)]
            if fresh:
                names = self.tell.all(self.tell.name(CHARACTERS[c], "character") for c in fresh)
                yield self.tell("ready", names=names)
        for its_pass in places_in(before.closed_passes & ~state.closed_passes & PASSES):
            yield self.tell("pass_open", place=self.tell.place(its_pass))

    def _characters(self, before: State, state: State) -> Iterator[str]:
        for character, name in enumerate(CHARACTERS):
            was, now = before.where[character], state.where[character]
            if was == now:
                continue
            who = self.tell.name(name, "character")
            if now == ELIMINATED:
                yield self.tell("fallen", name=who)
            elif now >= IN_TERRITORY_OF:
                continue
            elif was < 0 <= now:
                yield self.tell("enter", name=who, b=self.tell.place(now))
            elif now != EYRIE and not any(r.prompt in _WENT and a == PLACES[now] for r, a in self.pairs):
                yield self.tell("walk", name=who, b=self.tell.place(now))

    def _losses(self, before: State, state: State) -> Iterator[str]:
        """Units that left the board, by side; and units that came from the supply."""
        for seat, bits in enumerate(SEAT_BITS):
            gone, come = self._balance(before, state, bits)
            if gone:
                yield self.tell("lost", place=self.seat(seat), units=self.tell.counts(gone))
            for place, counts in come.items():
                one = ".one" if sum(counts.values()) == 1 else ""
                yield self.tell(
                    f"mustered{one}", units=self.tell.counts(counts), place=self.tell.place(place)
                )

    def _balance(
        self, before: State, state: State, bits: int
    ) -> tuple[dict[str, int], dict[int, dict[str, int]]]:
        """Units of one side that went to the supply in all, and units that came from it, by place."""
        total_before, total_now = sum(before.units) & bits, sum(state.units) & bits
        was, now = ARMY[total_before].counts, ARMY[total_now].counts
        gone = {unit: was[unit] - now.get(unit, 0) for unit in was if was[unit] > now.get(unit, 0)}
        fresh = {unit: now[unit] - was.get(unit, 0) for unit in now if now[unit] > was.get(unit, 0)}
        come: dict[int, dict[str, int]] = {}
        for place in range(EYRIE):
            here = ARMY[state.units[place]].counts
            there = ARMY[before.units[place]].counts
            for unit, number in here.items():
                more = min(number - there.get(unit, 0), fresh.get(unit, 0))
                if more > 0 and unit in UNITS:
                    come.setdefault(place, {})[unit] = more
                    fresh[unit] -= more
        return gone, come

    def _wounds(self, before: State, state: State) -> Iterator[str]:
        """Damage done to armies that neither moved nor lost units, and damage they recovered from."""
        if state.combat is not None or self.before.combat is not None:
            return
        for place in range(EYRIE):
            more = state.damage[place] - before.damage[place]
            if more and state.units[place] and state.units[place] == before.units[place]:
                yield self.tell(
                    "damaged" if more > 0 else "healed", place=self.tell.place(place), n=abs(more)
                )

    def _walls(self, before: State, state: State) -> Iterator[str]:
        for index, place in enumerate(FORTIFICATIONS):
            more = state.fort_damage[index] - before.fort_damage[index]
            if more > 0:
                yield self.tell("wall", place=self.tell.place(place), n=more)
                if state.fort_damage[index] >= state.fort_values[index]:
                    yield self.tell("wall.broken", place=self.tell.place(place))

    def _control(self, before: State, state: State) -> Iterator[str]:
        for place in places_in(state.control & ~before.control):
            yield self.tell("taken", place=self.tell.place(place), points=points(state))
        for place in places_in(before.control & ~state.control):
            yield self.tell("freed", place=self.tell.place(place), points=points(state))
