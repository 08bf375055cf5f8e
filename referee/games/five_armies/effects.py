"""The primitives that card programs are made of, but for marching and fighting (:mod:`effects_march`).

A program is a list of steps, each a mapping whose ``do`` names a primitive;
the other keys are its arguments.  Steps run in order under the ordinary rules;
what cannot be done is left out (p. 15).  ``it`` is the place that an earlier
step of the same card dealt with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.games.five_armies import cards, fate, ranged, recruiting
from referee.games.five_armies.armies import ARMY, ONE
from referee.games.five_armies.asking import Ask, Pick, refuse_all, roll_dice
from referee.games.five_armies.characters import enter_play, is_ready, learn_entry
from referee.games.five_armies.components import (
    BEORN,
    BILBO,
    BOLG,
    CHARACTER,
    CHARACTERS,
    F_WEST,
    FACE,
    FREE,
    GENERALS,
    GREAT_ORCS,
    GROUPS_OF_SEAT,
    LORD,
    SEATS,
    SHADOW,
    SPECIAL_TILES,
    TOKEN_GROUPS,
    UNIT,
)
from referee.games.five_armies.damage import casualties, damage_outside_combat
from referee.games.five_armies.fortification import repair
from referee.games.five_armies.map import (
    BROKEN_LANDS,
    FORTIFICATION_INDEX,
    FORTIFICATION_MASK,
    GOBLIN_MUSTERS,
    IN_TERRITORY,
    MUSTERING,
    NEAR,
    NEIGHBOURS,
    OPTIONS,
    PASSES,
    PLACE,
    PLACES,
    RAVENHILL,
    REGION_COUNT,
    RUINS_OF_DALE,
    SETTLEMENTS,
    TERRITORIES,
    places_in,
)
from referee.games.five_armies.pieces import (
    add_units,
    enemies,
    enter,
    led_armies,
    put_character,
    remove_tokens,
    remove_units,
)
from referee.games.five_armies.rally import damaged_armies, rally, rally_army
from referee.games.five_armies.state import ELIMINATED, IN_POOL, NOT_IN_PLAY, State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne

RULE = "cards.all_effects_apply"
Step = Mapping[str, Any]


@dataclass(slots=True)
class Running:
    """A card that is being carried out: whose, which, with which die face, and what it dealt with last."""

    seat: int
    card: str
    face: int
    it: int = -1


Primitive = Callable[[State, Running, Step], Ask]


# --- where -------------------------------------------------------------------------------------


def _of_people(people: str) -> Callable[[State, int], int]:
    def select(state: State, seat: int) -> int:
        return sum(1 << p for p in places_in(state.armies[seat]) if people in ARMY[state.units[p]].peoples)

    return select


def _with_goblins(state: State, seat: int) -> int:
    return sum(1 << p for p in places_in(state.armies[seat]) if ARMY[state.units[p]].has_goblin)


def _next_to_led(state: State, seat: int) -> int:
    near = NEAR[led_armies(state, seat)] & state.armies[1 - seat]
    return sum(1 << place for place in places_in(near) if state.leaders[place])


SELECTORS: Mapping[str, Callable[[State, int], int]] = {
    "own_army": lambda state, seat: state.armies[seat],
    "led_army": led_armies,
    "dwarves": _of_people("dwarves"),
    "elves": _of_people("elves"),
    "goblins": _with_goblins,
    "army_in_broken_lands": lambda state, seat: state.armies[seat] & IN_TERRITORY[BROKEN_LANDS],
    "army_in_goblin_box": lambda state, seat: state.armies[seat] & (GOBLIN_MUSTERS | PASSES),
    "own_settlement": lambda state, seat: SETTLEMENTS & ~state.control & ~state.armies[1 - seat],
    "ravenhill": lambda state, seat: (
        1 << RAVENHILL & ~enemies(state, SHADOW) | 1 << RAVENHILL & state.armies[FREE]
    ),
    "mustering": lambda state, seat: MUSTERING & ~enemies(state, seat),
    "dale_or_next": lambda state, seat: (
        (1 << RUINS_OF_DALE | NEIGHBOURS[RUINS_OF_DALE]) & ~enemies(state, seat)
    ),
    "next_to_led_army": _next_to_led,
}
"""Where a step may happen: selector to the mask of places, for the seat whose card it is."""


def choose_place(
    state: State,
    run: Running,
    mask: int,
    prompt: str,
    *,
    may_stop: bool = False,
    why_not: Callable[[int], Refusal | None] | None = None,
) -> Ask:
    """Ask for one of some places; returns -1 where there is none or the player stops.

    ``why_not`` knows more of the places that are not among them than that the card does not name them.
    """
    if not mask:
        return -1
    if not may_stop and not mask & (mask - 1):
        return mask.bit_length() - 1
    options = OPTIONS[mask]
    unnamed = Refusal("cards.rules_still_apply", "card_not_there", {"card": run.card})

    def refusal(place: int) -> Refusal | None:
        if mask >> place & 1:
            return None
        return (why_not(place) if why_not is not None else None) or unnamed

    chosen = yield ChooseOne(
        SEATS[run.seat],
        prompt,
        (*options, "done") if may_stop else options,
        domain="place",
        about={"card": run.card},
        rule=RULE,
        refused=lambda: refuse_all(PLACES, refusal),
    )
    return -1 if chosen == "done" else PLACE[chosen]


# --- recruiting --------------------------------------------------------------------------------


def recruit(state: State, run: Running, step: Step) -> Ask:
    """Units from the supply, and leadership tokens, into one place."""
    place = yield from choose_place(
        state, run, SELECTORS[step["where"]](state, run.seat), "prompt.card_recruit"
    )
    if place < 0:
        return
    units = 0
    for name, number in step["units"].items():
        unit = UNIT[name]
        units += ONE[unit] * min(number, state.supply[unit])
    run.it = place
    if units:
        add_units(state, place, units)
        if place < REGION_COUNT:
            enter(state, place, run.seat)
    if state.armies[run.seat] >> place & 1:
        state.leaders[place] += step.get("leadership", 0)
    yield from recruiting.remove_overflow(state, run.seat, place)


def place_token(state: State, run: Running, step: Step) -> Ask:
    """A face-down token into each of some regions, and it is turned up (``flip`` "or": either, not both)."""
    seat, done, either = run.seat, 0, step.get("flip") == "or"
    regions = step.get("regions", 1)
    for turn in range(regions):
        among = SELECTORS[step["where"]](state, seat) & ~done
        mask = recruiting.laying_places(state, seat, among)
        if either:
            mask |= recruiting.token_places(state, seat) & among
        mask &= ~_beorns_region(state, seat)
        place = yield from choose_place(
            state,
            run,
            mask,
            "prompt.card_token_place",
            may_stop=turn > 0 or regions > 1,
            why_not=_why_not_token(state, seat, done),
        )
        if place < 0:
            return
        done |= 1 << place
        run.it = place
        if either:
            yield from _lay_or_flip(state, run, place, among)
        else:
            yield from _lay_and_flip(state, run, place)


def _beorns_region(state: State, seat: int) -> int:
    """Free Peoples units do not appear where Beorn stands."""
    return 1 << state.where[BEORN] if seat == FREE and state.where[BEORN] >= 0 else 0


def _why_not_token(state: State, seat: int, done: int) -> Callable[[int], Refusal | None]:
    def why_not(place: int) -> Refusal | None:
        about = {"place": PLACES[place]}
        if done >> place & 1:
            return Refusal("muster.die_regions_must_differ", "same_region", about)
        if _beorns_region(state, seat) >> place & 1:
            return Refusal("beorn.never_ends_with_units", "beorn_there", about)
        return recruiting.why_not_lay_token(state, seat, place, GROUPS_OF_SEAT[seat][0])

    return why_not


def _lay_or_flip(state: State, run: Running, place: int, among: int) -> Ask:
    flip = recruiting.token_places(state, run.seat) >> place & 1
    lay = recruiting.laying_places(state, run.seat, among) >> place & 1
    way = "flip_token" if flip else "place_token"
    if flip and lay:
        way = yield ChooseOne(
            SEATS[run.seat],
            "prompt.card_flip_or_place",
            ("flip_token", "place_token"),
            about={"place": PLACES[place], "card": run.card},
            rule=RULE,
        )
    if way == "flip_token":
        yield from recruiting.turn_up(state, run.seat, place)
    else:
        yield from _lay(state, run, place)


def _lay(state: State, run: Running, place: int) -> Ask:
    """Lay one token; returns its group."""
    groups = [group for group in GROUPS_OF_SEAT[run.seat] if state.token_pool[group]]
    group = groups[0]
    if len(groups) > 1:
        name = yield ChooseOne(
            SEATS[run.seat],
            "prompt.choose_token_group",
            tuple(TOKEN_GROUPS[g] for g in groups),
            domain="token_group",
            about={"place": PLACES[place]},
            rule="muster.token_groups",
        )
        group = TOKEN_GROUPS.index(name)
    recruiting.lay_tokens(state, group, place)
    return group


def _lay_and_flip(state: State, run: Running, place: int) -> Ask:
    group = yield from _lay(state, run, place)
    yield from recruiting.turn_up(state, run.seat, place, group)


def flip_tokens(state: State, run: Running, step: Step) -> Ask:
    """Tokens are turned up: in different ``regions``, or so many ``tokens`` wherever they lie ``within``."""
    if "regions" in step:
        yield from recruiting.recruit(state, run.seat, step["regions"], RULE)
        return
    among = IN_TERRITORY[TERRITORIES.index(step["within"])]
    for turn in range(step["tokens"]):
        mask = recruiting.token_places(state, run.seat) & among & ~_beorns_region(state, run.seat)
        place = yield from choose_place(state, run, mask, "prompt.choose_token", may_stop=turn > 0)
        if place < 0:
            return
        yield from recruiting.turn_up(state, run.seat, place)


def orcs_on_card(state: State, run: Running, step: Step) -> Ask:
    """Orcs from the supply lie on the card, to come one by one."""
    orcs = min(step["number"], state.supply[UNIT["orcs"]])
    state.supply[UNIT["orcs"]] -= orcs
    state.table_cards[run.card] = {"orcs": orcs}
    yield from ()


def remove_enemy_tokens(state: State, run: Running, step: Step) -> Ask:
    """Roll dice; each success takes an enemy recruitment token off the board."""
    about = {"card": run.card, "target": step["success"]}
    pips = yield from roll_dice(run.seat, "prompt.card_roll", step["dice"], about, RULE)
    for pip in pips:
        if pip >= step["success"]:
            yield from _remove_token(state, run)


def _remove_token(state: State, run: Running) -> Ask:
    other = 1 - run.seat
    place = yield from choose_place(
        state, run, recruiting.token_places(state, other), "prompt.card_remove_token"
    )
    if place < 0:
        return
    groups = [group for group in GROUPS_OF_SEAT[other] if place in state.tokens[group]]
    group = groups[0]
    if len(groups) > 1:
        name = yield ChooseOne(
            SEATS[run.seat],
            "prompt.choose_token_group",
            tuple(TOKEN_GROUPS[g] for g in groups),
            domain="token_group",
            about={"place": PLACES[place]},
            rule="muster.token_groups",
        )
        group = TOKEN_GROUPS.index(name)
    remove_tokens(state, group, place, 1)


# --- leadership and dice -------------------------------------------------------------------------


def leadership(state: State, run: Running, step: Step) -> Ask:
    """Leadership tokens to one army, or one each to several different armies."""
    number = step.get("armies", 1)
    mask = state.armies[run.seat]
    if number == 1:
        place = yield from choose_place(state, run, mask, "prompt.card_leadership")
        if place >= 0:
            by_west = run.face == F_WEST
            state.leaders[place] += (
                step["tokens_by_west"] if by_west and "tokens_by_west" in step else step["tokens"]
            )
            run.it = place
        return
    if not mask:
        return
    options = OPTIONS[mask]
    chosen = yield Pick(
        SEATS[run.seat],
        "prompt.place_leadership",
        dict.fromkeys(options, 1),
        maximum=min(number, len(options)),
        default=dict.fromkeys(options[:number], 1),
        domain="place",
        about={"card": run.card, "count": number},
        rule=RULE,
        too_many=Refusal(RULE, "too_many", {"maximum": number}),
    )
    for name in chosen:
        state.leaders[PLACE[name]] += step["tokens"]


def strip_leadership(state: State, run: Running, step: Step) -> Ask:
    """All leadership tokens of an enemy army go."""
    mask = SELECTORS[step["where"]](state, run.seat)
    place = yield from choose_place(state, run, mask, "prompt.card_strip_leadership")
    if place >= 0:
        state.leaders[place] = 0


def discard_die(state: State, run: Running, step: Step) -> Ask:
    """An unused action die of the opponent with this face is put aside."""
    face, other = FACE[step["face"]], 1 - run.seat
    if state.unused[other][face]:
        state.unused[other][face] -= 1
        state.used[other][face] += 1
    yield from ()


def send_bats(state: State, run: Running, step: Step) -> Ask:
    """Up to so many Great Bats leave; each takes an enemy leadership token or recruitment token along."""
    for turn in range(step["bats"]):
        token = step["against"] == "token"
        foes = recruiting.token_places(state, FREE) if token else _leaders(state, FREE)
        over = [TERRITORIES[t] for t, number in enumerate(state.bats) if number]
        if not foes or not over:
            return
        chosen = yield ChooseOne(
            SEATS[SHADOW],
            "prompt.card_send_bat",
            (*over, "done") if turn else tuple(over),
            domain="territory",
            about={"card": run.card},
            rule=RULE,
        )
        if chosen == "done":
            return
        state.bats[TERRITORIES.index(chosen)] -= 1
        if token:
            yield from _remove_token(state, run)
        else:
            place = yield from choose_place(state, run, foes, "prompt.card_strip_leadership")
            state.leaders[place] -= 1


def _leaders(state: State, seat: int) -> int:
    return sum(1 << place for place in places_in(state.armies[seat]) if state.leaders[place])


# --- damage --------------------------------------------------------------------------------------


def heal(state: State, run: Running, step: Step) -> Ask:
    """Damage tokens are taken off one own army."""
    mask = SELECTORS[step["army"]](state, run.seat)
    place = yield from choose_place(state, run, mask, "prompt.card_heal")
    if place >= 0:
        run.it = place
        state.damage[place] -= min(step["damage"], state.damage[place])


def rally_armies(state: State, run: Running, step: Step) -> Ask:
    """Armies rally as with a Muster symbol, with another number for a success."""
    yield from rally(state, run.seat, step["success"], RULE)


def rally_it(state: State, run: Running, step: Step) -> Ask:
    """The army of the step before may rally once."""
    if run.it < 0 or not damaged_armies(state, run.seat) >> run.it & 1:
        return
    answer = yield ChooseOne(
        SEATS[run.seat],
        "prompt.card_rally",
        ("rally", "done"),
        about={"place": PLACES[run.it], "card": run.card},
        rule=RULE,
    )
    if answer == "rally":
        yield from rally_army(state, run.seat, run.it, step["success"])


def repair_fortification(state: State, run: Running, step: Step) -> Ask:
    """A fortification loses as much damage as the army in it has combat strength."""
    mask = state.armies[run.seat] & FORTIFICATION_MASK
    damaged = sum(1 << p for p in places_in(mask) if state.fort_damage[FORTIFICATION_INDEX[p]])
    place = yield from choose_place(state, run, damaged, "prompt.card_repair")
    if place >= 0:
        repair(state, place, ARMY[state.units[place]].strength)


def damage_armies(state: State, run: Running, step: Step) -> Ask:
    """Damage on some enemy armies that have none; no fortification absorbs what a card places."""
    other = 1 - run.seat
    mask = sum(1 << place for place in places_in(state.armies[other]) if not state.damage[place])
    if not mask:
        return
    options = OPTIONS[mask]
    chosen = yield Pick(
        SEATS[run.seat],
        "prompt.card_damage",
        dict.fromkeys(options, 1),
        maximum=min(step["armies"], len(options)),
        default=dict.fromkeys(options[: step["armies"]], 1),
        domain="place",
        about={"card": run.card, "count": step["armies"]},
        rule=RULE,
        too_many=Refusal(RULE, "too_many", {"maximum": step["armies"]}),
    )
    for name in chosen:
        yield from damage_outside_combat(state, other, PLACE[name], step["tokens"], attack=False)


def archery(state: State, run: Running, step: Step) -> Ask:
    """An attack by the rules of Thranduil's ability, with another number for a hit."""
    yield from ranged.archery(state, target=step["target"])


