"""War of the Ring as the house sees it: the ``Game`` protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.games.kit.game import ModularGame
from referee.games.kit.odds import TellsOdds
from referee.games.war_of_the_ring.box.components import DICE, FREE, SEATS, SHADOW, TILE, TILES
from referee.games.war_of_the_ring.box.editions import EDITIONS, FIRST
from referee.games.war_of_the_ring.box.house import house_rules
from referee.games.war_of_the_ring.box.map import OF_SEAT, PLACES, REGION_OF_BOX, places_in
from referee.games.war_of_the_ring.cards import card_ending, card_play, cards_in_play, combat_cards
from referee.games.war_of_the_ring.rules.setup import ASK, SUGGESTED
from referee.games.war_of_the_ring.screens.figures import FIGURES
from referee.games.war_of_the_ring.state.routes import way_text
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.errors import InvalidAnswer
from referee.kernel.lights import Meaning
from referee.kernel.messages import Text
from referee.kernel.refusals import Catalogue

CARDS_THAT_SPEAK = (card_ending, card_play, cards_in_play, combat_cards)
"""Loaded with the game: importing them registers what answers the occasions of the rules."""


class WarOfTheRing(TellsOdds, ModularGame[State]):
    """The game.  One instance, ``GAME``, is registered."""

    id = "war_of_the_ring"
    rules_version = "4"  # 4: Corsairs at a siege, and the first edition's second tile
    seats = SEATS
    dice = DICE
    figures = FIGURES
    only_counted = ("deck_character", "deck_strategy")
    texts = ("core", "battle", "ring", "cards", "face", "log", "help")

    def new_state(self, options: Mapping[str, Any]) -> State:
        """A state before set-up.

        ``options``: ``edition`` is ``"second"`` (the default) or ``"first"``,
        ``house`` maps house rules to the way chosen, ``box`` maps keys of the
        box book to values, ``setup`` ``"suggested"`` takes the second edition's
        numbers where the first edition's are not known and the box book tells
        none (the table is asked otherwise); ``position`` is the text of a position file to start
        from: its edition, house rules and values stand.
        """
        box = dict(options.get("box", {}))
        if "position" in options:
            state = self.position_state(options["position"])
            state.values = {**box, **state.values}
            return state
        edition = options.get("edition", "second")
        if edition not in EDITIONS:
            raise InvalidAnswer(Text("war_of_the_ring.no_edition", edition=edition))
        state = State()
        state.edition = EDITIONS[edition]
        if edition == "first" and options.get("setup", ASK) != SUGGESTED:
            state.step = ASK
        state.house = house_rules(options.get("house", {}))
        state.values = box
        return state

    def catalogue_of(self, options: Mapping[str, Any]) -> Catalogue:
        """A game of the first edition cites its own sheet, or nothing."""
        first = self.new_state(options).edition is FIRST
        catalogue: Catalogue = self.part("catalogue.loading").FIRST_EDITION
        return catalogue if first else self.catalogue

    kinds: Mapping[str, Sequence[str]] = {
        "argument": ("place", "nation", "tile", "face", "help.where", "card", "character"),
        "figure": ("unit", "character"),
        "figures": ("unit", "character"),
        "characters": ("character",),
        "guide": ("character",),
        "combat_step": ("option",),
        "source": ("option", "card", "terrain"),
    }

    def composite_name(self, domain: str, item: str, language: str) -> str | None:
        """Ways of the Ring-bearers' figure, and figures with the region that they enter."""
        if domain == "way":
            return way_text(self.messages, item, language)
        if domain == "figure" and "@" in item:
            figure, _, place = item.partition("@")
            kinds = (f"unit.{figure}", f"place.{place}")
            return ", ".join(self.messages.text(kind, language) for kind in kinds)
        return None

    def holders(self, state: State) -> dict[str, str]:
        """Who holds the settlements that were captured."""
        return {
            PLACES[place]: SEATS[seat]
            for seat in (FREE, SHADOW)
            for place in places_in(state.captured & OF_SEAT[1 - seat])
        }

    def markers(self, state: State) -> dict[str, Meaning]:
        """Lights of a fight; when the game is over, what was taken."""
        lights: dict[str, Meaning] = {}
        if state.winner >= 0:
            winner = SEATS[state.winner]
            for place, seat in self.holders(state).items():
                lights[place] = Meaning.OBJECTIVE_WON if seat == winner else Meaning.OBJECTIVE_LOST
        elif state.battle is not None:
            target = state.battle.target
            lights[PLACES[REGION_OF_BOX.get(target, target)]] = Meaning.FIGHT
        return lights

    def token_picture(self, domain: str, name: str) -> Mapping[str, Any] | None:
        """How a Hunt tile looks, as data for the screens' own drawing; None for what is no tile."""
        tile = TILES[TILE[name]] if domain == "tile" and name in TILE else None
        if tile is None:
            return None
        shown = (
            {"shape": tile.value}
            if isinstance(tile.value, str)
            else {"text": str(tile.value).replace("-", "−")}
        )
        signs = [sign for sign, has in (("reveal", tile.reveal), ("stop", tile.stop)) if has]
        return {"tone": SEATS[tile.seat] if tile.seat >= 0 else "standard", "signs": signs, **shown}


GAME = WarOfTheRing()
