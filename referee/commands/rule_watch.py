"""Watches which rules a stretch of play meets: for coverage and for tests that say what they exercise.

Play itself knows nothing of this and is not slowed: while a watch is on, a few
methods are wrapped, and functions that the game names as the place of a rule
(``Game.rule_places``) are noticed by a profile hook.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

from referee.kernel import errors, explain, play, requests
from referee.kernel.refusals import Catalogue, Refusal

_KINDS = (requests.ChooseOne, requests.ChooseSome, requests.RollDice, requests.ChooseSecretly)


@dataclass(slots=True)
class Met:
    """Rules met: by ``asked`` requests, by ``refused`` attempts, as ``outcome``, in ``called`` functions."""

    asked: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    outcome: Counter[str] = field(default_factory=Counter)
    called: Counter[str] = field(default_factory=Counter)

    def rules(self) -> Counter[str]:
        """All of them together."""
        return self.asked + self.refused + self.outcome + self.called

    def note_request(self, request: requests.Request | None) -> None:
        """A request was open."""
        if request is None:
            return
        if request.rule:
            self.asked[request.rule] += 1
        for own in getattr(request, "of", {}).values():
            self.asked[own.rule] += 1

    def note_refusal(self, refusal: Refusal | None) -> None:
        """An attempt was refused."""
        if refusal is not None:
            self.refused[refusal.rule] += 1


def groups(catalogue: Catalogue) -> Mapping[str, str]:
    """Rule id to the id of the rule under which a player sees it."""
    own = {rule.id: rule.id for rule in catalogue.values()}
    return own | {atom: rule.id for rule in catalogue.values() for atom in rule.atoms}


@contextmanager
def watching(places: Mapping[str, tuple[CodeType, ...]] | None = None) -> Iterator[Met]:
    """Note what is met inside the ``with``.  ``places``: rule to the code objects that carry it out."""
    met = Met()
    saved = _wrap(met)
    profile = _profile(met, places) if places else None
    before = sys.getprofile()
    if profile is not None:
        sys.setprofile(profile)
    try:
        yield met
    finally:
        if profile is not None:
            sys.setprofile(before)
        for owner, name, original in saved:
            setattr(owner, name, original)


def _wrap(met: Met) -> list[tuple[Any, str, Any]]:
    saved: list[tuple[Any, str, Any]] = []

    def replace(owner: Any, name: str, new: Any) -> None:
        saved.append((owner, name, owner.__dict__[name]))
        setattr(owner, name, new)

    run, init, refused = play.Play._run, errors.IllegalAnswer.__init__, explain._Attempt._refused

    def watched_run(self: Any, value: Any) -> None:
        run(self, value)
        met.note_request(self.request)
        if self.request is None and self.outcome is not None:
            met.outcome[self.outcome.rule] += 1

    def watched_init(self: Any, *said: Any, refusal: Refusal | None = None) -> None:
        init(self, *said, refusal=refusal)
        met.note_refusal(refusal)

    def watched_refused(self: Any, refusal: Any, *args: Any) -> Any:
        end = refused(self, refusal, *args)
        met.note_refusal(end.refusal)
        return end

    replace(play.Play, "_run", watched_run)
    replace(errors.IllegalAnswer, "__init__", watched_init)
    replace(explain._Attempt, "_refused", watched_refused)
    for kind in _KINDS:
        replace(kind, "why_not", _watched_why_not(met, kind.__dict__["why_not"]))
    return saved


def _watched_why_not(met: Met, original: Any) -> Any:
    def why_not(self: Any, value: Any) -> Refusal | None:
        refusal: Refusal | None = original(self, value)
        met.note_refusal(refusal)
        return refusal

    return why_not


def _profile(met: Met, places: Mapping[str, tuple[CodeType, ...]]) -> Any:
    rules: dict[CodeType, list[str]] = {}
    for rule, codes in places.items():
        for code in codes:
            rules.setdefault(code, []).append(rule)
    called = met.called

    def profile(frame: FrameType, event: str, arg: Any) -> None:
        if event == "call":
            found = rules.get(frame.f_code)
            if found is not None:
                for rule in found:
                    called[rule] += 1

    return profile
