"""Chapter VI: combat cards: choosing one by its back, revealing both together, carrying them out.

Hands are physical.  The attacker declares whether he uses a card and which back
it has, then the defender; then both name the cards that lie there.  Lower timing
numbers come first; with equal numbers the defender's card does.
"""

from __future__ import annotations

from functools import partial

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.map import PLACES, places_in
from referee.games.war_of_the_ring.cards import combat_by_hand
from referee.games.war_of_the_ring.cards.cards_in_play import free_combat_card_barred
from referee.games.war_of_the_ring.cards.combat_data import NEEDS, any_usable, met, steps_of, usable
from referee.games.war_of_the_ring.cards.combat_effects import EFFECTS
from referee.games.war_of_the_ring.rules import decks, occasions
from referee.games.war_of_the_ring.rules.asking import Ask
from referee.games.war_of_the_ring.rules.fighting import characters
from referee.games.war_of_the_ring.state.battle import BY_HAND, EITHER_DECK, Battle
from referee.games.war_of_the_ring.state.card_data import CARD_BIT, CARDS, CARDS_OF
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, Report, unless_forced

NO_CARD = "no_card"
BALROG = "balrog_of_moria"
"""The card in play that the Shadow may discard for its combat effect."""


# --- choosing ---------------------------------------------------------------------------------


@occasions.choose_combat_cards.answered_by
def choose_cards(state: State, battle: Battle) -> Ask:
    """The attacker, then the defender, may put a card down; then both are turned over."""
    for seat in (battle.attacker, battle.defender):
        options = _options(state, battle, seat)
        request = ChooseOne(
            box.SEATS[seat],
            "prompt.combat_card_back",
            options,
            domain="deck",
            about={"place": PLACES[battle.target], "round": battle.round},
            rule="combat_card.choose",
            refused=partial(why_not_backs, state, battle, seat, options),
            at_once=options,
        )
        chosen = yield request if _is_barred(state, battle, seat) else unless_forced(request)
        if chosen == BALROG:
            battle.sides[seat].card = BALROG
        elif chosen != NO_CARD:
            battle.sides[seat].deck = box.DECKS.index(chosen)
    for seat in (battle.attacker, battle.defender):
        if battle.sides[seat].deck >= 0 or battle.sides[seat].card:
            yield from _reveal(state, battle, seat)


def _options(state: State, battle: Battle, seat: int) -> tuple[str, ...]:
    hand = state.hand[seat]
    if not (hand[0] or hand[1] or state.table_cards):
        return (NO_CARD,)
    if seat == box.FREE and _why_free_may_not(state, battle) is not None:
        return (NO_CARD,)
    options = [NO_CARD]
    for deck in range(2):
        if hand[deck] and (not state.edition.known_cards or any_usable(state, battle, seat, deck)):
            options.append(box.DECKS[deck])
    if seat == box.SHADOW and _balrog(state, battle):
        options.append(BALROG)
    return tuple(options)


def _is_barred(state: State, battle: Battle, seat: int) -> bool:
    """Whether cards in the hand are barred: then the question is asked all the same, to say why."""
    return seat == box.FREE and any(state.hand[seat]) and _why_free_may_not(state, battle) is not None


def _balrog(state: State, battle: Battle) -> bool:
    return BALROG in state.table_cards and met(state, battle, CARDS[BALROG].combat)


def _why_free_may_not(state: State, battle: Battle) -> Refusal | None:
    about = {"place": PLACES[battle.region]}
    if state.table_cards and free_combat_card_barred(state, battle.region):
        return Refusal("combat_card.barred", "card_bars_combat_cards", about)
    barred = battle.free_card_needs_companion and battle.round == 1
    if barred and not characters(state, battle, box.FREE) & box.COMPANIONS:
        return Refusal("combat_card.barred", "needs_companion_in_battle", about)
    return None


def why_not_backs(
    state: State, battle: Battle, seat: int, options: tuple[str, ...]
) -> list[tuple[str, Refusal]]:
    """The backs that cannot be put down, and why."""
    barred = _why_free_may_not(state, battle) if seat == box.FREE else None
    found = []
    for deck, name in enumerate(box.DECKS):
        if name in options:
            continue
        if barred is not None:
            found.append((name, barred))
        else:
            reason = "no_usable_card" if state.hand[seat][deck] else "no_card_with_back"
            found.append((name, Refusal("combat_card.requirement", reason, {"deck": name})))
    return found


