"""BattleLore as the house sees it: the ``Game`` protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from referee.games.battlelore.box.components import DICE, PLACES, SEATS
from referee.games.battlelore.box.house import house_rules
from referee.games.battlelore.box.own_deck import CARDS
from referee.games.battlelore.box.scenario import Field, load, read_scenario, shipped
from referee.games.battlelore.cards import command_cards, lore
from referee.games.battlelore.rules.setup import lines_on
from referee.games.battlelore.screens.drawing import draw_board
from referee.games.battlelore.screens.figures import FIGURES
from referee.games.battlelore.state.state import State, derive, state_on
from referee.games.kit.game import NO_OPTIONS, ModularGame
from referee.games.kit.odds import TellsOdds
from referee.games.kit.places import places_in
from referee.kernel.battles import BattleMaking
from referee.kernel.board import Board
from referee.kernel.errors import InvalidAnswer
from referee.kernel.lights import Meaning
from referee.kernel.messages import Text

CARDS_THAT_SPEAK = (command_cards, lore)
"""Loaded with the game: importing them registers what answers the occasions of the rules."""


class BattleLore(TellsOdds, ModularGame[State]):
    """The game.  One instance, ``GAME``, is registered."""

    id = "battlelore"
    rules_version = "2"  # 2: a side without units has lost; seven more house rules
    seats = SEATS
    dice = DICE
    figures = FIGURES
    only_counted = ("ordered", "spent")
    texts = ("core", "units", "cards", "log", "help", "making")
    wishes: Mapping[str, Sequence[str]] = {
        "react_attacked": ("weak",),
        "react_rolled": ("flags",),
        "react_lore": (),
    }
    kinds: Mapping[str, Sequence[str]] = {
        "places": ("place",),
        "sections": ("section",),
        "box_book": ("box_book", "option", "bonus_way"),
        "when": ("when",),
        "weapon": ("weapon",),
        "terrain": ("terrain",),
        "special_place": ("special_place",),
        "council": ("council",),
        "power": ("power",),
        "scenario": ("scenario",),
        "unit": ("unit",),
        "making": ("making", "option"),
        "argument": ("place", "card", "section", "face"),
    }

    def new_state(self, options: Mapping[str, Any]) -> State:
        """A state before set-up.

        ``options``: ``scenario`` is the id of a shipped battle or the text of a scenario's file, ``house``
        maps
        house rules to the way chosen, ``box`` keys of the box book to values; ``position`` is the text of a
        position file to start from, whose battle, house rules and values stand.
        """
        values = dict(options.get("box", {}))
        if "position" in options:
            state = self.read_position(options["position"]).state
            state.values = {**values, **state.values}
            derive(state)
            return state
        state = state_on(battlefield(options))
        state.house = house_rules(options.get("house", {}))
        state.values = values
        derive(state)
        barred = (state.stand[0] | state.stand[1]) & state.ground.closed
        if barred:
            names = ", ".join(PLACES[at].upper() for at in places_in(barred))
            raise InvalidAnswer(Text("battlelore.on_closed", places=names))
        return state

    def board(self, options: Mapping[str, Any] = NO_OPTIONS, /) -> Board:
        """The board with the terrain of the battle that is played."""
        if "position" in options:
            return self.board_now(self.read_position(options["position"]).state)
        field = battlefield(options)
        return draw_board(field, lines_on(field, options.get("box", {})))

    def board_now(self, state: State) -> Board:
        """The board with the section lines as soon as the owner's board was asked for them."""
        first, second = state.lines
        return draw_board(
            state.field, (first, second) if state.phase else lines_on(state.field, state.values)
        )

    def composite_name(self, domain: str, item: str, language: str) -> str | None:
        """Battles are called as their scenarios say; typed cards have a number."""
        of, _, number = item.rpartition("_")
        if domain in ("card", "argument") and item in CARDS:
            message = "card.own_command" if of == "command" else "card.own_lore"
            kind = self.messages.find(f"council.{of}", language) or ""
            return self.messages.text(message, language, {"of": kind, "number": number})
        if domain == "scenario" and item in shipped():
            return load(item).name(language)
        return None

    @property
    def battles(self) -> BattleMaking:
        """How its battles are made."""
        making: BattleMaking = self.part("position.battles").BATTLES
        return making

    def tiles(self, state: State) -> Mapping[str, Sequence[str]]:
        """The tiles of the battle."""
        found: dict[str, list[str]] = {}
        for kind, hexes in state.field.terrain.items():
            for at in hexes:
                found.setdefault(PLACES[at], []).append(kind)
        return found

    def holders(self, state: State) -> dict[str, str]:
        """Who stands where."""
        return {
            PLACES[at]: SEATS[state.field.units[unit].seat]
            for at, unit in enumerate(state.unit_at)
            if unit >= 0
        }

    def markers(self, state: State) -> dict[str, Meaning]:
        """Lights of a fight."""
        if state.fight is None:
            return {}
        return {PLACES[state.fight.where]: Meaning.ORIGIN, PLACES[state.fight.hex]: Meaning.FIGHT}


def battlefield(options: Mapping[str, Any]) -> Field:
    """The battle that a game's options name; the first that is shipped where they name none."""
    told = str(options.get("scenario") or shipped()[0])
    if "\n" in told:
        return _read(told)
    if told not in shipped():
        raise InvalidAnswer(Text("battlelore.no_scenario", scenario=told, known=", ".join(shipped())))
    return load(told)


@lru_cache(maxsize=32)
def _read(text: str) -> Field:
    return read_scenario(text)


GAME = BattleLore()
