"""Positions written by hand: a readable YAML file to a state, and back.

``scenario`` is the id of a shipped battle, or a whole scenario in the form of its file; ``units`` tells of
those that
do not stand as it has them (``S1: e6 3``, ``N2: gone``); ``ordered``, ``moved``... list units by their ids;
``fight`` is a running one.  :func:`read_position` names the line of everything that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from referee.games.battlelore.box import components as box
from referee.games.battlelore.box.components import COLOURS, PLACE, PLACES, SEATS
from referee.games.battlelore.box.house import house_rules
from referee.games.battlelore.box.scenario import OFF, Field, check, field_of, load, shipped
from referee.games.battlelore.rules import council
from referee.games.battlelore.rules.combat import begin
from referee.games.battlelore.rules.special import dearest
from referee.games.battlelore.state.fight import ATTACK, KINDS, STEPS
from referee.games.battlelore.state.state import SCHEMA, State, deck_of, derive, state_on
from referee.games.kit.copying import copy_json
from referee.games.kit.places import places_in
from referee.games.kit.positions import FileForm, Position, PositionReader, read_file, written
from referee.kernel.located import LocatedValue
from referee.kernel.messages import Text

MASKS = ("ordered", "paid", "moved", "left", "barred", "struck", "fought")
GONE, STORED = "gone", "stored"
PLACES_OF_FIGHT = ("where", "hex", "start")
"""Where attacker and target stood when the blow was struck, and the attacker when the combat began."""


def read_position(text: str) -> Position[State]:
    """A position from YAML.  Raises :class:`referee.kernel.located.FileProblems`, line by line."""
    return read_file(text, _Reader)


def write_position(state: State, title: str = "") -> str:
    """The position file of a state.  Reading it gives the same state."""
    field = state.field
    known = field.id in shipped() and load(field.id) is field
    position: dict[str, Any] = {
        "scenario": field.id if known else copy_json(dict(field.data)),
        "turn": max(state.turn, 1),
        "phase": max(state.phase, 1),
        "to_act": SEATS[state.active],
    }
    usual = house_rules({})
    chosen = {rule: way for rule, way in state.house.items() if way != usual[rule]}
    if chosen:
        position["house_rules"] = chosen
    if state.values:
        position["values"] = dict(state.values)
    position |= SCHEMA.say(state)
    units = dict(_units(state))
    if units:
        position["units"] = units
    ids = [unit.id for unit in field.units]
    position |= {
        key: [ids[n] for n in places_in(getattr(state, key))] for key in MASKS if getattr(state, key)
    }
    fight = state.fight
    if fight is not None:
        position["fight"] = {
            "attacker": ids[fight.attacker],
            "target": ids[fight.target],
            "kind": fight.kind,
            "step": fight.step,
            **{key: PLACES[getattr(fight, key)] for key in PLACES_OF_FIGHT},
        }
    return written(state, title, position, _Reader.FORM, read_position)


def _units(state: State) -> Iterator[tuple[str, str]]:
    for number, unit in enumerate(state.field.units):
        at, figures, colour = state.at[number], state.figures[number], state.colour[number]
        stored = state.store[number]
        if (at, figures, colour, stored) != (unit.start, unit.figures, unit.colour, 0):
            told = [GONE] if at < 0 else [PLACES[at], str(figures)]
            told += [COLOURS[colour]] if colour != unit.colour else []
            yield unit.id, " ".join([*told, STORED, str(stored)] if stored else told)


class _Reader(PositionReader[State]):
    """Reads one file."""

    FORM: ClassVar[FileForm[State]] = FileForm("battlelore", SEATS, SCHEMA, house_rules)
    AT_LAST = ("fight",)

    def __init__(self, whole: LocatedValue) -> None:
        super().__init__(whole, self.FORM, state_on(load(shipped()[0])))

    def begin(self, body: LocatedValue) -> None:
        """The battlefield comes first: everything else is told of its units."""
        told = body.get("scenario")
        field = load(shipped()[0]) if told is None else self._field(told)
        self.state = self.position.state = state_on(field)

    def _field(self, spot: LocatedValue) -> Field:
        if isinstance(spot.value, dict):
            before = len(spot.problems.found)
            check(spot)
            return field_of(spot.plain()) if len(spot.problems.found) == before else load(shipped()[0])
        return load(spot.word(shipped()) or shipped()[0])

    def on_turn(self, spot: LocatedValue) -> None:
        """The number of the turn: both sides' turns are counted."""
        self.state.turn = spot.number(1, 9999)

    def on_scenario(self, spot: LocatedValue) -> None:
        """Read already."""

    def on_units(self, spot: LocatedValue) -> None:
        """``S1: e6 3``: hex and figures; ``gone`` for one that is not on the board.

        Behind them the colour to which it rose, and the tokens beside a creature: ``S9: e6 1 stored 2``.
        """
        state = self.state
        for key, entry in spot.entries():
            name = key.word(state.field.index)
            if name is None:
                continue
            number = state.field.index[name]
            words = self._stored(entry, number)
            if len(words) > 1 and words[-1] in COLOURS:
                state.colour[number] = COLOURS.index(words.pop())
            if words == [GONE]:
                state.at[number], state.figures[number] = OFF, 0
                continue
            figures = words[1] if len(words) > 1 else str(state.field.units[number].figures)
            most = state.field.units[number].figures
            good = words and words[0] in PLACE and figures.isdigit() and 0 < int(figures) <= most
            if not good or len(words) > 2:
                entry.wrong(Text("battlelore.unit_where", unit=name, figures=most))
                continue
            state.at[number], state.figures[number] = PLACE[words[0]], int(figures)

    def _stored(self, entry: LocatedValue, unit: int) -> list[str]:
        """The words of a unit without what lies beside it, which is noted."""
        words = entry.text().split()
        if len(words) < 3 or words[-2] != STORED or not words[-1].isdigit():
            return words
        most = dearest(self.state, unit)
        if int(words[-1]) > most:
            entry.wrong(Text("battlelore.stored_too_many", unit=self.state.field.units[unit].id, most=most))
        else:
            self.state.store[unit] = int(words[-1])
        return words[:-2]

    def _mask(self, spot: LocatedValue) -> int:
        index = self.state.field.index
        return sum({1 << index[name] for item in spot.items() if (name := item.word(index)) is not None})

    def on_ordered(self, spot: LocatedValue) -> None:
        """Units that were ordered."""
        self.state.ordered = self._mask(spot)

    def on_paid(self, spot: LocatedValue) -> None:
        """Creatures ordered for tokens."""
        self.state.paid = self._mask(spot)

    def on_moved(self, spot: LocatedValue) -> None:
        """Units that had their move."""
        self.state.moved = self._mask(spot)

    def on_left(self, spot: LocatedValue) -> None:
        """Units that left their hex."""
        self.state.left = self._mask(spot)

    def on_barred(self, spot: LocatedValue) -> None:
        """Units that may not fight."""
        self.state.barred = self._mask(spot)

    def on_struck(self, spot: LocatedValue) -> None:
        """Units that fought once and may again."""
        self.state.struck = self._mask(spot)

    def on_fought(self, spot: LocatedValue) -> None:
        """Units that have fought."""
        self.state.fought = self._mask(spot)

    def on_fight(self, spot: LocatedValue) -> None:
        """A running fight: who strikes whom, and at which step it stands."""
        state, index = self.state, self.state.field.index
        told = {key.value: entry for key, entry in spot.entries()}
        who = [told[key].word(index) for key in ("attacker", "target") if key in told]
        if len(who) != 2 or None in who:
            spot.wrong(Text("battlelore.fight_wanted"))
            return
        attacker, target = (index[str(name)] for name in who)
        step = (told["step"].word(STEPS) if "step" in told else None) or "roll"
        if state.at[attacker] < 0 or (
            state.at[target] < 0 and (step in ("roll", "back") or "hex" not in told)
        ):
            spot.wrong(Text("battlelore.fighters_gone"))
            return
        fight = begin(state, attacker, target, ATTACK)
        fight.kind = (told["kind"].word(KINDS) if "kind" in told else None) or ATTACK
        fight.step = step
        for key in PLACES_OF_FIGHT:
            place = told[key].word(PLACES) if key in told else None
            if place is not None:
                setattr(fight, key, PLACE[place])

    def finish(self, body: LocatedValue) -> None:
        """What follows from the whole: phase, hands and decks where they are not told, what stands where."""
        state = self.state
        if "turn" not in self.told:
            state.turn = 1
        if "phase" not in self.told:
            state.phase = 4 if "fight" in self.told else 1
        state.phase = min(state.phase, 5)
        taken: dict[int, str] = {}
        for number, at in enumerate(state.at):
            name = state.field.units[number].id
            if at >= 0 and at in taken:
                body.wrong(Text("battlelore.hex_taken", unit=name, other=taken[at], place=PLACES[at]))
            elif at >= 0:
                taken[at] = name
        derive(state)
        if (state.stand[0] | state.stand[1]) & state.ground.closed:
            body.wrong(Text("battlelore.nobody_may_be"))
        self._cards(body)

    def _cards(self, body: LocatedValue) -> None:
        state, field = self.state, self.state.field
        if field.lore and "council" not in self.told and field.council.get("made") == "printed":
            for seat, name in enumerate(SEATS):
                state.council[seat] = [int(field.council[name].get(one, 0)) for one in box.COUNCIL]
        if "hands" not in self.told:
            for seat in (0, 1):
                state.hand[seat] = council.command_hand(state, seat) if field.lore else field.hand(seat)
        if "deck" not in self.told:
            gone = sum(state.hand) + state.discard + (state.card != "")
            if gone > deck_of(state).command_size:
                body.wrong(Text("battlelore.too_many_cards", most=deck_of(state).command_size))
            state.deck = max(0, deck_of(state).command_size - gone)