# --- characters ------------------------------------------------------------------------------------


def shift_character(state: State, run: Running, step: Step) -> Ask:
    """A character who waits on the Fate track is moved, and ``enters`` at once if he is ready then.

    ``then`` follows; where he does not wait there ``otherwise`` is carried out instead.
    """
    character = CHARACTER[step["character"]]
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
    ratings = list(state.ratings)
    ratings[CHARACTER[step["character"]]] += step["by"]
    state.ratings = tuple(ratings)
    yield from ()


def muster_eagles(state: State, run: Running, step: Step) -> Ask:
    """Eagles come to the Eyrie."""
    fate.place_eagles(state, step["number"])
    yield from ()


def return_general(state: State, run: Running, step: Step) -> Ask:
    """An eliminated general returns to a region with an own army."""
    gone = [c for c in GENERALS if state.where[c] == ELIMINATED and c != LORD]
    if not gone or not state.armies[FREE]:
        return
    general = gone[0]
    if len(gone) > 1:
        chosen = yield ChooseOne(
            SEATS[FREE],
            "prompt.card_general",
            tuple(CHARACTERS[c] for c in gone),
            domain="character",
            about={"card": run.card},
            rule=RULE,
        )
        general = CHARACTER[chosen]
    place = yield from choose_place(state, run, state.armies[FREE], "prompt.card_character_to")
    put_character(state, general, place)


