"""Where texts go on a drawn board, so that none covers another: greedy, the most important first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

LETTER = 0.62
"""Width of a letter, in heights of its text: a wide sans-serif face (DejaVu Sans), in the mean of names."""
GAP = 2.0
"""Board units that are kept free around a text."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle in board units."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, x: float, top: float, width: float, height: float) -> Rectangle:
        """``width`` by ``height``, its upper edge's middle at ``x``, ``top``."""
        return cls(x - width / 2, top, x + width / 2, top + height)

    def shared(self, other: Rectangle) -> float:
        """The area that both cover, each with half the gap around it."""
        across = min(self.right, other.right) - max(self.left, other.left) + GAP
        down = min(self.bottom, other.bottom) - max(self.top, other.top) + GAP
        return across * down if across > 0 and down > 0 else 0.0

    def moved(self, x: float, y: float) -> Rectangle:
        """The same size elsewhere."""
        return Rectangle(self.left + x, self.top + y, self.right + x, self.bottom + y)

    def inside(self, width: float, height: float) -> Rectangle:
        """Pushed back into a picture of this size."""
        x = max(0.0, -self.left) - max(0.0, self.right - width)
        y = max(0.0, -self.top) - max(0.0, self.bottom - height)
        return self.moved(x, y)


def text_width(text: str, size: float) -> float:
    """About how wide a text of this height is."""
    return len(text) * LETTER * size


def breaks(text: str) -> list[list[str]]:
    """The text in one line, in two and in three, each about equally long; words and hyphens part lines."""
    words = text.replace("-", "-\0").replace(" ", " \0").split("\0")
    found = []
    for count in range(1, min(3, len(words)) + 1):
        cuts = _cuts(words, count)
        found.append(min(cuts, key=lambda lines: max(map(len, lines))))
    return found


def _cuts(words: list[str], count: int) -> list[list[str]]:
    """All ways to break ``words`` into ``count`` lines."""
    if count == 1:
        return [["".join(words).strip()]]
    return [
        ["".join(words[:first]).strip(), *rest]
        for first in range(1, len(words) - count + 2)
        for rest in _cuts(words[first:], count - 1)
    ]


class LabelSheet:
    """A picture that fills with texts.  ``put`` takes the candidate that covers least of what is there."""

    def __init__(self, width: float, height: float) -> None:
        self.width = width
        self.height = height
        self.taken: list[Rectangle] = []

    def put(self, candidates: Iterable[tuple[float, Rectangle]]) -> tuple[int, Rectangle]:
        """Number and rectangle of the best of ``candidates``: ``(what it costs besides, rectangle)``.

        The cost is in areas (square board units) covered; ties go to the earlier candidate.
        """
        best: tuple[float, int, Rectangle] | None = None
        for number, (dear, wanted) in sorted(enumerate(candidates), key=lambda one: one[1][0]):
            if best is not None and best[0] <= dear:
                break  # those that follow cost more even where they cover nothing
            box = wanted.inside(self.width, self.height)
            away = abs(box.left - wanted.left) + abs(box.top - wanted.top)
            cost = dear + away + 20 * sum(box.shared(other) for other in self.taken)
            if best is None or cost < best[0]:
                best = (cost, number, box)
        assert best is not None
        self.taken.append(best[2])
        return best[1], best[2]
