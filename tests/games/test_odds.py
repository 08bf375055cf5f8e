"""The odds of fights: exactly what is kept, and what the engine plays."""

from __future__ import annotations

import json

import odds_against_engine as against
import pytest

from referee.games.kit.odds import Duel, Hits, chance_of, hits, reckon

KEPT = json.loads(against.FIGHTS.read_text(encoding="utf-8"))
PLAYED_AGAIN = ("five_armies.ford_back", "five_armies.beorn_attacked", "war_of_the_ring.siege_three_rounds")


def flat(value: object) -> list[float]:
    """The numbers of a nested value, in order."""
    if isinstance(value, dict):
        return [number for one in value.values() for number in flat(one)]
    if isinstance(value, list):
        return [number for one in value for number in flat(one)]
    return [float(value)]  # type: ignore[arg-type]


def test_the_kept_odds_of_thirty_fights_still_stand() -> None:
    assert len(KEPT) == 30
    for spec in KEPT:
        now, kept = against.exact(spec), spec["exact"]
        assert flat(now) == pytest.approx(flat(kept), abs=1e-12), spec["id"]
        for part in ("next_round", "fight"):
            assert sum(now[part].values()) == pytest.approx(1, abs=1e-12), spec["id"]


def test_the_engine_went_as_the_odds_say() -> None:
    assert min(spec["engine"]["runs"] for spec in KEPT) >= against.RUNS
    assert max(spec["engine"]["worst_z"] for spec in KEPT) < against.MOST_Z
    for spec in KEPT:
        if spec["id"] in PLAYED_AGAIN:
            odds = reckon(against.ground_of(spec).duel())
            assert against.played(spec, 200).worst(odds) < against.MOST_Z, spec["id"]


def test_a_fight_that_the_odds_get_wrong_is_noticed() -> None:
    """The comparison itself can fail: one die more is found out by as few runs."""
    spec = next(spec for spec in KEPT if spec["id"] == "five_armies.ford_back")
    stronger = {**spec, "attacker": {**spec["attacker"], "units": {"dwarf_veterans": 4}}}
    odds = reckon(against.ground_of(stronger).duel())
    assert against.played(spec, 200).worst(odds) > against.MOST_Z


def test_hits_of_a_roll_and_of_what_is_rolled_again() -> None:
    assert hits(2, 0.5) == (0.25, 0.5, 0.25)
    # one die of 1/3: a miss rolled again hits in a third of its cases
    assert hits(1, 1 / 3, 1) == pytest.approx((4 / 9, 5 / 9))
    # the same with another number the second time, as a card may say
    assert hits(1, 1 / 3, 1, 1 / 2) == pytest.approx((1 / 3, 2 / 3))
    assert hits(3, 0.25, 2) == pytest.approx(hits(3, 0.25, 2))
    assert sum(hits(5, 1 / 6, 3)) == pytest.approx(1)
    assert [chance_of(number) for number in (1, 5, 6, 7)] == [1.0, 2 / 6, 1 / 6, 0.0]


class _Coins(Duel[int]):
    """Two sides with lives; each round both toss a coin, and who shows heads takes a life of the other."""

    def __init__(self, lives: tuple[int, int], rounds: int = 0, chance: float = 0.5) -> None:
        super().__init__()
        self.start, self.rounds, self.chance = lives, rounds, chance

    def strike(self, first: bool, sides: tuple[int, int]) -> tuple[Hits, Hits]:
        return hits(1, self.chance), hits(1, self.chance)

    def after(self, which: int, side: int, suffered: int) -> int | None:
        return side - suffered if side > suffered else None

    def units(self, which: int, side: int) -> int:
        return side


def test_a_duel_that_can_be_reckoned_by_hand() -> None:
    # one life each: of the three ways in which a round decides each is as likely; 4/3 rounds on average
    odds = reckon(_Coins((1, 1)))
    assert odds.fight == pytest.approx({"attacker": 1 / 3, "defender": 1 / 3, "both": 0, "neither": 1 / 3})
    assert odds.next_round == pytest.approx(dict.fromkeys(odds.fight, 0.25))
    assert odds.rounds == pytest.approx(4 / 3)
    assert odds.units == pytest.approx((1 / 3, 1 / 3))
    # with an end to the rounds both may stand
    assert reckon(_Coins((1, 1), rounds=2)).fight["both"] == pytest.approx(1 / 16)
    # and where nobody can hit they always do
    assert reckon(_Coins((2, 3), chance=0.0)).fight["both"] == 1
