"""Hypothesis plays tables: answers, drafts, taking back, rulings, restarts and damage in any order.

Beside the table runs a model: the list of digests that taking back must bring
back, and the hashes that were acknowledged and must never change.
"""

from __future__ import annotations

import shutil
from random import Random

import toy_game
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from table_bot import quick_folder

from referee.hall.table import Table
from referee.journal.errors import Frozen
from referee.journal.events import first_break
from referee.journal.line import line_of, replay
from referee.kernel.errors import RefereeError, StaleAnswer
from referee.kernel.requests import ChooseSecretly
from referee.store.store import Store


class TableMachine(RuleBasedStateMachine):
    """One game under everything that may happen to it."""

    def __init__(self) -> None:
        super().__init__()
        toy_game.register()
        self.folder = quick_folder()
        self.store = Store.open(self.folder / "games.sqlite")
        self.table = Table.create(self.store, toy_game.GAME, options={"turns": 6}, game_id="toy-model")
        self.acknowledged: list[str] = []
        self.digest_before: dict[int, str] = {}

    def teardown(self) -> None:
        self.table.close()
        self.store.close()
        shutil.rmtree(self.folder)

    def note_events(self) -> None:
        """Acknowledged events never change; only new ones come."""
        hashes = [event.hash for event in self.table.events()]
        assert hashes[: len(self.acknowledged)] == self.acknowledged
        self.acknowledged = hashes

    @property
    def may_answer(self) -> bool:
        return self.table.request is not None and self.table.standing.objection is None

    @precondition(lambda self: self.may_answer)
    @rule(seed=st.integers(0, 10_000))
    def answer(self, seed: int) -> None:
        rng = Random(seed)
        request, before = self.table.request, self.table.play.digest()
        assert request is not None
        if isinstance(request, ChooseSecretly):
            seat = rng.choice(self.table.asked_seats)
            value = request.of[seat].sample(rng)
        else:
            seat, value = request.seat, request.sample(rng)
        self.digest_before[self.table.revision + 1] = before
        self.digest_before[self.table.revision + 2] = before  # the opening of a secret
        event = self.table.answer(seat, value, revision=self.table.revision)
        assert event.kind in ("answer", "sealed_part")

    @precondition(lambda self: self.may_answer)
    @rule(seed=st.integers(0, 10_000), confirm=st.booleans())
    def draft(self, seed: int, confirm: bool) -> None:
        rng = Random(seed)
        request, before = self.table.request, self.table.play.digest()
        if request is None or request.is_chance or isinstance(request, ChooseSecretly):
            return
        values = [request.sample(rng)]
        preview = self.table.preview(request.seat, values)
        while preview.open and preview.request is not None:
            values.append(preview.request.sample(rng))
            preview = self.table.preview(request.seat, values)
        assert self.table.play.digest() == before
        if confirm:
            for offset in range(len(values)):
                self.digest_before[self.table.revision + 1 + offset] = before
            self.table.answer_many(request.seat, values, revision=self.table.revision)
            assert self.table.play.digest() == preview.play.digest()

    @precondition(lambda self: self.may_answer)
    @rule()
    def wrong_answers(self) -> None:
        before, revision = self.table.play.digest(), self.table.revision
        for seat in toy_game.SEATS:
            for value in ("atlantis", {"men": 99}, {"pip": ["7"]}, None):
                try:
                    self.table.answer(seat, value, revision=revision)
                except RefereeError:
                    continue
                raise AssertionError(f"{value!r} was taken")
        assert (self.table.play.digest(), self.table.revision) == (before, revision)

    @rule()
    def stale(self) -> None:
        if self.may_answer and self.table.live_game.question > 0:
            try:
                self.table.answer("white", "east", revision=self.table.live_game.question - 1)
            except StaleAnswer:
                return
            raise AssertionError("a stale answer was taken")

    @precondition(lambda self: self.table.standing.objection is None)
    @rule(seat=st.sampled_from(toy_game.SEATS), yes=st.booleans())
    def take_back(self, seat: str, yes: bool) -> None:
        undo = self.table.undo_class(seat)
        if undo is None:
            return
        before = self.table.play.digest()
        if undo.kind == "arbiter":
            self.table.take_back("arbiter", revision=self.table.revision)
            # also behind a correction: the answers that it had removed count again
            assert self.table.play.digest() == self.digest_before[undo.to]
            return
        event = self.table.take_back(seat, revision=self.table.revision)
        if event.kind == "take_back_asked":
            other = "black" if seat == "white" else "white"
            event = self.table.consent(other, yes, revision=self.table.revision)
        if event.kind == "take_back":
            assert self.table.play.digest() == self.digest_before[undo.to]
        else:
            assert self.table.play.digest() == before

    @rule(value=st.integers(0, 50), place=st.sampled_from(toy_game.PLACES))
    def correct(self, value: int, place: str) -> None:
        if self.table.request is None:
            return
        primitives = [
            {"do": "points", "seat": "white", "value": value},
            {"do": "put", "seat": "black", "place": place},
        ]
        self.digest_before[self.table.revision + 1] = self.table.play.digest()
        self.table.correct(primitives, "as agreed", revision=self.table.revision)
        assert self.table.play.state.points["white"] == value
        assert self.table.play.state.at["black"] == place

    @rule()
    def object_and_rule(self) -> None:
        if self.table.standing.objection is not None:
            self.table.rule("settled")
            return
        self.table.raise_objection("white", "I doubt it")
        if self.table.request is not None:
            try:
                self.table.answer(self.table.asked_seats[0], "east", revision=self.table.revision)
            except Frozen:
                return
            raise AssertionError("an answer was taken in spite of an objection")

    @rule(lose=st.sampled_from(["nothing", "database", "mirror", "snapshots"]))
    def restart(self, lose: str) -> None:
        before, revision = self.table.play.digest(), self.table.revision
        self.table.close()
        self.store.close()
        path = self.folder / "games.sqlite"
        if lose == "database":
            path.unlink()
        elif lose == "mirror":
            shutil.rmtree(path.with_name("games.sqlite.mirror"))
        self.store = Store.open(path)
        if lose == "snapshots":
            with self.store.engine.begin() as connection:
                connection.exec_driver_sql("DELETE FROM snapshots")
        self.table = Table.open(self.store, "toy-model")
        assert (self.table.play.digest(), self.table.revision) == (before, revision)
        assert bool(self.table.recovery) == (lose in ("database", "mirror"))

    @invariant()
    def the_record_is_sound(self) -> None:
        self.note_events()
        assert first_break(self.table.header, self.table.events()) is None
        line = line_of(self.table.events())
        if line:
            afresh, _ = replay(toy_game.GAME, self.table.header["options"], line, {})  # type: ignore[arg-type]
            assert afresh.digest() == self.table.play.digest() == line[-1].digest
        if self.table.events():
            assert self.table.events()[-1].digest == self.table.play.digest()


TableMachine.TestCase.settings = settings(
    max_examples=25,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
TestTable = TableMachine.TestCase
