"""The law of written moves: what ``explain`` says of a line is what the table does with it."""

from __future__ import annotations

from collections.abc import Callable

from referee.games.kit.word_fuzzing import Found


def explain_tells_the_truth(explained: Callable[[int, int], Found], seed: int, moves: int) -> None:
    """Random written moves of a game (its ``play/fuzz.py`` ``explained``) are answered as its requests do.

    A wrong answer is shown with the line, what was told and what the table does.
    """
    found = explained(seed, moves)
    assert found.tried >= moves
    assert not found.wrong, found.examples
    assert min(found.verdicts["allowed"], found.verdicts["refused"]) > moves // 8, found.verdicts
