"""Gnome tokens of a cavern as one small number: at most two, each hidden or of known strength."""

from __future__ import annotations

from typing import Any

from referee.games.kit.codec import Codec
from referee.kernel.located import LocatedValue

NONE, HIDDEN = 0, 4
_ALL = [(a, b) for a in range(5) for b in range(a + 1) if a or not b]
"""A pair of tokens: 0 none, 1 to 3 a known strength, 4 hidden; the larger first."""
TOKENS = tuple(_ALL)
CODE = {pair: number for number, pair in enumerate(TOKENS)}
COUNT = tuple((a > 0) + (b > 0) for a, b in TOKENS)
HIDDEN_IN = tuple((a == HIDDEN) + (b == HIDDEN) for a, b in TOKENS)
KNOWN_SUM = tuple(sum(n for n in pair if n != HIDDEN) for pair in TOKENS)
KNOWN = tuple(tuple(n for n in pair if n not in (NONE, HIDDEN)) for pair in TOKENS)


def code_of(*tokens: int) -> int:
    """The number of up to two tokens."""
    a, b = sorted((*tokens, 0, 0), reverse=True)[:2]
    return CODE[a, b]


MORE = tuple(code_of(a, HIDDEN) if not b else -1 for a, b in TOKENS)
"""With one hidden token more; -1 where there are two."""
WORDS = {HIDDEN: "hidden", 1: 1, 2: 2, 3: 3}


class Gnomes(Codec):
    """Tokens of a cavern; JSON and position files list them: ``[hidden, 2]``."""

    def write(self, value: int) -> list[Any]:
        """Each token."""
        return [WORDS[token] for token in TOKENS[value] if token]

    def read(self, data: Any) -> int:
        """The number of the tokens."""
        return code_of(*(HIDDEN if token == "hidden" else int(token) for token in data))

    def hear(self, spot: LocatedValue, now: int) -> int:
        """A number of hidden tokens, or a list."""
        if isinstance(spot.value, int):
            return code_of(*[HIDDEN] * spot.number(0, 2))
        found = [HIDDEN if item.value == "hidden" else item.number(1, 3) for item in list(spot.items())[:2]]
        return code_of(*found)
