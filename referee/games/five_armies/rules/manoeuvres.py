"""Chapter X, step 1, and the abilities of the manoeuvre cards (p. 26, 27).

Both sides lay a card face down and turn them over together.  A unit card gives
its ability only if a black die hits; Regroup, the two special cards and the
combat effects of Event cards work without.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box.map import BIT, PLACES, TERRITORY, mask_of, places_in
from referee.games.five_armies.rules.asking import choose
from referee.games.five_armies.rules.damage import casualties, hurt_beorn, put_damage
from referee.games.five_armies.rules.pieces import eliminate
from referee.games.five_armies.state.armies import ARMY
from referee.games.five_armies.state.battle import (
    CARD,
    CARDS,
    EVENT_CARD,
    MIGHTY_STROKES,
    REGROUP,
    UNIT_CARDS,
    VAMPIRE_LIKE,
    Battle,
    Side,
)
from referee.games.five_armies.state.card_data import COMBAT_EFFECTS, all_played, show_event
from referee.games.five_armies.state.state import State
from referee.games.five_armies.state.table_cards import HOWLING_ORCS, MIGHTY_STROKES_CARD
from referee.games.kit.asking import refuse_named
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, ChooseSecretly, Refused, Report, Request

Step = Generator[Request, Any, None]

USE = ("use", "decline")
ADDS_DAMAGE = {box.ELVEN_ARCHERS: 1, box.LAKE_MEN: 1, box.DWARF_VETERANS: 1, box.GREAT_ORCS: 2}
"""Damage that a unit card's ability adds to the hits."""
IN_DAMAGE_STEP = {*ADDS_DAMAGE, box.ELVEN_SPEARMEN, box.DWARF_REGULARS}
AT_END = {box.GOBLINS, box.ORCS, box.WARGS}


# --- choosing ---------------------------------------------------------------------------------


def take_cards(state: State, battle: Battle) -> None:
    """Both players take the unit cards of the units in the combat and the special cards that fit (p. 26).

    Regroup needs no note: it is always at hand.
    """
    battle.sides[battle.attacker].hand = _unit_cards(state, battle.armies)
    battle.sides[battle.defender].hand = _unit_cards(state, BIT[battle.target])
    free, shadow = battle.sides
    if battle.beorn:
        free.hand = 0
    elif MIGHTY_STROKES_CARD in state.table_cards and _thorin_takes_part(state, battle):
        free.hand |= 1 << MIGHTY_STROKES
    if state.bats[TERRITORY[battle.target]]:
        shadow.hand |= 1 << VAMPIRE_LIKE


def _unit_cards(state: State, places: int) -> int:
    return mask_of(*{unit for place in places_in(places) for unit in ARMY[state.units[place]].types})


def _thorin_takes_part(state: State, battle: Battle) -> bool:
    where = state.where[box.THORIN]
    mine = battle.armies if battle.attacker == box.FREE else BIT[battle.target]
    return where >= 0 and bool(mine >> where & 1)


class _Hands(dict[int, tuple[str, ...]]):
    """Bits of cards to the ids of those that may be laid, Regroup among them."""

    def __missing__(self, bits: int) -> tuple[str, ...]:
        names = tuple(CARDS[card] for card in places_in(bits | 1 << REGROUP))
        self[bits] = names
        return names


_HANDS = _Hands()


def at_hand(state: State, battle: Battle, seat: int) -> int:
    """Bits of the cards ``seat`` may lay this round, besides Regroup."""
    side = battle.sides[seat]
    bits = side.hand & ~side.used
    if bits >> VAMPIRE_LIKE & 1 and not state.bats[TERRITORY[battle.target]]:
        bits &= ~(1 << VAMPIRE_LIKE)
    if state.hand_event[seat]:
        bits |= 1 << EVENT_CARD
    return bits


_OTHER_SIDES = refuse_named(box.UNITS, "combat.hand_unit_cards", about="unit")


def _choice(state: State, battle: Battle, seat: int) -> ChooseOne:
    cards = _HANDS[at_hand(state, battle, seat)]
    return ChooseOne(
        box.SEATS[seat],
        "prompt.manoeuvre",
        cards,
        domain="card",
        at_once=cards,
        about={"place": PLACES[battle.target], "round": battle.round},
        rule="manoeuvre.play_one_card",
        refused=lambda: why_not_cards(state, battle, seat),
        otherwise=_OTHER_SIDES,
    )


