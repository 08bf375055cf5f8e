"""Battles that players make themselves: what a game with scenarios gives to the editor, one file a battle.

A battle under way is plain JSON data; only :class:`BattleMaking` knows what stands in it.  Nothing here
changes data in place: each step gives the battle after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from referee.kernel.board import Board
from referee.kernel.forms import Field
from referee.kernel.messages import Text

Data = Mapping[str, Any]
WRONG, MIND, UNKNOWN = "wrong", "mind", "unknown"
"""How much a finding weighs: the battle cannot be played so; look at it again; only the box can tell."""


@dataclass(frozen=True, slots=True)
class BattleFinding:
    """What a look at a battle says, and of which places."""

    weight: str
    text: Text
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stack:
    """What lies ready to be put on the board: ``id`` is what a step names it by."""

    id: str
    kind: str
    """``terrain``; ``unit`` of the side that is chosen; ``weapon`` and ``race``, which a unit may have."""
    name: Text
    piece: str = ""
    """The id of its figure, where it has one."""


class BattleMaking(Protocol):
    """How a game's battles are made."""

    def blank(self, name: str) -> Data:
        """An empty field called ``name``."""

    def random(self, seed: int) -> Data:
        """A battle by chance, fit to be played; the same seed gives the same battle."""

    def change(self, data: Data, step: Mapping[str, Any]) -> Data:
        """The battle after a step.  Raises :class:`referee.kernel.errors.InvalidAnswer`."""

    def stacks(self) -> Sequence[Stack]:
        """What may be put on the board."""

    def preview(self, data: Data, box: Mapping[str, Any]) -> tuple[Any, Board]:
        """The state of the battle before its first turn, and its board as the owner's box tells of it."""

    def settings(self, data: Data) -> Sequence[tuple[Field, str]]:
        """What is set beside the board, each with its value."""

    def findings(self, data: Data, box: Mapping[str, Any]) -> Sequence[BattleFinding]:
        """What is wrong with a battle, or to be minded; ``box`` is what the owner told of his components."""

    def needs(self, data: Data) -> Sequence[tuple[str, Text, int]]:
        """What it takes of the box: whose ("": tiles), what, and how many."""

    def read(self, text: str) -> Data:
        """A battle from its file.  Raises :class:`referee.kernel.located.FileProblems`."""

    def write(self, data: Data) -> str:
        """The file of a battle: reading it gives the same."""


@dataclass(frozen=True, slots=True)
class PlayedOut:
    """How a game between computer players ended: its winners, and how many turns it took."""

    winners: tuple[str, ...]
    turns: int
