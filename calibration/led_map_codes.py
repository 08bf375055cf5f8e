"""Blink codes for LEDs: each is lit in four of n pictures, and no two share more than one of them.

Few LEDs are lit at a time, so their glow overlaps little and the current stays
small; and a code survives one wrong picture of its four.
"""

from __future__ import annotations

import random
from itertools import combinations

WEIGHT = 4


def _pack(count: int, pictures: int) -> list[tuple[int, ...]] | None:
    """Greedy packing with the least used pictures first; None if it does not come out."""
    random_ = random.Random(pictures)
    taken: set[tuple[int, int]] = set()
    load = [0] * pictures
    words: list[tuple[int, ...]] = []
    for _ in range(count):
        order = sorted(range(pictures), key=lambda p: (load[p], random_.random()))
        word: list[int] = []
        for picture in order:
            if all((min(p, picture), max(p, picture)) not in taken for p in word):
                word.append(picture)
                if len(word) == WEIGHT:
                    break
        if len(word) < WEIGHT:
            return None
        word.sort()
        taken.update(combinations(word, 2))
        for picture in word:
            load[picture] += 1
        words.append(tuple(word))
    return words


def codewords(count: int) -> tuple[list[tuple[int, ...]], int]:
    """`count` codes (the pictures in which each LED is lit, sorted) and the number of pictures."""
    pictures = 8
    while True:
        words = _pack(count, pictures)
        if words is not None:
            return words, pictures
        pictures += 1
