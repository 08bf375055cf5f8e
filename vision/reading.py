"""What the dice reader says of one picture: the contract between ``vision`` and the hall.

Pixels are OpenCV's (the centre of the first pixel is 0, 0); millimetres have
their origin in the middle of the tray floor, x to the right, y up in the
picture, z towards the camera.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from referee.kernel.messages import Text
from referee.kernel.said import Said

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
Status = Literal["ok", "ask", "refused"]
Pose = Literal["flat", "cocked"]


@dataclass(frozen=True, slots=True)
class Reason(Said):
    """Why a reading asks or refuses: a stable code, a sentence, and where in the picture."""

    code: str
    text: Text
    quad: Quad | None = None

    def as_json(self) -> dict[str, Any]:
        """``{"code", "sentence_en", "sentence_de", "quad"}``."""
        return {
            "code": self.code,
            "sentence_en": self.sentence_en,
            "sentence_de": self.sentence_de,
            "quad": self.quad,
        }


@dataclass(frozen=True, slots=True)
class Die:
    """One die seen.  ``face`` is None where it is not understood; it is then named in a reason.

    ``confidence`` is the estimated probability that ``face`` is right.
    ``alternatives`` lists other faces with their probability, likeliest first.
    """

    type: str
    face: str | None
    colour: str
    quad: Quad
    confidence: float
    pose: Pose = "flat"
    alternatives: tuple[tuple[str, float], ...] = ()
    centre_mm: tuple[float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class DiceReading:
    """All dice of one picture.

    ``ok``: may be accepted as it stands.  ``ask``: a person must look at the
    dice named in ``reasons``.  ``refused``: nothing may be taken from this
    picture; the reasons say what to mend.  ``handheld``: from a device in somebody's hand, so that places
    in two pictures cannot be compared.
    """

    status: Status
    dice: tuple[Die, ...]
    reasons: tuple[Reason, ...] = ()
    width: int = 0
    height: int = 0
    elapsed_ms: float = 0.0
    handheld: bool = False

    def as_json(self) -> dict[str, Any]:
        """A JSON-able form, printed by ``referee read``; ``handheld`` only where it is so."""
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        if not self.handheld:
            del found["handheld"]
        return {
            **found,
            "dice": [asdict(die) for die in self.dice],
            "reasons": [reason.as_json() for reason in self.reasons],
        }