# --- revealing --------------------------------------------------------------------------------


def _reveal(state: State, battle: Battle, seat: int) -> Ask:
    """The card that was put down is named and leaves the hand; the data or the table say what it does."""
    side = battle.sides[seat]
    if side.card == BALROG:
        decks.from_table(state, BALROG)
        side.deck, side.effect = CARDS[BALROG].deck, CARDS[BALROG].combat
    elif not state.edition.known_cards:
        yield from _by_hand(state, battle, seat)
    else:
        side.card = yield from _named(state, battle, seat)
        if side.card == BY_HAND:
            yield from _by_hand(state, battle, seat)
        else:
            side.effect = CARDS[side.card].combat
            decks.show_discard(state, side.card)
    if (
        seat == box.SHADOW
        and battle.round == 1
        and characters(state, battle, box.SHADOW) >> box.WITCH_KING & 1
    ):
        battle.witch_king_draws = EITHER_DECK if state.edition.witch_king_any_deck else side.deck


def _named(state: State, battle: Battle, seat: int) -> Ask:
    """Which card lies there: one that may be used, or one of another printing, resolved by hand."""
    deck = battle.sides[seat].deck
    names = tuple(CARDS_OF[seat][index].id for index in places_in(usable(state, battle, seat, deck)))
    return (
        yield Report(
            box.SEATS[seat],
            "prompt.reveal_combat_card",
            (*names, BY_HAND),
            domain="card",
            about={"place": PLACES[battle.target], "deck": box.DECKS[deck]},
            rule="combat_card.reveal",
            refused=lambda: why_not_cards(state, battle, seat, deck),
        )
    )


def _by_hand(state: State, battle: Battle, seat: int) -> Ask:
    side = battle.sides[seat]
    decks.discard_unseen(state, seat, side.deck)
    side.card = BY_HAND
    yield from combat_by_hand.declare(state, battle, seat)


def why_not_cards(state: State, battle: Battle, seat: int, deck: int) -> list[tuple[str, Refusal]]:
    """The cards that cannot lie there: the other back, shown before, or a condition that does not hold."""
    found = []
    for card in CARDS_OF[seat]:
        about = {"card": card.id}
        if card.deck != deck:
            refusal = Refusal("combat_card.choose", "other_back", {**about, "deck": box.DECKS[deck]})
        elif state.shown[seat] & CARD_BIT[card.id]:
            refusal = Refusal("cards.discarded_for_good", "played_already", about)
        elif not met(state, battle, card.combat):
            reason = f"needs_{NEEDS[card.combat]}"
            refusal = Refusal("combat_card.requirement", reason, about)
        else:
            continue
        found.append((card.id, refusal))
    return found


# --- carrying out -----------------------------------------------------------------------------


@occasions.any_combat_card.answered_by
def any_card(battle: Battle) -> bool:
    """Whether a card lies there in this round."""
    return bool(battle.sides[0].card or battle.sides[1].card)


@occasions.apply_combat_cards.answered_by
def apply(state: State, battle: Battle, timing: int) -> Ask:
    """Carry out what the cards do at one timing number, the defender's first."""
    for seat in (battle.defender, battle.attacker):
        side = battle.sides[seat]
        if not side.card:
            continue
        for step in steps_of(side):
            if step["at"] == timing and not side.cancelled and not battle.ended:
                yield from EFFECTS[step["do"]](state, battle, seat, step)


# --- the Witch-king ---------------------------------------------------------------------------


@occasions.draws_for_combat_card.answered_by
def witch_king_draws(state: State, battle: Battle) -> Ask:
    """After the round in which the Witch-king's side used a card first, the Shadow draws one."""
    deck = battle.witch_king_draws
    if deck < 0:
        return
    battle.witch_king_draws = -1
    if deck == EITHER_DECK:
        yield from decks.draw_choice(state, box.SHADOW)
    elif decks.draw(state, box.SHADOW, deck):
        yield from decks.enforce_hand_limit(state, box.SHADOW)
