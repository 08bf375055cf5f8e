"""``referee rolls``: what fell in recorded games, die by die, for ``referee dice stats``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from referee.journal.events import Event
from referee.journal.line import line_of
from referee.kernel.dice import DieType

Roll = tuple[int, list[str]]
"""The number of its event, and what fell; the order inside says nothing."""


def fallen(events: Sequence[Event], types: Mapping[str, DieType]) -> dict[str, list[Roll]]:
    """The rolls of each die type in the order in which they fell; rolls taken back are left out.

    A roll that an arbiter let stand counts, but no face that its die does not have.
    """
    fell: dict[str, list[Roll]] = {}
    for event in line_of(events):
        if not event.request or event.request["kind"] != "roll_dice":
            continue
        value = event.answer["value"] if event.kind == "stands" else event.answer
        for die, faces in value.items() if isinstance(value, Mapping) else ():
            known = [face for face in faces if face in types[die].faces] if die in types else []
            if known:
                fell.setdefault(die, []).append((event.number, known))
    return fell


def picture_of(event: Event | None) -> str | None:
    """The digest of the picture from which a roll was read; None where an event has none."""
    digest = (event.evidence or {}).get("picture") if event is not None else None
    return digest if isinstance(digest, str) and digest else None


def as_lines(fell: Mapping[str, Sequence[Roll]], types: Mapping[str, DieType]) -> str:
    """JSON Lines that ``referee dice stats`` reads: the sides of each die type, then one line a die."""
    lines: list[dict[str, object]] = [{"type": die, "faces": list(types[die].faces)} for die in fell]
    lines += [
        {"type": die, "face": face, "roll": number}
        for die, rolls in fell.items()
        for number, faces in rolls
        for face in faces
    ]
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines)
