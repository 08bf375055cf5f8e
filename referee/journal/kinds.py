"""The kinds of event: who may cause each, and the form of what it says.  The one table of them.

Whatever sorts events by kind (the fold of what stands, the check of a record, the readable record, the
schema of the exchange format) knows these and no others.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

SOURCES = frozenset({"tablet", "camera", "arbiter", "table", "manual", "bot", "remote", "wish", "obvious"})
"""Where an event can come from."""
UNASKED = frozenset({"wish", "obvious"})
"""Answers that nobody was asked for; they go and come with the answer that led to them."""

Types = tuple[type, ...]
_NONE = type(None)
ANY: Types = ()
"""What a field may hold where the game decides."""

ROLL: Mapping[str, Types] = {
    "manual": (bool,),
    "reading": (dict,),
    "corrections": (list,),
    "picture": (str, _NONE),
    "throw": (int,),
    "as_before": (bool,),
    "camera": (str,),
    "agreed": (int,),
    "event": (int,),
}
"""What evidence says of dice: typed in or read, from which picture, which throw of this roll."""
_SILENCE: Mapping[str, Types] = {"silence_s": (int,)}
ACTING: Mapping[str, Types] = {"arbiter": (str,), "head": (bool,)}
"""What evidence says of an arbiter: name, and whether it is the head arbiter."""


@dataclass(frozen=True, slots=True)
class Kind:
    """``seats``: a seat of the game may cause it; ``arbiter``: the arbiter may; ``together``: all at once.

    ``needs`` are the fields of its answer with their types, ``may`` those that it can have besides (earlier
    records lack them).  With neither the answer is the game's own affair.  ``moves``: it always moves the
    position.  ``asked``: it names the question that was open.  ``evidence`` are the fields that its evidence
    can have (:data:`ACTING` besides, where it is the arbiter's).
    """

    seats: bool = True
    arbiter: bool = False
    together: bool = False
    needs: Mapping[str, Types] | None = field(default_factory=dict)
    may: Mapping[str, Types] = field(default_factory=dict)
    moves: bool = False
    asked: bool = False
    evidence: Mapping[str, Types] = field(default_factory=dict)

    def wrong_field(self, answer: Any) -> str | None:
        """The field of ``answer`` that is missing or of a wrong type ("" for the answer itself), or None."""
        if self.needs is None:
            return None
        if not isinstance(answer, Mapping):
            return ""
        return next((name for name in self.needs if name not in answer), None) or wrong_type(
            answer, {**self.may, **self.needs}
        )

    def unknown_field(self, answer: Any) -> str | None:
        """A field of ``answer`` that nothing writes, or None."""
        if self.needs is None or not isinstance(answer, Mapping):
            return None
        return unknown(answer, (*self.needs, *self.may))


def wrong_type(data: Mapping[str, Any], known: Mapping[str, Types]) -> str | None:
    """A field of ``data`` that has none of the types that ``known`` tells, or None."""
    return next(
        (name for name, types in known.items() if types and name in data and type(data[name]) not in types),
        None,
    )


def unknown(data: Mapping[str, Any], known: Collection[str]) -> str | None:
    """A field of ``data`` that is not among ``known``, or None."""
    return next((name for name in data if name not in known), None)


_REMARK: Mapping[str, Types] = {"text": (str,)}
_ABOUT: Mapping[str, Types] = {"seat": (str, _NONE), "value": (int, _NONE)}
_BACK: Mapping[str, Types] = {"class": (str,), "why": (str,), "restores": (list,)}
_ANSWER: Mapping[str, Types] = {**ROLL, **_SILENCE, "wish": (str,), "opened": (dict,)}
_DISCARDED: Mapping[str, Types] = {
    name: ROLL[name] for name in ("manual", "reading", "corrections", "picture")
}
_ASKED: Mapping[str, Types] = {name: types for name, types in ROLL.items() if name not in ("agreed", "event")}

KINDS: Mapping[str, Kind] = {
    "answer": Kind(together=True, needs=None, moves=True, asked=True, evidence=_ANSWER),
    "sealed_part": Kind(needs={"sealed": (str,)}, asked=True, evidence=_SILENCE),
    "stands": Kind(
        seats=False,
        arbiter=True,
        needs={"value": ANY, "reason": (str,)},
        may={"rule": (str,)},
        moves=True,
        asked=True,
    ),
    "correction": Kind(
        arbiter=True, needs={"to": (int,), "primitives": (list,)}, may={"reason": (str,)}, moves=True
    ),
    "correction_asked": Kind(needs={"primitives": (list,)}, may={"reason": (str,)}),
    "take_back": Kind(arbiter=True, needs={"to": (int,)}, may=_BACK),
    "take_back_asked": Kind(needs={"to": (int,)}, may=_BACK),
    "consent": Kind(arbiter=True, needs={"asks": (int,), "yes": (bool,)}, evidence=_SILENCE),
    "reading_discarded": Kind(needs={"throw": (int,), "why": (str,)}, asked=True, evidence=_DISCARDED),
    "roll_asked": Kind(needs={"value": (dict,), "why": (str,)}, asked=True, evidence=_ASKED),
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
    "stopped": Kind(
        arbiter=True,
        together=True,
        needs={"problems": (list,)},
        may={"fork": (dict,), "value": ANY},
        asked=True,
        evidence=_ANSWER,
    ),
    "resignation": Kind(may={"plays_on": (bool,), "keeps": (list,)}),
    "draw_asked": Kind(),
    "ended": Kind(
        arbiter=True,
        needs={"how": (str,), "winners": (list,), "reason": (str,)},
        may={"seat": (str, _NONE)},
    ),
    "handed_over": Kind(seats=False, arbiter=True, needs={"what": (str,)}),
    "result_confirmed": Kind(
        needs={"winner": (str, _NONE), "rule": (str,)}, may={"winners": (list,), "ranking": (list,)}
    ),
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
