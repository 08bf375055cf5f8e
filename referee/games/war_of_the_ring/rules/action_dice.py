"""Chapter IV: the action dice, phases 4 and 5: rolled, then used in turn, one die an action."""

from __future__ import annotations

from referee.games.kit.action_dice import choose_die, why_not_faces
from referee.games.kit.places import IdTuples
from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.rules import actions, movement, occasions, rings
from referee.games.war_of_the_ring.rules.asking import Ask
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.play import MILESTONE
from referee.kernel.refusals import Refusal
from referee.kernel.requests import RollDice

ACT, ACTION, FIGHT = "act", "action", "fight"
"""``state.step`` in phase 5: before an action, during one, during a battle."""


def roll_action_dice(state: State) -> Ask:
    """Phase 4: both roll (the Shadow without the dice it allocated); Eyes go to the Hunt Box."""
    for seat in (box.FREE, box.SHADOW):
        die = box.ACTION_DIE[seat]
        number = state.pool[seat] - (state.hunt_dice[box.SHADOW] if seat == box.SHADOW else 0)
        dice = [0] * len(box.FACES)
        if number > 0:
            rolled = yield RollDice(
                box.SEATS[seat], "prompt.roll_action_dice", {die: number}, box.DICE, rule="turn.action_roll"
            )
            for face in rolled[die]:
                dice[box.FACE[face]] += 1
        state.hunt_dice[box.SHADOW] += dice[box.F_EYE]
        dice[box.F_EYE] = 0
        state.unused[seat] = dice
        state.used[seat] = [0] * len(box.FACES)


def action_phase(state: State) -> Ask:
    """Phase 5: the players use their dice in turn until none is left; the Free Peoples begin."""
    if not state.step:
        state.active = box.FREE
        state.step = ACT
    elif state.step == FIGHT:
        yield from actions.finish_battle(state)
        yield from _end_of_action(state)
    unused = state.unused
    while True:
        seat = state.active
        mine, theirs = sum(unused[seat]), sum(unused[1 - seat])
        if not mine:
            if not theirs:
                return
            seat = other_goes_on(state)
        yield MILESTONE
        yield from take_action(state, seat)
        yield from _end_of_action(state)


def other_goes_on(state: State) -> int:
    """A side without dice waits while the other uses its own one after the other."""
    state.active = 1 - state.active
    return state.active


def _end_of_action(state: State) -> Ask:
    yield from movement.end_of_action(state)
    if state.table_cards:
        occasions.expire(state)
    state.active = 1 - state.active
    state.step = ACT
    state.pending.clear()


_DIE_OPTIONS = IdTuples((*box.FACES, rings.RING, "pass"))
RING, PASS = 1 << len(box.FACES), 2 << len(box.FACES)


def take_action(state: State, seat: int) -> Ask:
    """One action: perhaps an Elven ring, then a die and what it is used for; or passing."""
    while True:
        chosen = yield from _choose_die(state, seat)
        if chosen == "pass":
            return
        state.step = ACTION
        if chosen != rings.RING:
            break
        yield from rings.use(state, seat)
        if not any(state.unused[seat]):
            return  # the last die became an Eye
    face = box.FACE[chosen]
    state.unused[seat][face] -= 1
    state.used[seat][face] += 1
    yield from actions.use_die(state, seat, face)


def _choose_die(state: State, seat: int) -> Ask:
    dice = state.unused[seat]
    key = PASS if sum(dice) < sum(state.unused[1 - seat]) else 0
    for face in range(len(box.FACES)):
        if dice[face]:
            key |= 1 << face
    if state.rings[seat] and not state.ring_used[seat]:
        key |= RING
    return choose_die(box.SEATS[seat], _DIE_OPTIONS[key], "turn.alternate", lambda: why_not_dice(state, seat))


def why_not_dice(state: State, seat: int) -> list[tuple[str, Refusal]]:
    """What of the dice, the ring and passing is not open now, and why."""
    eye = box.FACES[box.F_EYE]
    on_die = set(box.DICE[box.ACTION_DIE[seat]].faces)
    refused = why_not_faces(state, seat, box.FACES, on_die - {eye}, "dice.used_aside", "dice.symbol")
    if eye in on_die:
        refused.append((eye, Refusal("dice.eye_to_hunt_box", "", {"face": eye})))
    if not rings.may_use(state, seat):
        refused.append((rings.RING, rings.why_not_use(state, seat)))
    mine, theirs = sum(state.unused[seat]), sum(state.unused[1 - seat])
    if mine >= theirs:
        about = {"mine": mine, "theirs": theirs}
        refused.append(("pass", Refusal("turn.pass", "not_fewer_dice", about)))
    return refused
