"""The readable record of a game: what happened, as a player would tell it, in German or English.

The game is played again from its answers; each action becomes a paragraph.  What
was done is told from the answers, what came of it from the two positions before
and after: losses, control, entries, the end.  Each action ends with its line in
the notation of moves, so that it can be tried again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from referee.games.five_armies.box.components import CHARACTERS, FREE, SHADOW, TILES, UNITS
from referee.games.five_armies.box.map import EYRIE, FORTIFICATIONS, PASSES, PLACE, PLACES, places_in
from referee.games.five_armies.game import GAME
from referee.games.five_armies.rules.characters import is_ready
from referee.games.five_armies.rules.victory import points
from referee.games.five_armies.screens.combat_tale import CombatTale
from referee.games.five_armies.screens.telling import Telling
from referee.games.five_armies.state.armies import ARMY, FREE_BITS, SHADOW_BITS
from referee.games.five_armies.state.state import ELIMINATED, IN_TERRITORY_OF, State, copy
from referee.games.five_armies.words.notation import NOTATION
from referee.games.kit.report import TaleStep, report_text
from referee.kernel.messages import Messages
from referee.kernel.naming import Namer
from referee.kernel.play import Play
from referee.kernel.requests import Request

TEXTS = Path(__file__).parents[1] / "texts" / "report"
Pairs = list[tuple[Request, Any]]


@cache
def texts() -> Messages:
    """The report's own texts, with the game's names behind them."""
    return Messages(TEXTS, [GAME.messages])


def report(
    start: State, answers: Iterable[Any], language: str, *, notation: bool = True, players: str = ""
) -> str:
    """The report of a game that began in ``start`` (which is not changed) and went by ``answers``.

    ``notation`` adds each action's line; ``players`` is a subtitle.
    """
    steps = (TaleStep(answer) for answer in answers)
    return tale(start, steps, language, notation=notation, players=players)


def tale(
    start: State, steps: Iterable[TaleStep], language: str, *, notation: bool = True, players: str = ""
) -> str:
    """As :func:`report`, from steps among which the arbiter's may be."""
    tell = Telling(Namer(GAME, language, texts()))
    return report_text(tell, players, _Story(copy(start), steps, tell, notation).lines())


def written(pairs: Sequence[tuple[Request, Any]]) -> str:
    """The line of a stretch of play in the notation of moves, its die in front where it was not asked for."""
    first = next((r for r, _ in pairs if r.prompt in ("prompt.choose_die", "prompt.choose_action")), None)
    line = NOTATION.line(pairs)
    if first is not None and first.prompt == "prompt.choose_action":
        face = str(first.about["face"])
        return NOTATION.short.get(face, face) + line
    return line