def why_not_cards(state: State, battle: Battle, seat: int) -> Refused:
    """The manoeuvre cards of a seat that may not be laid, each with the rule."""
    side = battle.sides[seat]
    refused: list[tuple[str, Refusal]] = []
    for unit in box.UNITS_OF_SEAT[seat]:
        if side.used >> unit & 1:
            refused.append((box.UNITS[unit], Refusal("manoeuvre.unit_card_stays_used")))
        elif not side.hand >> unit & 1:
            refused.append(
                (box.UNITS[unit], Refusal("combat.hand_unit_cards", params={"unit": box.UNITS[unit]}))
            )
    special = MIGHTY_STROKES if seat == box.FREE else VAMPIRE_LIKE
    name = CARDS[special]
    if side.used >> special & 1:
        refused.append((name, Refusal("manoeuvre.mighty_strokes_once")))
    elif not side.hand >> special & 1:
        refused.append((name, Refusal("combat.hand_special_cards")))
    elif seat == box.SHADOW and not state.bats[TERRITORY[battle.target]]:
        refused.append((name, Refusal("bats.vampire_no_effect_without_bat")))
    if not state.hand_event[seat]:
        refused.append(("event_card", Refusal("manoeuvre.allowed_cards", "no_event_card")))
    refused.append(("story_card", Refusal("combat.story_cards_set_aside")))
    return refused


def choose_manoeuvres(state: State, battle: Battle) -> Step:
    """Step 1: both lay a card and turn it over; Beorn lays none (p. 33)."""
    attacker, defender = battle.attacker, 1 - battle.attacker
    if battle.beorn:
        answer = yield _choice(state, battle, box.SHADOW)
        _lay(state, battle, box.SHADOW, CARD[answer])
    else:
        of = {box.SEATS[s]: _choice(state, battle, s) for s in (box.FREE, box.SHADOW)}
        answers = yield ChooseSecretly(
            "prompt.manoeuvre_both",
            of,
            about={"place": PLACES[battle.target], "round": battle.round},
            rule="manoeuvre.simultaneous_hidden",
        )
        _lay(state, battle, box.FREE, CARD[answers["free"]])
        _lay(state, battle, box.SHADOW, CARD[answers["shadow"]])
    for seat in (defender, attacker):
        if battle.sides[seat].card == EVENT_CARD:
            yield from _name_event(state, battle, seat)
    for seat in (defender, attacker):
        if battle.sides[seat].effect:
            yield from _at_once(state, battle, seat)


def _lay(state: State, battle: Battle, seat: int, card: int) -> None:
    side = battle.sides[seat]
    side.card = card
    if card == REGROUP:
        side.used = 0
    elif card == EVENT_CARD:
        state.hand_event[seat] -= 1
        state.event_discard += 1
    elif card != VAMPIRE_LIKE:
        side.used |= 1 << card


def _name_event(state: State, battle: Battle, seat: int) -> Step:
    """Hands are physical: the player names the Event card that lies there now."""
    gone = [one for one in COMBAT_EFFECTS if all_played(state, one)]
    battle.sides[seat].effect = effect = yield Report(
        box.SEATS[seat],
        "prompt.event_card_played",
        tuple(one for one in COMBAT_EFFECTS if one not in gone) if gone else COMBAT_EFFECTS,
        domain="card",
        about={"place": PLACES[battle.target]},
        rule="manoeuvre.event_combat_effect",
        refused=lambda: [
            (one, Refusal("cards.event_reshuffle", "all_copies_played", {"card": one})) for one in gone
        ],
    )
    show_event(state, effect)


def _at_once(state: State, battle: Battle, seat: int) -> Step:
    """What an Event card does before the combat roll; the rest is looked up where it matters."""
    side = battle.sides[seat]
    if side.effect == "no_quarter":
        place = battle.place_of(seat)
        state.damage[place] += 1
        yield from casualties(state, seat, place, only_duty=True)
    elif side.effect == "determined_attack":
        cards = side.hand & (UNIT_CARDS | 1 << MIGHTY_STROKES)
        if cards:
            answer = yield ChooseOne(
                box.SEATS[seat],
                "prompt.determined_attack",
                tuple(CARDS[card] for card in places_in(cards)),
                domain="card",
                about={"place": PLACES[battle.target]},
                rule="manoeuvre.event_combat_effect",
            )
            side.card = CARD[answer]


# --- the abilities of unit cards ----------------------------------------------------------------


def may_use(state: State, battle: Battle, seat: int) -> bool:
    """Whether the unit card of ``seat`` has come true this round."""
    side = battle.sides[seat]
    if not side.ability or not 0 <= side.card < len(box.UNITS):
        return False
    return not (
        seat == box.FREE
        and box.PEOPLE[side.card] in ("dwarves", "men")
        and HOWLING_ORCS in state.table_cards
        and box.GREAT_ORCS in ARMY[state.units[battle.place_of(box.SHADOW)]].types
    )


def declare(state: State, battle: Battle, at: set[int]) -> Step:
    """Those who may use an ability at this moment say whether they do: the attacker first."""
    for seat in (battle.attacker, 1 - battle.attacker):
        side = battle.sides[seat]
        if side.card in at and may_use(state, battle, seat) and _matters(state, battle, seat):
            answer = yield ChooseOne(
                box.SEATS[seat],
                "prompt.use_ability",
                USE,
                about={"place": PLACES[battle.target], "ability": box.MANOEUVRE[side.card]},
                rule="manoeuvre.ability_optional_attacker_declares_first",
            )
            side.uses = answer == "use"


