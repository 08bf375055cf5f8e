"""Whether ``explain`` says what the table would do, ``rules.explain_*``.

rules.explain_moves
    random written moves in positions of random games, over all games; EXPLAIN_MOVES=2000 in the
    environment tries another number of each game.  Every fourth part of those of Five Armies and of War of
    the Ring begins in rare positions (``rare_states.py``): armies of two nations, nations not At War, sieges,
    empty supplies
rules.explain_allowed, rules.explain_refused, rules.explain_unclear
    how many of them were answered so
rules.explain_changed, rules.explain_foreign, rules.explain_left_out, rules.explain_seat
    how many had another place, figure, count or die than a legal one (half of them with words after it),
    words of another question, a part left out, a seat in front; the others are legal
rules.explain_first_seed
    the seed of the first of them; EXPLAIN_SEED=1 in the environment begins with another
rules.explain_wrong
    how many of them were answered wrongly: "allowed" unlike the table's own requests, by a reason whose
    rule is none of those by which these requests refuse that candidate, with words left out, or in a sentence
    that lacks a particular (0)
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module

from rare_states import CHANGES, rare_state

from referee.games.kit.word_fuzzing import Found
from referee.kernel.explain import ALLOWED, REFUSED, UNCLEAR

GAMES = ("five_armies", "war_of_the_ring", "battlelore", "mountain_king")
FIRST_SEED = 500_000
CHUNK = 2500
"""Written moves of one seed."""


def figures(moves: int | None = None) -> dict[str, float]:
    """All figures of this module; some minutes on two cores."""
    number = int(os.environ.get("EXPLAIN_MOVES", "100000")) if moves is None else moves
    first = int(os.environ.get("EXPLAIN_SEED", FIRST_SEED))
    parts = [min(CHUNK, number - at) for at in range(0, number, CHUNK)]
    with ProcessPoolExecutor() as pool:
        started = [
            pool.submit(tried, game, first + n, part, rare=n % 4 == 3 and game in CHANGES)
            for game in GAMES
            for n, part in enumerate(parts)
        ]
        found = [one.result() for one in started]
    verdicts, ways = Counter[str](), Counter[str]()
    for one in found:
        verdicts += one.verdicts
        for (way, _), count in one.ways.items():
            ways[way.removesuffix(" within").replace(" ", "_")] += count
    for examples in (kind for one in found for kind in one.examples.values()):
        print("\n".join(examples[:3]), file=sys.stderr)
    return {
        "rules.explain_moves": sum(one.tried for one in found),
        **{f"rules.explain_{verdict}": verdicts[verdict] for verdict in (ALLOWED, REFUSED, UNCLEAR)},
        **{f"rules.explain_{way}": ways[way] for way in ("changed", "foreign", "left_out", "seat")},
        "rules.explain_first_seed": first,
        "rules.explain_wrong": sum(one.wrong_answers for one in found),
    }


def tried(game: str, seed: int, moves: int, *, rare: bool = False) -> Found:
    """What came of the written moves of one seed, in a process of its own; ``rare``: from rare positions."""
    explained = import_module(f"referee.games.{game}.play.fuzz").explained
    found: Found = explained(seed, moves, start=rare_state if rare else None)
    return found
