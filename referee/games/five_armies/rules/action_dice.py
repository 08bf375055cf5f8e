"""Chapter V, phase 5: action dice are rolled, then used in turn, one die an action."""

from __future__ import annotations

from referee.games.five_armies.box.components import (
    ACTION_DIE,
    CHARACTERS,
    DICE,
    FACE,
    FACES,
    FREE,
    SEATS,
    SHADOW,
)
from referee.games.five_armies.rules import abilities, actions, combat, occasions
from referee.games.five_armies.rules.asking import Ask
from referee.games.five_armies.state.state import State
from referee.kernel.play import MILESTONE
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, RollDice

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
            SEATS[seat], "prompt.roll_action_dice", {die: state.pool[seat]}, DICE, rule="turn.p5_roll_pool"
        )
        dice = [0] * len(FACES)
        for face in rolled[die]:
            dice[FACE[face]] += 1
        state.unused[seat] = dice
        state.used[seat] = [0] * len(FACES)
        yield from occasions.after_action_roll(state, seat)


ABILITY = "ability"
"""In ``state.pending`` while a general's ability is under way: a die is still to be used."""


class _DieOptions(dict[int, tuple[str, ...]]):
    """Key: mask of faces, bit 7 for passing, bits 8 and up for generals' abilities."""

    def __missing__(self, key: int) -> tuple[str, ...]:
        options = [FACES[face] for face in range(len(FACES)) if key >> face & 1]
        options += [f"ability:{CHARACTERS[c]}" for c in range(len(CHARACTERS)) if key >> (8 + c) & 1]
        if key & PASS:
            options.append("pass")
        self[key] = tuple(options)
        return self[key]


PASS = 1 << 7
_DIE_OPTIONS = _DieOptions()


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
    state.unused[seat][face] -= 1
    state.used[seat][face] += 1
    state.step = "action"
    if seat == FREE:
        state.ability_used = False
    yield from actions.use_die(state, seat, face)


def _choose_die(state: State, seat: int, may_pass: bool) -> Ask:
    key = PASS if may_pass else 0
    dice = state.unused[seat]
    for face in range(len(FACES)):
        if dice[face]:
            key |= 1 << face
    if seat == FREE and state.activated and not state.ability_used:
        key |= abilities.usable(state) << 8
    options = _DIE_OPTIONS[key]
    if len(options) == 1:
        return options[0]
    chosen = yield ChooseOne(
        SEATS[seat],
        "prompt.choose_die",
        options,
        domain="die",
        rule="turn.p5_alternate",
        refused=lambda: why_not_dice(state, seat, may_pass),
    )
    return chosen


def why_not_dice(state: State, seat: int, may_pass: bool) -> list[tuple[str, Refusal]]:
    """What of the dice, passing and abilities is not open now, and why."""
    refused = []
    for face, name in enumerate(FACES):
        if not state.unused[seat][face] and name in DICE[ACTION_DIE[seat]].faces:
            used = state.used[seat][face]
            rule = "dice.used_die_aside" if used else "dice.match_symbol"
            refused.append((name, Refusal(rule, "die_used" if used else "no_such_die", {"face": name})))
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
