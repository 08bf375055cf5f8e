"""Position files of all games: what a file holds besides the position, and reading and writing it.

A game's reader is a :class:`PositionReader` with more methods ``on_<key>``, its
writer gives the readable part of a state to :func:`written`.  What that part
leaves out stands in the file as ``details``, so that reading gives the same state.
A state is where an action begins; ``answers`` are what has been answered since,
so that a file can describe any moment.  :func:`arrived` plays them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from unicodedata import normalize

import yaml

from referee.games.kit.codecs import Memory
from referee.games.kit.schema import Hear, Schema, entries_for
from referee.games.kit.turn import GameEnds
from referee.kernel.errors import AuditFailed, InvalidAnswer, RefereeError
from referee.kernel.located import LocatedValue, Problems, read_yaml, shortened
from referee.kernel.messages import Text
from referee.kernel.play import Play

if TYPE_CHECKING:
    from referee.games.kit.game import ModularGame, StateOfGame

S = TypeVar("S", bound="StateOfGame")


@dataclass(slots=True)
class Position(Generic[S]):
    """A position as read from a file.

    ``labels`` names places (``A: v_northeast_plain``); ``given`` keeps remarks
    that are no part of the state (``note``, dice that will be rolled...).
    ``enter`` plays on from the state to a moment that the file describes in words
    (``enter_at``), and returns the answers given; ``answers`` are those that it lists.  ``told`` has
    the spot of each key that the file has, dotted for those inside another.
    """

    state: S
    title: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    given: dict[str, Any] = field(default_factory=dict)
    enter: Callable[[Play[S]], list[Any]] | None = None
    enter_at: LocatedValue | None = None
    answers: list[Any] = field(default_factory=list)
    told: dict[str, LocatedValue] = field(default_factory=dict)

    def lead_in(self, play: Play[S]) -> list[Any]:
        """Play from ``state`` up to the moment the file describes; returns the answers given."""
        given = [] if self.enter is None else self.enter(play)
        for answer in self.answers:
            play.answer(answer)
        return [*given, *self.answers]


@dataclass(frozen=True, slots=True)
class FileForm(Generic[S]):
    """What reading and writing need to know of a game.  ``ignored`` are more keys of a file's head.

    ``check_at_once`` raises :class:`GameEnds`, with the winner noted in the state,
    where a condition is met that ends the game in the very moment.  ``fight`` is the
    field of a running combat, "" in games without one; ``step`` is ``"fight"`` while
    there is one.  ``phase`` is the one that stands where a file tells none (in turn 1).
    """

    game: str
    seats: Sequence[str]
    schema: Schema[S]
    house_rules: Callable[[Mapping[str, str]], Mapping[str, str]]
    ignored: Sequence[str] = ()
    check_at_once: Callable[[S], None] = lambda state: None
    fight: str = ""
    phase: int = 0


class PositionReader(Generic[S]):
    """Reads one file: what the schema declares, and keys that a game takes itself.

    Methods named ``on_<key>`` take the value of that key, ``on_<key>__<inner>``
    that of a key inside another.  Keys of ``LATER`` are taken after the others,
    in that order; then comes :meth:`finish`, after it the keys of ``AT_LAST`` and
    the ``details``, and :meth:`check` of a running fight.  ``told`` is that of the position.

    ``state`` is a fresh state, which is filled; it has ``turn``, ``phase``,
    ``active``, ``winner``, ``house`` and ``values``.
    """

    LATER: Sequence[str] = ()
    AT_LAST: Sequence[str] = ()
    REMARKS: Sequence[str] = ("note",)
    """Keys that are no part of the state."""

    def __init__(self, whole: LocatedValue, form: FileForm[S], state: Any) -> None:
        self.whole = whole
        self.form = form
        self.state = state
        self.position: Position[S] = Position(state)
        self.told = self.position.told

    def read(self) -> Position[S]:
        """The position; problems are noted in ``whole.problems``."""
        body = self.whole
        inner = self.whole.get("position")
        if inner is not None:
            self._heading()
            body = inner
        if not isinstance(body.value, dict):
            body.wrong(Text("kit.position_wanted"))
            return self.position
        self.told.update((str(key), entry) for key, entry in body.value.items())
        self.begin(body)
        handlers = self._handlers()
        waiting: dict[str, LocatedValue] = {}
        for key, entry, take in entries_for(body, handlers):
            self.told[key] = entry
            if key in (*self.LATER, *self.AT_LAST, "details"):
                waiting[key] = entry
            else:
                take(entry)
        for key in self.LATER:
            if key in waiting:
                handlers[key](waiting[key])
        if self.form.phase:
            self.state.turn = self.state.turn if "turn" in self.told else 1
            self.state.phase = self.state.phase if "phase" in self.told else self.form.phase
        self.finish(body)
        for key in (*self.AT_LAST, "details"):
            if key in waiting:
                handlers[key](waiting[key])
        self.position.enter_at = self.told.get(self.form.fight)
        if self.form.fight and not self.whole.problems.found:
            self._check_fight(self.told.get("details", self.told.get(self.form.fight, body)))
        if self.state.winner < 0 and not self.whole.problems.found:
            with suppress(GameEnds):
                self.form.check_at_once(self.state)
        return self.position

    def _handlers(self) -> dict[str, Hear]:
        """What takes the value of each key, dotted for one inside another."""
        own = {
            name[3:].replace("__", "."): getattr(self, name) for name in dir(self) if name.startswith("on_")
        }
        remarks = {key: partial(self._remark, key) for key in self.REMARKS}
        return {**self.form.schema.heard(self.state), **own, **remarks}

    def _remark(self, key: str, spot: LocatedValue) -> None:
        self.position.given[key] = spot.plain()

    def begin(self, body: LocatedValue) -> None:
        """Before any key is taken."""

    def finish(self, body: LocatedValue) -> None:
        """After the keys that tell of the board; checks it as a whole."""

    def _check_fight(self, spot: LocatedValue) -> None:
        running = getattr(self.state, self.form.fight)
        if (running is None) == (self.state.step == "fight"):
            spot.wrong(Text("kit.fight_missing", key=self.form.fight))
        elif running is not None:
            self.check(spot, running)

    def check(self, spot: LocatedValue, running: Any) -> None:
        """What a running fight must have once everything is told, where nothing is wrong so far."""

    def _heading(self) -> None:
        for key, entry in self.whole.entries():
            if key.value == "title":
                self.position.title = entry.text()
            elif key.value == "game":
                entry.word((self.form.game,))
            elif key.value not in ("position", "options", *self.form.ignored):
                key.word(("game", "title", "position", "options"))
        options = self.whole.get("options")
        if options is not None:
            self.on_house_rules(options)

    def by_seat(self, spot: LocatedValue) -> list[tuple[int, LocatedValue]]:
        """The entries of a mapping by seat."""
        found = []
        for key, entry in spot.entries():
            seat = key.word(self.form.seats)
            if seat is not None:
                found.append((self.form.seats.index(seat), entry))
        return found

    # --- keys of every game ------------------------------------------------------------------------

    def on_title(self, spot: LocatedValue) -> None:
        """What the position is called."""
        self.position.title = spot.text()

    def on_game(self, spot: LocatedValue) -> None:
        """The game's id."""
        spot.word((self.form.game,))

    def on_turn(self, spot: LocatedValue) -> None:
        """The number of the turn."""
        self.state.turn = spot.number(1, 999)

    def on_phase(self, spot: LocatedValue) -> None:
        """The number of the phase."""
        self.state.phase = spot.number(1, 6)

    def on_to_act(self, spot: LocatedValue) -> None:
        """Whose action it is."""
        seat = spot.word(self.form.seats)
        if seat is not None:
            self.state.active = self.form.seats.index(seat)

    def on_house_rules(self, spot: LocatedValue) -> None:
        """House rules that were chosen."""
        chosen = {str(key.value): str(entry.value) for key, entry in spot.entries()}
        try:
            self.state.house = self.form.house_rules(chosen)
        except InvalidAnswer as error:
            spot.wrong(error.text)

    def on_values(self, spot: LocatedValue) -> None:
        """What the box book tells; :func:`arrived` looks whether it can."""
        for key, entry in spot.entries():
            self.state.values[str(key.value)] = entry.plain()

    def on_answers(self, spot: LocatedValue) -> None:
        """What has been answered since the state; :func:`arrived` plays it."""
        self.position.answers = [item.plain() for item in spot.items()]

    def on_details(self, spot: LocatedValue) -> None:
        """Parts of the state as its JSON has them."""
        schema = self.form.schema
        data = schema.to_json(self.state)
        for key, entry in spot.entries():
            name = key.word(data)
            if name is None:
                continue
            self.told[f"details.{name}"] = entry
            value = entry.plain()
            if schema.fits_key(name, value):
                data[name] = value
            else:
                entry.wrong(Text("kit.other_shape", path=entry.path, shown=shortened(data[name])))
        self.position.state = self.state = schema.from_json(data)


