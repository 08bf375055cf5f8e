"""Chapter X, step 4: damage and casualties (p. 28, 29).

The same steps serve damage in a combat and damage done by cards, generals and
Eagles: what wards it off, where the tokens go, then casualties.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from functools import cache
from random import Random
from typing import Any

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box.components import CHARACTERS, FREE, SEATS, SHADOW, UNITS
from referee.games.five_armies.box.map import PLACES, places_in
from referee.games.five_armies.rules.asking import choose, draw_some
from referee.games.five_armies.rules.fortification import absorb
from referee.games.five_armies.rules.pieces import eliminate, remove_units
from referee.games.five_armies.state.armies import ARMY, Army, pack
from referee.games.five_armies.state.battle import Side
from referee.games.five_armies.state.card_data import discard_from_table
from referee.games.five_armies.state.state import State
from referee.games.five_armies.state.table_cards import HOWLING_ORCS, SHINING_ARMOUR
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, ChooseSome, Counts, Forced, Request

Step = Generator[Request, Any, None]

LIFTED = 2
"""Damage tokens that one removed unit takes along."""
KEEP = "keep_damage"
"""Among casualties: how many of the tokens that the removed units could take along stay on purpose."""
ARMOUR_HOLDS = 5
"""Tokens that Shining Armour bears; with more at the end of a combat round it is discarded."""


# --- warding damage off, and where it goes -----------------------------------------------------


def ward_off(state: State, place: int, damage: int) -> Generator[Request, Any, bool]:
    """Bolg's Bodyguards: whether one token is discarded against all this damage to his army."""
    if damage <= 0 or not state.bodyguards or state.where[box.BOLG] != place or not state.units[place]:
        return False
    answer = yield ChooseOne(
        SEATS[SHADOW],
        "prompt.bodyguard",
        ("take_damage", "discard_bodyguard"),
        about={"place": PLACES[place], "damage": damage},
        rule="bolg.bodyguard_cancels_round",
        refused=lambda: [("part_of_damage", Refusal("bolg.bodyguard_cancels_round"))],
    )
    if answer == "take_damage":
        return False
    state.bodyguards -= 1
    return True


def put_damage(state: State, seat: int, place: int, damage: int, *, attacked: bool) -> Step:
    """Put tokens on the army of a place: on its fortification first where it is ``attacked`` in one."""
    if attacked:
        damage = absorb(state, place, damage)
    if not damage:
        return
    if seat == FREE and state.where[box.THORIN] == place and SHINING_ARMOUR in state.table_cards:
        damage -= yield from _on_armour(state, place, damage)
    state.damage[place] += damage


def _on_armour(state: State, place: int, damage: int) -> Generator[Request, Any, int]:
    chosen: Counts = yield ChooseSome(
        SEATS[FREE],
        "prompt.shining_armour",
        {"shining_armour": damage},
        domain="card",
        about={"place": PLACES[place], "damage": damage},
        rule="damage.effects_before_casualties",
    )
    number = chosen.get("shining_armour", 0)
    card = state.table_cards[SHINING_ARMOUR]
    card["damage"] = card.get("damage", 0) + number
    return number


def armour_breaks(state: State) -> None:
    """At the end of a combat round Shining Armour is discarded with more than five tokens on it."""
    card = state.table_cards.get(SHINING_ARMOUR)
    if card is not None and card.get("damage", 0) > ARMOUR_HOLDS:
        del state.table_cards[SHINING_ARMOUR]


def hurt_beorn(state: State, damage: int, *, attacked: bool = True) -> None:
    """Beorn loses Wrath instead of taking damage; without Wrath he is eliminated."""
    place = state.where[box.BEORN]
    if attacked:
        damage = absorb(state, place, damage)
    if not damage:
        return
    state.wrath = max(0, state.wrath - damage)
    if not state.wrath:
        eliminate(state, box.BEORN)


def damage_outside_combat(state: State, seat: int, place: int, damage: int, *, attack: bool) -> Step:
    """Damage by a card, a general or Eagles, in the steps of combat damage.

    A fortification absorbs what an ``attack`` does, not what a card simply places.
    """
    if damage <= 0 or not state.armies[seat] >> place & 1:
        return
    if seat == SHADOW and (yield from ward_off(state, place, damage)):
        return
    yield from put_damage(state, seat, place, damage, attacked=attack)
    yield from casualties(state, seat, place)


