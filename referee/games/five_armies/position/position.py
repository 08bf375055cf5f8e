"""Positions written by hand: a readable YAML file to a state, and back.

The format is described in ``docs/position_file.md``.  Most entries follow from
the declaration of the state; here are those that tell of several fields at
once, and what must hold of the file as a whole.  :func:`read_position` names
the line of everything that is wrong.
"""

from __future__ import annotations

from functools import partial, partialmethod

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box.components import CHARACTER, CHARACTERS, FREE, SEATS, SHADOW
from referee.games.five_armies.box.map import EYRIE, PLACES, POINTS
from referee.games.five_armies.position.board import FORM, BoardReader, regions_data
from referee.games.five_armies.position.running_combat import lead_in, read_combat
from referee.games.five_armies.rules.characters import raise_rating, set_rating
from referee.games.five_armies.rules.combat import alive, survivors
from referee.games.five_armies.rules.fate import FATE_CARD_IDS, FATE_CARDS_BY_ID
from referee.games.five_armies.rules.victory import points
from referee.games.five_armies.state.battle import Battle
from referee.games.five_armies.state.card_data import CARDS, COPIES, STORY_IDS
from referee.games.five_armies.state.state import ELIMINATED, MEMORY, OVER_TERRITORY, State
from referee.games.five_armies.state.table_cards import TROUBLED_MIND
from referee.games.kit.codec import counted
from referee.games.kit.positions import Position, by_title, read_file, readable, with_memory, written
from referee.kernel.located import LocatedValue
from referee.kernel.messages import Text

_SEEN = [box.box_data("cards")[kind].items() for kind in ("free_story", "shadow_story", "fate")]
STAYING = tuple(name for cards in _SEEN for name, card in cards if card.get("stays"))
"""The cards that stay in play."""
CARDS_NOT_TOLD = 2
"""Cards of each kind that a hand is taken to hold where the position does not tell."""


def read_position(text: str) -> Position[State]:
    """A position from YAML.  Raises :class:`referee.kernel.located.FileProblems`, line by line."""
    return read_file(text, _Reader)


def write_position(state: State, title: str = "") -> str:
    """The position file of a state.  Reading it gives the same state."""
    position = readable(state, FORM)
    position["hands"] = {
        seat: {"event": state.hand_event[i], "story": state.hand_story[i]} for i, seat in enumerate(SEATS)
    }
    lord, beorn = state.where[box.LORD], state.where[box.BEORN]
    if lord >= 0:
        position["lord_of_the_eagles"] = "eyrie" if lord == EYRIE else OVER_TERRITORY[lord]
    if beorn >= 0:
        position["beorn"] = {"region": PLACES[beorn], "wrath": state.wrath}
    out = [name for name, where in zip(CHARACTERS, state.where, strict=True) if where == ELIMINATED]
    lying = {card: memory for card, memory in state.table_cards.items() if card in STAYING}
    position |= {key: told for key, told in (("eliminated", out), ("table_cards", lying)) if told}
    position["regions"] = regions_data(state)
    return written(state, title, position, FORM, read_position)