def read_file(text: str, reader: Callable[[LocatedValue], PositionReader[S]]) -> Position[S]:
    """A position from YAML.  Raises :class:`referee.kernel.located.FileProblems`, line by line."""
    whole = read_yaml(text)
    position = reader(whole).read()
    whole.problems.check()
    return position


def by_title(spot: LocatedValue, known: Collection[str]) -> str | None:
    """One of the ``known`` ids, told as it is or as a printed title (``Redoubled Force (M)``)."""
    if isinstance(spot.value, str) and spot.value not in known:
        title = re.sub(r"\s*\([A-Z]\)\s*$|['’]", "", spot.value).lower()
        title = normalize("NFKD", title).encode("ascii", "ignore").decode()  # Éomer, Nazgûl
        spot = LocatedValue(re.sub(r"[^a-z0-9]+", "_", title).strip("_"), spot.line, spot.path, spot.problems)
    return spot.word(known)


def with_memory(
    spot: LocatedValue, known: Collection[str], memory: Memory
) -> Iterator[tuple[LocatedValue, str, dict[str, Any]]]:
    """The ids of a list of titles, or of a mapping from titles to what those cards remember; each once."""
    told = spot.entries() if isinstance(spot.value, dict) else ((item, None) for item in spot.items())
    seen = set()
    for title, remembered in told:
        name = by_title(title, known)
        if name is not None and name not in seen:
            seen.add(name)
            yield title, name, {} if remembered is None else memory.of[name].hear(remembered, {})


