"""The story of a game for its readable record: played again, a paragraph for each stretch of play.

A stretch goes from one milestone to the next.  What was done is told from the
answers by the messages ``report.say.<prompt>`` (or
``report.say.<prompt>.<option>``), what came of it by the game, from the two
positions before and after.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Generic, TypeVar

from referee.games.kit.report import NarrativeStep, Sentences, report_text
from referee.kernel.play import Game, Play
from referee.kernel.requests import ChooseSecretly, ChooseSome, Request

S = TypeVar("S")
T = TypeVar("T", bound=Sentences)


class Story(Generic[S, T]):
    """Plays ``steps`` from ``start`` (which is not changed) and tells them; a game gives :meth:`changes`.

    The state has ``turn``, ``phase``, ``winner`` and ``winning_rule``.
    """

    SENTENCES: ClassVar[type[Sentences]] = Sentences
    """Its words."""

    def __init__(self, game: Game[S], start: S, steps: Iterable[NarrativeStep], tell: T) -> None:
        self.game = game
        self.tell = tell
        self.steps = steps
        self.done: list[str] = []
        self.said: list[str] = []
        self.turn = 0
        self.before = game.copy(start)
        self.play: Play[S] = Play(game, game.copy(start))
        self.play.on_milestone = self._milestone

    def _milestone(self, play: Play[S]) -> None:
        self.flush()

    def text(self, players: str) -> str:
        """The whole report; ``players`` is a subtitle."""
        return report_text(self.tell, players, self.lines())

    def lines(self) -> list[str]:
        """All lines of the report after its title."""
        for step in self.steps:
            if self.play.request is None and step.apply is None:
                break
            if step.note:
                self.said.append(step.note)
            self._step(step)
        self.flush()
        return [*self.done, *self._end()]

    def _step(self, step: NarrativeStep) -> None:
        request = self.play.request
        if request is not None and step.answer is not None:
            self.said += self.sentences(request, step.answer)
        if step.apply is None:
            self.play.answer(step.answer)
        else:
            self.play = step.apply(self.play)
            self.play.on_milestone = self._milestone

    def flush(self) -> None:
        """Write the paragraph of what was answered since the last milestone, and a new turn's heading."""
        state: Any = self.play.state
        paragraph = " ".join(said for said in (*self.said, *self.changes(self.before, state)) if said)
        if paragraph:
            self.done.append(paragraph)
        if state.turn != self.turn and state.turn:
            self.turn = state.turn
            self.done += ["", self.tell("turn", turn=state.turn)]
        self.said = []
        self.before = self.game.copy(state)

    def _end(self) -> Iterator[str]:
        """How the game ended, and by which rule; or that it did not."""
        yield ""
        state: Any = self.play.state
        if state.winner < 0:
            yield self.tell("open")
            return
        rule = self.game.catalogue[state.winning_rule]
        why = rule.sentence(self.tell.language)
        yield self.tell("end", seat=self.seat(state.winner), why=why)

    # --- what a game tells -------------------------------------------------------------------------------

    def seat(self, seat: int) -> str:
        """The name of a seat, as the sentences have it."""
        return self.tell(f"seat.{self.game.seats[seat]}")

    def sentences(self, request: Request, answer: Any) -> Iterator[str]:
        """What one answer says by itself; answers that only lead to others say nothing."""
        key = next(filter(self.tell.find, self._keys(request, answer)), None)
        if key is not None:
            words: dict[str, Any] = {"origin": "", **self.tell.about(request.about)}
            if isinstance(request, ChooseSecretly):
                words |= {seat: self.tell.answer(request.of[seat], one) for seat, one in answer.items()}
            elif isinstance(request, ChooseSome):
                words |= {"count": sum(answer.values())}
            seats = self.game.seats
            seat = self.seat(seats.index(request.seat)) if request.seat in seats else ""
            yield self.tell(key, **{**words, "seat": seat, "answer": self.tell.answer(request, answer)})

    def _keys(self, request: Request, answer: Any) -> Iterator[str]:
        """The messages that may say an answer, the most particular first: of the option or the number chosen
        (``one``, ``none``), and of the seat."""
        key = f"say.{request.prompt.removeprefix('prompt.')}"
        which = f".{answer}" if isinstance(answer, str) else ""
        if isinstance(request, ChooseSome):
            which = {0: ".none", 1: ".one"}.get(sum(answer.values()), "")
        for ends in (f"{which}.{request.seat}", which, f".{request.seat}", ""):
            yield key + ends

    def changes(self, before: S, state: S) -> Iterator[str]:
        """What came of it: sentences on how two positions differ."""
        return iter(())
