"""Lore cards: who may play which when, what they cost, and what they name; reactions in the other's turn.

Hands are physical: the player names the card.  One card a seat and turn, whether in one's own turn or the
other's.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.battlelore.box.components import (
    DISTANCE,
    FLAG,
    OPTIONS,
    OUT_OF_CHARACTER,
    PLACE,
    PLACES,
    SEATS,
    SECTIONS,
)
from referee.games.battlelore.box.components import FOOT as FOOT_UNIT
from referee.games.battlelore.box.decks import LoreCard
from referee.games.battlelore.cards import by_hand
from referee.games.battlelore.cards.effects import PRIMITIVES, Running, hurt
from referee.games.battlelore.rules import occasions, targeting
from referee.games.battlelore.rules.combat import may_fight
from referee.games.battlelore.rules.council import level
from referee.games.battlelore.state.state import State, deck_of
from referee.games.kit.asking import Ask
from referee.games.kit.places import places_in
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, unless_forced
from referee.kernel.together import Reaction

NO_CARD, BY_HAND = "no_card", "lore_by_hand"


def cost(state: State, seat: int, card: LoreCard) -> int:
    """Tokens that a card costs a seat: three more where its master is not in the council."""
    return card.cost + (0 if level(state, seat, card.of) else OUT_OF_CHARACTER)


def level_of(state: State, seat: int, card: LoreCard) -> int:
    """The level at which a seat plays a card: 1 out of character."""
    return level(state, seat, card.of) or 1


def why_not_card(state: State, seat: int, card: LoreCard, when: str) -> Refusal | None:
    """Why a seat cannot play a card at a moment; None where it can, if it holds it."""
    about = {"card": card.id}
    if card.when != when:
        return Refusal("lore.printed_phase", "other_phase", {**about, "when": card.when})
    if state.lore_shown.get(card.id, 0) >= card.copies:
        return Refusal("lore.tokens_pay_cards", "all_copies_out", about)
    price = cost(state, seat, card)
    if price > state.tokens[seat]:
        out = not level(state, seat, card.of)
        rule = "lore.out_of_character_cost" if out else "lore.tokens_pay_cards"
        return Refusal(rule, "too_dear", {**about, "cost": price, "tokens": state.tokens[seat]})
    if not has_target(state, seat, card):
        return Refusal("lore.tokens_pay_cards", "no_target", about)
    return None


def playable(state: State, seat: int, when: str) -> list[LoreCard]:
    """The cards that a seat could play at a moment, as far as the referee knows its hand."""
    return [card for card in deck_of(state).by_when[when] if why_not_card(state, seat, card, when) is None]


@occasions.may_play_lore.answered_by
def may_play_lore(state: State, seat: int, when: str) -> bool:
    """Whether a seat holds a lore card, has not played one this turn, and could pay for one of this
    moment."""
    if not state.field.lore or state.lore_played[seat] or not state.lore_hand[seat]:
        return False
    return bool(playable(state, seat, when))


# --- playing one -------------------------------------------------------------------------------------


@occasions.own_lore.answered_by
def own_lore(state: State, seat: int, when: str) -> Ask:
    """Play a lore card in the own turn, or none."""
    chosen = yield ChooseOne(
        SEATS[seat],
        "prompt.lore_card",
        (*(card.id for card in playable(state, seat, when)), BY_HAND, NO_CARD),
        domain="card",
        about={"tokens": state.tokens[seat], "count": state.lore_hand[seat]},
        rule="lore.one_per_own_turn",
        refused=lambda: _refused(state, seat, when),
    )
    if chosen == BY_HAND:
        yield from _play_by_hand(state, seat)
    elif chosen != NO_CARD:
        yield from _play(state, seat, deck_of(state).lore[chosen])


def _play_by_hand(state: State, seat: int) -> Ask:
    """A lore card that nobody has described: its player says what it costs and what it does, step by step."""
    price = yield ChooseOne(
        SEATS[seat],
        "prompt.lore_cost",
        tuple(str(number) for number in range(state.tokens[seat] + 1)),
        domain="number",
        about={"tokens": state.tokens[seat]},
        rule="lore.tokens_pay_cards",
    )
    state.tokens[seat] -= int(price)
    state.lore_hand[seat] -= 1
    state.lore_played[seat] = True
    state.lore_discard += 1
    cancelled = yield from reaction(state, 1 - seat, "lore")
    if not cancelled:
        yield from by_hand.resolve(state, seat, BY_HAND, by_hand.LORE_STEPS)


def _refused(state: State, seat: int, when: str) -> Iterator[tuple[str, Refusal]]:
    for card in deck_of(state).lore.values():
        why = why_not_card(state, seat, card, when)
        if why is not None:
            yield card.id, why


@occasions.reaction.answered_by
def reaction(state: State, seat: int, when: str) -> Ask:
    """Whether a seat reacts; asked of everybody who could by tokens and cards held, whatever the cards are.

    Returns the card that was played and carried out, "" for none.
    """
    if not may_play_lore(state, seat, when):
        return ""
    fight = state.fight
    about = {} if fight is None else {"from": PLACES[fight.where], "place": PLACES[fight.hex]}
    chosen = yield Reaction(
        SEATS[seat],
        f"prompt.react_{when}",
        (*(card.id for card in playable(state, seat, when)), NO_CARD),
        wish=f"react_{when}",
        decline=NO_CARD,
        when=conditions(state, when),
        domain="card",
        about={**about, "tokens": state.tokens[seat]},
        rule="lore.reaction_cards",
        refused=lambda: _refused(state, seat, when),
    )
    if chosen == NO_CARD:
        return ""
    done = yield from _play(state, seat, deck_of(state).lore[chosen])
    return chosen if done else ""


WEAK = 2
"""Figures of a unit that counts as weak for standing wishes."""


def conditions(state: State, when: str) -> tuple[str, ...]:
    """The conditions of standing wishes that hold now, from what everybody sees."""
    fight = state.fight
    if fight is None:
        return ()
    if when == "attacked":
        return ("weak",) if state.figures[fight.target] <= WEAK else ()
    return ("flags",) if when == "rolled" and FLAG in fight.faces else ()


def _play(state: State, seat: int, card: LoreCard) -> Ask:
    """Pay, name the target, let the other side answer, carry out, discard; whether it was carried out."""
    price = cost(state, seat, card)
    state.tokens[seat] -= price
    state.lore_hand[seat] -= 1
    state.lore_played[seat] = True
    rule = "lore.tokens_pay_cards" if level(state, seat, card.of) else "lore.out_of_character_cost"
    run = Running(seat, card.id, level_of(state, seat, card), rule=rule)
    yield from _name_target(state, run, card)
    cancelled = ""
    if card.when != "lore":
        cancelled = yield from reaction(state, 1 - seat, "lore")
    if cancelled and state.house["cancelled_card_cost"] == "refunded":
        state.tokens[seat] += price
    state.lore_discard += 1
    state.lore_shown[card.id] = state.lore_shown.get(card.id, 0) + 1
    if cancelled:
        return False
    if card.when != "lore":
        yield from PRIMITIVES.run(state, run, card.program)
    return True


# --- what a card names -------------------------------------------------------------------------------


def target_hexes(state: State, seat: int, card: LoreCard) -> int:
    """Mask of the hexes of the units that a card may name; 0 where it names none."""
    own = state.stand[seat]
    if card.on == "own":
        return sum(1 << at for at in places_in(own) if not state.ordered >> state.unit_at[at] & 1)
    if card.on == "own_hurt":
        return hurt(state, seat)
    if card.on in ("ordered", "ordered_foot"):
        return sum(1 << at for at in places_in(own) if _fits_ordered(state, state.unit_at[at], card))
    if card.on == "enemy_in_sight":
        return sum(
            1 << at for at in places_in(state.stand[1 - seat]) if _in_sight(state, seat, at, card.within)
        )
    if card.on == "enemy_next_to_ordered":
        ordered = sum(1 << at for at in places_in(own) if state.ordered >> state.unit_at[at] & 1)
        return sum(1 << at for at in places_in(state.stand[1 - seat]) if _beside(at, ordered))
    return 0


def _fits_ordered(state: State, unit: int, card: LoreCard) -> bool:
    if card.on == "ordered_foot" and state.field.units[unit].kind != FOOT_UNIT:
        return False
    if card.when == "movement":
        return bool(state.ordered & ~state.moved & 1 << unit)
    return may_fight(state, unit)


def _in_sight(state: State, seat: int, place: int, within: int) -> bool:
    blocking = targeting.obstacles(state)
    return any(
        DISTANCE[at][place] <= within
        and (DISTANCE[at][place] == 1 or targeting.sees(state, at, place, blocking))
        for at in places_in(state.stand[seat])
    )


def _beside(place: int, mask: int) -> bool:
    return any(DISTANCE[place][at] == 1 for at in places_in(mask))


NAMES_NONE = ("self", "opponent", "card", "defender", "attacker")
"""What a card is on, where nothing has to be named."""


def has_target(state: State, seat: int, card: LoreCard) -> bool:
    """Whether there is something that a card may name."""
    if card.on == "section":
        return hurt(state, seat) != 0
    return card.on in NAMES_NONE or target_hexes(state, seat, card) != 0


def _name_target(state: State, run: Running, card: LoreCard) -> Ask:
    """Name the unit or the section that the card is played on."""
    if card.on == "section":
        sections = state.sections[run.seat]
        there = {n for at in places_in(hurt(state, run.seat)) for n in range(3) if sections[at] >> n & 1}
        chosen = yield ChooseOne(
            SEATS[run.seat], "prompt.lore_section", tuple(SECTIONS[n] for n in sorted(there)),
            domain="section",
            about={"card": card.id}, rule=run.rule,
        )  # fmt: skip
        run.section = SECTIONS.index(chosen)
    elif card.on == "defender" or card.on == "attacker":
        assert state.fight is not None
        run.unit = state.fight.target if card.on == "defender" else state.fight.attacker
    elif card.on not in NAMES_NONE:
        could = target_hexes(state, run.seat, card)
        request = ChooseOne(
            SEATS[run.seat],
            "prompt.lore_target",
            OPTIONS[could],
            domain="place",
            about={"card": card.id},
            rule=run.rule,
        )
        chosen = yield unless_forced(request)
        run.unit = state.unit_at[PLACE[chosen]]
