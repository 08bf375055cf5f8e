"""Chapter VI: what Story cards that stay in play let players do or forbid (p. 15).

Lucky Number, Flying Arrows and Wild Spears, Troubled Mind.  Howling Orcs works
in :mod:`manoeuvres` and is discarded in :mod:`damage`.
"""

from __future__ import annotations

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box.components import FREE, SEATS, SHADOW
from referee.games.five_armies.box.map import OPTIONS, PLACE, PLACES
from referee.games.five_armies.rules import fate, occasions
from referee.games.five_armies.rules.asking import Ask, choose, refuse_all
from referee.games.five_armies.rules.pieces import add_units
from referee.games.five_armies.rules.recruiting import remove_overflow
from referee.games.five_armies.state.armies import ONE
from referee.games.five_armies.state.card_data import discard_from_table
from referee.games.five_armies.state.state import State
from referee.games.five_armies.state.table_cards import FLYING_ARROWS, LUCKY_NUMBER, TROUBLED_MIND
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, RollDice

# --- Flying Arrows and Wild Spears -------------------------------------------------------------


def why_not_orc(state: State) -> Refusal | None:
    """Why no Orc comes from the card; None where one can."""
    if FLYING_ARROWS not in state.table_cards:
        return Refusal("cards.stay_in_play", "card_not_in_play", {"card": FLYING_ARROWS})
    if not state.armies[SHADOW]:
        return Refusal("cards.stay_in_play", "no_army_left", {"card": FLYING_ARROWS})
    return None


def orc_from_card(state: State) -> Ask:
    """Any die brings one Orc from the card to a Shadow army; the empty card is discarded."""
    mask = state.armies[SHADOW]
    chosen = yield from choose(
        SHADOW,
        "prompt.orc_from_card",
        OPTIONS[mask],
        domain="place",
        about={"card": FLYING_ARROWS},
        rule="cards.stay_in_play",
        refused=lambda: refuse_all(PLACES, lambda p: None if mask >> p & 1 else _no_army(p)),
    )
    place = PLACE[chosen]
    card = state.table_cards[FLYING_ARROWS]
    card["orcs"] -= 1
    state.supply[box.ORCS] += 1
    add_units(state, place, ONE[box.ORCS])
    yield from remove_overflow(state, SHADOW, place)
    if not card["orcs"]:
        discard_from_table(state, FLYING_ARROWS)


def _no_army(place: int) -> Refusal:
    return Refusal("cards.stay_in_play", "no_own_army", {"place": PLACES[place]})


# --- Troubled Mind -------------------------------------------------------------------------------


@occasions.silenced_general.answered_by
def troubled_general(state: State) -> str:
    """The general whose ability Troubled Mind forbids, "" where there is none."""
    card = state.table_cards.get(TROUBLED_MIND)
    return str(card.get("general", "")) if card else ""


def why_not_end_trouble(state: State) -> Refusal | None:
    """Why Troubled Mind cannot be discarded; None where it can."""
    if TROUBLED_MIND in state.table_cards:
        return None
    return Refusal("cards.stay_in_play", "card_not_in_play", {"card": TROUBLED_MIND})


def end_troubled_mind(state: State, face: int) -> Ask:
    """A Will of the West discards the card; any other die does too, with the Fate marker one space back."""
    discard_from_table(state, TROUBLED_MIND)
    if face != box.F_WEST:
        fate.move_marker(state, -1)
    yield from ()


@occasions.why_not_action.answered_by
def why_not_action(state: State, action: str) -> Refusal | None:
    """Why an action that a card in play offers is not open; None where it is."""
    return why_not_orc(state) if action == "orc_from_card" else why_not_end_trouble(state)


@occasions.action.answered_by
def card_action(state: State, action: str, face: int) -> Ask:
    """Carry out an action that a card in play offers."""
    return orc_from_card(state) if action == "orc_from_card" else end_troubled_mind(state, face)


# --- Lucky Number ----------------------------------------------------------------------------------


@occasions.after_action_roll.answered_by
def after_action_roll(state: State, seat: int) -> Ask:
    """Lucky Number: one own action die may be rolled again; a Will of the West discards the card."""
    if seat != FREE or LUCKY_NUMBER not in state.table_cards:
        return
    shown = tuple(box.FACES[face] for face, number in enumerate(state.unused[FREE]) if number)
    chosen = yield ChooseOne(
        SEATS[FREE],
        "prompt.lucky_number",
        (*shown, "keep"),
        domain="die",
        about={"card": LUCKY_NUMBER},
        rule="cards.stay_in_play",
    )
    if chosen == "keep":
        return
    die = box.ACTION_DIE[FREE]
    rolled = yield RollDice(
        SEATS[FREE], "prompt.lucky_number_roll", {die: 1}, box.DICE, rule="cards.stay_in_play"
    )
    face = box.FACE[rolled[die][0]]
    state.unused[FREE][box.FACE[chosen]] -= 1
    state.unused[FREE][face] += 1
    if face == box.F_WEST:
        discard_from_table(state, LUCKY_NUMBER)