class _Reader(BoardReader):
    """Reads one file; the board is read by its base."""

    LATER = ("eyrie.eagles", "table_cards", "beorn.fate_cards")
    """After the Eagles over the territories, which are told as a whole, and the ratings that cards raise."""
    REMARKS = ("note", "beorn.in_play", "dice_rolled_in_phase_5", "ruler_answers_given_as_input")
    AT_LAST = ("in_play", "in_play_not", "supply_tokens", "vp", "combat")

    # --- what the box book would tell ----------------------------------------------------------

    def on_values(self, spot: LocatedValue) -> None:
        """``entry_die.beorn``, ``leadership.gandalf``..."""
        super().on_values(spot)
        for key, entry in spot.entries():
            what, _, name = str(key.value).partition(".")
            if what == "leadership" and name in CHARACTER:
                answered = isinstance(entry.value, str) and entry.value.isdigit()  # as the table answers
                set_rating(self.state, name, int(entry.value) if answered else entry.number(0, 9))

    def on_movement(self, spot: LocatedValue) -> None:
        """Movement ratings by character."""
        for name, number in counted(spot, CHARACTERS, [9] * len(CHARACTERS)):
            self.state.values[f"movement.{name}"] = number

    def on_beorn__movement(self, spot: LocatedValue) -> None:
        """Beorn's movement rating."""
        self.state.values["movement.beorn"] = spot.number(0, 9)

    def on_beorn__space(self, spot: LocatedValue) -> None:
        """Beorn's space on the Fate track."""
        spaces = list(self.state.fate_space)
        spaces[box.BEORN] = spot.number(0, box.FATE_END)
        self.state.fate_space = tuple(spaces)

    # --- cards, tokens and tiles -----------------------------------------------------------------

    def on_hands(self, spot: LocatedValue) -> None:
        """For each side its Event cards, or Event and Story cards."""
        for seat, entry in self.by_seat(spot):
            if not isinstance(entry.value, dict):
                self.state.hand_event[seat] = entry.number(0, box.EVENT_CARDS)
                continue
            held = dict(counted(entry, ("event", "story"), (box.EVENT_CARDS, box.STORY_CARDS)))
            self.state.hand_event[seat] = held.get("event", 0)
            self.state.hand_story[seat] = held.get("story", 0)

    def _hand(self, seat: int, spot: LocatedValue) -> None:
        """Event cards go by the name of their order or combat effect; all others are Story cards."""
        for item in spot.items():
            card = by_title(item, (*COPIES, *STORY_IDS[seat]))
            if card is not None:
                (self.state.hand_event if card in COPIES else self.state.hand_story)[seat] += 1

    on_hand_free = partialmethod(_hand, FREE)
    on_hand_shadow = partialmethod(_hand, SHADOW)

    def on_table_cards(self, spot: LocatedValue) -> None:
        """Cards that stay in play are in no deck, were seen, and have done what they do for good."""
        state = self.state
        for title, card, memory in with_memory(spot, STAYING, MEMORY):
            state.table_cards[card] = memory
            if card == TROUBLED_MIND and not memory:
                title.wrong(Text("five_armies.which_general", card=card, example="`{general: dain}`"))
            if card in FATE_CARDS_BY_ID:
                state.fate_shown |= 1 << FATE_CARD_IDS.index(card) + 1
                state.fate_deck -= 1
            else:
                seat = CARDS[card].seat
                state.story_shown[seat] |= 1 << CARDS[card].number
                state.story_deck[seat] -= 1
            for step in CARDS[card].program if card in CARDS else FATE_CARDS_BY_ID[card][1]:
                if step["do"] == "raise_leadership":
                    raise_rating(state, step["character"], step["by"])
                elif step["do"] == "orcs_on_card":
                    memory.setdefault("orcs", step["number"])

    def on_beorn__fate_cards(self, spot: LocatedValue) -> None:
        """Cards that stay in play with Beorn."""
        self.on_table_cards(spot)

    def on_supply_tokens(self, spot: LocatedValue) -> None:
        """Recruitment tokens that are left; what neither lies out nor is left was turned up."""
        state = self.state
        for name, left in counted(spot, box.TOKEN_GROUPS, state.token_pool):
            group = box.TOKEN_GROUPS.index(name)
            state.tokens_shown[f"{name}:unknown"] = state.token_pool[group] - left
            state.token_pool[group] = left

    # --- the whole -------------------------------------------------------------------------------

    def on_vp(self, spot: LocatedValue) -> None:
        """The Shadow's points: where nothing else tells its settlements, the cheapest are taken."""
        wanted = spot.number(0, 20)
        if not self.state.control:
            for place in sorted(POINTS, key=lambda p: (POINTS[p], p)):
                if points(self.state) < wanted and PLACES[place] != "front_gate":
                    self.state.control |= 1 << place
        if points(self.state) != wanted:
            spot.wrong(Text("five_armies.other_points", points=points(self.state), wanted=wanted))

    def on_combat(self, spot: LocatedValue) -> None:
        """A running combat."""
        entry = read_combat(spot, self.state)
        self.position.enter = None if entry is None else partial(lead_in, entry)

    def check(self, spot: LocatedValue, running: Battle) -> None:
        """A running combat needs both its armies."""
        stands = survivors(self.state, running), alive(self.state, running, running.defender)
        for key, there in zip(("attacker", "defender"), stands, strict=True):
            if not there:
                spot.wrong(Text("five_armies.combat_misses", key=key))

    def finish(self, body: LocatedValue) -> None:
        self.finish_board(body)
        state, told = self.state, self.told
        if "beorn" in told and state.where[box.BEORN] >= 0 and "beorn.wrath" not in told:
            state.wrath = box.WRATH_AT_ENTRY
        if "generals_activated" not in told:
            state.generals_count = state.activated.bit_count()
        if state.fate_tiles < box.STANDARD_TILES:
            state.fate_tiles_out = {box.STANDARD_TILE_FACES[0]: box.STANDARD_TILES - state.fate_tiles}
        if not told.keys() & {"hands", "hand_free", "hand_shadow"}:
            state.hand_event = [CARDS_NOT_TOLD, CARDS_NOT_TOLD]
            state.hand_story = [CARDS_NOT_TOLD, CARDS_NOT_TOLD]
        state.event_deck -= sum(state.hand_event)
        for seat in (FREE, SHADOW):
            state.story_deck[seat] -= state.hand_story[seat]
            dice = sum(state.unused[seat]) + sum(state.used[seat])
            state.pool[seat] = max(state.pool[seat], dice)
        rolled = any(any(dice) for dice in (*state.unused, *state.used))
        state.step = "act" if state.phase == 5 and rolled else ""  # the flow goes on with rolling the dice