def _matters(state: State, battle: Battle, seat: int) -> bool:
    """Whether using the ability could change anything (the opponent's own ability needs a hit too)."""
    card = battle.sides[seat].card
    threat = battle.sides[1 - seat].hits
    if card == box.ELVEN_SPEARMEN:
        return threat > 0
    if card == box.DWARF_REGULARS:
        return threat + state.damage[battle.place_of(seat)] > 0
    if card == box.WARGS:
        return not battle.beorn and state.damage[battle.place_of(1 - seat)] > 1
    return True


def apply_damage_abilities(state: State, battle: Battle) -> Generator[Request, Any, None]:
    """Sum up what each side suffers in the damage step; the defender's ability is applied first."""
    free, shadow = battle.sides
    free.suffered, shadow.suffered = shadow.hits, free.hits
    for seat in (1 - battle.attacker, battle.attacker):
        side = battle.sides[seat]
        if not side.uses:
            continue
        other = battle.sides[1 - seat]
        if side.card == box.GREAT_ORCS:
            spared = yield from _fell_race(state, battle, 1 - seat)
            other.suffered += 0 if spared else ADDS_DAMAGE[box.GREAT_ORCS]
        else:
            other.suffered += ADDS_DAMAGE.get(side.card, 0)
            place = battle.place_of(1 - seat)
            if side.card == box.DWARF_VETERANS and state.leaders[place]:
                state.leaders[place] -= 1
    for side in battle.sides:
        # Wall of Spears cancels one damage of the step, added damage included: so it counts last
        if side.uses and side.card == box.ELVEN_SPEARMEN and side.suffered:
            side.suffered -= 1


def _fell_race(state: State, battle: Battle, seat: int) -> Generator[Request, Any, bool]:
    """Fell Race: the opponent takes two damage, or gives up all leadership tokens or one character."""
    place = battle.place_of(seat)
    options = ["take_damage"]
    fit = 0
    if not (seat == box.FREE and battle.beorn):
        if state.leaders[place]:
            options.append("leadership")
        fit = state.chars[place] & box.CHARACTER_BITS[seat] & ~(1 << box.BEORN)
        options.extend(box.CHARACTERS[character] for character in places_in(fit))
    answer = yield from choose(
        seat,
        "prompt.fell_race",
        options,
        about={"place": PLACES[place], "damage": ADDS_DAMAGE[box.GREAT_ORCS]},
        rule="damage.effects_before_casualties",
    )
    if answer == "take_damage":
        return False
    if answer == "leadership":
        state.leaders[place] = 0
    else:
        eliminate(state, box.CHARACTER[answer])
    return True


def vampire_like(state: State, battle: Battle) -> Step:
    """Vampire-like: a Great Bat for one more damage, where damage was dealt this round (p. 34)."""
    shadow, free = battle.sides[box.SHADOW], battle.sides[box.FREE]
    territory = TERRITORY[battle.target]
    if shadow.card != VAMPIRE_LIKE or free.suffered <= 0 or not state.bats[territory]:
        return
    answer = yield ChooseOne(
        box.SEATS[box.SHADOW],
        "prompt.vampire_like",
        USE,
        about={"place": PLACES[battle.target]},
        rule="bats.vampire_extra_damage",
    )
    if answer == "use":
        state.bats[territory] -= 1
        free.suffered += 1


def end_of_round_abilities(state: State, battle: Battle) -> Step:
    """Goblin Charge, Wild Rage, Rearguard Attack: declared and applied before anybody leaves."""
    yield from declare(state, battle, AT_END)
    for seat in (1 - battle.attacker, battle.attacker):
        side = battle.sides[seat]
        if side.uses and side.card in AT_END:
            yield from _END[side.card](state, battle, seat)


def _wild_rage(state: State, battle: Battle, seat: int) -> Step:
    state.leaders[battle.place_of(seat)] += 1
    yield from ()


def _rearguard_attack(state: State, battle: Battle, seat: int) -> Step:
    other = 1 - seat
    if other == box.FREE and battle.beorn:
        return
    yield from casualties(state, other, battle.place_of(other), down_to=1, side=battle.sides[other])


def _goblin_charge(state: State, battle: Battle, seat: int) -> Step:
    """One damage on the own army, where no fortification or Bodyguard helps, for one on the enemy."""
    place, other = battle.place_of(seat), 1 - seat
    there = battle.place_of(other)
    state.damage[place] += 1
    side = battle.sides[other]
    side.suffered += 1
    attacked = other != battle.attacker
    if other == box.FREE and battle.beorn:
        hurt_beorn(state, 1, attacked=attacked)
    else:
        yield from put_damage(state, other, there, 1, attacked=attacked)
        yield from casualties(state, other, there, side=side, only_duty=True)
    yield from casualties(state, seat, place, side=battle.sides[seat], only_duty=True)


_END = {box.ORCS: _wild_rage, box.WARGS: _rearguard_attack, box.GOBLINS: _goblin_charge}


def regrouped(side: Side) -> bool:
    """Whether this side played Regroup this round."""
    return side.card == REGROUP
