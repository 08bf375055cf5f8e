"""Card primitives for characters, Eagles, cards and Fate."""

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box.components import CHARACTERS, FREE, SEATS, SHADOW
from referee.games.five_armies.box.map import PLACES
from referee.games.five_armies.cards.effects import (
    PRIMITIVES,
    RULE,
    SELECTORS,
    Running,
    Step,
    choose_place,
    run_program,
)
from referee.games.five_armies.rules import characters, decks, fate
from referee.games.five_armies.rules.asking import Ask, choose
from referee.games.five_armies.rules.characters import enter_play, is_ready, learn_entry
from referee.games.five_armies.rules.damage import casualties
from referee.games.five_armies.rules.manoeuvres import USE
from referee.games.five_armies.rules.pieces import put_character, remove_units
from referee.games.five_armies.state.armies import ARMY, ONE
from referee.games.five_armies.state.state import ELIMINATED, IN_POOL, NOT_IN_PLAY, State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne

# --- characters ------------------------------------------------------------------------------------


def shift_character(state: State, run: Running, step: Step) -> Ask:
    """A character who waits on the Fate track is moved, and ``enters`` at once if he is ready then.

    ``then`` follows; where he does not wait there ``otherwise`` is carried out instead.
    """
    character = box.CHARACTER[step["character"]]
    if state.where[character] != NOT_IN_PLAY:
        yield from run_program(state, run, step["otherwise"])
        return
    fate.shift_on_track(state, character, step["spaces"])
    if step.get("enters") and is_ready(state, character):
        yield from learn_entry(state, character, die=False)
        yield from enter_play(state, character)
    yield from run_program(state, run, step.get("then", ()))


def wrath(state: State, run: Running, step: Step) -> Ask:
    """Wrath tokens on Beorn's card."""
    fate.add_wrath(state, step["tokens"])
    yield from ()


def raise_leadership(state: State, run: Running, step: Step) -> Ask:
    """A character's leadership rises for the rest of the game."""
    characters.raise_rating(state, step["character"], step["by"])
    yield from ()


def muster_eagles(state: State, run: Running, step: Step) -> Ask:
    """Eagles come to the Eyrie."""
    fate.place_eagles(state, step["number"])
    yield from ()


def return_general(state: State, run: Running, step: Step) -> Ask:
    """An eliminated general returns to a region with an own army."""
    gone = [c for c in box.GENERALS if state.where[c] == ELIMINATED and c != box.LORD]
    if not gone or not state.armies[FREE]:
        return
    chosen = yield from choose(
        FREE,
        "prompt.card_general",
        tuple(CHARACTERS[c] for c in gone),
        domain="character",
        about={"card": run.card},
        rule=RULE,
        refused=lambda: [
            (name, Refusal("cards.rules_still_apply", "not_eliminated", {"character": name}))
            for c, name in enumerate(CHARACTERS)
            if c not in gone
        ],
    )
    general = box.CHARACTER[chosen]
    place = yield from choose_place(state, run, state.armies[FREE], "prompt.card_character_to")
    put_character(state, general, place)


def move_bilbo(state: State, run: Running, step: Step) -> Ask:
    """Bilbo goes to an own army; with a certain character there a Fate card is drawn."""
    mask = SELECTORS[step["to"]](state, FREE)
    place = yield from choose_place(state, run, mask, "prompt.card_character_to")
    if place < 0:
        return
    put_character(state, box.BILBO, place)
    if state.where[box.CHARACTER[step["fate_card_with"]]] == place:
        yield from fate.draw_fate_card(state)


def bodyguard(state: State, run: Running, step: Step) -> Ask:
    """A Great Orc of Bolg's army becomes a Bodyguard token, three at most."""
    place = state.where[box.BOLG]
    if place < 0 or state.bodyguards >= 3 or box.GREAT_ORCS not in ARMY[state.units[place]].types:
        return
    if state.units[place] == ONE[box.GREAT_ORCS]:  # then the army is gone, and Bolg with it: surely?
        about = {"card": run.card, "place": PLACES[place]}
        rule = "bolg.dies_with_army"
        if (yield ChooseOne(SEATS[SHADOW], "prompt.last_unit", USE, about=about, rule=rule)) != "use":
            return
    state.bodyguards += 1
    remove_units(state, place, ONE[box.GREAT_ORCS])
    yield from casualties(state, SHADOW, place, only_duty=True)


def trouble_general(state: State, run: Running, step: Step) -> Ask:
    """A general is named whose ability cannot be used while the card stays."""
    names = tuple(CHARACTERS[c] for c in box.GENERALS if state.where[c] != ELIMINATED)
    chosen = yield ChooseOne(
        SEATS[run.seat], "prompt.card_general", names, domain="character", about={"card": run.card}, rule=RULE
    )
    state.table_cards[run.card] = {"general": chosen}


# --- cards and Fate ----------------------------------------------------------------------------------


def draw_event(state: State, run: Running, step: Step) -> Ask:
    """Draw an Event card."""
    yield from decks.draw_event(state, run.seat)


def add_tile(state: State, run: Running, step: Step) -> Ask:
    """A special Fate tile comes into the pool."""
    state.special_tiles[box.SPECIAL_TILES.index(step["tile"])] = IN_POOL
    yield from ()


def shift_fate(state: State, run: Running, step: Step) -> Ask:
    """The Fate marker moves (left by a negative number)."""
    fate.move_marker(state, step["spaces"])
    yield from ()


def stay(state: State, run: Running, step: Step) -> Ask:
    """The card stays in play."""
    state.table_cards.setdefault(run.card, {})
    yield from ()


PRIMITIVES.update(
    {
        "shift_character": shift_character,
        "eagles": muster_eagles,
        "wrath": wrath,
        "raise_leadership": raise_leadership,
        "return_general": return_general,
        "move_bilbo": move_bilbo,
        "bodyguard": bodyguard,
        "trouble_general": trouble_general,
        "draw_event": draw_event,
        "add_tile": add_tile,
        "shift_fate": shift_fate,
        "stay": stay,
    }
)
