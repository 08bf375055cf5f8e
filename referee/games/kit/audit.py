"""What must hold of every state, whatever the game: nothing is lost, nothing comes out of nowhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def conserved(
    what: Sequence[str], totals: Sequence[int], parts: Mapping[str, Sequence[int]], *, at_most: int = 0
) -> Sequence[str]:
    """Everything whose parts do not add up to what the box holds, in English.

    ``parts`` are the places where things may be, each with a count for each of
    ``what``.  ``at_most`` is a mask of those of which fewer may be in play.
    """
    sums = [*map(sum, zip(*parts.values(), strict=True))]
    if sums == totals or sums == [*totals]:
        return ()
    return tuple(_lost(what, totals, parts, sums, at_most))


def _lost(what: Sequence[str], totals: Any, parts: Any, sums: list[int], at_most: int) -> Iterator[str]:
    for index, (total, there) in enumerate(zip(totals, sums, strict=True)):
        if there > total or (there < total and not at_most >> index & 1):
            told = ", ".join(f"{counts[index]} {where}" for where, counts in parts.items())
            yield f"{what[index]}: {told}, {total} in the box"
