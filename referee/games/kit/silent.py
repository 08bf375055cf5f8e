"""Silent answers of the notation: what goes without saying where the words leave a question out."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

from referee.kernel.notation import NOTHING, Words
from referee.kernel.requests import ChooseOne, ChooseSome, Request


def option(name: str) -> Callable[[Request], Any]:
    """This option, where the request has it; where it refuses it, the refusal."""

    def silent(request: Request) -> Any:
        if not isinstance(request, ChooseOne):
            return NOTHING
        if name in request.options:
            return name
        refused = () if request.refused is None else request.refused()
        return next((refusal for value, refusal in refused if value == name), NOTHING)

    return silent


def only_option(request: Request) -> Any:
    """The one that is left."""
    return request.options[0] if isinstance(request, ChooseOne) and len(request.options) == 1 else NOTHING


def default(request: Request) -> Any:
    """The default of a choice of several."""
    if isinstance(request, ChooseSome) and request.default is not None:
        return dict(request.default)
    return NOTHING


def nothing_if_free(request: Request) -> Any:
    """Nothing, where nothing may be chosen."""
    return {} if isinstance(request, ChooseSome) and request.minimum == 0 else NOTHING


def implied_march(words: Words, places: Container[str], march: str, attack: str) -> str | None:
    """``army: a > b`` moves, ``army: a x b`` attacks: which of two actions an army's way stands for."""
    word = words.peek()
    if words.previous() != ":" or word is None or word not in places:
        return None
    ahead, arrows = 1, set()
    while (word := words.peek(ahead)) not in (None, ";", ":"):
        arrows.add(word)
        ahead += 1
    if "x" in arrows:
        return attack
    return march if ">" in arrows else None