def move_bilbo(state: State, run: Running, step: Step) -> Ask:
    """Bilbo goes to an own army; with a certain character there a Fate card is drawn."""
    mask = SELECTORS[step["to"]](state, FREE)
    place = yield from choose_place(state, run, mask, "prompt.card_character_to")
    if place < 0:
        return
    put_character(state, BILBO, place)
    if state.where[CHARACTER[step["fate_card_with"]]] == place:
        yield from fate.draw_fate_card(state)


def bodyguard(state: State, run: Running, step: Step) -> Ask:
    """A Great Orc of Bolg's army becomes a Bodyguard token, three at most."""
    place = state.where[BOLG]
    if place < 0 or state.bodyguards >= 3 or GREAT_ORCS not in ARMY[state.units[place]].types:
        return
    state.bodyguards += 1
    remove_units(state, place, ONE[GREAT_ORCS])
    yield from casualties(state, SHADOW, place, only_duty=True)


def trouble_general(state: State, run: Running, step: Step) -> Ask:
    """A general is named whose ability cannot be used while the card stays."""
    names = tuple(CHARACTERS[c] for c in GENERALS if state.where[c] != ELIMINATED)
    chosen = yield ChooseOne(
        SEATS[run.seat],
        "prompt.card_general",
        names,
        domain="character",
        about={"card": run.card},
        rule=RULE,
    )
    state.table_cards[run.card] = {"general": chosen}