class _Story:
    """Plays the answers and writes a paragraph for each stretch between two milestones."""

    def __init__(self, state: State, steps: Iterable[TaleStep], tell: Telling, notation: bool) -> None:
        self.play: Play[State] = Play(GAME, state, on_milestone=self._milestone)
        self.steps = steps
        self.notes: list[str] = []
        self.tell = tell
        self.notation = notation
        self.turn = 0
        self.before = copy(self.play.state)
        self.pairs: Pairs = []
        self.done: list[str] = []
        self.fight = CombatTale(tell)

    def _milestone(self, play: Play[State]) -> None:
        if hasattr(self, "done"):
            self._flush()

    def lines(self) -> list[str]:
        """All lines of the report after its title."""
        for step in self.steps:
            if self.play.request is None and step.apply is None:
                break
            if step.note:
                self.notes.append(step.note)
            self._step(step)
        self._flush()
        return [*self.done, *self._end()]

    def _step(self, step: TaleStep) -> None:
        request, answer = self.play.request, step.answer
        if request is not None and answer is not None:
            self.pairs.append((request, answer))
            self.fight.before(self.play.state, request, answer)
        if step.apply is None:
            self.play.answer(answer)
        else:
            self.play = step.apply(self.play)
            self.play.on_milestone = self._milestone
        if request is not None and answer is not None:
            self.fight.after(self.play.state, request, answer)

    def _end(self) -> Iterator[str]:
        yield ""
        state = self.play.state
        if state.winner < 0:
            yield self.tell("open")
            return
        rule = GAME.catalogue[state.winning_rule]
        why = rule.sentence(self.tell.language)
        yield self.tell("end", seat=self.tell.seat(state.winner), why=why)

    # --- paragraphs ------------------------------------------------------------------------------

    def _flush(self) -> None:
        """Write the paragraph of what was answered since the last milestone."""
        state = self.play.state
        if self.pairs or self.notes or state.turn != self.turn:
            sentences = [*self._sentences(), *self.notes]
            if sentences and sentences[-1].endswith(":"):
                sentences.append(self.tell("nothing" if state.combat is None else "strike"))
            self.notes = []
            heading = self._heading()
            if heading:
                self.done += ["", heading]
            if sentences:
                text = " ".join(sentences)
                line = written(self.pairs) if self.notation else ""
                self.done.append(f"{text}\n    [{line}]" if line else text)
        self.before = copy(state)
        self.pairs = []

    def _heading(self) -> str:
        turn = self.play.state.turn if not self.pairs or not self.turn else self.before.turn
        if turn == self.turn or not turn:
            return ""
        self.turn = turn
        return self.tell("turn", turn=turn)

    def _sentences(self) -> Iterator[str]:
        state, before = self.play.state, self.before
        if before.phase == 0 and state.phase > 0:
            yield from self._armies(state)
            return
        yield from self._done()
        yield from self.fight.sentences()
        if self.fight.fought:
            yield from self._losses(before, state)
            yield from self._walls(before, state)
        yield from self.fight.aftermath()
        yield from self._marches()
        yield from self._changes(before, state)

    def _armies(self, state: State) -> Iterator[str]:
        """The starting armies of both sides."""
        for seat in (FREE, SHADOW):
            named = [f"{self.tell.place(p)} {self._army(state, p)}" for p in places_in(state.armies[seat])]
            yield self.tell("armies", seat=self.tell.seat(seat), armies="; ".join(named))

    def _army(self, state: State, place: int) -> str:
        return self.tell.units(ARMY[state.units[place]].counts)

    # --- what was done ---------------------------------------------------------------------------

    def _done(self) -> Iterator[str]:
        """What the answers say by themselves."""
        forced = next((r for r, _ in self.pairs if r.prompt in _ACTS), None)
        if forced is not None and forced.prompt == "prompt.choose_action":
            face = self.tell.name(forced.about["face"], "face")
            yield self.tell("act", seat=self.tell.seat_name(forced.seat), face=face) + ":"
        for request, answer in self.pairs:
            told = _SIMPLE.get(request.prompt)
            if told is not None:
                yield from told(self.tell, request, answer)

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
        units = self.tell.units(counts)
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

    def _changes(self, before: State, state: State) -> Iterator[str]:
        yield from self._characters(before, state)
        if not self.fight.fought:
            yield from self._losses(before, state)
            yield from self._walls(before, state)
            yield from self._wounds(before, state)
        yield from self._control(before, state)
        if state.fate != before.fate:
            yield self.tell("fate" if state.fate > before.fate else "fate.left", space=state.fate)
            fresh = [c for c in range(len(CHARACTERS)) if is_ready(state, c) and not is_ready(before, c)]
            if fresh:
                names = [self.tell.name(CHARACTERS[c], "character") for c in fresh]
                yield self.tell("ready", names=self.tell.all(names))
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
            elif now != EYRIE and not self._went_along(before, state, was, now):
                yield self.tell("walk", name=who, b=self.tell.place(now))

    def _went_along(self, before: State, state: State, was: int, now: int) -> bool:
        """Whether units marched the same way, so that the march has told of the character."""
        return any(
            request.prompt in ("prompt.choose_destination", "prompt.retreat_to", "prompt.forced_retreat_to")
            and answer == PLACES[now]
            for request, answer in self.pairs
        )

    def _losses(self, before: State, state: State) -> Iterator[str]:
        """Units that left the board, by side; and units that came from the supply."""
        for seat, bits in ((FREE, FREE_BITS), (SHADOW, SHADOW_BITS)):
            gone, come = self._balance(before, state, bits)
            if gone:
                yield self.tell("lost", place=self.tell.seat(seat), units=self.tell.units(gone))
            for place, counts in come.items():
                one = ".one" if sum(counts.values()) == 1 else ""
                yield self.tell(f"mustered{one}", units=self.tell.units(counts), place=self.tell.place(place))

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


