"""Tests of the fairness figures against textbook values and simple truths."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest
from click.testing import CliRunner

from vision.fairness import (
    ALPHA,
    chi_squared_tail,
    examine,
    follow_stake,
    holm,
    multinomial_p,
    read_rolls,
    runs_p,
    stats_command,
    uneven_p,
    uneven_stake,
)

D6 = list("123456")


@pytest.mark.parametrize(
    ("x", "df", "p"), [(11.0705, 5, 0.05), (15.0863, 5, 0.01), (9.4877, 4, 0.05), (3.8415, 1, 0.05)]
)
def test_chi_squared_tail_agrees_with_tables(x: float, df: int, p: float) -> None:
    assert chi_squared_tail(x, df) == pytest.approx(p, rel=1e-3)


def test_exact_multinomial_by_hand() -> None:
    # two throws of a coin: both heads and both tails are equally likely, and less likely than one of each
    assert multinomial_p([2, 0], [0.5, 0.5]) == (pytest.approx(0.5), "exact")
    # six sixes in six throws: six such outcomes of 6**6
    p, method = multinomial_p([0, 0, 0, 0, 0, 6], [1 / 6] * 6)
    assert method == "exact"
    assert p == pytest.approx(6 / 6**6)


def test_methods_agree_where_they_meet() -> None:
    counts = [3, 8, 2, 4, 3, 2]
    exact, method = multinomial_p(counts, [1 / 6] * 6)
    assert method == "exact"
    large, method = multinomial_p([k * 6 for k in counts], [1 / 6] * 6)
    assert method == "chi-squared"
    assert large < exact


def test_holm_is_monotone_and_bounded() -> None:
    assert holm([0.01, 0.04, 0.03]) == [pytest.approx(0.03), pytest.approx(0.06), pytest.approx(0.06)]
    assert holm([]) == []


def test_a_face_on_two_sides_is_expected_twice_as_often() -> None:
    faces = ["character", "character", "muster", "muster_army", "event", "will_of_the_west"]
    counts = {"character": 200, "muster": 100, "muster_army": 100, "event": 100, "will_of_the_west": 100}
    (result,) = examine({"action": counts}, {"action": faces})
    assert not result.unusual
    assert result.expected["character"] == pytest.approx(200)
    assert result.sentence_en == "Nothing unusual in 600 rolls."
    assert result.sentence_de == "Nichts Auffälliges in 600 Würfen."


def test_a_loaded_die_is_named_and_its_face_too() -> None:
    counts = {"a": dict.fromkeys(D6, 60), "b": {"1": 60, "2": 60, "3": 60, "4": 60, "5": 60, "6": 120}}
    good, bad = examine(counts, {"a": D6, "b": D6})
    assert not good.unusual
    assert (
        bad.unusual
        and bad.odd_face == "6"
        and "more often" in bad.sentence_en
        and "häufiger" in bad.sentence_de
    )


SHARES = dict.fromkeys(D6, 1 / 6)


def evening(seed: int, rolls: int = 60) -> list[list[str]]:
    """Fair rolls of one to five dice, typed in as people do: sorted."""
    rng = np.random.default_rng(seed)
    return [sorted(str(v) for v in rng.integers(1, 7, rng.integers(1, 6))) for _ in range(rolls)]


def test_typed_rolls_grouped_by_people_gave_false_alarms_in_30_of_40_fair_evenings() -> None:
    alarms = 0
    for seed in range(40):
        rolls = evening(seed)
        counts = {"d6": Counter(face for roll in rolls for face in roll)}
        (one,) = examine(counts, {"d6": D6}, {"d6": rolls})
        alarms += one.unusual
        mixed = [list(reversed(roll)) for roll in rolls]
        assert examine(counts, {"d6": D6}, {"d6": mixed}) == [one], "the order inside a roll says nothing"
    assert alarms <= 1


def test_looking_after_every_roll_raises_no_more_alarms_than_are_claimed() -> None:
    """200 fair evenings, two types of dice, a look after each roll: at most 1 in 100 ever calls them unusual
    (more than 6 of 200 would have a chance of 1 in 200 where that is so)."""
    alarms = 0
    for seed in range(200):
        types = {"white": evening(2 * seed, 40), "black": evening(2 * seed + 1, 40)}
        for look in range(1, 41):
            ps = []
            for rolls in types.values():
                counts = Counter(face for roll in rolls[:look] for face in roll)
                ps.append(uneven_p([counts[face] for face in D6], [1 / 6] * 6))
                ps.append(runs_p(rolls[:look], SHARES))
            if min(holm(ps)) < ALPHA:
                alarms += 1
                break
    assert alarms <= 6


def test_dice_that_are_not_fair_are_found() -> None:
    rng = np.random.default_rng(4)
    loaded = Counter(str(v) for v in rng.choice(range(1, 7), 500, p=[0.14] * 5 + [0.3]))
    assert uneven_p([loaded[face] for face in D6], [1 / 6] * 6) < ALPHA
    sticky = [["3"]]
    while len(sticky) < 200:
        sticky.append(sticky[-1] if rng.random() < 0.4 else [str(rng.integers(1, 7))])
    assert runs_p(sticky, SHARES) < ALPHA
    never = [["3"]]
    while len(never) < 400:
        face = str(rng.integers(1, 7))
        never += [] if [face] == never[-1] else [[face]]
    assert runs_p(never, SHARES) < ALPHA


@pytest.mark.parametrize("shares", [[1 / 6] * 6, [1 / 3, 1 / 6, 1 / 6, 1 / 6, 1 / 6], [1 / 20] * 20])
def test_a_bet_against_fair_dice_gains_nothing_on_average(shares: list[float]) -> None:
    """What makes the p-values valid at every look: over all outcomes the expected stake is 1."""
    faces = [str(n) for n in range(len(shares))]
    by_face = dict(zip(faces, shares, strict=True))
    one = [uneven_stake([int(face == other) for other in faces], shares) for face in faces]
    assert sum(share * stake for share, stake in zip(shares, one, strict=True)) == pytest.approx(1)
    for before in (["0"], ["0", "1"], ["1", "1", "2"]):
        stakes = [follow_stake([before, [face]], by_face) for face in faces]
        assert sum(share * stake for share, stake in zip(shares, stakes, strict=True)) == pytest.approx(1)


def test_unknown_faces_and_bad_lines_are_refused() -> None:
    with pytest.raises(ValueError, match="no face 7"):
        examine({"d": {"7": 1}}, {"d": D6})
    with pytest.raises(ValueError, match="line 2"):
        read_rolls(['{"type": "d", "face": "1"}', "nonsense"])


def test_a_die_that_can_be_told_apart_is_looked_at_by_itself() -> None:
    one = [{"type": "d6", "face": "6", "die": "chipped"}] * 40
    others = [{"type": "d6", "face": f, "die": "new"} for f in D6 * 20]
    result = CliRunner().invoke(
        stats_command, ["-", "--json"], input="\n".join(json.dumps(line) for line in [*others, *one])
    )
    found = {r["name"]: r for r in json.loads(result.output)}
    assert {name: r["rolls"] for name, r in found.items()} == {"d6": 160, "d6 chipped": 40, "d6 new": 120}
    assert found["d6 chipped"]["unusual"] and found["d6 chipped"]["odd_face"] == "6"
    symbols = [
        '{"type": "s", "faces": ["a", "b", "a", "b", "a", "b"]}',
        '{"type": "s", "die": 2, "face": "a"}',
    ]
    assert read_rolls(symbols).faces == {"s": list("ababab"), "s 2": list("ababab")}


def test_files_without_rolls_say_nothing_of_what_follows_what() -> None:
    old = [json.dumps({"type": "d6", "face": face}) for face in D6 * 30]
    assert read_rolls(old).rolls == {}
    rolled = [json.dumps({"type": "d6", "face": face, "roll": n // 3}) for n, face in enumerate(D6)]
    assert read_rolls(rolled).rolls == {"d6": [["1", "2", "3"], ["4", "5", "6"]]}


def test_no_rolls_are_no_finding() -> None:
    result = CliRunner().invoke(stats_command, ["-"], input="\n")
    assert result.exit_code == 1 and "referee rolls" in result.output


def test_command_reads_lines_and_prints_both_ways(tmp_path: object) -> None:
    lines = "\n".join(json.dumps({"type": "d6", "face": f}) for f in D6 * 3)
    result = CliRunner().invoke(stats_command, ["-", "--json"], input=lines)
    assert result.exit_code == 0
    assert json.loads(result.output)[0]["rolls"] == 18
    german = CliRunner().invoke(stats_command, ["-", "--lang", "de"], input=lines)
    assert "Nichts Auffälliges" in german.output
    broken = CliRunner().invoke(stats_command, ["-"], input="{")
    assert broken.exit_code == 1 and "line 1" in broken.output
