"""For every rule that a player can try to break: an attempt that it refuses, by a written move."""

from __future__ import annotations

from typing import Any

import game_refusals
import yaml

from referee.games.five_armies import GAME
from referee.games.five_armies.catalogue.loading import FILES
from referee.kernel.play import Play

CASES = game_refusals.cases_beside(__file__)
COMMON: dict[str, Any] = CASES.pop("common")


@game_refusals.each(CASES)
def test_the_attempt_is_refused(rule: str) -> None:
    case = CASES[rule]
    position = {**COMMON, **case.get("position", {})}
    read = GAME.read_position(yaml.safe_dump(position, sort_keys=False))
    play = Play(GAME, read.state)
    read.lead_in(play)
    result = game_refusals.is_refused(GAME, play, case, rule, FILES.seen_as)
    assert result.rule is not None
    for language in ("de", "en"):
        assert result.rule.page_de in result.sentence(language, GAME)
