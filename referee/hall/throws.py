"""Throws: complete readings of one roll before anybody took them, and whether two are of the same throw.

The throw that lies in the tray is kept in a small file beside the record before anybody sees it, so that
pulling the plug does not make it unseen.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from referee.journal.events import NewEvent
from referee.kernel.files import FileUnwritable, write_whole

log = logging.getLogger(__name__)

LYING_MM = 2.0
"""A die whose middle moved by no more than this lies where it lay."""
LYING_PX = 8.0
"""The same where a reader does not measure: in pixels of its picture."""

THROWN_AGAIN, TAKEN_OUT, READ_AGAIN, NOT_TAKEN = "thrown_again", "taken_out", "read_again", "not_taken"
WHYS = (THROWN_AGAIN, TAKEN_OUT, READ_AGAIN, NOT_TAKEN)
"""Why a reading was not taken: other dice lay there then, none did, it was read anew, or the roll was
answered otherwise."""

ReadingJson = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Throw:
    """A complete reading (as JSON) of the roll that event ``question`` asked ``seat`` for.

    ``request`` is the question in short, ``digest`` that of the position, ``picture`` the digest of the
    picture, ``offer`` the number under which it was offered, ``why`` "" while it may still be taken.
    """

    question: int
    seat: str
    request: Mapping[str, Any]
    digest: str
    reading: ReadingJson
    picture: str | None
    offer: int = 0
    why: str = ""

    @property
    def is_unquestioned(self) -> bool:
        """Whether it could have been accepted as it stood."""
        return is_unquestioned(self.reading)

    def discarded(self, number: int) -> NewEvent:
        """The event that says that this, throw ``number`` of its roll, was not taken."""
        evidence = {"manual": False, "reading": self.reading, "corrections": [], "picture": self.picture}
        answer = {"throw": number, "why": self.why}
        return NewEvent(self.seat, "camera", "reading_discarded", answer, self.digest, self.request, evidence)


def is_complete(reading: ReadingJson, wanted: Mapping[str, int]) -> bool:
    """Whether every die that was to be rolled was seen, whatever its face."""
    seen = Counter(str(die["type"]) for die in reading["dice"])
    return reading["status"] != "refused" and seen == +Counter(wanted)


def is_unquestioned(reading: ReadingJson) -> bool:
    """Whether a complete reading leaves nothing for a person to look at."""
    return bool(reading["status"] == "ok")


def is_same_throw(before: ReadingJson, now: ReadingJson, moved: bool) -> bool:
    """Whether ``now`` shows the throw that ``before`` showed.

    Each die must lie where it lay; where anything ``moved`` in between it must show the same, too: a die that
    was turned over lies there anew.  A die that was questioned (cocked, not understood) may be thrown again.
    Pictures from a device in the hand tell no places: the same faces are the same throw there.
    """
    if is_handheld(before) or is_handheld(now):
        return not says_else(before, now)
    firm = _firm_dice(before)
    left = list(now["dice"])
    for die in firm:
        twin = next((one for one in left if lies_there(die, one) and (not moved or _shows(die, one))), None)
        if twin is None:
            return False
        left.remove(twin)
    return bool(firm) or not before["dice"] or not moved


def is_part_of(now: ReadingJson, before: ReadingJson) -> bool:
    """Whether all dice that are seen ``now`` lie and show as they did ``before``: the others are hidden."""
    if is_handheld(before) or is_handheld(now):
        return not _faces(_firm_dice(now)) - _faces(before["dice"])
    left = list(before["dice"])
    for die in now["dice"]:
        twin = next((one for one in left if lies_there(one, die) and _shows(one, die)), None)
        if twin is None:
            return False
        left.remove(twin)
    return True


def is_handheld(reading: ReadingJson) -> bool:
    """Whether a reading is of a picture that a device in somebody's hand took."""
    return bool(reading.get("handheld", False))


def same_dice(before: ReadingJson, now: ReadingJson) -> bool:
    """Whether two readings show the same faces in the same places, as far as they tell of places."""
    left, dice = list(now.get("dice", ())), list(before.get("dice", ()))
    if not dice or len(dice) != len(left):
        return False
    if is_handheld(before) or is_handheld(now):
        return _faces(dice) == _faces(left)
    for die in dice:
        twin = next((other for other in left if same_die(die, other)), None)
        if twin is None:
            return False
        left.remove(twin)
    return True


def same_die(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    """Whether two dice of a table's camera show the same in the same place."""
    return bool(a["face"] == b["face"]) and lies_there(a, b)


def _firm_dice(reading: ReadingJson) -> list[Mapping[str, Any]]:
    """The dice that nobody has to look at."""
    asked = [reason.get("quad") for reason in reading.get("reasons", ())]
    return [
        die
        for die in reading["dice"]
        if die["face"] is not None and die.get("pose", "flat") == "flat" and die.get("quad") not in asked
    ]


def says_else(before: ReadingJson, now: ReadingJson) -> bool:
    """Whether a die that was not questioned is read otherwise ``now``."""
    return bool(_faces(_firm_dice(before)) - _faces(now["dice"]))


def _shows(before: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    return now["face"] in (before["face"], None)


def lies_there(before: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether a die of the same type lies where ``before`` lay."""
    if before["type"] != now["type"]:
        return False
    places = [die.get("centre_mm") for die in (before, now)]
    if places[0] is not None and places[1] is not None:
        return all(abs(p - q) <= LYING_MM for p, q in zip(places[0][:2], places[1][:2], strict=True))
    return all(abs(p - q) < LYING_PX for p, q in zip(_middle(before), _middle(now), strict=True))


def _middle(die: Mapping[str, Any]) -> list[float]:
    return [sum(axis) / len(die["quad"]) for axis in zip(*die["quad"], strict=True)]


def _faces(dice: Sequence[Mapping[str, Any]]) -> Counter[tuple[str, str | None]]:
    return Counter((str(die["type"]), die["face"]) for die in dice)


# -- the file beside the record -------------------------------------------------------------------------


def save(path: Path, game_id: str, throws: Sequence[Throw]) -> None:
    """Write ``throws`` that are in no event yet, the one that lies there last.

    A disk that refuses does not hide the dice: it is then only not known after a power cut.
    """
    try:
        write_whole(path, json.dumps({"game": game_id, "throws": [asdict(one) for one in throws]}))
    except FileUnwritable:
        log.exception("what lies in the tray could not be kept on disk")


def clear(path: Path) -> None:
    """Nothing is pending any more."""
    try:
        path.unlink(missing_ok=True)
    except OSError:
        log.exception("the file of the last throw could not be removed; it does not count any more")


def load(path: Path, game_id: str, question: int, digest: str) -> list[Throw]:
    """The throws of the question that event ``question`` put, as :func:`save` wrote them; none otherwise."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        found = [_throw(one) for one in data["throws"]]
        same = data["game"] == game_id
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        log.warning("what lay in the tray cannot be read: %s", error)
        return []
    return [one for one in found if same and one.question == question and one.digest == digest]


def _throw(data: Mapping[str, Any]) -> Throw:
    """One throw of the file.  Raises ``ValueError``, ``KeyError``, ``TypeError``, ``AttributeError``."""
    throw = Throw(**{field.name: data[field.name] for field in fields(Throw)})
    if not isinstance(throw.question, int) or throw.why not in ("", *WHYS):
        raise ValueError("not a throw")
    for die in throw.reading["dice"]:
        lies_there(die, die)
        str(die["face"])
    dict(throw.request)
    str(throw.reading["status"])
    return throw
