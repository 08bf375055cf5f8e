"""The end of the turn: what was played is discarded, a command card drawn, and lore taken."""

from __future__ import annotations

from referee.games.battlelore.box.components import COLOURS, MASTERS, PLACE, SEATS
from referee.games.battlelore.rules import occasions
from referee.games.battlelore.rules.council import lore_limit
from referee.games.battlelore.rules.victory import field_held
from referee.games.battlelore.state.state import State, deck_of, lay_ground
from referee.games.kit.asking import Ask
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne

TWO_CARDS, CARD_AND_TOKEN, TWO_TOKENS, NOTHING = "two_cards", "card_and_token", "two_tokens", "nothing"


def draw_phase(state: State) -> Ask:
    """Discard, draw, lore; then the other side has its turn."""
    field_held(state)
    seat = state.active
    played = deck_of(state).command.get(state.card)
    copied = played is not None and played.copies_another
    state.last[seat] = state.last[1 - seat] if copied else state.card
    if state.card:
        state.discard += 1
        if state.card in deck_of(state).command:
            state.shown[state.card] = state.shown.get(state.card, 0) + 1
        state.card = ""
    draw_command(state, seat)
    if state.field.lore:
        if occasions.may_play_lore(state, seat, "end"):
            yield from occasions.own_lore(state, seat, "end")
        _special_places(state, seat)
        yield from _take_lore(state, seat)
    _clear(state)
    state.active = 1 - seat


def draw_command(state: State, seat: int) -> None:
    """One command card into a hand; an empty deck is made anew from the discards."""
    if not state.deck:
        state.deck, state.discard = state.discard, 0
        state.shown.clear()
    if state.deck:
        state.deck -= 1
        state.hand[seat] += 1


def draw_lore(state: State, seat: int, cards: int) -> int:
    """So many lore cards into a hand, fewer where none are left; how many were drawn."""
    drawn = 0
    for _ in range(cards):
        if not state.lore_deck:
            state.lore_deck, state.lore_discard = state.lore_discard, 0
            state.lore_shown.clear()
        if state.lore_deck:
            state.lore_deck -= 1
            drawn += 1
    state.lore_hand[seat] += drawn
    return drawn


def _take_lore(state: State, seat: int) -> Ask:
    """One of the three ways to more lore, or none."""
    cards = state.lore_deck + state.lore_discard
    must = state.house["lore_at_end"] == "compulsory"
    options = [TWO_CARDS] * (cards > 1) + [CARD_AND_TOKEN] * (cards > 0) + [TWO_TOKENS]
    options += [] if must else [NOTHING]
    chosen = yield ChooseOne(
        SEATS[seat],
        "prompt.take_lore",
        tuple(options),
        about={"count": state.lore_hand[seat], "tokens": state.tokens[seat]},
        rule="end.lore_choice",
        refused=lambda: [
            *(
                (one, Refusal("end.option_two_cards", "no_lore_cards"))
                for one in (TWO_CARDS, CARD_AND_TOKEN)
                if one not in options
            ),
            *([(NOTHING, Refusal("end.lore_choice", "lore_compulsory"))] if must else []),
        ],
    )
    if chosen == TWO_CARDS:
        draw_lore(state, seat, 2)
        state.lore_hand[seat] -= 1
        state.lore_discard += 1
    elif chosen == CARD_AND_TOKEN:
        draw_lore(state, seat, 1)
        state.tokens[seat] += 1
    elif chosen == TWO_TOKENS:
        state.tokens[seat] += 2
    if chosen in (TWO_CARDS, CARD_AND_TOKEN):
        yield from give_up(state, seat)


def give_up(state: State, seat: int) -> Ask:
    """Lore cards above the limit are given up, new or old at choice."""
    limit = lore_limit(state, seat)
    while state.lore_hand[seat] > limit:
        yield ChooseOne(
            SEATS[seat],
            "prompt.give_up",
            ("card_drawn", "card_held"),
            about={"count": state.lore_hand[seat], "limit": limit},
            rule="lore.excess_given_up",
            refused=lambda: [("nothing", Refusal("lore.hand_limit", "too_many_lore", {"limit": limit}))],
        )
        state.lore_hand[seat] -= 1
        state.lore_discard += 1


def _special_places(state: State, seat: int) -> None:
    """What a seat gains of its own special places on which its units stand."""
    for name, place in list(state.placed.items()):
        gain = next((one.get("gain") for one in MASTERS.values() if one["place"] == place["kind"]), None)
        unit = state.unit_at[PLACE[name]]
        if place["owner"] != SEATS[seat] or unit < 0 or state.field.units[unit].seat != seat:
            continue
        if gain == "token":
            state.tokens[seat] += 1
        elif gain == "rise" and _may_rise(state, unit):
            state.colour[unit] += 1
            del state.placed[name]
            lay_ground(state)


def _may_rise(state: State, unit: int) -> bool:
    """Whether a unit neither moved nor fought, and has a next banner colour."""
    if (state.left | state.struck | state.fought | state.field.creatures) >> unit & 1:
        return False
    return state.colour[unit] + 1 < len(COLOURS)


def _clear(state: State) -> None:
    """Nothing of this turn lasts."""
    state.ordered = state.paid = state.moved = state.left = 0
    state.barred = state.struck = state.fought = 0
    state.rush, state.marks = [], []
    state.bonus = state.extra = 0
    state.attacks = 1
    state.still = state.far = False
    state.lore_played = [False, False]
