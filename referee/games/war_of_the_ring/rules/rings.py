"""The Elven rings: before an action a player may change the result of one unused die."""

from __future__ import annotations

from collections.abc import Iterable

from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.rules.asking import Ask, choose
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.refusals import Refusal

RING = "ring"


def may_use(state: State, seat: int) -> bool:
    """Whether a player still holds a ring, used none this turn and has a die to change."""
    return state.rings[seat] > 0 and not state.ring_used[seat] and any(state.unused[seat])


def why_not_use(state: State, seat: int) -> Refusal:
    """Why no ring can be used now."""
    if not state.rings[seat]:
        return Refusal("ring.each_once", "no_ring")
    if state.ring_used[seat]:
        return Refusal("ring.one_a_turn", "")
    return Refusal("ring.changes_a_die", "no_die_to_change")


def use(state: State, seat: int) -> Ask:
    """Change one unused die; the ring goes to the Shadow, or out of the game after the Shadow used it."""
    faces = tuple(box.FACES[face] for face in box.FACES_OF_SEAT[seat] if state.unused[seat][face])
    old = yield from choose(
        seat,
        "prompt.ring_die",
        faces,
        rule="ring.changes_a_die",
        domain="die",
        refused=lambda: _why_not_dice(seat, faces),
    )
    new = yield from choose(
        seat,
        "prompt.ring_face",
        _new_faces(seat, box.FACE[old]),
        rule="ring.changes_a_die",
        domain="face",
        about={"face": old},
        refused=lambda: _why_not_faces(seat, old),
    )
    state.unused[seat][box.FACE[old]] -= 1
    if box.FACE[new] == box.F_EYE:
        to_hunt_box(state)
    else:
        state.unused[seat][box.FACE[new]] += 1
    state.rings[seat] -= 1
    if seat == box.FREE:
        state.rings[box.SHADOW] += 1
    state.ring_used[seat] = True


def to_hunt_box(state: State) -> None:
    """A die that a ring turned to an Eye goes to the Hunt Box; that is no action."""
    state.hunt_dice[box.SHADOW] += 1


def _new_faces(seat: int, old: int) -> tuple[str, ...]:
    return tuple(box.FACES[face] for face in box.FACES_OF_SEAT[seat] if face not in (old, box.F_WEST))


def _why_not_dice(seat: int, faces: tuple[str, ...]) -> Iterable[tuple[str, Refusal]]:
    for name in box.DICE[box.ACTION_DIE[seat]].distinct_faces:
        if box.FACE[name] == box.F_EYE:
            yield name, Refusal("ring.not_from_eye", "")
        elif name not in faces:
            yield name, Refusal("ring.changes_a_die", "no_such_die", {"face": name})


def _why_not_faces(seat: int, old: str) -> Iterable[tuple[str, Refusal]]:
    yield old, Refusal("ring.changes_a_die", "same_face", {"face": old})
    if seat == box.FREE and box.FACE[old] != box.F_WEST:
        yield box.FACES[box.F_WEST], Refusal("ring.not_to_will_of_the_west", "")
