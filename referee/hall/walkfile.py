"""The walk over the board, kept in a small file beside the record, so that it goes on after a power cut.

It is no part of the record: only its result is (the event ``board_check``).  The
file counts while nothing has moved since the walk began and no result was recorded.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from referee.hall.board_check import BoardCheck
from referee.journal.events import Event
from referee.kernel.files import FileUnwritable, write_whole

log = logging.getLogger(__name__)

SAYS = ("right", "mended", "differs")
"""What may be said of a place."""


def save(path: Path, game_id: str, begun: int, question: int, walk: BoardCheck) -> None:
    """Write ``walk``, which began after event ``begun``, while the last move was event ``question``.

    A disk that refuses does not end the walk: it is then only not there after a power cut.
    """
    answers = [
        "mended" if good and place in walk.mended else "right" if good else "differs"
        for place, good in zip(walk.places, walk.answers, strict=False)
    ]
    data = {"game": game_id, "begun": begun, "question": question, "answers": answers}
    data["places"] = list(walk.places)
    if walk.tiles is not None:
        data |= {"tiles": walk.tiles, "confirmed": list(walk.confirmed)}
    try:
        write_whole(path, json.dumps(data, ensure_ascii=False))
    except FileUnwritable:
        log.exception("the comparison of the board could not be kept on disk; it goes on")


def clear(path: Path) -> None:
    """The walk is over."""
    try:
        path.unlink(missing_ok=True)
    except OSError:
        log.exception("the file of the finished comparison could not be removed; it does not count any more")


def load(path: Path, game_id: str, question: int, events: Sequence[Event]) -> tuple[int, BoardCheck] | None:
    """The walk that was under way, with the event after which it began; None where there is none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        walk = _walk(data)
        begun = int(data["begun"])
        same = data["game"] == game_id and data["question"] == question
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.warning("the comparison that was under way cannot be read and begins anew: %s", error)
        return None
    ended = any(event.kind == "board_check" for event in events if event.number > begun)
    open_still = walk.current is not None or walk.tiles is not None
    return (begun, walk) if same and not ended and open_still else None


def _walk(data: Any) -> BoardCheck:
    """The walk as :func:`save` wrote it.  Raises ``ValueError``, ``KeyError``, ``TypeError``."""
    walk = BoardCheck(tuple(str(place) for place in data["places"]))
    if "tiles" in data:
        walk.tiles, walk.confirmed = int(data["tiles"]), [str(seat) for seat in data["confirmed"]]
    for says in data["answers"]:
        if says not in SAYS:
            raise ValueError(f"nobody can say {says!r} of a place")
        walk.answer(says != "differs", mended=says == "mended")
    return walk