# --- answers that tell themselves ------------------------------------------------------------------


def _dice(tell: Telling, request: Request, answer: Any) -> Iterator[str]:
    faces = next(iter(answer.values()))
    named = []
    for face in dict.fromkeys(faces):
        name, number = tell.name(face, "face"), faces.count(face)
        named.append(name if number == 1 else tell("twice", n=number, what=name))
    yield tell("dice", seat=tell.seat_name(request.seat), dice=tell.all(named))


def _die(tell: Telling, request: Request, answer: Any) -> Iterator[str]:
    seat = tell.seat_name(request.seat)
    if answer == "pass":
        yield tell(f"pass.{request.seat}")
    elif answer.startswith("ability:"):
        yield tell("ability_of", name=tell.name(answer.removeprefix("ability:"), "character"))
    else:
        yield tell("act", seat=seat, face=tell.name(answer, "face")) + ":"


def _action(tell: Telling, request: Request, answer: Any) -> Iterator[str]:
    told = {"skip": "skip", "draw_cards": "draw", "recruit_goblins": "goblins"}.get(answer)
    if told is not None:
        yield tell(told)


def _generals(tell: Telling, request: Request, answer: Any) -> Iterator[str]:
    names = [tell.name(name, "character") for name in answer]
    key = "activated.none" if not names else "activated.one" if len(names) == 1 else "activated"
    yield tell(key, names=tell.all(names))


def _led(tell: Telling, request: Request, answer: Any) -> Iterator[str]:
    yield tell("led", places=tell.all(tell.name(place, "place") for place in answer))


def _tile(tell: Telling, request: Request, answer: Any) -> Iterator[str]:
    number, icon = TILES[answer]
    yield tell("tile", tile=tell("tile.icon", number=number) if icon else number)


def _aside(tell: Telling, request: Request, answer: Any) -> Iterator[str]:
    if answer == "draw":
        yield tell("tile.aside")


def _bats(tell: Telling, request: Request, answer: Any) -> Iterator[str]:
    number = sum(answer.values())
    places = tell.all(tell.name(territory, "territory") for territory in answer)
    yield tell("bats", bats=tell.count(number, "bats"), places=places)


def _card(tell: Telling, request: Request, answer: Any) -> Iterator[str]:
    yield tell("card", seat=tell.seat_name(request.seat), card=tell.name(answer, "card"))


def _fate_card(tell: Telling, request: Request, answer: Any) -> Iterator[str]:
    yield tell("fate.card", card=tell.name(answer, "card"))


_ACTS = ("prompt.choose_die", "prompt.choose_action")
_SIMPLE = {
    "prompt.roll_action_dice": _dice,
    "prompt.choose_die": _die,
    "prompt.choose_action": _action,
    "prompt.activate_generals": _generals,
    "prompt.place_leadership": _led,
    "prompt.fate_tile": _tile,
    "prompt.fate_apply_or_draw": _aside,
    "prompt.fate_card": _fate_card,
    "prompt.place_bats": _bats,
    "prompt.play_card": _card,
}
