"""Chapter "Zwerg": the pawn goes round the wheel, scouting, triggers (page 11), and effects."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.games.kit.asking import Ask
from referee.games.kit.places import places_in
from referee.games.mountain_king.box.box import BOOST
from referee.games.mountain_king.box.components import CHAMPIONS, OPTIONS, PLACE, PLACES, SEATS
from referee.games.mountain_king.rules.asking import NONE, NUMBERS, choose_place, number, why_each
from referee.games.mountain_king.rules.bolster import bolster
from referee.games.mountain_king.rules.caverns import Before, lair_owner
from referee.games.mountain_king.rules.influence import influence
from referee.games.mountain_king.rules.invasion import breach
from referee.games.mountain_king.rules.pieces import TROLL, figures, gain_honour, move
from referee.games.mountain_king.state.state import State
from referee.games.mountain_king.state.tokens import HIDDEN_IN
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, unless_forced

DONE = "done"


def gnome_action(state: State, seat: int, strength: int, before: Before) -> Ask:
    """Move the pawn, scout, carry out what it crossed, then the effect of its space."""
    most = min(strength, state.box.spaces)
    moved = yield from number(
        seat,
        "prompt.wheel",
        1,
        most,
        rule="wheel.move",
        about={"strength": strength},
        refused=lambda: _not_so_far(state, strength, most),
    )
    crossed = _crossed(state, moved)
    state.pawn = (state.pawn + moved) % state.box.spaces
    yield from scout(state, seat)
    yield from _carry_out(state, seat, crossed)
    yield from EFFECTS[state.box.effects[state.pawn]](state, seat, moved, before)
    return []


def _not_so_far(state: State, strength: int, most: int) -> list[tuple[str, Refusal]]:
    found = [("0", Refusal("wheel.move", "not_at_all"))]
    if strength > state.box.spaces:
        return [*found, (NUMBERS[most + 1], Refusal("wheel.one_lap", "one_lap", {"count": most}))]
    return [*found, (NUMBERS[most + 1], Refusal("wheel.move", "beyond_strength", {"strength": strength}))]


def move_pawn(state: State, seat: int, spaces: int, *, after_attack: bool) -> Ask:
    """The pawn goes on without the effect of its space, as after a won attack."""
    crossed = _crossed(state, spaces)
    state.pawn = (state.pawn + spaces) % state.box.spaces
    if after_attack and state.house["boost_after_attack"] == "ignored":
        crossed = [trigger for trigger in crossed if trigger != BOOST]
    yield from _carry_out(state, seat, crossed)


def _crossed(state: State, spaces: int) -> list[str]:
    """What the pawn sets off on its way, in order."""
    triggers, around = state.box.triggers, state.box.spaces
    return [
        trigger for step in range(1, spaces + 1) for trigger in triggers.get((state.pawn + step) % around, ())
    ]


def _carry_out(state: State, seat: int, crossed: list[str]) -> Ask:
    for trigger in crossed:
        if trigger == BOOST:
            boost(state, seat)
        else:
            yield from breach(state, seat)


def boost(state: State, seat: int) -> None:
    """The marker of a seat goes a space on along the boost track."""
    last = len(state.box.boosts) - 1
    if state.boost[seat] < last:
        state.boost[seat] += 1
    elif state.house["boost_end"] == "goes_round":
        state.boost[seat] = 0


# --- scouting -------------------------------------------------------------------------------------------


def scout(state: State, seat: int) -> Ask:
    """Look at a gate card and at a gnome of the board, or not; only who looked is marked."""
    hidden = [f"gate_{at + 1}" for at, clan in enumerate(state.gate_row) if clan < 0]
    request = ChooseOne(
        SEATS[seat],
        "prompt.scout_gate",
        (*hidden, NONE),
        domain="gate_card",
        rule="wheel.scout_gate",
        refused=lambda: [
            (f"gate_{at + 1}", Refusal("wheel.scout_gate", "turned_already"))
            for at, clan in enumerate(state.gate_row)
            if clan >= 0
        ],
    )
    chosen = yield unless_forced(request)
    if chosen != NONE:
        state.gate_looks[int(chosen.removeprefix("gate_")) - 1] |= 1 << seat
    yield from look_at_gnome(state, seat, "wheel.scout_gnome")


def look_at_gnome(state: State, seat: int, rule: str) -> Ask:
    """Look at one hidden token of the board, or at none."""
    mask = 0
    for place in places_in(state.overrun):
        if HIDDEN_IN[state.gnomes[place]]:
            mask |= 1 << place
    request = ChooseOne(
        SEATS[seat],
        "prompt.scout_gnome",
        (*OPTIONS[mask], NONE),
        domain="place",
        rule=rule,
        refused=why_each(
            state.box.caverns & ~mask,
            lambda place: Refusal("wheel.scout_gnome", "no_hidden_gnome", {"place": PLACES[place]}),
        ),
    )
    chosen = yield unless_forced(request)
    if chosen != NONE:
        state.looked[PLACE[chosen]] |= 1 << seat


# --- effects --------------------------------------------------------------------------------------------


def honour(state: State, seat: int, spaces: int, before: Before) -> Ask:
    """Honour for the spaces moved, and what the boost track adds."""
    gain_honour(state, seat, spaces + state.box.boosts[state.boost[seat]], "wheel.effect_honour")
    yield from ()


def move_trolls(state: State, seat: int, spaces: int, before: Before) -> Ask:
    """Up to so many units, whoever's, out of one place into places beside it without gnomes."""
    mask = 0
    for there in state.there:
        mask |= there
    mask = sum(1 << place for place in places_in(mask) if _movable(state, place))
    if not mask:
        return
    origin = yield from choose_place(
        seat,
        "prompt.move_from",
        mask,
        rule="wheel.effect_move",
        about={"count": spaces},
        ask_forced=True,
        refused=why_each(
            state.box.caverns & ~mask,
            lambda place: Refusal("wheel.effect_move", "nobody_to_move", {"place": PLACES[place]}),
        ),
    )
    for count in range(spaces, 0, -1):
        units = _movable(state, origin)
        if not units:
            return
        chosen = yield ChooseOne(
            SEATS[seat],
            "prompt.move_unit",
            (*units, DONE),
            domain="move_unit",
            about={"from": PLACES[origin], "count": count},
            rule="wheel.effect_move",
        )
        if chosen == DONE:
            return
        yield from _move_one(state, seat, origin, units[chosen], chosen)


