"""Positions written by hand: a readable YAML file to a state, and back.

The format is described in ``docs/position_file.md``.  Most entries follow from
the declaration of the state; here are those that tell of several fields at
once, and what must hold of the file as a whole.  :func:`read_position` names
the line of everything that is wrong.
"""

from __future__ import annotations

from referee.games.kit.positions import Position, read_file, readable, with_memory, written
from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.map import places_in
from referee.games.war_of_the_ring.position.board import BoardReader, regions_data
from referee.games.war_of_the_ring.position.running_battle import check_battle, read_battle
from referee.games.war_of_the_ring.rules.setup import place_figures
from referee.games.war_of_the_ring.state.battle import Battle
from referee.games.war_of_the_ring.state.card_data import CARD_BIT, CARD_IDS, CARDS, CARDS_OF
from referee.games.war_of_the_ring.state.state import ELIMINATED, FURTHEST, IN_FELLOWSHIP, MEMORY, State
from referee.kernel.located import LocatedValue
from referee.kernel.messages import Text

CARDS_NOT_TOLD = 2
"""Cards with each back that a hand is taken to hold where the position does not tell."""


def read_position(text: str) -> Position[State]:
    """A position from YAML.  Raises :class:`referee.kernel.located.FileProblems`, line by line."""
    return read_file(text, _Reader)


def write_position(state: State, title: str = "") -> str:
    """The position file of a state.  Reading it gives the same state."""
    form = BoardReader.FORM
    position = readable(state, form)
    company = [box.CHARACTERS[c] for c, where in enumerate(state.where) if where == IN_FELLOWSHIP]
    position["fellowship"]["companions"] = [name for name in company if name != "gollum"]
    position["politics"] = {name: stance(state, nation) for nation, name in enumerate(box.NATIONS)}
    shown = [CARD_IDS[seat][n] for seat in range(2) for n in places_in(state.shown[seat])]
    lists = {
        "played_cards": [card for card in shown if card not in state.table_cards],
        "table_cards": list(state.table_cards),
        "eliminated": [box.CHARACTERS[c] for c, where in enumerate(state.where) if where == ELIMINATED],
    }
    position |= {key: names for key, names in lists.items() if names}
    position["regions"] = regions_data(state)
    return written(state, title, position, form, read_position)


def stance(state: State, nation: int) -> str:
    """``at_war``, or whether a nation is active and its steps from At War."""
    if not state.steps[nation]:
        return "at_war"
    return f"{'active' if state.awake >> nation & 1 else 'passive'} {state.steps[nation]}"


STANCES = ("at_war", *(f"{side} {n}" for side in ("active", "passive") for n in range(1, FURTHEST + 1)))


def steps_and_active(told: str) -> tuple[int, int]:
    """The way back from :func:`stance`: steps from At War, and 1 where the nation is active."""
    return 0 if told == "at_war" else int(told[-1]), int(not told.startswith("passive"))


class _Reader(BoardReader):
    """Reads one file; the board is read by its base."""

    AT_LAST = ("battle",)

    def begin(self, body: LocatedValue) -> None:
        first = body.get("start")
        if first is not None and first.flag():
            place_figures(self.state)

    def on_start(self, spot: LocatedValue) -> None:
        """``start: true``: the figures of the set-up stand where a region does not say otherwise."""

    def on_politics(self, spot: LocatedValue) -> None:
        """``gondor: at_war`` or ``gondor: active 2`` (steps from At War)."""
        for key, entry in spot.entries():
            name, word = key.word(box.NATIONS), entry.word(STANCES)
            if name is None or word is None:
                continue
            nation = box.NATIONS.index(name)
            if word.startswith("passive") and box.SEAT_OF_NATION[nation] == box.SHADOW:
                entry.wrong(Text("war_of_the_ring.always_active", name=name))
            self.state.steps[nation], active = steps_and_active(word)
            self.state.awake = self.state.awake & ~(1 << nation) | active << nation

    def on_played_cards(self, spot: LocatedValue) -> None:
        """Cards that were seen."""
        for _, card, _ in with_memory(spot, CARDS, MEMORY):
            self.state.shown[CARDS[card].seat] |= CARD_BIT[card]

    def on_table_cards(self, spot: LocatedValue) -> None:
        """Cards that stay in play; they were seen too."""
        self.on_played_cards(spot)
        for title, card, memory in with_memory(spot, CARDS, MEMORY):
            self.state.table_cards[card] = memory
            if not CARDS[card].stays:
                title.wrong(Text("war_of_the_ring.does_not_stay_play", card=card))

    def on_battle(self, spot: LocatedValue) -> None:
        """A running battle; the attacker is the one whose action it is, unless ``to_act`` says otherwise."""
        read_battle(self.state, spot)
        if "to_act" not in self.told and self.state.battle is not None:
            self.state.active = self.state.battle.attacker

    def check(self, spot: LocatedValue, running: Battle) -> None:
        """A running battle needs both its armies."""
        check_battle(self.state, running, self.told.get("battle", spot))

    # --- the whole -----------------------------------------------------------------------------------

    def finish(self, body: LocatedValue) -> None:
        self.finish_board(body)
        self._dice()
        self._tiles(body)
        self._cards(body)

    def _dice(self) -> None:
        """Where the flow goes on: with the dice as they lie, or with rolling them."""
        state = self.state
        eyes, state.unused[box.SHADOW][box.F_EYE] = state.unused[box.SHADOW][box.F_EYE], 0
        state.hunt_dice[box.SHADOW] += eyes
        if sum(state.rings) > box.RINGS_AT_START:
            self.told["rings"].wrong(Text("war_of_the_ring.elven_rings_only", most=box.RINGS_AT_START))
        rolled = any(any(dice) for dice in (*state.unused, *state.used))
        if state.phase == 5 and not rolled:
            state.phase = 4
        state.step = "act" if state.phase == 5 else ""
        for seat in (box.FREE, box.SHADOW):
            dice = sum(state.unused[seat]) + sum(state.used[seat]) + state.hunt_dice[seat]
            state.pool[seat] = max(state.pool[seat], dice)

    def _tiles(self, body: LocatedValue) -> None:
        """Standard tiles that were not drawn are in the pool."""
        state = self.state
        for index, tile in enumerate(box.TILES):
            told = state.tiles_out[index] + state.tiles_gone[index] + state.tiles_ready[index]
            if tile.seat < 0:
                state.tiles[index] = max(tile.count - told, 0)
            if told + state.tiles[index] > tile.count:
                self.told.get("tiles", body).wrong(
                    Text("war_of_the_ring.only_tiles", count=tile.count, id=tile.id)
                )

    def _cards(self, body: LocatedValue) -> None:
        """Cards that are neither in hand nor gone lie in the decks."""
        state = self.state
        if "hands" not in self.told:
            state.hand = [[CARDS_NOT_TOLD] * 2, [CARDS_NOT_TOLD] * 2]
        for seat, cards in enumerate(CARDS_OF):
            for deck, name in enumerate(box.DECKS):
                seen = sum(
                    card.deck == deck and bool(state.shown[seat] & CARD_BIT[card.id]) for card in cards
                )
                left = box.DECK_SIZE - seen - state.hand[seat][deck] - state.unseen_discards[seat][deck]
                if left < 0:
                    most, whose = box.DECK_SIZE, box.SEATS[seat]
                    body.wrong(Text("war_of_the_ring.only_cards", size=most, deck=name, seat=whose))
                state.deck[seat][deck] = max(left, 0)
