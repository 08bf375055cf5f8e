"""Battles driven on positions set up by hand: two armies, their cards, rolls and choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ring_driving import Drive, position

from referee.games.war_of_the_ring.box.components import CHARACTERS_OF_SEAT, DECKS, NATIONS, SEATS
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.rules import attacks
from referee.games.war_of_the_ring.state.armies import GROUP, SEAT_BITS
from referee.games.war_of_the_ring.state.battle import Battle, Side
from referee.games.war_of_the_ring.state.card_data import CARD_BIT, CARDS
from referee.games.war_of_the_ring.state.state import State

HERE, THERE = "western_emyn_muil", "eastern_emyn_muil"
"""Two neighbours in open country that belong to nobody."""
FIELD = "fight in the open"
Counts = Mapping[str, int]


def card_with(effect: str) -> str:
    """An Event card with this combat effect."""
    return next(name for name, card in CARDS.items() if card.combat == effect)


def ground(
    places: Mapping[str, Counts],
    chars: Mapping[str, str] | None = None,
    *,
    not_at_war: str = "",
    free: str = "",
    shadow: str = "",
    **fields: Any,
) -> State:
    """Every nation At War but those named; ``free`` and ``shadow`` are combat effects in the hands."""
    hand = [[0, 0], [0, 0]]
    for seat, effect in enumerate((free, shadow)):
        if effect:
            hand[seat][CARDS[card_with(effect)].deck] += 1
    deck = [[24 - number for number in numbers] for numbers in hand]
    state = position(places=places, chars=chars, company="", hand=hand, deck=deck, **fields)
    for nation, name in enumerate(NATIONS):
        if name not in not_at_war.split():
            state.steps[nation] = 0
            state.awake |= 1 << nation
    return state


def lay(state: State, name: str) -> None:
    """A card lies on the table."""
    card = CARDS[name]
    state.table_cards[name] = {}
    state.shown[card.seat] |= CARD_BIT[name]
    state.deck[card.seat][card.deck] -= 1


class Fight(Drive):
    """A battle that is being fought; rolls are tuples of pips, other answers stand for themselves."""

    effects: Mapping[str, str]

    @property
    def battle(self) -> Battle:
        battle = self.state.battle
        assert battle is not None
        return battle

    def side(self, seat: str) -> Side:
        return self.battle.sides[SEATS.index(seat)]

    def go(self, *answers: Any) -> Fight:
        """Answer one request after the other; a tuple is a roll of the dice asked for."""
        for answer in answers:
            if isinstance(answer, tuple):
                (die,) = self.request.dice  # type: ignore[attr-defined]
                answer = {die: [str(pips) for pips in answer]}
            self.do(answer)
        return self

    def use_cards(self) -> Fight:
        """Each side uses the card whose effect it was given, as long as cards are asked for."""
        while self.asked.endswith(("combat_card_back", "reveal_combat_card")):
            effect = self.effects[self.request.seat]
            if not effect:
                self.do("no_card")
                continue
            card = card_with(effect)
            self.do(DECKS[CARDS[card].deck] if self.asked.endswith("back") else card)
        return self


def begin(
    state: State, seat: str, start: str, target: str, *, free: str = "", shadow: str = "", **fields: Any
) -> Fight:
    """Everything in ``start`` attacks; the cards in hand are used in the first round."""
    s, place = SEATS.index(seat), PLACE[start]
    figures = state.figures[place] & SEAT_BITS[s]
    chars = state.chars[place] & CHARACTERS_OF_SEAT[s]
    found = Fight(state, attacks.begin(state, s, place, PLACE[target], figures, chars, **fields))
    found.effects = {"free": free, "shadow": shadow}
    return found


def clash(
    attackers: Counts,
    defenders: Counts,
    *with_them: str,
    attacker: str = "shadow",
    target: str = THERE,
    start: str = HERE,
    free: str = "",
    shadow: str = "",
    fields: Mapping[str, Any] | None = None,
    **position_fields: Any,
) -> Fight:
    """A battle in open country; ``with_them`` are characters, each with the army of its side."""
    chars = {
        name: start
        if (name in ("witch_king", "saruman", "mouth_of_sauron")) == (attacker == "shadow")
        else target
        for name in with_them
    }
    state = ground({start: attackers, target: defenders}, chars, free=free, shadow=shadow, **position_fields)
    fought = begin(state, attacker, start, target, free=free, shadow=shadow, **(fields or {}))
    return fought.use_cards()


def at(state: State, place: str) -> dict[str, int]:
    """The figures in a place by their ids."""
    return dict(GROUP[state.figures[PLACE[place]]].counts)
