"""The readable record of a game: what happened, as a player would tell it, in German or English.

The game is played again from its answers; each action and each combat round
becomes a paragraph.  What was done is told from the answers by the messages
``report.say.<prompt>`` (or ``report.say.<prompt>.<option>``), what came of it
from the two positions before and after.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from referee.games.kit.report import Sentences, TaleStep, report_text
from referee.games.war_of_the_ring.box.components import CHARACTERS, FIGURES, NATIONS, SEATS
from referee.games.war_of_the_ring.box.map import PLACES, SEAT_OF_REGION, places_in
from referee.games.war_of_the_ring.game import GAME
from referee.games.war_of_the_ring.state.armies import GROUP, SEAT_BITS
from referee.games.war_of_the_ring.state.state import ELIMINATED, IN_FELLOWSHIP, SCHEMA, State
from referee.kernel.messages import Messages
from referee.kernel.naming import Namer
from referee.kernel.play import Play
from referee.kernel.requests import Request

TEXTS = Path(__file__).parents[1] / "texts" / "report"


@cache
def texts() -> Messages:
    """The report's own texts, with the game's names behind them."""
    return Messages(TEXTS, [GAME.messages])


def tale(start: State, steps: Iterable[TaleStep], language: str, *, players: str = "") -> str:
    """The report of a game that began in ``start`` (which is not changed); ``players`` is a subtitle."""
    tell = Telling(Namer(GAME, language, texts()))
    return report_text(tell, players, _Story(SCHEMA.copy(start), steps, tell).lines())


class Telling(Sentences):
    """Sentences and names of this game."""

    def counts(self, counts: Mapping[str, int]) -> str:
        """``2 × Regular unit (Gondor) and Boromir``."""
        return self.all(
            self.name(item, "character") if item in CHARACTERS else self.names.counts({item: number}, "unit")
            for item, number in counts.items()
        )

    def answer(self, request: Request, value: Any) -> str:
        """An answer in words."""
        if isinstance(value, str):
            return self.names.option(request.prompt, value, request.domain, request.about)
        rolled = [self.names.faces(die, faces) for die, faces in value.items() if isinstance(faces, list)]
        if rolled:
            return ", ".join(rolled)
        return self.counts(value) if value else self("nobody")

    def about(self, about: Mapping[str, Any]) -> dict[str, Any]:
        """What a request is about, in words."""
        words = self.names.particulars(about)
        return {"origin" if key == "from" else key: value for key, value in words.items()}


class _Story:
    """Plays the answers and writes a paragraph for each stretch between two milestones."""

    def __init__(self, state: State, steps: Iterable[TaleStep], tell: Telling) -> None:
        self.tell = tell
        self.steps = steps
        self.done: list[str] = []
        self.said: list[str] = []
        self.turn = 0
        self.before = SCHEMA.copy(state)
        self.play: Play[State] = Play(GAME, state)
        self.play.on_milestone = self._milestone

    def _milestone(self, play: Play[State]) -> None:
        self._flush(play.state)

    def lines(self) -> list[str]:
        """All lines of the report after its title."""
        for step in self.steps:
            if self.play.request is None and step.apply is None:
                break
            if step.note:
                self.said.append(step.note)
            self._step(step)
        self._flush(self.play.state)
        return [*self.done, *self._end()]

    def _step(self, step: TaleStep) -> None:
        request = self.play.request
        if request is not None and step.answer is not None:
            self.said += self._sentences(request, step.answer)
        if step.apply is None:
            self.play.answer(step.answer)
        else:
            self.play = step.apply(self.play)
            self.play.on_milestone = self._milestone

    def _sentences(self, request: Request, answer: Any) -> Iterator[str]:
        """What one answer says by itself; answers that only lead to others say nothing."""
        prompt = request.prompt.removeprefix("prompt.")
        keys = [f"say.{prompt}"]
        if isinstance(answer, str):
            keys.insert(0, f"say.{prompt}.{answer}")
        for key in keys:
            if self.tell.find(key):
                about = self.tell.about(request.about)
                about.setdefault("origin", "")
                seat = self.tell(f"seat.{request.seat}") if request.seat in SEATS else ""
                said = self.tell.answer(request, answer)
                yield self.tell(key, **{**about, "seat": seat, "answer": said})
                return

    def _flush(self, state: State) -> None:
        """Write the paragraph of what was answered since the last milestone."""
        sentences = [said for said in (*self.said, *self._changes(self.before, state)) if said]
        if state.turn != self.turn and state.turn:
            self.turn = state.turn
            if sentences:
                self.done.append(" ".join(sentences))
                sentences = []
            self.done += ["", self.tell("turn", turn=state.turn)]
        if sentences:
            self.done.append(" ".join(sentences))
        self.said = []
        self.before = SCHEMA.copy(state)

    def _end(self) -> Iterator[str]:
        yield ""
        state = self.play.state
        if state.winner < 0:
            yield self.tell("open")
            return
        rule = GAME.catalogue[state.winning_rule]
        why = rule.sentence(self.tell.language)
        yield self.tell("end", seat=self.tell(f"seat.{SEATS[state.winner]}"), why=why)

    # --- what came of it ------------------------------------------------------------------------------

    def _changes(self, before: State, state: State) -> Iterator[str]:
        if not before.phase:
            return
        yield from self._losses(before, state)
        yield from self._characters(before, state)
        yield from self._politics(before, state)
        yield from self._ring(before, state)
        for place in places_in(before.captured ^ state.captured):
            holder = SEAT_OF_REGION[place] if before.captured >> place & 1 else 1 - SEAT_OF_REGION[place]
            yield self.tell(
                "captured", seat=self.tell(f"seat.{SEATS[holder]}"), place=self.tell.name(PLACES[place])
            )

    def _losses(self, before: State, state: State) -> Iterator[str]:
        """Figures that left the board and figures that came, by side."""
        was, now = sum(before.figures), sum(state.figures)
        for seat, name in enumerate(SEATS):
            old = GROUP[was & SEAT_BITS[seat]].counts
            new = GROUP[now & SEAT_BITS[seat]].counts
            for key, first, second in (("lost", old, new), ("came", new, old)):
                more = {
                    figure: first[figure] - second.get(figure, 0)
                    for figure in FIGURES
                    if first.get(figure, 0) > second.get(figure, 0)
                }
                if more:
                    yield self.tell(key, seat=self.tell(f"seat.{name}"), figures=self.tell.counts(more))

    def _characters(self, before: State, state: State) -> Iterator[str]:
        for character, name in enumerate(CHARACTERS):
            was, now = before.where[character], state.where[character]
            if was == now:
                continue
            who = self.tell.name(name)
            if now == ELIMINATED:
                yield self.tell("fallen", name=who)
            elif now >= 0:
                key = "separated" if was == IN_FELLOWSHIP else "entered" if was < 0 else "walked"
                yield self.tell(key, name=who, place=self.tell.name(PLACES[now]))
        if state.guide != before.guide and state.guide >= 0:
            yield self.tell("guide", name=self.tell.name(CHARACTERS[state.guide]))

    def _politics(self, before: State, state: State) -> Iterator[str]:
        for nation, name in enumerate(NATIONS):
            called = self.tell.name(name)
            if state.awake >> nation & 1 and not before.awake >> nation & 1:
                yield self.tell("awake", nation=called)
            if state.steps[nation] != before.steps[nation]:
                key = "at_war" if not state.steps[nation] else "steps"
                yield self.tell(key, nation=called, steps=state.steps[nation])

    def _ring(self, before: State, state: State) -> Iterator[str]:
        if before.hidden and not state.hidden:
            yield self.tell("revealed", place=self.tell.name(PLACES[state.ring]))
        elif state.ring != before.ring:
            yield self.tell("ring_at", place=self.tell.name(PLACES[state.ring]))
        if state.mordor != before.mordor:
            yield self.tell("mordor", step=state.mordor)
        if state.corruption != before.corruption:
            yield self.tell("corruption", points=state.corruption)
