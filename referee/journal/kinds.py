"""The kinds of event: who may cause each, and the form of what it says.  The one table of them.

Whatever sorts events by kind (the fold of what stands, the check of a record, the readable record, the
schema of the exchange format) knows these and no others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SOURCES = frozenset({"tablet", "camera", "arbiter", "table", "manual", "bot", "remote", "wish", "obvious"})
"""Where an event can come from."""
UNASKED = frozenset({"wish", "obvious"})
"""Answers that nobody was asked for; they go and come with the answer that led to them."""

Types = tuple[type, ...]
_NONE = type(None)


@dataclass(frozen=True, slots=True)
class Kind:
    """``seats``: a seat of the game may cause it; ``arbiter``: the arbiter may; ``together``: all at once.

    ``needs`` are the fields of its answer with their types, ``may`` those that it can have besides (earlier
    records lack them).  With neither the answer is the game's own affair.  ``moves``: it always moves the
    position.
    """

    seats: bool = True
    arbiter: bool = False
    together: bool = False
    needs: Mapping[str, Types] | None = field(default_factory=dict)
    may: Mapping[str, Types] = field(default_factory=dict)
    moves: bool = False

    def wrong_field(self, answer: Any) -> str | None:
        """The field of ``answer`` that is missing or of a wrong type ("" for the answer itself), or None."""
        if self.needs is None:
            return None
        if not isinstance(answer, Mapping):
            return ""
        for name, types in self.needs.items():
            if name not in answer or type(answer[name]) not in types:
                return name
        for name, types in self.may.items():
            if name in answer and type(answer[name]) not in types:
                return name
        return None


_REMARK: Mapping[str, Types] = {"text": (str,)}
_ABOUT: Mapping[str, Types] = {"seat": (str, _NONE), "value": (int, _NONE)}
_BACK: Mapping[str, Types] = {"class": (str,), "why": (str,), "restores": (list,)}

KINDS: Mapping[str, Kind] = {
    "answer": Kind(together=True, needs=None, moves=True),
    "sealed_part": Kind(needs={"sealed": (str,)}),
    "stands": Kind(seats=False, arbiter=True, needs={"reason": (str,)}, may={"rule": (str,)}, moves=True),
    "correction": Kind(
        arbiter=True, needs={"to": (int,), "primitives": (list,)}, may={"reason": (str,)}, moves=True
    ),
    "correction_asked": Kind(needs={"primitives": (list,)}, may={"reason": (str,)}),
    "take_back": Kind(arbiter=True, needs={"to": (int,)}, may=_BACK),
    "take_back_asked": Kind(needs={"to": (int,)}, may=_BACK),
    "consent": Kind(arbiter=True, needs={"asks": (int,), "yes": (bool,)}),
    "reading_discarded": Kind(needs={"throw": (int,), "why": (str,)}),
    "roll_asked": Kind(needs={"value": (dict,), "why": (str,)}),
    "objection": Kind(needs=_REMARK, may={"about": (int,)}),
    "appeal": Kind(needs={**_REMARK, "about": (int,)}),
    "withdrawal": Kind(needs={"objection": (int,)}),
    "ruling": Kind(
        seats=False,
        arbiter=True,
        needs=_REMARK,
        may={"settles": (int, _NONE), "reopens": (bool,), "stands": (int,), "beside": (int,)},
    ),
    "note": Kind(arbiter=True, needs=_REMARK, may=_ABOUT),
    "penalty": Kind(seats=False, arbiter=True, needs=_REMARK, may=_ABOUT),
    "time": Kind(seats=False, arbiter=True, needs=_REMARK, may={**_ABOUT, "left": (dict, _NONE)}),
    "clock": Kind(
        arbiter=True,
        together=True,
        needs={"does": (str,), "left": (dict,), "reason": (str,)},
        may={"minutes": (int,)},
    ),
    "stopped": Kind(arbiter=True, together=True, needs={"problems": (list,)}, may={"fork": (dict,)}),
    "resignation": Kind(may={"plays_on": (bool,)}),
    "draw_asked": Kind(),
    "ended": Kind(
        arbiter=True,
        needs={"how": (str,), "winners": (list,), "reason": (str,)},
        may={"seat": (str, _NONE)},
    ),
    "handed_over": Kind(seats=False, arbiter=True, needs={"what": (str,)}),
    "result_confirmed": Kind(needs={"winner": (str, _NONE), "rule": (str,)}),
    "board_check": Kind(
        arbiter=True,
        needs={
            **dict.fromkeys(("places", "mended", "differing"), (list,)),
            **dict.fromkeys(("complete", "skipped"), (bool,)),
        },
        may={"laid": (list,)},
    ),
    "wish": Kind(needs={"wish": (str,), "says": (str,)}),
}
