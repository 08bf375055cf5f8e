"""What a look at a battle finds before anybody plays it: supply, ground, rows, banners, orders, places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from referee.games.battlelore.box import components as box
from referee.games.battlelore.box import supply
from referee.games.battlelore.box.components import NEAR, PLACES, SEATS, SECTIONS, WEAPONS, WITHIN
from referee.games.battlelore.box.scenario import Field, Unit
from referee.games.battlelore.rules.setup import LINES, free_rows, lines_by
from referee.games.battlelore.state.ground import Ground, ground_of
from referee.games.battlelore.state.state import MOST_UNITS, state_on
from referee.games.kit.places import places_in
from referee.kernel.battles import MIND, UNKNOWN, WRONG, BattleFinding
from referee.kernel.messages import Text

MIDDLE = box.ROWS // 2
CARDS_FOR_PLACES = len(box.MASTERS)
Told = Mapping[str, Any]


def findings(field: Field, told: Told) -> Iterator[BattleFinding]:
    """All that is wrong, to be minded, or not known of a battle; what is wrong first."""
    ground = ground_of(field, {}, told)
    found = [
        *_forces(field),
        *_ground(field, ground),
        *_banners(field, ground),
        *_orders(field, told),
        *_rows(field),
        *_places(field),
        *_supply(field, told),
        *_cards(field),
    ]
    return iter(sorted(found, key=lambda one: (WRONG, MIND, UNKNOWN).index(one.weight)))


def can_be_played(field: Field, told: Told) -> bool:
    """Whether nothing is wrong with a battle."""
    return not any(one.weight == WRONG for one in findings(field, told))


def _of(field: Field, seat: int) -> list[Unit]:
    return [unit for unit in field.units if unit.seat == seat]


def _names(mask: int) -> tuple[str, ...]:
    return tuple(PLACES[at] for at in places_in(mask))


def _forces(field: Field) -> Iterator[BattleFinding]:
    for seat, name in enumerate(SEATS):
        if not _of(field, seat):
            yield BattleFinding(WRONG, Text("battlelore.nobody_fights", seat=name))
    if len(field.units) > MOST_UNITS:
        yield BattleFinding(WRONG, Text("battlelore.enough_units", most=MOST_UNITS))


def _ground(field: Field, ground: Ground) -> Iterator[BattleFinding]:
    inside = sum(1 << unit.start for unit in field.units if unit.start >= 0) & ground.closed
    if inside:
        yield BattleFinding(
            WRONG, Text("battlelore.on_closed", places=", ".join(_names(inside)).upper()), _names(inside)
        )
    for at, kinds in ground.kinds.items():
        if len(kinds) > 1:
            yield BattleFinding(MIND, Text("battlelore.two_tiles", place=PLACES[at]), (PLACES[at],))


def _reached(field: Field, ground: Ground, seat: int) -> int:
    """Mask of the hexes that a side's units can come to, whoever stands in the way."""
    edge = seen = sum(1 << unit.start for unit in _of(field, seat) if unit.start >= 0)
    while edge:
        near = 0
        for at in places_in(edge):
            near |= NEAR[at]
        edge = near & ~seen & ~ground.closed
        seen |= edge
    return seen


def _banners(field: Field, ground: Ground) -> Iterator[BattleFinding]:
    """Whether a side can strike as many units as it needs banners."""
    for seat, name in enumerate(SEATS):
        mine, others = _of(field, seat), _of(field, 1 - seat)
        there = _reached(field, ground, seat)
        far = max((unit.reach or int(WEAPONS[unit.weapon]["range"]) for unit in mine), default=0)
        struck = [
            unit
            for unit in others
            if unit.start < 0 or WITHIN[unit.start][far] & there or there >> unit.start & 1
        ]
        goal = field.goals[seat]
        if mine and others and len(struck) < goal:
            lost = tuple(PLACES[unit.start] for unit in others if unit not in struck)
            yield BattleFinding(
                WRONG, Text("battlelore.too_few_banners", seat=name, goal=goal, count=len(struck)), lost
            )


