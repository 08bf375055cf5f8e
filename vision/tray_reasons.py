"""What the tray reader says: each sentence names the trouble and a way out."""

from __future__ import annotations

from referee.kernel.messages import SOURCE, Text
from vision import TEXTS
from vision.reading import Quad, Reason


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
