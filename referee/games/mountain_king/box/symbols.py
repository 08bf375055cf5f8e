"""Symbols of the ancestry as small numbers, and the words for them: ``A`` advance, ``A2`` with a printed two.

``B`` bolster, ``I`` influence, ``G`` gnome, ``W`` wild, ``S`` supply, ``E`` elder, ``.`` blank, ``-`` none.
"""

from __future__ import annotations

from collections.abc import Iterable

LETTERS = "ABIGWSE."
WILD, SUPPLY, ELDER = 4, 5, 6
NO_CARD = 0
MOST_STRENGTH = 6


def code(word: str) -> int:
    """The number of a symbol: 1 and more, :data:`NO_CARD` for ``-``.  Raises ValueError for no symbol."""
    if word == "-":
        return NO_CARD
    letter, strength = word[:1], int(word[1:] or 1)
    if letter not in LETTERS or not letter or not 1 <= strength <= MOST_STRENGTH:
        raise ValueError(f"{word!r} is no symbol")
    return 1 + LETTERS.index(letter) + 8 * (strength - 1)


def word(symbol: int) -> str:
    """The word of a symbol's number."""
    return _WORDS[symbol]


def kind(symbol: int) -> int:
    """Which symbol it is, as an index of :data:`LETTERS`; -1 for no card."""
    return (symbol - 1) % 8 if symbol else -1


def strength(symbol: int) -> int:
    """Its printed number, 1 where none is printed."""
    return (symbol - 1) // 8 + 1 if symbol else 0


def codes(words: Iterable[str]) -> bytes:
    """Several symbols."""
    return bytes(map(code, words))


_WORDS = (
    "-",
    *(letter + (str(n) if n > 1 else "") for n in range(1, MOST_STRENGTH + 1) for letter in LETTERS),
)
PRINTED = tuple(one for one in _WORDS[1:] if len(one) == 1 or one[0] in "ABIG")
"""All that a cell of a card may show."""