def _orders(field: Field, told: Told) -> Iterator[BattleFinding]:
    """Whether section cards of every wing find somebody; where the lines are not known, by each layout."""
    cut = told.get(LINES)
    lines = field.lines or (lines_by(str(cut)) if cut else None)
    layouts = [lines] if lines is not None else list(box.LAYOUTS.values())
    for seat, name in enumerate(SEATS):
        starts = [unit.start for unit in _of(field, seat) if unit.start >= 0]
        if not starts:
            continue
        for number, section in enumerate(SECTIONS):
            missing = [one for one in layouts if not _in_section(one, seat, number, starts)]
            if missing:
                yield BattleFinding(MIND, Text("battlelore.empty_section", seat=name, section=section))


def _in_section(lines: tuple[int, int], seat: int, number: int, starts: list[int]) -> bool:
    sections = box.sections_of(lines)[seat]
    return any(sections[at] >> number & 1 for at in starts)


def _rows(field: Field) -> Iterator[BattleFinding]:
    """Units stand on their own half, and not next to each other before the first turn."""
    for seat, name in enumerate(SEATS):
        over = [
            PLACES[unit.start]
            for unit in _of(field, seat)
            if unit.start >= 0
            and (box.ROW_OF[unit.start] > MIDDLE if seat == box.SOUTH else box.ROW_OF[unit.start] < MIDDLE)
        ]
        if over:
            yield BattleFinding(
                MIND, Text("battlelore.beyond_middle", seat=name, places=", ".join(over).upper()), tuple(over)
            )
    enemies = sum(1 << unit.start for unit in _of(field, box.NORTH) if unit.start >= 0)
    touching = [
        unit.start for unit in _of(field, box.SOUTH) if unit.start >= 0 and NEAR[unit.start] & enemies
    ]
    if touching:
        places = tuple(PLACES[at] for at in touching)
        yield BattleFinding(MIND, Text("battlelore.touching", places=", ".join(places).upper()), places)


def _places(field: Field) -> Iterator[BattleFinding]:
    """Room for special places and lairs on each side's third and fourth rows."""
    if not (field.masters or field.lairs):
        return
    state = state_on(field)
    for seat, name in enumerate(SEATS):
        lairs = bool(field.lairs and field.of_seat[seat] & field.creatures)
        wanted = CARDS_FOR_PLACES * field.masters + lairs
        free = free_rows(state, seat).bit_count()
        if free < wanted:
            yield BattleFinding(WRONG, Text("battlelore.no_room", seat=name, count=wanted, free=free))


def _supply(field: Field, told: Told) -> Iterator[BattleFinding]:
    """What the battle takes of the box: in all, and kind by kind as far as the owner has told."""
    tiles = supply.tiles_of(field)
    if sum(tiles.values()) > box.SUPPLY["tiles"]:
        count = sum(tiles.values())
        yield BattleFinding(WRONG, Text("battlelore.tiles_short", count=count, most=box.SUPPLY["tiles"]))
    if len(field.units) > box.SUPPLY["banner_bearers"]:
        most = box.SUPPLY["banner_bearers"]
        yield BattleFinding(WRONG, Text("battlelore.bearers_short", count=len(field.units), most=most))
    unknown = False
    for kind, count in tiles.items():
        short = supply.short_of(told, supply.tile_key(kind), count)
        unknown |= short is None
        if short:
            yield BattleFinding(WRONG, Text("battlelore.tile_short", terrain=kind, count=count, short=short))
    for seat in (0, 1):
        camp = supply.camp_of(field, seat)
        for bearer, count in supply.bearers_of(field, seat).items():
            if bearer in box.CREATURES:
                continue
            short = supply.short_of(told, supply.bearer_key(camp, bearer), count)
            unknown |= short is None
            if short:
                what = Text(f"battlelore.{camp}")
                yield BattleFinding(
                    WRONG, Text("battlelore.unit_short", camp=what, unit=bearer, count=count, short=short)
                )
    for creature in box.CREATURES:
        standing = tuple(
            PLACES[unit.start] for unit in field.units if unit.creature == creature and unit.start >= 0
        )
        if len(standing) > 1:
            yield BattleFinding(WRONG, Text("battlelore.one_creature", unit=creature), standing)
    if unknown:
        yield BattleFinding(UNKNOWN, Text("battlelore.supply_unknown"))


def _cards(field: Field) -> Iterator[BattleFinding]:
    dealt = 0 if field.lore else field.hand(0) + field.hand(1)
    if dealt >= field.deck.command_size:
        yield BattleFinding(
            WRONG, Text("battlelore.hands_too_large", count=dealt, most=field.deck.command_size)
        )
