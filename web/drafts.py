"""Walking through a decision step by step before anything is recorded.

The browser keeps the values chosen so far; :func:`walk` says where they lead.
Steps with only one way, and amounts whose proposal may stand while more
follows, are taken without a tap; the browser shows them as chips that can be
opened again (``stop`` is the step at which nothing is taken by itself).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeGuard

from referee.hall.table import Table
from referee.kernel.play import Game
from referee.kernel.requests import ChooseOne, ChooseSome, Request
from web.asks import ask_json, option_text, own_part, prompt_text
from web.odds import odds_known
from web.words import name_of

LOOK_AHEAD = 12
"""Most options for which the next step is shown along with this one (a die and its actions)."""

MOST_AUTOS = 40
"""Steps taken without a tap in a row; a draft that has more of them waits for a person."""


def walk(
    table: Table, game: Game[Any], seat: str, values: Sequence[Any], language: str, stop: int | None = None
) -> tuple[dict[str, Any], Any]:
    """Where ``values`` of an open decision (not of chance) lead.

    Gives ``values`` with what was taken by itself (listed in ``autos``), the next
    ``ask`` (None: the draft is complete and can be confirmed) and the ``view``
    there, and the preview whose places are lit.  Raises what ``Table.preview`` raises.
    """
    taken = list(values)
    autos: list[dict[str, Any]] = []
    preview = table.preview(seat, taken, language=language)
    request = _own(preview, seat)
    while request is not None and len(taken) != stop and len(autos) < MOST_AUTOS:
        step = _by_itself(table, seat, taken, request, language)
        if step is None:
            break
        value, following = step
        autos.append(
            {
                "index": len(taken),
                "value": value,
                "prompt": prompt_text(game, request, language),
                "text": _value_text(game, request, value, language),
            }
            | ({} if request.is_forced() else {"proposed": True})
        )
        taken.append(value)
        preview = following
        request = _own(preview, seat)
    answered = table.play.answered + len(taken)
    ask, lit = None, preview
    if request is not None:
        ask = ask_json(game, request, language, answered, secret=False)
        _look_ahead(table, game, seat, taken, request, ask, language)
        lit = _again(table, game, seat, taken, request, ask, language) or preview
    odds = odds_known(table, preview.play.state, preview.request)
    found = {"values": taken, "autos": autos, "ask": ask, "view": preview.view, "odds": odds}
    left_out = [
        f"{prompt_text(game, one, language)} {option_text(game, one, one.options[0], language)}"
        for one in (table.left_out(seat, taken) if request is None else ())
        if isinstance(one, ChooseOne)
    ]
    return found | ({"left_out": left_out} if left_out else {}), lit


def _own(preview: Any, seat: str) -> Request | None:
    if not preview.open or preview.request is None:
        return None
    return own_part(preview.request, seat)


def _value_text(game: Game[Any], request: Request, value: Any, language: str) -> str:
    if isinstance(request, ChooseOne):
        return option_text(game, request, value, language)
    return name_of(game, value, language, request.domain)


def _by_itself(
    table: Table, seat: str, taken: Sequence[Any], request: Request, language: str
) -> tuple[Any, Any] | None:
    """The value that needs no tap, and the preview after it; None where a person must choose."""
    if request.is_chance:
        return None
    if isinstance(request, ChooseOne) and len(request.options) == 1:
        value: Any = request.options[0]
        return value, table.preview(seat, [*taken, value], language=language)
    if isinstance(request, ChooseSome):
        proposal = request.proposal
        if proposal is not None:
            following = table.preview(seat, [*taken, dict(proposal)], language=language)
            # The last amount of a draft is shown with its steppers: one tap confirms it either way.
            if _own(following, seat) is not None:
                return dict(proposal), following
    return None


def _look_ahead(
    table: Table, game: Game[Any], seat: str, taken: Sequence[Any], request: Request, ask: Any, language: str
) -> None:
    """Add to each die what it may be used for, where that is the next step: one tap for both."""
    if request.domain != "die" or not isinstance(request, ChooseOne) or len(request.options) > LOOK_AHEAD:
        return
    for option in ask["options"]:
        if option["refused"] is not None:
            continue
        following = _own(table.preview(seat, [*taken, option["value"]]), seat)
        if _is_of_actions(following):
            answered = table.play.answered + len(taken) + 1
            option["then"] = ask_json(game, following, language, answered, secret=False)["options"]


def _again(
    table: Table, game: Game[Any], seat: str, taken: Sequence[Any], request: Request, ask: Any, language: str
) -> Any:
    """The places where another figure of the kind that the draft has just named may come: a tap there names
    the kind once more and the place.  Gives the preview in which those places are lit; None for none."""
    if request.domain != "unit" or not isinstance(request, ChooseOne):
        return None
    same = next((one for one in reversed(taken) if one in request.options), None)
    if same is None:
        return None
    preview = table.preview(seat, [*taken, same], language=language)
    following = _own(preview, seat)
    if not isinstance(following, ChooseOne) or following.domain != "place":
        return None
    places = ask_json(game, following, language, 0, secret=False)["options"]
    ask["again"] = {
        "value": same,
        "text": option_text(game, request, same, language),
        "options": [one for one in places if one["refused"] is None],
    }
    return preview


def _is_of_actions(request: Request | None) -> TypeGuard[ChooseOne]:
    return isinstance(request, ChooseOne) and request.domain in ("option", "action")


def uses_at(
    table: Table, game: Game[Any], seat: str, taken: Sequence[Any], place: str, language: str
) -> list[dict[str, Any]]:
    """What the open choice of a die lets whoever stands at ``place`` do: dice, each with ``then`` its actions
    that may begin there.  Reckoned when somebody taps the place: it takes a look ahead for each action."""
    request = _own(table.preview(seat, taken), seat)
    if not isinstance(request, ChooseOne) or request.domain != "die" or len(request.options) > LOOK_AHEAD:
        return []
    ask = ask_json(game, request, language, table.play.answered + len(taken), secret=False)
    _look_ahead(table, game, seat, taken, request, ask, language)
    found = []
    for die in ask["options"]:
        allowed = [one for one in die.get("then", ()) if one["refused"] is None]
        actions = [
            use
            for one in allowed
            for use in _begin_at(table, game, seat, [*taken, die["value"]], one, place, language)
        ]
        if actions:
            found.append({**die, "then": actions})
    return found


def _begin_at(
    table: Table, game: Game[Any], seat: str, taken: Sequence[Any], action: Any, place: str, language: str
) -> list[dict[str, Any]]:
    """The ways in which an action may begin at ``place``: the action itself, where the place is its next
    step, or one for each figure that may come there; ``steps`` are the values up to the place."""
    values = [*taken, action["value"]]
    following = _own(table.preview(seat, values), seat)
    if not isinstance(following, ChooseOne) or following.is_chance:
        return []
    if place in following.options:
        return [{**action, "steps": [action["value"]], "now": place in following.at_once}]
    if following.domain != "unit" or len(following.options) > LOOK_AHEAD:
        return []
    ways = []
    for figure in following.options:
        then = _own(table.preview(seat, [*values, figure]), seat)
        if isinstance(then, ChooseOne) and place in then.options:
            text = f"{action['text']} · {option_text(game, following, figure, language)}"
            steps = [action["value"], figure]
            ways.append({**action, "value": "/".join(steps), "text": text, "steps": steps, "now": False})
    return ways
