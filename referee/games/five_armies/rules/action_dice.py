"""Chapter V, phase 5: action dice are rolled, then used in turn, one die an action."""

from __future__ import annotations

from referee.games.five_armies.box.components import (
    ACTION_DIE,
    BASE_POOL,
    BEORN,
    CHARACTERS,
    DICE,
    FACE,
    FACES,
    FREE,
    SEATS,
    SHADOW,
    THORIN,
)
from referee.games.five_armies.box.map import IN_TERRITORY, SETTLEMENTS, STRONGHOLDS
from referee.games.five_armies.rules import abilities, actions, combat, occasions
from referee.games.five_armies.rules.asking import Ask
from referee.games.five_armies.state.state import State
from referee.games.kit.action_dice import DieOptions, choose_die, lay_out, mask_of_faces, spend, why_not_faces
from referee.kernel.play import MILESTONE
from referee.kernel.refusals import Refusal
from referee.kernel.requests import RollDice

ACT, FIGHT = "act", "fight"
"""``state.step`` in phase 5: before an action, during a combat; in any other action it is ``"action"``."""


def action_phase(state: State) -> Ask:
    """Phase 5: roll, then alternate until no die is left; the Free Peoples begin."""
    if not state.step:
        yield from roll_action_dice(state)
        state.active = FREE
        state.step = ACT
    elif state.step == FIGHT:
        yield from combat.fight(state)
        if state.pending:
            yield from use_a_die(state, state.active)  # the combat was part of a general's ability
        _end_of_action(state)
    unused = state.unused
    while True:
        seat = state.active
        mine, theirs = sum(unused[seat]), sum(unused[1 - seat])
        if not mine:
            if not theirs:
                return
            seat = state.active = 1 - seat
            mine, theirs = theirs, 0
        yield MILESTONE
        yield from take_action(state, seat, mine < theirs)
        _end_of_action(state)


def _end_of_action(state: State) -> None:
    state.active = 1 - state.active
    state.step = ACT
    state.pending.clear()


def roll_action_dice(state: State) -> Ask:
    """Both sides roll the dice of their pools (the Free Peoples first)."""
    for seat in (FREE, SHADOW):
        die = ACTION_DIE[seat]
        rolled = yield RollDice(
            SEATS[seat],
            "prompt.roll_action_dice",
            {die: state.pool[seat]},
            DICE,
            rule="turn.p5_roll_pool",
            wrong=lambda given, seat=seat: why_not_so_many(state, seat, given),  # type: ignore[misc]
        )
        lay_out(state, seat, FACES, rolled[die])
        yield from occasions.after_action_roll(state, seat)


def free_pool(state: State) -> int:
    """Five dice, six while Thorin or Beorn is in play."""
    return BASE_POOL[FREE] + (state.where[THORIN] >= 0 or state.where[BEORN] >= 0)


def shadow_pool(state: State) -> int:
    """Six dice, seven while the Shadow controls two settlements of one territory."""
    counting = SETTLEMENTS if state.house["seventh_die"] == "settlements" else STRONGHOLDS
    held = state.control & counting
    return BASE_POOL[SHADOW] + any((held & territory).bit_count() >= 2 for territory in IN_TERRITORY)


def why_not_so_many(state: State, seat: int, given: int) -> Refusal | None:
    """Why not ``given`` action dice are rolled but those of the pool."""
    wanted = state.pool[seat]
    now = free_pool(state) if seat == FREE else shadow_pool(state)
    if given == now:
        rule = "dice.extra_joins_phase1" if given > wanted else "dice.extra_leaves_phase1"
    elif given < wanted:
        return None
    elif state.turn == 1:
        rule = "setup.extra_dice_aside"
    else:
        rule = "dice.free_sixth_die" if seat == FREE else "dice.shadow_seventh_die"
    return Refusal(rule, "dice_of_the_pool", {"count": wanted})


ABILITY = "ability"
"""In ``state.pending`` while a general's ability is under way: a die is still to be used."""


_OPTIONS = DieOptions(FACES, (*(f"ability:{name}" for name in CHARACTERS), "pass"))
ABILITIES, PASS = len(FACES), 1 << len(FACES) + len(CHARACTERS)
"""Behind the faces: the first bit of the generals' abilities, and the mask of passing."""


def take_action(state: State, seat: int, may_pass: bool) -> Ask:
    """One action: perhaps a general's ability, then a die and what it is used for; or passing."""
    chosen = yield from _choose_die(state, seat, may_pass)
    if chosen == "pass":
        return
    if chosen.startswith("ability:"):
        state.step = "action"
        state.ability_used = True
        state.pending = [[ABILITY]]
        yield from abilities.use(state, chosen[8:])
        yield from use_a_die(state, seat)
        return
    yield from _spend(state, seat, chosen)


def use_a_die(state: State, seat: int) -> Ask:
    """A general's ability goes directly before a die: now that die is used."""
    state.pending.clear()
    state.step = "action"
    chosen = yield from _choose_die(state, seat, False)
    yield from _spend(state, seat, chosen)


def _spend(state: State, seat: int, chosen: str) -> Ask:
    face = FACE[chosen]
    spend(state, seat, face)
    state.step = "action"
    if seat == FREE:
        state.ability_used = False
    yield from actions.use_die(state, seat, face)


def _choose_die(state: State, seat: int, may_pass: bool) -> Ask:
    mask = mask_of_faces(state.unused[seat]) | PASS * may_pass
    if seat == FREE and state.activated and not state.ability_used:
        mask |= abilities.usable(state) << ABILITIES
    return choose_die(
        SEATS[seat], _OPTIONS[mask], "turn.p5_alternate", lambda: why_not_dice(state, seat, may_pass)
    )


def why_not_dice(state: State, seat: int, may_pass: bool) -> list[tuple[str, Refusal]]:
    """What of the dice, passing and abilities is not open now, and why."""
    on_die = DICE[ACTION_DIE[seat]].faces
    refused = why_not_faces(state, seat, FACES, on_die, "dice.used_die_aside", "dice.match_symbol")
    if not may_pass:
        mine, theirs = sum(state.unused[seat]), sum(state.unused[1 - seat])
        about = {"mine": mine, "theirs": theirs}
        if mine < theirs:
            refused.append(("pass", Refusal("general.ability_timing", "ability_before_die", about)))
        else:
            refused.append(("pass", Refusal("dice.pass_condition", "not_fewer_dice", about)))
    if seat == FREE:
        refused.extend(abilities.why_not(state))
    return refused
