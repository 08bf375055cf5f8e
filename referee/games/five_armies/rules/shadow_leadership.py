"""Phase 4 (chapters IV and VIII): the Shadow's leadership tokens and Great Bats."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from referee.games.five_armies.box.components import BATS_IN_BOX, SHADOW
from referee.games.five_armies.box.map import TERRITORIES
from referee.games.five_armies.rules.asking import NUMBERS, Ask, ChooseExactly
from referee.games.five_armies.rules.generals import place_leadership
from referee.games.five_armies.state.state import State
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, Forced


def shadow_leadership(state: State) -> Ask:
    """Tokens and bats together are exactly the dice of the pool; both are placed at once."""
    pool = state.pool[SHADOW]
    most = min(BATS_IN_BOX, pool)
    bats = int(
        (
            yield ChooseOne(
                "shadow",
                "prompt.choose_bats",
                NUMBERS[: most + 1],
                domain="number",
                about={"pool": pool, "maximum": most},
                rule="lead.shadow_sum",
                refused=lambda: [
                    (NUMBERS[n], Refusal("bats.max_six", "too_many", {"maximum": BATS_IN_BOX}))
                    if n <= pool
                    else (NUMBERS[n], Refusal("lead.shadow_sum", "more_than_pool", {"pool": pool}))
                    for n in range(most + 1, 11)
                ],
            )
        )
    )
    yield from place_leadership(state, SHADOW, pool - bats, "lead.shadow_sum", "lead.shadow_spread")
    request = ChooseExactly(
        "shadow",
        "prompt.place_bats",
        _territory_limits(bats),
        minimum=bats,
        maximum=bats,
        domain="territory",
        about={"count": bats},
        rule="bats.placed_anywhere",
    )
    chosen = yield request if bats else Forced(request, {})
    state.bats = [chosen.get(territory, 0) for territory in TERRITORIES]


@cache
def _territory_limits(bats: int) -> Mapping[str, int]:
    return dict.fromkeys(TERRITORIES, bats)
