"""Chapter IX: armies are recruited from tokens, Goblins by the Lidless Eye."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box import map as board
from referee.games.five_armies.box.components import SEATS, SHADOW, UNITS
from referee.games.five_armies.box.map import OPTIONS, PLACE, PLACES
from referee.games.five_armies.rules.asking import Ask, ChooseExactly, choose, place_or_stop, refuse_all
from referee.games.five_armies.rules.pieces import add_units, enter, remove_units
from referee.games.five_armies.state.armies import ARMY, ONE, unpack
from referee.games.five_armies.state.state import State
from referee.games.kit.asking import refuse_named
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, Forced, Report


def token_places(state: State, seat: int) -> int:
    """Mask of the places with face-down tokens of a seat."""
    mask = 0
    for group in box.GROUPS_OF_SEAT[seat]:
        for place in state.tokens[group]:
            mask |= 1 << place
    return mask


def flip_places(state: State, seat: int) -> int:
    """Mask of the places where a seat may turn up a token: not where Beorn stands, never with army units."""
    mask = token_places(state, seat)
    beorn = state.where[box.BEORN]
    return mask & ~(1 << beorn) if beorn >= 0 else mask


def recruit(state: State, seat: int, flips: int = 2, rule: str = "muster.die_flips_two") -> Ask:
    """Turn up one token in each of up to ``flips`` different regions."""
    done = 0
    for flip in range(flips):
        mask = flip_places(state, seat) & ~done
        place = yield from choose_token_place(state, seat, mask, done, rule, may_stop=flip > 0 or not mask)
        if place < 0:
            return
        done |= 1 << place
        yield from turn_up(state, seat, place)


def choose_token_place(
    state: State, seat: int, mask: int, done: int, rule: str, *, may_stop: bool = False
) -> Ask:
    """Ask where a token is turned up; returns a place, or -1 for no more."""

    def why_not(place: int) -> Refusal | None:
        about = {"place": PLACES[place]}
        if done >> place & 1:
            return Refusal("muster.die_regions_must_differ", "same_region", about)
        if token_places(state, seat) >> place & 1 and state.where[box.BEORN] == place:
            together = "beorn.blocks_shadow" if seat == SHADOW else "beorn.never_ends_with_units"
            return Refusal(together, "beorn_there", about)
        if token_places(state, 1 - seat) >> place & 1:
            return Refusal("muster.flip_matching_group", "not_your_token", about)
        return Refusal(rule, "no_token", about)

    return (
        yield from place_or_stop(
            seat, "prompt.choose_token", mask, rule=rule, why_not=why_not, may_stop=may_stop, at_once=True
        )
    )


def turn_up(state: State, seat: int, place: int, group: int = -1) -> Ask:
    """Turn up one token in a place: the units it shows come there, the token leaves the game.

    ``group`` says which group's token it is where that is settled already.
    """
    if group < 0:
        groups = [g for g in box.GROUPS_OF_SEAT[seat] if place in state.tokens[g]]
        group = yield from choose_group(seat, groups, place)
    faces = faces_left(state, group)
    face = yield Report(
        SEATS[seat],
        "prompt.token_face",
        faces,
        domain="token",
        about={"place": PLACES[place], "group": box.TOKEN_GROUPS[group]},
        rule="muster.flip_places_units",
        otherwise=refuse_named(("eagles",), "eagles.no_normal_muster", "special_units"),
        at_once=faces,
    )
    there = state.tokens[group]
    there[place] -= 1
    if not there[place]:
        del there[place]
    key = f"{box.TOKEN_GROUPS[group]}:{face}"
    state.tokens_shown[key] = state.tokens_shown.get(key, 0) + 1
    yield from _recruit_units(state, seat, place, group, *box.TOKEN_FACES[group][face])


def choose_group(seat: int, groups: Sequence[int], place: int) -> Ask:
    """Which of some groups the token of a place is of; returns its number."""
    name = yield from choose(
        seat,
        "prompt.choose_token_group",
        tuple(box.TOKEN_GROUPS[group] for group in groups),
        domain="token_group",
        about={"place": PLACES[place]},
        rule="muster.token_groups",
        refused=lambda: [
            (name, Refusal("muster.token_groups", "no_token_of_group", {"group": name}))
            for group, name in enumerate(box.TOKEN_GROUPS)
            if group not in groups
        ],
    )
    return box.TOKEN_GROUPS.index(name)


_FACES = tuple(tuple(faces) for faces in box.TOKEN_FACES)


def faces_left(state: State, group: int) -> tuple[str, ...]:
    """The faces that a token of a group can still show; the box book may tell how often each exists."""
    name = box.TOKEN_GROUPS[group]
    left = tuple(
        face
        for face in _FACES[group]
        if state.tokens_shown.get(f"{name}:{face}", 0) < int(state.values.get(f"copies.{name}:{face}", 99))
    )
    return left or _FACES[group]


def _recruit_units(state: State, seat: int, place: int, group: int, unit: int, number: int) -> Ask:
    there = min(number, state.supply[unit])
    add_units(state, place, ONE[unit] * there)
    for _ in range(number - there):
        others = tuple(UNITS[other] for other in box.UNITS_OF_GROUP[group] if state.supply[other])
        if not others:
            break
        chosen = yield from choose(
            seat,
            "prompt.substitute",
            others,
            domain="unit",
            about={"place": PLACES[place], "unit": UNITS[unit]},
            rule="muster.substitute_same_group",
            refused=lambda: refuse_all(UNITS, lambda u: why_not_substitute(state, group, u)),
        )
        add_units(state, place, ONE[box.UNIT[chosen]])
    if place < board.REGION_COUNT:
        enter(state, place, seat)  # enemy tokens do not lie on under an army
    yield from remove_overflow(state, seat, place)


def why_not_substitute(state: State, group: int, unit: int) -> Refusal | None:
    """Why a unit type cannot come instead of an exhausted one of its group."""
    if unit not in box.UNITS_OF_GROUP[group]:
        return Refusal("muster.substitute_same_group", "other_group", {"unit": UNITS[unit]})
    if not state.supply[unit]:
        return Refusal("army.figure_limit", "no_figure", {"unit": UNITS[unit]})
    return None


def remove_overflow(state: State, seat: int, place: int) -> Ask:
    """After recruiting, units above five go at once, without taking damage along."""
    surplus = ARMY[state.units[place]].size - box.ARMY_LIMIT
    if surplus <= 0 or (seat == SHADOW and board.UNLIMITED >> place & 1):
        return
    units = unpack(state.units[place])
    request = ChooseExactly(
        SEATS[seat],
        "prompt.overflow",
        units,
        minimum=surplus,
        maximum=surplus,
        domain="unit",
        about={"place": PLACES[place], "count": surplus},
        rule="muster.overflow_removed",
    )
    chosen: Mapping[str, int] = (
        yield request if len(units) > 1 else Forced(request, dict.fromkeys(units, surplus))
    )
    remove_units(state, place, sum(ONE[box.UNIT[name]] * number for name, number in chosen.items()))


def recruit_goblins(state: State) -> Ask:
    """The Lidless Eye puts one Goblin on each Goblin Mustering Point, as far as there are figures."""
    if state.supply[box.GOBLINS] == 1:
        chosen = yield ChooseOne(
            "shadow",
            "prompt.last_goblin",
            OPTIONS[board.GOBLIN_MUSTERS],
            domain="place",
            rule="muster.eye_goblins",
            refused=lambda: refuse_all(PLACES, _why_no_goblin_here),
        )
        add_units(state, PLACE[chosen], ONE[box.GOBLINS])
        return
    for place in (board.MUSTER_NORTH, board.MUSTER_WEST):
        if state.supply[box.GOBLINS]:
            add_units(state, place, ONE[box.GOBLINS])


def _why_no_goblin_here(place: int) -> Refusal | None:
    if board.GOBLIN_MUSTERS >> place & 1:
        return None
    return Refusal("board.goblin_recruit_site", "no_muster", {"place": PLACES[place]})


def lay_tokens(state: State, group: int, place: int, number: int = 1) -> int:
    """Lay face-down tokens of a group in a place, as far as its supply lasts; returns how many."""
    number = min(number, state.token_pool[group])
    if number:
        state.token_pool[group] -= number
        state.tokens[group][place] = state.tokens[group].get(place, 0) + number
    return number


def why_not_lay_token(state: State, seat: int, place: int, group: int) -> Refusal | None:
    """Why no token of a group may be laid in a place."""
    about = {"place": PLACES[place], "group": box.TOKEN_GROUPS[group]}
    bit = 1 << place
    if state.armies[1 - seat] & bit:
        return Refusal("muster.token_not_with_enemy_army", "enemy_army_there", about)
    if seat != SHADOW and state.control & bit:
        return Refusal("muster.token_not_under_enemy_control", "enemy_control", about)
    if not state.token_pool[group]:
        return Refusal("muster.token_group_exhausted", "no_tokens_left", about)
    return None


def laying_places(state: State, seat: int, among: int) -> int:
    """Of some places, those where own tokens may be laid (some group has one left)."""
    if not any(state.token_pool[group] for group in box.GROUPS_OF_SEAT[seat]):
        return 0
    barred = state.armies[1 - seat] | (state.control if seat != SHADOW else 0)
    return among & ~barred
