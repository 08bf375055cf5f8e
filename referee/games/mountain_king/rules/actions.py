"""Chapters "Schwache Aktionen", "Verzweiflung", "Starke Aktionen", "Vorräte ausgeben": covering symbols."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from referee.games.kit.asking import Ask
from referee.games.mountain_king.box.components import ADVANCE, INFLUENCE, KINDS, SEATS
from referee.games.mountain_king.rules import advance, bolster, influence, occasions, wheel
from referee.games.mountain_king.rules.ancestry import CELLS, cell_at, cell_id
from referee.games.mountain_king.rules.asking import beyond, number
from referee.games.mountain_king.rules.caverns import Before, begin, gain_control
from referee.games.mountain_king.state import grid
from referee.games.mountain_king.state.grid import Cells, cells_of, strength_of
from referee.games.mountain_king.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, ChooseSome, Counts, Forced, unless_forced

WEAK, STRONG = "weak", "strong"
STOP = "stop"
WEAK_OF = tuple(f"{WEAK}_{kind}" for kind in KINDS)
STRONG_OF = tuple(f"{STRONG}_{kind}" for kind in KINDS)
ACTED_NOT, ACTED_WEAK, ACTED_STRONG = range(3)
Perform = Callable[[State, int, int, Before], Ask]
PERFORM: tuple[Perform, ...] = (advance.advance, bolster.bolster, influence.influence, wheel.gnome_action)


def act(state: State, seat: int, *, second: bool = False) -> Ask:
    """One action of a seat; abilities may be used before it.  Returns which sort of action it was."""
    while True:
        options = possible(state, seat, weak_only=second)
        if not options:
            return ACTED_NOT
        abilities = occasions.in_turn(state, seat) if state.powers else ()
        if second:
            options = (*options, STOP)
        chosen = yield ChooseOne(
            SEATS[seat],
            "prompt.second_action" if second else "prompt.action",
            (*options, *abilities) if abilities else options,
            domain="action",
            rule="weak.second" if second else "turn.choice",
            refused=lambda: why_not(state, seat, second),
        )
        if chosen in abilities:
            yield from occasions.use(state, seat, chosen)
            continue
        if chosen == STOP:
            return ACTED_NOT
        if chosen in WEAK_OF:
            yield from weak_action(state, seat, WEAK_OF.index(chosen))
            return ACTED_WEAK
        yield from strong_action(state, seat, STRONG_OF.index(chosen))
        return ACTED_STRONG


def possible(state: State, seat: int, *, weak_only: bool) -> tuple[str, ...]:
    """The actions for which something can be covered."""
    cells, covered = cells_of(state.grids[seat]), state.covered[seat]
    return _possible(cells, covered, weak_only, state.house["wild_groups"] == "allowed")


def _possible(cells: Cells, covered: int, weak_only: bool, wild_groups: bool) -> tuple[str, ...]:
    found = [WEAK_OF[kind] for kind in range(len(KINDS)) if cells.weak[kind] & ~covered]
    if not weak_only:
        for kind in range(len(KINDS)):
            if _has_group(cells, covered, kind, wild_groups):
                found.append(STRONG_OF[kind])
    return tuple(found)


def open_cells(cells: Cells, covered: int, kind: int) -> int:
    """The symbols of a kind and wilds that are not covered."""
    return (cells.of_kind[kind] | cells.wild) & ~covered


def _has_group(cells: Cells, covered: int, kind: int, wild_groups: bool) -> bool:
    free = open_cells(cells, covered, kind)
    if free & cells.strong or (wild_groups and grid.beside(free) & free):
        return True
    own = free if wild_groups else cells.of_kind[kind]
    if free & grid.ON_CHAMPIONS:
        return free & (free - 1) != 0 and bool(free & own)
    return any(group & (group - 1) and group & own for group in grid.clusters(free, covered))


def why_not(state: State, seat: int, second: bool) -> list[tuple[str, Refusal]]:
    """The actions that are not possible."""
    options = possible(state, seat, weak_only=second)
    found = []
    for kind in range(len(KINDS)):
        if WEAK_OF[kind] not in options:
            found.append((WEAK_OF[kind], Refusal("weak.cover", "no_weak_symbol", {"kind": KINDS[kind]})))
        if second:
            found.append((STRONG_OF[kind], Refusal("turn.choice", "no_strong_after_weak")))
        elif STRONG_OF[kind] not in options:
            found.append((STRONG_OF[kind], Refusal("strong.group", "no_group", {"kind": KINDS[kind]})))
    if not second:
        found.append((STOP, Refusal("turn.first_action", "must_act")))
    return found


# --- weak actions ---------------------------------------------------------------------------------------


def weak_action(state: State, seat: int, kind: int) -> Ask:
    """Cover one symbol without a number; strength one, and one more for each desperation token."""
    cells = cells_of(state.grids[seat])
    cell = yield from _weak_symbol(state, seat, kind, cells)
    state.covered[seat] |= 1 << cell
    tokens = yield from _desperation(state, seat)
    state.desperation[seat] -= tokens
    raised = (yield from occasions.raised(state, seat, True)) if state.powers else 0
    yield from perform(state, seat, kind, 1 + tokens + raised)


def _desperation(state: State, seat: int) -> Ask:
    most = state.desperation[seat]
    refused = beyond(most, lambda: Refusal("desperation.spend", "no_tokens", {"count": most}))
    return (
        yield from number(
            seat,
            "prompt.desperation",
            0,
            most,
            rule="desperation.spend",
            about={"count": most},
            refused=refused,
        )
    )


def _weak_symbol(state: State, seat: int, kind: int, cells: Cells) -> Ask:
    free = cells.weak[kind] & ~state.covered[seat]
    chosen = yield unless_forced(
        ChooseOne(
            SEATS[seat],
            "prompt.weak_symbol",
            CELLS[seat][free],
            domain="cell",
            about={"kind": KINDS[kind]},
            rule="weak.cover",
            refused=lambda: _not_weak(state, seat, kind, cells),
        )
    )
    return cell_at(chosen)


def _not_weak(state: State, seat: int, kind: int, cells: Cells) -> list[tuple[str, Refusal]]:
    found = []
    for cell in grid.cells_in(cells.cards & ~(cells.weak[kind] & ~state.covered[seat])):
        one = 1 << cell
        if state.covered[seat] & one:
            refusal = Refusal("weak.cover", "covered_before")
        elif cells.strong & one:
            refusal = Refusal("weak.not_strong", "has_a_number")
        elif any(one & own for own in cells.of_kind[: len(KINDS)]):
            refusal = Refusal("weak.cover", "other_kind", {"kind": KINDS[kind]})
        else:
            refusal = Refusal("weak.not_dead", "dead_cell")
        found.append((cell_id(seat, cell), refusal))
    return found


# --- strong actions -------------------------------------------------------------------------------------


def strong_action(state: State, seat: int, kind: int) -> Ask:
    """Cover a symbol with a number, or a group; further supply raises the strength."""
    cells, covered = cells_of(state.grids[seat]), state.covered[seat]
    free = open_cells(cells, covered, kind)
    request = Group(state, seat, kind, cells, free)
    answer = yield request if free & (free - 1) else Forced(request, dict(request.limits))
    group = sum(1 << cell_at(name) for name in answer)
    state.covered[seat] |= group
    strength = strength_of(state.grids[seat], group)
    more = yield from _extra_supply(state, seat, strength)
    state.supply[seat] -= more
    raised = (yield from occasions.raised(state, seat, False)) if state.powers else 0
    yield from perform(state, seat, kind, strength + more + raised, strong=True)


def _extra_supply(state: State, seat: int, strength: int) -> Ask:
    most = state.supply[seat]
    about = {"count": most, "strength": strength}
    refused = beyond(most, lambda: Refusal("strong.supply_boost", "no_supply", {"count": most}))
    return (
        yield from number(
            seat, "prompt.extra_supply", 0, most, rule="strong.supply_boost", about=about, refused=refused
        )
    )


class Group(ChooseSome):
    """The cells of a strong action: one with a number, or several of a kind that hang together."""

    __slots__ = ("cells", "covered", "free", "of_kind", "wild_groups")

    def __init__(self, state: State, seat: int, kind: int, cells: Cells, free: int) -> None:
        super().__init__(
            SEATS[seat],
            "prompt.group",
            dict.fromkeys(CELLS[seat][free], 1),
            minimum=1,
            domain="cell",
            about={"kind": KINDS[kind]},
            rule="strong.group",
            refuses=self._refuses,
            refused=lambda: _not_in_group(state, seat, kind, cells, free),
            too_few=Refusal("strong.group", "no_cell"),
        )
        self.cells, self.free, self.covered = cells, free, state.covered[seat]
        self.of_kind = cells.of_kind[kind]
        self.wild_groups = state.house["wild_groups"] == "allowed"

    def _refuses(self, counts: Counts) -> Refusal | None:
        group = sum(1 << cell_at(name) for name in counts)
        if group & (group - 1) == 0 and not group & self.cells.strong:
            return Refusal("strong.group", "one_weak_symbol")
        if not grid.is_connected(group, self.covered):
            return Refusal("group.connected", "not_connected")
        if not (self.wild_groups or group & self.of_kind):
            return Refusal("group.wild", "only_wilds")
        return None

    def sample(self, rng: Random) -> Counts:
        names = tuple(self.limits)
        cells = tuple(map(cell_at, names))
        for _ in range(8):
            first = 1 << cells[int(rng.random() * len(cells))]
            group = self._grown(first, rng)
            counts = {name: 1 for name, cell in zip(names, cells, strict=True) if group >> cell & 1}
            if self._refuses(counts) is None:
                return counts
        touching = grid.groups(self.free, self.cells.strong, self.covered)
        for group in touching:
            counts = {name: 1 for name, cell in zip(names, cells, strict=True) if group >> cell & 1}
            if self._refuses(counts) is None:
                return counts
        raise LookupError("a strong action without a group")

    def _grown(self, first: int, rng: Random) -> int:
        if first & self.cells.strong and rng.random() < 0.3:
            return first
        if first & grid.ON_CHAMPIONS:
            other = self.free & ~first
            names = grid.cells_in(other)
            return first | 1 << names[int(rng.random() * len(names))]
        whole = grid.reached(first, (self.free | self.covered) & grid.WINDOW) & self.free
        if rng.random() < 0.7:
            return whole
        near = grid.reached(first, grid.beside(first) & self.free | first)
        return near if near & (near - 1) else whole


def _not_in_group(state: State, seat: int, kind: int, cells: Cells, free: int) -> list[tuple[str, Refusal]]:
    found = []
    for cell in grid.cells_in(cells.cards & ~free):
        one = 1 << cell
        if state.covered[seat] & one:
            refusal = Refusal("weak.cover", "covered_before")
        elif any(one & own for own in cells.of_kind[: len(KINDS)]):
            refusal = Refusal("strong.group", "other_kind", {"kind": KINDS[kind]})
        else:
            refusal = Refusal("weak.not_dead", "dead_cell")
        found.append((cell_id(seat, cell), refusal))
    return found


# --- carrying it out ------------------------------------------------------------------------------------


def perform(state: State, seat: int, kind: int, strength: int, *, strong: bool = False) -> Ask:
    """Carry an action out; at its end whoever gained control has a vote for it."""
    if kind == INFLUENCE:  # moves nothing
        yield from influence.influence(state, seat, strength)
        return
    before = begin(state, seat)
    result = yield from PERFORM[kind](state, seat, strength, before)
    gain_control(state, seat, before)
    if strong and kind == ADVANCE and result and state.powers:
        follow = yield from occasions.after_strong_advance(state, seat, result)
        for _ in range(follow):
            yield from act(state, seat, second=True)


def strongest(state: State, seat: int) -> list[tuple[str, int]]:
    """The strength of the strongest group of each kind of action that a seat could cover now."""
    cells, covered = cells_of(state.grids[seat]), state.covered[seat]
    found = []
    for kind in range(len(KINDS)):
        free = open_cells(cells, covered, kind)
        beside = free & grid.ON_CHAMPIONS
        wholes = [free] if beside else grid.clusters(free, covered)
        best = [whole for whole in wholes if whole & (whole - 1) or whole & cells.strong]
        if best:
            found.append((KINDS[kind], max(strength_of(state.grids[seat], whole) for whole in best)))
    return found


Groups = Mapping[str, list[tuple[int, int]]]


def all_groups(state: State, seat: int) -> Groups:
    """Every group that a seat could cover now, by kind of action: its cells as a mask, and its strength."""
    cells, covered = cells_of(state.grids[seat]), state.covered[seat]
    ancestry = state.grids[seat]
    return {
        KINDS[kind]: [
            (group, strength_of(ancestry, group))
            for group in grid.groups(open_cells(cells, covered, kind), cells.strong, covered)
        ]
        for kind in range(len(KINDS))
    }
