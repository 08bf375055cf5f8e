"""Tables of words that lie beside the code as YAML: styles of the notation, and refusals by condition.

``notation.yaml`` maps prompts to styles::

    choose_target: {marker: x, if_offered: no_attack}

``marker``, ``before``, ``words`` and ``always`` are those of
:class:`referee.kernel.notation.Style`; ``silent`` is the answer that goes without
saying, ``if_offered`` one that does where the request has it, ``takes`` says that
the ``default``, the ``only`` option or ``nothing`` does.  ``again: true`` puts "; "
in front of a second army, region or character of one action.

``refusals.yaml`` maps words (or prompts) to lines, of which the first whose
conditions hold gives the refusal::

    play:
    - {if: [not phase 5], rule: cards.event_order_use, reason: not_this_phase}
    - {if: [asked choose_die], rule: cards.play_needs_die, reason: no_die}

Conditions are :data:`CONDITIONS` with their arguments, or tests that a game adds
by name.  ``about`` is the particular as which the refused answer is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml

from referee.games.kit import silent
from referee.kernel.notation import Style
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, Request

M = TypeVar("M")
Test = Callable[[M], Any]
TAKES: Mapping[str, Callable[[Request], Any]] = {
    "default": silent.default,
    "only": silent.only_option,
    "nothing": silent.nothing_if_free,
}
CONDITIONS: Mapping[str, Callable[..., Any]] = {
    "asked": lambda moment, *prompts: moment.asked(*prompts),
    "last": lambda moment, *prompts: moment.last in prompts,
    "answered": lambda moment, prompt, *answers: (
        any(moment.answered(prompt)) and (not answers or answers[0] in moment.answered(prompt))
    ),
    "phase": lambda moment, *phases: str(moment.state.phase) in phases,
    "over": lambda moment: moment.request is None,
    "answer": lambda refused, *answers: refused.answer in answers,
}
"""What is asked now, what was answered last, and at all (something, or just that); the phase; whether
nothing is asked any more; the answer that was refused."""


def read_table(path: Path) -> Any:
    """A file as plain data."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


# --- styles --------------------------------------------------------------------------------------------


def styles_of(entries: Mapping[str, Mapping[str, Any]]) -> dict[str, Style]:
    """Prompt to style, of the lines of a table."""
    return {f"prompt.{prompt}": _style(**entry) for prompt, entry in entries.items()}


def _style(*, again: bool = False, if_offered: str = "", takes: str = "", **entry: Any) -> Style:
    if again:
        entry["before"] = before_another
    if if_offered or takes:
        entry["silent"] = silent.option(if_offered) if if_offered else TAKES[takes]
    return Style(**entry)


def before_another(request: Request) -> str:
    """What stands in front of a second army, region or character of one action."""
    return "; " if isinstance(request, ChooseOne) and "done" in request.options else ""


# --- refusals ------------------------------------------------------------------------------------------


def refusals_of(
    entries: Mapping[str, Any], tests: Mapping[str, Test[M]]
) -> dict[str, Callable[[M], Refusal | None]]:
    """Word (or prompt) to what refuses it, of the lines of a table; ``tests`` are the game's conditions."""
    return {
        key: _first([_line(tests, **line) for line in (lines if isinstance(lines, list) else [lines])])
        for key, lines in entries.items()
    }


def _first(lines: Sequence[Callable[[M], Refusal | None]]) -> Callable[[M], Refusal | None]:
    return lambda moment: next((found for line in lines if (found := line(moment)) is not None), None)


def _line(
    tests: Mapping[str, Test[M]], *, rule: str, reason: str, about: str = "", **more: Sequence[str]
) -> Callable[[M], Refusal | None]:
    conditions = [_condition(text, tests) for text in more.get("if", ())]

    def refuse(moment: Any) -> Refusal | None:
        if not all(holds(moment) for holds in conditions):
            return None
        return Refusal(rule, reason, {about: moment.answer} if about else {})

    return refuse


def _condition(text: str, tests: Mapping[str, Test[M]]) -> Test[M]:
    """``[not] name argument...``.  Raises KeyError for a name that is not known."""
    name, *arguments = text.removeprefix("not ").split()
    wanted = not text.startswith("not ")
    test = tests[name] if name in tests else CONDITIONS[name]
    return lambda moment: bool(test(moment, *arguments)) is wanted