# --- casualties --------------------------------------------------------------------------------


def least_casualties(size: int, damage: int, down_to: int | None) -> int:
    """How many units must go until damage no longer outnumbers units, or ``down_to`` tokens are left."""
    if down_to is None:
        return min(size, max(0, damage - size))
    return min(size, max(0, damage - down_to + 1) // LIFTED)


def tokens_lifted(removed: Mapping[str, int], redoubtable: bool) -> int:
    """Damage tokens that go with removed units: two each, and one more for a Redoubtable Dwarf Regular."""
    lifted = LIFTED * (sum(removed.values()) - removed.get(KEEP, 0))
    return lifted + 1 if redoubtable and removed.get(UNITS[box.DWARF_REGULARS]) else lifted


def casualties(
    state: State,
    seat: int,
    place: int,
    *,
    down_to: int | None = None,
    side: Side | None = None,
    only_duty: bool = False,
) -> Step:
    """Units are removed to lift damage: those that must go, and more if the player likes.

    ``down_to`` asks for at most so many tokens in the end (rout, Rearguard
    Attack); ``side`` is the side in a combat, whose card may help;
    ``only_duty`` asks nothing where no unit must go.
    """
    damage = state.damage[place]
    if not damage:
        return
    helper: Side | None = None
    if side is not None:
        spent = side.effect_spent and state.house["redoubtable"] == "once"
        helper = side if side.uses and side.card == box.DWARF_REGULARS and not spent else None
        if side.effect == "captain_of_war" and not side.effect_spent:
            yield from _captain_of_war(state, seat, place, side)
            damage = state.damage[place]
    units = state.units[place]
    army = ARMY[units]
    size = army.size
    if box.DWARF_REGULARS not in army.types:
        helper = None
    least = least_casualties(size, damage, down_to)
    if least == 0 and (only_duty or not damage):
        return
    most = min(size, (damage + 1) // LIFTED)
    if helper is not None and least:
        fewer = max(1, least_casualties(size, damage - 1, down_to))
        if fewer < size:
            yield from _redoubtable(state, seat, place, fewer, max(most, least), down_to, helper)
            return
    removed = yield from _choose_casualties(seat, place, army, damage, least, max(most, least), down_to)
    if least >= size:
        state.damage[place] = 0
        _fall(state, place, units)
        return
    _take_off(state, place, removed, helper)


def _choose_casualties(
    seat: int, place: int, army: Army, damage: int, least: int, most: int, down_to: int | None
) -> Generator[Request, Any, Counts]:
    whole = least >= army.size
    keep = 0 if whole else _tokens_to_keep(army.size, damage, least, most, down_to)
    request: Request = Casualties(
        SEATS[seat],
        "prompt.casualties",
        {**army.counts, KEEP: keep} if keep else army.counts,
        minimum=least,
        maximum=most + keep,
        refuses=_wrong_casualties(army.size, damage, least, most, down_to) if keep else None,
        about={"place": PLACES[place], "damage": damage, "least": least},
        rule="damage.voluntary_casualties",
        too_few=_too_few(least, down_to),
        too_many=_too_many(most),
        at_once=True,
    )
    if whole or (least == most and len(army.types) == 1):
        request = Forced(request, {name: min(least, there) for name, there in army.counts.items()})
    removed: Counts = yield request
    return removed


@cache
def _tokens_to_keep(size: int, damage: int, least: int, most: int, down_to: int | None) -> int:
    """How many tokens a screen lets stay although units go: a unit takes *up to* two along (p. 28).

    0 where every such answer would leave a duty open.
    """
    for number in range(max(1, least), min(most, size - 1) + 1):
        lifted = min(damage, LIFTED * number)
        if damage - lifted < (size - number if down_to is None else down_to):
            return min(damage, LIFTED * most)
    return 0


@cache
def _wrong_casualties(
    size: int, damage: int, least: int, most: int, down_to: int | None, redoubtable: bool = False
) -> Callable[[Counts], Refusal | None]:
    """Judges casualties as a whole: in the end no more damage may be left than the duty allows."""

    def refuses(removed: Counts) -> Refusal | None:
        keep = removed.get(KEEP, 0)
        number = sum(removed.values()) - keep
        if number < least:
            return _too_few(least, down_to)
        if number > most:
            return _too_many(most)
        lifted = min(damage, tokens_lifted(removed, redoubtable))
        if keep > lifted:
            return Refusal("damage.voluntary_casualties", "keeps_too_much", {"maximum": lifted})
        left = damage - lifted + keep
        enough = (number == size and not keep) or left <= (size - number if down_to is None else down_to)
        return None if enough else _too_few(number + 1, down_to)

    return refuses


class Casualties(ChooseSome):
    """Units to remove; with a quick random answer, in which they take along as much as they can."""

    __slots__ = ()

    def sample(self, rng: Random) -> Counts:
        highest = self.maximum - self.limits.get(KEEP, 0)
        number = self.minimum + int(rng.random() * (highest - self.minimum + 1))
        if not number:
            return {}
        units = [name for name, most in self.limits.items() if name != KEEP for _ in range(most)]
        return draw_some(rng, units, number)


@cache
def _too_few(least: int, down_to: int | None) -> Refusal:
    rule = "damage.mandatory_above_unit_count" if down_to is None else "rout.casualties_to_one"
    return Refusal(rule, "more_casualties", {"minimum": least})


@cache
def _too_many(most: int) -> Refusal:
    return Refusal("damage.voluntary_casualties", "no_damage_left", {"maximum": most})


def _take_off(state: State, place: int, removed: Mapping[str, int], helper: Side | None) -> None:
    """Remove units with the tokens that they lift; ``helper`` is the side whose Redoubtable helps."""
    if not removed:
        return
    left = max(0, state.damage[place] - tokens_lifted(removed, helper is not None))
    if helper is not None and removed.get(UNITS[box.DWARF_REGULARS]):
        helper.effect_spent = True
    state.damage[place] = left + removed.get(KEEP, 0)
    _fall(state, place, pack({name: number for name, number in removed.items() if name != KEEP}))


def _fall(state: State, place: int, units: int) -> None:
    """Units are eliminated as casualties; with a Great Orc the card Howling Orcs is discarded."""
    if state.table_cards and box.GREAT_ORCS in ARMY[units].types:
        discard_from_table(state, HOWLING_ORCS)
    remove_units(state, place, units)


def _redoubtable(
    state: State, seat: int, place: int, least: int, most: int, down_to: int | None, helper: Side
) -> Step:
    """Casualties where one Dwarf Regular takes three tokens along: how many must go depends on who goes."""
    army, damage = ARMY[state.units[place]], state.damage[place]
    size = army.size
    keep = _tokens_to_keep(size, damage, least, most, down_to)
    removed = yield ChooseSome(
        SEATS[seat],
        "prompt.casualties",
        {**army.counts, KEEP: keep} if keep else army.counts,
        minimum=least,
        maximum=most + keep,
        refuses=_wrong_casualties(size, damage, least, most, down_to, True),
        default=_default_removal(army.counts, most),
        about={"place": PLACES[place], "damage": damage, "least": least},
        rule="damage.voluntary_casualties",
        too_few=_too_few(least, down_to),
        too_many=_too_many(most),
        at_once=True,
    )
    _take_off(state, place, removed, helper)


def _default_removal(counts: Mapping[str, int], number: int) -> Counts:
    """The first ``number`` units of an army, Dwarf Regulars first."""
    removed: Counts = {}
    for name in sorted(counts, key=UNITS.index):
        taken = min(counts[name], number)
        if taken:
            removed[name] = taken
        number -= taken
    return removed


def _captain_of_war(state: State, seat: int, place: int, side: Side) -> Step:
    """Captain of War: a character or a leadership token instead of two damage tokens."""
    options = ["decline"]
    if state.leaders[place]:
        options.append("leadership")
    fit = state.chars[place] & box.CHARACTER_BITS[seat] & ~(1 << box.BEORN)
    options.extend(CHARACTERS[character] for character in places_in(fit))
    side.effect_spent = len(options) > 1
    answer = yield from choose(
        seat,
        "prompt.captain_of_war",
        options,
        about={"place": PLACES[place], "damage": state.damage[place]},
        rule="manoeuvre.event_combat_effect",
    )
    if answer == "decline":
        return
    state.damage[place] = max(0, state.damage[place] - LIFTED)
    if answer == "leadership":
        state.leaders[place] -= 1
    else:
        eliminate(state, box.CHARACTER[answer])
