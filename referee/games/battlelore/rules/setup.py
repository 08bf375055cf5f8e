"""Setting up: the lines of the board, terrain cards nobody has read, council, hands, special places,
lairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.battlelore.box import components as box
from referee.games.battlelore.box.components import LAIR, MASTER_PLACE, OPTIONS, PLACE, PLACES, SEATS
from referee.games.battlelore.box.scenario import Field
from referee.games.battlelore.rules import council
from referee.games.battlelore.state.ground import terrain_keys
from referee.games.battlelore.state.state import State, deck_of, derive, lay_ground
from referee.games.kit.asking import Ask
from referee.kernel.play import MILESTONE
from referee.kernel.refusals import Refusal
from referee.kernel.requests import BoxQuestion, ChooseOne

LINES, NO_PLACE = "sections", "no_place"
CUTS = ("fifth", "fourth", "none")
"""Which hex of the first row the left dotted line cuts: by the layouts ``inward``, ``outward``,
``cut_twelve``."""
_LAYOUT_OF = dict(zip(CUTS, ("inward", "outward", "cut_twelve"), strict=True))


def lines_by(cut: str) -> tuple[int, int]:
    """The section lines of a board whose first row is cut so."""
    return box.LAYOUTS[_LAYOUT_OF[cut]]


def lines_on(field: Field, told: Mapping[str, Any]) -> tuple[int, int] | None:
    """The section lines of a battle: its own, or those of the owner's board where he told them."""
    cut = told.get(LINES)
    return lines_by(cut) if field.lines is None and cut else field.lines


def set_up(state: State) -> Ask:
    """Everything before the first turn."""
    yield from _ask_the_box(state)
    field = state.field
    state.deck = deck_of(state).command_size
    if field.lore:
        yield MILESTONE
        yield from council.make_councils(state)
    for seat in (0, 1):
        cards = council.command_hand(state, seat) if field.lore else field.hand(seat)
        state.hand[seat] = cards
        state.deck -= cards
    if field.lore:
        state.lore_deck = sum(council.lore_deck(state).values())
        for seat in (0, 1):
            kept = council.start_cards(state, seat)
            state.lore_hand[seat] = state.tokens[seat] = kept
            state.lore_deck -= kept
        yield from _place_the_special(state)
    state.active = field.first
    state.turn = state.phase = 1


def _ask_the_box(state: State) -> Ask:
    """What this battle needs to know of the board, of terrain and weapon cards, and nobody has told."""
    if state.field.lines is None:
        cut = yield from box_value(state, LINES, "prompt.ask_sections", CUTS, "setup.three_sections", {})
        state.lines = list(lines_by(cut))
    for kind, name in terrain_keys(state.field.kinds, state.field.lairs):
        if name == "closed" and _starts_on(state, kind):
            state.values.setdefault(f"terrain.{kind}.{name}", "no")
            continue
        options, about = box.TERRAIN_FIELDS[name], {"terrain": kind}
        yield from box_value(
            state,
            f"terrain.{kind}.{name}",
            f"prompt.ask_terrain_{name}",
            options,
            "terrain.card_rules",
            about,
        )
    for weapon in sorted({unit.weapon for unit in state.field.units}):
        if "bonus" not in box.WEAPONS[weapon]:
            about = {"weapon": weapon}
            rule = "hit.bonus_strike_default_miss"
            yield from box_value(
                state, f"weapon.{weapon}.bonus", "prompt.ask_weapon_bonus", box.BONUS_WAYS, rule, about
            )
    derive(state)


def _starts_on(state: State, kind: str) -> bool:
    """Whether a unit starts on a terrain: then nobody need ask whether one may be there."""
    hexes = state.field.terrain.get(kind, ())
    return any(state.unit_at[at] >= 0 for at in hexes)


def box_value(
    state: State, key: str, prompt: str, options: tuple[str, ...], rule: str, about: dict[str, str]
) -> Ask:
    """A value of the box book; where it is absent the table is asked once, and the state remembers."""
    value = state.values.get(key)
    if value is None:
        seat = SEATS[state.field.first]
        value = yield BoxQuestion(
            seat, prompt, options, domain="box_book", about={**about, "key": key}, rule=rule
        )
        state.values[key] = value
    return str(value)


def _place_the_special(state: State) -> Ask:
    """Special places of masters, then lairs; the starting player first."""
    for seat in (state.field.first, 1 - state.field.first):
        if state.field.masters:
            for master in council.special_places(state, seat):
                yield from _set(state, seat, MASTER_PLACE[master], "landmark.placement_rows", must=True)
    for seat in (state.field.first, 1 - state.field.first):
        if state.field.lairs and state.field.of_seat[seat] & state.field.creatures:
            yield from _set(state, seat, LAIR, "lair.placement", must=False)


def free_rows(state: State, seat: int) -> int:
    """Mask of the empty hexes of a seat's third and fourth rows."""
    rows = (2, 3) if seat == box.SOUTH else (box.ROWS - 3, box.ROWS - 4)
    taken = state.stand[0] | state.stand[1]
    return sum(
        1 << place
        for place in range(box.PLACE_COUNT)
        if box.ROW_OF[place] in rows and not taken >> place & 1 and place not in state.ground.kinds
    )


def _set(state: State, seat: int, kind: str, rule: str, *, must: bool) -> Ask:
    free = free_rows(state, seat)

    def refused() -> list[tuple[str, Refusal]]:
        return [
            (name, Refusal(rule, "not_free", {"place": name}))
            for place, name in enumerate(PLACES)
            if not free >> place & 1
        ]

    chosen = yield ChooseOne(
        SEATS[seat],
        "prompt.set_place",
        OPTIONS[free] if must else (*OPTIONS[free], NO_PLACE),
        domain="place",
        about={"special_place": kind},
        rule=rule,
        refused=refused,
    )
    if chosen != NO_PLACE:
        state.placed[PLACES[PLACE[chosen]]] = {"kind": kind, "owner": SEATS[seat]}
        lay_ground(state)
