"""Reads what a position file says of dice, cards and Fate."""

from __future__ import annotations

import re

from referee.games.five_armies.box.components import (
    CHARACTER,
    CHARACTERS,
    FACE,
    FATE_END,
    FREE,
    SHADOW,
    SPECIAL_TILES,
    STANDARD_TILE_FACES,
    STANDARD_TILES,
)
from referee.games.five_armies.position.position_parts import Part
from referee.kernel.located import Spot

FACE_ALIASES = {
    "eye": "lidless_eye",
    "west": "will_of_the_west",
    "muster/army": "muster_army",
    "char": "character",
}
_EVENT_CARDS = (
    "blow_the_horns",
    "call_to_arms",
    "encirclement",
    "gather_and_marshal",
    "marching_companies",
    "move_to_strike",
    "mustering_for_battle",
    "sudden_assault",
    "troop_leader",
    "battle_fury",
    "captain_of_war",
    "commanding_voice",
    "dense_fog",
    "determined_attack",
    "fierce_defence",
    "great_confusion",
    "no_quarter",
    "overmastered",
    "stand_and_fight",
)
"""Event cards go by the name of their order effect or of their combat effect; all others are Story cards."""
_FACES_OF = (
    ("character", "muster", "muster_army", "event", "will_of_the_west"),
    ("character", "army", "muster", "muster_army", "event", "lidless_eye"),
)


class DicePart(Part):
    """Pools and dice, hands, cards in play, the Fate track and its tiles."""

    # --- dice and cards ----------------------------------------------------------------------

    def on_pools(self, spot: Spot) -> None:
        for seat, entry in self.by_seat(spot):
            self.state.pool[seat] = entry.number(0, 7)

    def _dice(self, spot: Spot, dice: list[list[int]]) -> None:
        for seat, entry in self.by_seat(spot):
            for item in entry.items():
                face = item.word([f for f in FACE if f in _FACES_OF[seat]], FACE_ALIASES)
                if face is not None:
                    dice[seat][FACE[face]] += 1

    def on_unused_dice(self, spot: Spot) -> None:
        self._dice(spot, self.state.unused)

    def on_used_dice(self, spot: Spot) -> None:
        self._dice(spot, self.state.used)

    def on_hands(self, spot: Spot) -> None:
        self.hands_told = True
        for seat, entry in self.by_seat(spot):
            if isinstance(entry.value, dict):
                event, story = entry.get("event"), entry.get("story")
                self.state.hand_event[seat] = event.number(0, 30) if event else 0
                self.state.hand_story[seat] = story.number(0, 20) if story else 0
            else:
                self.state.hand_event[seat] = entry.number(0, 30)

    def on_hand_free(self, spot: Spot) -> None:
        self._hand(spot, FREE)

    def on_hand_shadow(self, spot: Spot) -> None:
        self._hand(spot, SHADOW)

    def _hand(self, spot: Spot, seat: int) -> None:
        self.hands_told = True
        for item in spot.items():
            if card_slug(item.text()) in _EVENT_CARDS:
                self.state.hand_event[seat] += 1
            else:
                self.state.hand_story[seat] += 1

    # --- fate --------------------------------------------------------------------------------

    def on_fate_marker(self, spot: Spot) -> None:
        self.state.fate = spot.number(0, FATE_END)

    def on_fate_pool_tiles(self, spot: Spot) -> None:
        tiles = spot.number(0, STANDARD_TILES)
        self.state.fate_tiles = tiles
        if tiles < STANDARD_TILES:
            self.state.fate_tiles_out = {STANDARD_TILE_FACES[0]: STANDARD_TILES - tiles}

    def on_special_tiles(self, spot: Spot) -> None:
        for key, entry in spot.entries():
            tile = key.word(SPECIAL_TILES)
            where = entry.word(("aside", "pool", "out"))
            if tile is not None and where is not None:
                self.state.special_tiles[SPECIAL_TILES.index(tile)] = ("aside", "pool", "out").index(where)

    def on_track(self, spot: Spot) -> None:
        spaces = list(self.state.fate_space)
        for key, entry in spot.entries():
            name = key.word([n for n in CHARACTERS if self.state.fate_space[CHARACTER[n]] >= 0])
            if name is not None:
                spaces[CHARACTER[name]] = entry.number(0, FATE_END)
        self.state.fate_space = tuple(spaces)


def card_slug(name: str) -> str:
    """The id form of a card's name: ``Redoubled Force (M)`` to ``redoubled_force``."""
    name = re.sub(r"\s*\([A-Z]\)\s*$", "", name)
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
