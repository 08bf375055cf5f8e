"""Who wants to be told of a change, and how one stops being told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Lock
from typing import Generic, TypeVar

L = TypeVar("L", bound=Callable[..., object])


class Listeners(Generic[L]):
    """Callables in the order in which they came.  May change from any thread while they are told."""

    def __init__(self) -> None:
        self._all: tuple[L, ...] = ()
        self._guard = Lock()

    def __iter__(self) -> Iterator[L]:
        return iter(self._all)

    def add(self, listener: L) -> Callable[[], None]:
        """Tell ``listener`` from now on.  Returns the way out, which may be taken twice."""
        with self._guard:
            self._all = (*self._all, listener)

        def leave() -> None:
            with self._guard:
                self._all = tuple(one for one in self._all if one is not listener)

        return leave
