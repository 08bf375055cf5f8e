"""Reads what a position file says of dice, rings, cards and Hunt tiles."""

from __future__ import annotations

from referee.games.war_of_the_ring.box.components import (
    DECK_SIZE,
    DECKS,
    FACE,
    FACES,
    FACES_OF_SEAT,
    FREE,
    RINGS_AT_START,
    SEATS,
    SHADOW,
    TILE,
    TILES,
)
from referee.games.war_of_the_ring.position.position_parts import Part
from referee.games.war_of_the_ring.state.card_data import CARD_BIT, CARDS, CARDS_OF
from referee.kernel.located import Spot

FACE_ALIASES = {"eye": "lidless_eye", "west": "will_of_the_west", "muster/army": "muster_army"}
CARDS_NOT_TOLD = 2
"""Cards with each back that a hand is taken to hold where the position does not tell."""
MOST_DICE = 10


class CountsPart(Part):
    """Methods ``on_<key>`` take that key's value."""

    # --- dice and rings ------------------------------------------------------------------------

    def on_pools(self, spot: Spot) -> None:
        for seat, entry in self.by_seat(spot):
            self.state.pool[seat] = entry.number(0, MOST_DICE)

    def _dice(self, spot: Spot, dice: list[list[int]]) -> None:
        for seat, entry in self.by_seat(spot):
            for item in entry.items():
                face = item.word([FACES[f] for f in FACES_OF_SEAT[seat]], FACE_ALIASES)
                if face is None:
                    continue
                if face == "lidless_eye":
                    self.state.hunt_dice[SHADOW] += 1
                else:
                    dice[seat][FACE[face]] += 1

    def on_unused_dice(self, spot: Spot) -> None:
        self._dice(spot, self.state.unused)

    def on_used_dice(self, spot: Spot) -> None:
        self._dice(spot, self.state.used)

    def on_hunt_box(self, spot: Spot) -> None:
        for seat, entry in self.by_seat(spot):
            self.state.hunt_dice[seat] += entry.number(0, MOST_DICE)

    def on_free_die_was_in_hunt_box(self, spot: Spot) -> None:
        self.state.free_die_in_box = spot.flag()

    def on_mouth_used(self, spot: Spot) -> None:
        """The Mouth of Sauron has turned a Muster die into an Army die this turn."""
        self.state.mouth_used = spot.flag()

    def on_rings(self, spot: Spot) -> None:
        for seat, entry in self.by_seat(spot):
            self.state.rings[seat] = entry.number(0, RINGS_AT_START)
        if sum(self.state.rings) > RINGS_AT_START:
            spot.wrong(
                f"there are {RINGS_AT_START} Elven rings only.", f"es gibt nur {RINGS_AT_START} Elbenringe."
            )

    def on_ring_used(self, spot: Spot) -> None:
        for item in spot.items():
            seat = item.word(SEATS)
            if seat is not None:
                self.state.ring_used[SEATS.index(seat)] = True

    # --- cards ----------------------------------------------------------------------------------

    def _decks(self, spot: Spot, numbers: list[list[int]], most: int) -> None:
        for seat, entry in self.by_seat(spot):
            for key, number in entry.entries():
                deck = key.word(DECKS)
                if deck is not None:
                    numbers[seat][DECKS.index(deck)] = number.number(0, most)

    def on_hands(self, spot: Spot) -> None:
        self.hands_told = True
        self._decks(spot, self.state.hand, 12)

    def on_discarded(self, spot: Spot) -> None:
        """Cards discarded face down."""
        self._decks(spot, self.state.unseen_discards, DECK_SIZE)

    def on_played_cards(self, spot: Spot) -> None:
        for item in spot.items():
            self._shown(item)

    def on_table_cards(self, spot: Spot) -> None:
        for item in spot.items():
            card = self._shown(item)
            if card is not None:
                self.state.table_cards[card] = {}
                if not CARDS[card].stays:
                    item.wrong(f"{card} does not stay in play.", f"{card} bleibt nicht liegen.")

    def _shown(self, spot: Spot) -> str | None:
        card = spot.word(CARDS)
        if card is not None:
            self.state.shown[CARDS[card].seat] |= CARD_BIT[card]
        return card

    # --- tiles -----------------------------------------------------------------------------------

    def on_tiles(self, spot: Spot) -> None:
        state = self.state
        lists = {
            "out": state.tiles_out,
            "gone": state.tiles_gone,
            "ready": state.tiles_ready,
            "special_in_pool": state.tiles,
        }
        for key, entry in spot.entries():
            name = key.word(lists)
            if name is None:
                continue
            special = name in ("ready", "special_in_pool")
            for item in entry.items():
                which = item.word([t.id for t in TILES if t.seat >= 0] if special else TILE)
                if which is not None:
                    lists[name][TILE[which]] += 1
        for index, tile in enumerate(TILES):
            drawn = state.tiles_out[index] + state.tiles_gone[index]
            if tile.seat < 0:
                state.tiles[index] = max(tile.count - drawn, 0)
                drawn -= tile.count
            else:
                drawn += state.tiles_ready[index] + state.tiles[index] - tile.count
            if drawn > 0:
                spot.wrong(
                    f"there are only {tile.count} tiles {tile.id}.",
                    f"es gibt nur {tile.count} Plättchen {tile.id}.",
                )

    # --- the whole ----------------------------------------------------------------------------------

    def finish_counts(self, body: Spot) -> None:
        """Cards that are neither in hand nor gone lie in the decks."""
        state = self.state
        if not self.hands_told:
            state.hand = [[CARDS_NOT_TOLD] * 2, [CARDS_NOT_TOLD] * 2]
        for seat in (FREE, SHADOW):
            for deck, name in enumerate(DECKS):
                gone = sum(
                    1
                    for card in CARDS_OF[seat]
                    if card.deck == deck and state.shown[seat] & CARD_BIT[card.id]
                )
                left = DECK_SIZE - gone - state.hand[seat][deck] - state.unseen_discards[seat][deck]
                if left < 0:
                    body.wrong(
                        f"there are only {DECK_SIZE} {name} cards of {SEATS[seat]}.",
                        f"{SEATS[seat]} hat nur {DECK_SIZE} Karten im Stapel {name}.",
                    )
                state.deck[seat][deck] = max(left, 0)