def arrived(game: ModularGame[S], position: Position[S]) -> Position[S]:
    """The position played to the moment that its file describes: ``answers`` are all that lead there.

    Raises :class:`referee.kernel.located.FileProblems` for values that no box can have, answers that
    are none, and a state that cannot be.
    """
    problems = Problems()
    for key in ("values", "details.values"):
        _check_values(game, position.told.get(key), problems)
    problems.check()
    whole = LocatedValue(None, 1, "", problems)
    told = position.told
    spot = told.get("details", whole)
    try:
        play = Play(game, game.copy(position.state))
        given = []
        if position.enter is not None:
            spot = position.enter_at or whole
            given = position.enter(play)
        listed = list(told["answers"].items()) if "answers" in told else []
        for spot in listed:
            play.answer(spot.plain())
        position.enter, position.answers = None, [*given, *position.answers]
    except AuditFailed as error:
        for problem in error.problems:
            problems.add(spot, Text("kernel.audit_problem", problem=problem))
    except RefereeError as error:
        problems.add(spot, Text("kit.no_answer", path=spot.path, why=error.text))
    problems.check()
    return position


def _check_values(game: ModularGame[Any], told: LocatedValue | None, problems: Problems) -> None:
    """Each value of the box book must be one that the owner may tell."""
    for key, entry in () if told is None else told.entries():
        value = entry.plain()
        try:
            game.check_value(str(key.value), str(value) if isinstance(value, int) else value)
        except InvalidAnswer as error:
            problems.add(entry, error.text)


def readable(state: Any, form: FileForm[Any]) -> dict[str, Any]:
    """The readable part of a state, as far as it follows from its declaration."""
    position: dict[str, Any] = {"turn": max(state.turn, 1), "phase": max(state.phase, 1)}
    if state.phase == 5:
        position["to_act"] = form.seats[state.active]
    usual = form.house_rules({})
    chosen = {rule: way for rule, way in state.house.items() if way != usual[rule]}
    if chosen:
        position["house_rules"] = chosen
    if state.values:
        position["values"] = dict(state.values)
    return position | form.schema.say(state)


def written(
    state: S,
    title: str,
    position: dict[str, Any],
    form: FileForm[S],
    read: Callable[[str], Position[S]],
) -> str:
    """The position file of a state, whose readable part is ``position``.  Reading it gives the same state."""
    data = form.schema.to_json(state)
    rough = read(yaml.safe_dump({"position": position}, sort_keys=False)).state
    other = form.schema.to_json(rough)
    details = {key: value for key, value in data.items() if other[key] != value}
    if details:
        position["details"] = details
    heading: dict[str, Any] = {"game": form.game}
    if title:
        heading["title"] = title
    return _dumped({**heading, "position": position})


def with_answers(text: str, answers: Sequence[Any]) -> str:
    """A position file with what has been answered since its state: reading it leads to the same question."""
    data = yaml.safe_load(text)
    data["position"]["answers"] = list(answers)
    return _dumped(data)


def _dumped(data: dict[str, Any]) -> str:
    text: str = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None)
    return text
