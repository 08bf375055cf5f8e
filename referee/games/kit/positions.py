"""Position files of all games: what a file holds besides the position, and reading and writing it.

A game's reader is a :class:`PositionReader` with more methods ``on_<key>``, its
writer gives the readable part of a state to :func:`written`.  What that part
leaves out stands in the file as ``details``, so that reading gives the same state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import yaml

from referee.games.kit.schema import Hear, Schema, entries_for
from referee.kernel.errors import InvalidAnswer
from referee.kernel.located import LocatedValue, read_yaml
from referee.kernel.messages import Text
from referee.kernel.play import Play

S = TypeVar("S")


@dataclass(slots=True)
class Position(Generic[S]):
    """A position as read from a file.

    ``labels`` names places (``A: v_northeast_plain``); ``given`` keeps remarks
    that are no part of the state (``note``, dice that will be rolled...).
    ``enter`` plays on from the state to the moment that the file describes, and
    returns the answers given.
    """

    state: S
    title: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    given: dict[str, Any] = field(default_factory=dict)
    enter: Callable[[Play[S]], list[Any]] | None = None

    def lead_in(self, play: Play[S]) -> list[Any]:
        """Play from ``state`` up to the moment the file describes; returns the answers given."""
        return [] if self.enter is None else self.enter(play)


@dataclass(frozen=True, slots=True)
class FileForm(Generic[S]):
    """What reading and writing need to know of a game.  ``ignored`` are more keys of a file's head."""

    game: str
    seats: Sequence[str]
    schema: Schema[S]
    house_rules: Callable[[Mapping[str, str]], Mapping[str, str]]
    ignored: Sequence[str] = ()


class PositionReader(Generic[S]):
    """Reads one file: what the schema declares, and keys that a game takes itself.

    Methods named ``on_<key>`` take the value of that key, ``on_<key>__<inner>``
    that of a key inside another.  Keys of ``LATER`` are taken after the others,
    in that order; then comes :meth:`finish`, after it the keys of ``AT_LAST`` and
    the ``details``.  ``told`` has the spot of each key that the file has, dotted
    for those inside another.

    ``state`` is a fresh state, which is filled; it has ``turn``, ``phase``,
    ``active``, ``house`` and ``values``.
    """

    LATER: Sequence[str] = ()
    AT_LAST: Sequence[str] = ()

    def __init__(self, whole: LocatedValue, form: FileForm[S], state: Any) -> None:
        self.whole = whole
        self.form = form
        self.state = state
        self.position: Position[S] = Position(state)
        self.told: dict[str, LocatedValue] = {}

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
        self.told = {str(key): entry for key, entry in body.value.items()}
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
        self.finish(body)
        for key in (*self.AT_LAST, "details"):
            if key in waiting:
                handlers[key](waiting[key])
        return self.position

    def _handlers(self) -> dict[str, Hear]:
        """What takes the value of each key, dotted for one inside another."""
        own = {
            name[3:].replace("__", "."): getattr(self, name) for name in dir(self) if name.startswith("on_")
        }
        return {**self.form.schema.heard(self.state), **own}

    def begin(self, body: LocatedValue) -> None:
        """Before any key is taken."""

    def finish(self, body: LocatedValue) -> None:
        """After the keys that tell of the board; checks it as a whole."""

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

    def on_note(self, spot: LocatedValue) -> None:
        """A remark; no part of the state."""
        self.position.given["note"] = spot.plain()

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
        """What the box book tells."""
        for key, entry in spot.entries():
            self.state.values[str(key.value)] = entry.plain()

    def on_details(self, spot: LocatedValue) -> None:
        """Parts of the state as its JSON has them."""
        data = self.form.schema.to_json(self.state)
        for key, entry in spot.entries():
            name = key.word(data)
            if name is not None:
                data[name] = entry.plain()
        self.position.state = self.state = self.form.schema.from_json(data)


def read_file(text: str, reader: Callable[[LocatedValue], PositionReader[S]]) -> Position[S]:
    """A position from YAML.  Raises :class:`referee.kernel.located.FileProblems`, line by line."""
    whole = read_yaml(text)
    position = reader(whole).read()
    whole.problems.check()
    return position


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
    text: str = yaml.safe_dump(
        {**heading, "position": position},
        sort_keys=False,
        allow_unicode=True,
        width=110,
        default_flow_style=None,
    )
    return text
