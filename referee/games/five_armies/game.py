"""The Battle of Five Armies as the house sees it: the ``Game`` protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.five_armies.box.components import CHARACTERS, DICE, SEATS
from referee.games.five_armies.box.house import house_rules
from referee.games.five_armies.box.map import FORTIFICATIONS, PLACES, SETTLEMENTS, STRONGHOLDS, places_in
from referee.games.five_armies.cards import card_play, cards_in_play, primitives
from referee.games.five_armies.rules.ranged import YES_NO
from referee.games.five_armies.rules.setup import ASK, SUGGESTED
from referee.games.five_armies.screens.figures import FIGURES
from referee.games.five_armies.state.state import State
from referee.games.kit.game import ModularGame
from referee.games.kit.odds import TellsOdds
from referee.kernel.lights import Meaning

CARDS_THAT_SPEAK = (card_play, cards_in_play, primitives)
"""Loaded with the game: importing them registers what answers the occasions of the rules."""


def _fill_in(state: State, box: Mapping[str, Any]) -> None:
    """Take over from the box book what the state does not tell itself; cards may have raised a rating."""
    shipped = State()
    state.ratings = tuple(
        rating
        if f"leadership.{name}" in state.values
        else int(box.get(f"leadership.{name}", usual)) + rating - usual
        for name, rating, usual in zip(CHARACTERS, state.ratings, shipped.ratings, strict=True)
    )
    state.values = {**box, **state.values}
    state.fort_values = tuple(
        int(box.get(f"fortification.{PLACES[place]}", value)) if value == usual else value
        for place, value, usual in zip(FORTIFICATIONS, state.fort_values, shipped.fort_values, strict=True)
    )


class FiveArmies(TellsOdds, ModularGame[State]):
    """The game.  One instance, ``GAME``, is registered."""

    id = "five_armies"
    rules_version = "3"  # 3: Beorn and tokens, Elven Charge, Redoubtable, Bolg's last unit
    seats = SEATS
    dice = DICE
    figures = FIGURES
    only_counted = ("story_deck", "event_deck", "fate_tiles", "token_pool")
    texts = ("core", "help")

    kinds: Mapping[str, Sequence[str]] = {
        "argument": ("help.where", "territory", "place", "special", "character", "option"),
        "unit": ("unit", "character", "marker", "token"),
        "group": ("setup_group", "token_group"),
        "tile": ("fate_tile",),
        "box_book": ("place", "face", "option", "terrain"),
    }

    def new_state(self, options: Mapping[str, Any]) -> State:
        """A state before set-up.

        ``options``: ``house`` maps house rules to the way chosen, ``box`` maps
        keys of the box book to values, ``setup`` is ``"ask"`` (the default) or
        ``"suggested"`` to take the suggested regions without asking;
        ``position`` is the text of a position file to start from: its house
        rules stand, and its values go before those of the box book.
        """
        box = dict(options.get("box", {}))
        if box:
            from referee.games.five_armies.cards.programs import check_box
            from referee.games.five_armies.screens.forms import as_asked

            check_box(box)
            box = as_asked(box)
        if "position" in options:
            state = self.position_state(options["position"])
        else:
            state = State()
            state.house = house_rules(options.get("house", {}))
            state.step = ASK if options.get("setup", ASK) != SUGGESTED else ""
        _fill_in(state, box)
        return state

    def check_value(self, key: str, value: Any) -> None:
        """As the form has it; besides, what the ruler reaches pair by pair, and a region to enter in."""
        kind, *names = key.split(".")
        reach = kind == "reach" and len(names) == 2 and {*names} <= {*PLACES} and value in YES_NO
        if not reach and (kind != "entry_place" or value not in PLACES):
            super().check_value(key, value)

    def holders(self, state: State) -> dict[str, str]:
        """Who controls settlements and fortifications."""
        return {PLACES[place]: SEATS[state.control >> place & 1] for place in places_in(STRONGHOLDS)}

    def markers(self, state: State) -> dict[str, Meaning]:
        """Lights of a fight; when the game is over, of settlements that the Free Peoples held or lost."""
        lights: dict[str, Meaning] = {}
        if state.winner >= 0:
            for place in places_in(SETTLEMENTS):
                lost = state.control >> place & 1
                lights[PLACES[place]] = Meaning.OBJECTIVE_LOST if lost else Meaning.OBJECTIVE_WON
        elif state.combat is not None:
            lights[PLACES[state.combat.target]] = Meaning.FIGHT
        return lights


GAME = FiveArmies()
