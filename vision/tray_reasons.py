"""What the tray reader says: each sentence names the trouble and a way out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from referee.kernel.dice import DieType
from referee.kernel.messages import SOURCE, Text
from vision import TEXTS
from vision.reading import Die, Quad, Reason


def reason(code: str, quad: Quad | None = None) -> Reason:
    """The reason with this code, marked at ``quad``."""
    return Reason(code, Text(f"vision.tray_{code}"), quad)


def one_die(seen: int) -> Reason:
    """A teaching picture that does not show exactly one die."""
    return Reason(
        "one_die",
        Text("vision.one_die", seen=seen),
    )


def lay_flat(quad: Quad) -> Reason:
    """A die in a teaching picture that lies cocked."""
    return Reason(
        "lay_flat",
        Text("vision.lay_flat"),
        quad,
    )


def not_taught(die_type: str, quad: Quad | None = None) -> Reason:
    """A die whose type has no taught faces."""
    return Reason(
        "not_taught",
        Text("vision.not_taught", die_type=die_type),
        quad,
    )


def wrong_count(body: str, seen: int, expected: int) -> Reason:
    """Not as many dice of a type as the roll asks for; ``body`` is the type's body colour."""
    word = f"vision.body_{body}"
    colour = Text(word) if TEXTS.find(word, SOURCE) else ""
    return Reason("wrong_count", Text("vision.tray_wrong_count", seen=seen, colour=colour, expected=expected))


def wrong_counts(
    types: Sequence[DieType], dice: Sequence[Die], expected: Mapping[str, int] | None
) -> list[Reason]:
    """A reason for each type of which there are not as many dice as were expected."""
    if expected is None:
        return []
    counted = Counter(die.type for die in dice)
    wanted = {kind: n for kind, n in expected.items() if n > 0}
    bodies = {kind.id: kind.body for kind in types}
    return [
        wrong_count(bodies.get(t, ""), counted.get(t, 0), wanted.get(t, 0))
        for t in sorted(counted.keys() | wanted.keys())
        if counted.get(t, 0) != wanted.get(t, 0)
    ]