def _movable(state: State, place: int) -> dict[str, int]:
    """Units of a place that may go somewhere, as items of a question, with the seat whose they are."""
    found: dict[str, int] = {}
    for owner in range(len(SEATS)):
        if state.units[owner][place] and ways_out(state, owner, place):
            if state.trolls[owner][place]:
                found[f"{SEATS[owner]}_troll"] = owner
            for champion in figures(state, owner, place):
                found[CHAMPIONS[champion]] = owner
    return found


def ways_out(state: State, owner: int, place: int) -> int:
    """Where a unit may be moved: beside, without gnomes, and into no lair but its owner's."""
    found = state.box.neighbours[place] & ~state.overrun
    for lair in places_in(found & state.box.lairs):
        if lair_owner(state, lair) != owner:
            found &= ~(1 << lair)
    return found


def _move_one(state: State, seat: int, origin: int, owner: int, item: str) -> Ask:
    ways = ways_out(state, owner, origin)

    def why(place: int) -> Refusal:
        if state.overrun >> place & 1:
            return Refusal("wheel.move_no_gnomes", "overrun", {"place": PLACES[place]})
        if state.box.lairs >> place & 1:
            return Refusal("wheel.move_lair", "foreign_lair", {"place": PLACES[place]})
        return Refusal("wheel.effect_move", "not_adjacent", {"place": PLACES[place]})

    target = yield from choose_place(
        seat,
        "prompt.move_to",
        ways,
        rule="wheel.move_spread",
        about={"from": PLACES[origin], "unit": item},
        refused=why_each((state.box.caverns | state.box.lairs) & ~ways & ~(1 << origin), why),
    )
    unit = CHAMPIONS.index(item) if item in CHAMPIONS else TROLL
    move(state, owner, unit, origin, target)


EFFECTS: Mapping[str, Callable[[State, int, int, Before], Ask]] = {
    "bolster": bolster,
    "influence": influence,
    "honour": honour,
    "move": move_trolls,
}