# --- cards and Fate ----------------------------------------------------------------------------------


def draw_event(state: State, run: Running, step: Step) -> Ask:
    """Draw an Event card."""
    yield from cards.draw_event(state, run.seat)


def add_tile(state: State, run: Running, step: Step) -> Ask:
    """A special Fate tile comes into the pool."""
    state.special_tiles[SPECIAL_TILES.index(step["tile"])] = IN_POOL
    yield from ()


def shift_fate(state: State, run: Running, step: Step) -> Ask:
    """The Fate marker moves (left by a negative number)."""
    fate.move_marker(state, step["spaces"])
    yield from ()


def stay(state: State, run: Running, step: Step) -> Ask:
    """The card stays in play."""
    state.table_cards.setdefault(run.card, {})
    yield from ()


def lay_token(state: State, run: Running, step: Step) -> Ask:
    """A face-down token is laid in the ``place`` (a number) of the step."""
    yield from _lay(state, run, step["place"])


PRIMITIVES: dict[str, Primitive] = {
    "lay_token": lay_token,
    "recruit": recruit,
    "place_token": place_token,
    "flip_tokens": flip_tokens,
    "orcs_on_card": orcs_on_card,
    "remove_tokens": remove_enemy_tokens,
    "leadership": leadership,
    "strip_leadership": strip_leadership,
    "discard_die": discard_die,
    "send_bats": send_bats,
    "heal": heal,
    "rally": rally_armies,
    "rally_it": rally_it,
    "repair": repair_fortification,
    "damage": damage_armies,
    "archery": archery,
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
"""Every primitive by the name that programs use; :mod:`effects_march` adds its own."""


def run_program(state: State, run: Running, program: tuple[Step, ...] | list[Step]) -> Ask:
    """Carry a program out, step by step."""
    for step in program:
        yield from PRIMITIVES[step["do"]](state, run, step)
