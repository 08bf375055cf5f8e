"""Marked catalogues: every message in letters of their own, so that whatever was put into words can be told
from what was not (an id, a Python list, a particular that no message knows) by looking at its letters."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from referee.kernel import message_files, naming
from referee.kernel.board import Board
from referee.kernel.messages import GivenMessages, Messages
from referee.kernel.play import Game

FIELD = re.compile(r"({[^{}]*})")
MARKED = {
    **{ord("a") + i: 0x24D0 + i for i in range(26)},  # circled letters
    **{ord("A") + i: 0x24B6 + i for i in range(26)},
}


def marked(text: str) -> str:
    """``text`` in other letters, its fields (``{place:acc}``) as they are but for words of their own."""
    return "".join(
        _field(part) if FIELD.fullmatch(part) else part.translate(MARKED) for part in FIELD.split(text)
    )


def _field(field: str) -> str:
    name, colon, words = field.partition(":")
    return f"{name}{colon}{words.translate(MARKED)}" if "|" in words else field


def _marking(read: Callable[..., Any]) -> Callable[..., Any]:
    def read_marked(file: Any) -> Any:
        catalogue = read(file)
        for message in catalogue:
            if message.id:
                one = message.string
                message.string = tuple(map(marked, one)) if isinstance(one, tuple) else marked(str(one))
        return catalogue

    return read_marked


def _forget(game: Game[Any]) -> None:
    """Drop all that was made of catalogues."""
    naming._made_once.cache_clear()
    for one in gc.get_objects():
        if isinstance(one, Messages):
            one._looked_up.clear()
            one._named.clear()
            if not isinstance(one, GivenMessages):
                one._read.clear()
    for name, value in list(vars(game).items()):
        if isinstance(value, Board):
            del vars(game)[name]


@contextmanager
def marked_catalogues(game: Game[Any]) -> Iterator[None]:
    """Inside, every message of every catalogue is in marked letters."""
    read = message_files.read_po
    message_files.read_po = _marking(read)
    _forget(game)
    try:
        yield
    finally:
        message_files.read_po = read
        _forget(game)
