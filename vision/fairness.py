"""Are these dice fair?  Tests of face counts and of what follows what, and a plain sentence.

People look at the dice again and again, and more closely when luck is bad; so what is called unusual rests
on always-valid tests: a bet against fair dice, whose stake multiplies with each roll and whose expected value
stays 1 while the dice are fair.  That it ever reaches 100 has a chance of 1 in 100 at most, however often
and whenever somebody looks (J. Ville, Etude critique de la notion de collectif, 1939; G. Shafer, Testing by
betting, J. R. Statist. Soc. A 184, 2021).  Several dice are corrected for by Holm's method (S. Holm, A simple
sequentially rejective multiple test procedure, Scand. J. Statist. 6, 1979), and holds for such p-values.

Dice of one roll have no order: people who type them in group them.  Only what follows from one roll to the
next is tested, whatever the order inside.

Beside that the p of this one look is given: the exact multinomial test enumerates outcomes for few rolls,
Pearson's chi-squared uses the incomplete gamma function, what lies between is simulated by a fixed seed.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import numpy as np

from referee.kernel.messages import Text, joined, languages
from referee.kernel.said import Said

EXACT_OUTCOMES = 200_000  # enumerate up to so many possible count vectors
SIMULATIONS = 20_000
ALPHA = 0.01


@dataclass(frozen=True)
class Fairness(Said):
    """What the counts of one die type (or one die) say.

    ``p`` is the chance that a fair die gives counts at least as unlikely, for one look at a number of rolls
    settled before; ``p_corrected`` holds for any number of looks at any time and is corrected by Holm's
    method over all dice looked at.  ``p_runs`` is the same for faces that follow the roll before unusually
    often or rarely (``p_runs_corrected``: over all dice), None where it is unknown what was one roll.
    ``odd_face`` is the face that deviates most.  ``unusual`` where a corrected p is below 0.01.
    """

    name: str
    rolls: int
    counts: dict[str, int]
    expected: dict[str, float]
    method: str
    p: float
    p_corrected: float
    p_runs: float | None
    p_runs_corrected: float | None
    odd_face: str
    unusual: bool
    text: Text

    def as_json(self) -> dict[str, Any]:
        """The figures, and the sentence as ``sentence_en`` and ``sentence_de``."""
        figures = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "text"}
        return {**figures, "sentence_en": self.sentence_en, "sentence_de": self.sentence_de}


def shares_of(faces: Sequence[str]) -> dict[str, float]:
    """Probability of each different face of a fair die whose sides show ``faces``."""
    return {face: n / len(faces) for face, n in Counter(faces).items()}


def multinomial_p(counts: Sequence[int], shares: Sequence[float]) -> tuple[float, str]:
    """p-value of the counts under the shares, and how it was computed: exact, chi-squared or simulated.

    Raises ValueError for negative counts, or shares that do not add up to 1.
    """
    n, k = sum(counts), len(counts)
    if (
        min(counts, default=0) < 0
        or not math.isclose(sum(shares), 1.0, abs_tol=1e-9)
        or min(shares, default=1) <= 0
    ):
        raise ValueError("counts must not be negative; shares must be positive and add up to 1")
    if n == 0 or k < 2:
        return 1.0, "exact"
    if math.comb(n + k - 1, k - 1) <= EXACT_OUTCOMES:
        return _exact(counts, shares), "exact"
    statistic = _pearson(np.array([counts]), np.array(shares))[0]
    if n * min(shares) >= 10:
        return chi_squared_tail(float(statistic), k - 1), "chi-squared"
    simulated = np.random.default_rng(1).multinomial(n, shares, SIMULATIONS)
    as_bad = int((_pearson(simulated, np.array(shares)) >= statistic - 1e-9).sum())
    return (1 + as_bad) / (SIMULATIONS + 1), "simulated"


def _pearson(counts: np.ndarray, shares: np.ndarray) -> np.ndarray:
    expected = counts.sum(axis=1, keepdims=True) * shares
    result: np.ndarray = ((counts - expected) ** 2 / expected).sum(axis=1)
    return result


def _outcomes(n: int, k: int) -> np.ndarray:
    """All vectors of k counts that add up to n."""
    if k == 1:
        return np.array([[n]])
    parts = []
    for first in range(n + 1):
        rest = _outcomes(n - first, k - 1)
        parts.append(np.column_stack([np.full(len(rest), first), rest]))
    return np.concatenate(parts)


def _exact(counts: Sequence[int], shares: Sequence[float]) -> float:
    """Sum of the probabilities of all outcomes that are no likelier than this one."""
    n = sum(counts)
    log_factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    every = _outcomes(n, len(counts))
    logs = log_factorial[n] - log_factorial[every].sum(axis=1) + every @ np.log(np.array(shares))
    mine = (
        log_factorial[n] - log_factorial[np.array(counts)].sum() + np.array(counts) @ np.log(np.array(shares))
    )
    return float(min(1.0, np.exp(logs[logs <= mine + 1e-9]).sum()))


def chi_squared_tail(x: float, df: int) -> float:
    """Probability that a chi-squared variable with ``df`` degrees of freedom exceeds ``x``.

    By the recurrence Q(a+1, z) = Q(a, z) + z^a e^-z / Gamma(a+1) (Abramowitz and Stegun 6.5.21).
    """
    z = x / 2
    if z <= 0:
        return 1.0
    a, q = (0.5, math.erfc(math.sqrt(z))) if df % 2 else (1.0, math.exp(-z))
    while a < df / 2 - 1e-9:
        q += math.exp(a * math.log(z) - z - math.lgamma(a + 1))
        a += 1
    return min(1.0, q)


PRIOR = 60.0
"""Weight of the bet on uneven faces: as if so many rolls of a die that may be somewhat uneven were known."""
FOLLOWS = (-0.5, -0.25, 0.1, 0.2, 0.4, 0.7)
"""Bets on what follows: this share of the chance goes by the roll before, or, below 0, away from it."""


def uneven_p(counts: Sequence[int], shares: Sequence[float]) -> float:
    """Always-valid p-value of face counts; the order of the rolls does not matter to it."""
    return min(1.0, 1 / max(uneven_stake(counts, shares), 1.0))


def uneven_stake(counts: Sequence[int], shares: Sequence[float]) -> float:
    """What a stake of 1 has become that bet on faces of a Dirichlet distribution around ``shares``."""
    n, prior = sum(counts), [PRIOR * share for share in shares]
    stake = math.lgamma(PRIOR) - math.lgamma(PRIOR + n)
    for count, weight, share in zip(counts, prior, shares, strict=True):
        stake += math.lgamma(weight + count) - math.lgamma(weight) - count * math.log(share)
    return math.exp(min(stake, 700.0))


def runs_p(rolls: Sequence[Sequence[str]], shares: Mapping[str, float]) -> float:
    """Always-valid p-value of faces that come again, or stay away, after the roll before that had them.

    ``rolls`` are rolls in the order in which they fell; the order inside one does not matter.
    """
    return min(1.0, 1 / max(follow_stake(rolls, shares), 1.0))


def follow_stake(rolls: Sequence[Sequence[str]], shares: Mapping[str, float]) -> float:
    """What a stake of 1 has become that was spread over the bets of :data:`FOLLOWS`."""
    least = min(shares.values())
    bets = [bet if bet > 0 else bet * 2 * least / (1 + least) for bet in FOLLOWS]
    stakes = np.zeros(len(bets))
    tables: dict[str, np.ndarray] = {}
    for before, roll in pairwise(rolls):
        seen = Counter(before)
        for face, times in sorted(Counter(roll).items()):
            share, last = shares[face], seen[face] / len(before)
            key = f"{face}{last}"
            if key not in tables:
                tables[key] = np.log([1 + bet * (last - share) / share for bet in bets])
            stakes += times * tables[key]
    top = float(stakes.max())
    return math.exp(min(top + math.log(float(np.exp(stakes - top).mean())), 700.0))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction, in the given order."""
    order = sorted(range(len(p_values)), key=lambda k: p_values[k])
    result, worst = [1.0] * len(p_values), 0.0
    for rank, k in enumerate(order):
        worst = max(worst, min(1.0, (len(p_values) - rank) * p_values[k]))
        result[k] = worst
    return result


def examine(
    counts: Mapping[str, Mapping[str, int]],
    faces: Mapping[str, Sequence[str]],
    rolls: Mapping[str, Sequence[Sequence[str]]] | None = None,
) -> list[Fairness]:
    """Test each die type (or single die).

    ``counts`` maps a name to how often each face came up, ``faces`` to the faces of its sides, ``rolls``
    (optional) to its rolls in the order in which they fell, each with its faces in any order.  Raises
    KeyError where ``faces`` lacks a name,
    ValueError where a face was counted that the die does not have.
    """
    names = sorted(counts)
    tests, always, methods, runs = [], [], [], []
    for name in names:
        shares = shares_of(faces[name])
        strange = set(counts[name]) - set(shares)
        if strange:
            raise ValueError(f"{name} has no face {', '.join(sorted(strange))}")
        fell = [counts[name].get(f, 0) for f in shares]
        p, method = multinomial_p(fell, list(shares.values()))
        tests.append(p)
        always.append(uneven_p(fell, list(shares.values())))
        methods.append(method)
        runs.append(runs_p(rolls[name], shares) if rolls and name in rolls else None)
    tried = [p for p in runs if p is not None]
    corrected = holm([*always, *tried])
    later = iter(corrected[len(tests) :])
    return [
        _summary(name, counts[name], shares_of(faces[name]), methods[k], tests[k], corrected[k], runs[k],
                 None if runs[k] is None else next(later))
        for k, name in enumerate(names)
    ]  # fmt: skip


def _summary(
    name: str, counts: Mapping[str, int], shares: Mapping[str, float], method: str,
    p: float, corrected: float, p_runs: float | None, runs_corrected: float | None,
) -> Fairness:  # fmt: skip
    rolls = sum(counts.values())
    expected = {f: rolls * s for f, s in shares.items()}
    odd = max(shares, key=lambda f: abs(counts.get(f, 0) - expected[f]) / math.sqrt(max(expected[f], 1e-9)))
    uneven = corrected < ALPHA
    patterned = runs_corrected is not None and runs_corrected < ALPHA
    said = _said(rolls, odd, counts.get(odd, 0), expected[odd], uneven, patterned)
    all_counts = {f: counts.get(f, 0) for f in shares}
    return Fairness(name, rolls, all_counts, expected, method, p, corrected, p_runs, runs_corrected, odd,
                    uneven or patterned, said)  # fmt: skip


def _said(rolls: int, odd: str, seen: int, expected: float, uneven: bool, patterned: bool) -> Text:
    """What the tests come to."""
    if rolls == 0:
        return Text("vision.no_rolls")
    said = []
    if uneven:
        how = "vision.face_too_often" if seen > expected else "vision.face_too_rare"
        said.append(Text(how, face=odd, seen=seen, rolls=rolls, expected=expected))
    if patterned:
        said.append(Text("vision.repeats", rolls=rolls))
    return joined(said) if said else Text("vision.nothing_unusual", rolls=rolls)


@dataclass(frozen=True)
class Rolls:
    """What a file of rolls holds, by type and, for dice that can be told apart, by die."""

    counts: dict[str, dict[str, int]]
    rolls: dict[str, list[list[str]]]
    """Only of those of which it is known what was one roll."""
    faces: dict[str, list[str]]


def read_rolls(lines: Iterable[str]) -> Rolls:
    """Rolls from JSON Lines: ``{"type": ..., "face": ..., "roll": ...}`` a die, in the order in which they
    fell, and optionally ``{"type": ..., "faces": [...]}`` once a type (default: a d6, 1 to 6).

    Dice of one roll stand together and have the same ``"roll"``; without it (files of before it was written)
    nothing is said of what follows what.  A die that can be told apart has a ``"die"`` too: then it is looked
    at by itself besides its type.  Raises ValueError with the number of a line that is neither.
    """
    fell: dict[str, list[str]] = {}
    rolls: dict[str, list[tuple[Any, list[str]]]] = {}
    faces: dict[str, list[str]] = {}
    type_of: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            if "faces" in entry:
                faces[str(entry["type"])] = [str(f) for f in entry["faces"]]
                continue
            kind, face = str(entry["type"]), str(entry["face"])
            names = [kind]
            if "die" in entry:
                names.append(f"{kind} {entry['die']}")
                type_of[names[-1]] = kind
            for name in names:
                fell.setdefault(name, []).append(face)
                known = rolls.setdefault(name, [])
                if known and known[-1][0] == entry.get("roll"):
                    known[-1][1].append(face)
                else:
                    known.append((entry.get("roll"), [face]))
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise ValueError(f'line {number} is not {{"type": ..., "face": ...}}') from error
    counts = {name: dict(Counter(sequence)) for name, sequence in fell.items()}
    sides = {name: faces.get(type_of.get(name, name), ["1", "2", "3", "4", "5", "6"]) for name in counts}
    told = {
        name: [roll for _, roll in known]
        for name, known in rolls.items()
        if all(one is not None for one, _ in known)
    }
    return Rolls(counts, told, sides)


@click.command("stats")
@click.argument("rolls", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--lang", type=click.Choice(list(languages())), default="en", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="print the figures as JSON")
def stats_command(rolls: Path, lang: str, as_json: bool) -> None:
    """Test the dice of ROLLS for fairness: JSON Lines, one die a line; - is standard input.

    `referee rolls GAME` writes such lines ({"type": ..., "face": ...}), and so does the fairness page.
    """
    try:
        text = sys.stdin.read() if str(rolls) == "-" else rolls.read_text("utf-8")
        read = read_rolls(text.splitlines())
        results = examine(read.counts, read.faces, read.rolls)
        if not results:
            raise click.ClickException(
                f"{rolls} holds no rolls. Write one die a line, or use: referee rolls GAME"
            )
    except OSError as error:
        raise click.ClickException(f"{rolls} cannot be read ({error.strerror}).") from error
    except (ValueError, UnicodeDecodeError) as error:
        raise click.ClickException(f"{rolls}: {error}") from error
    if as_json:
        click.echo(json.dumps([r.as_json() for r in results], indent=1, ensure_ascii=False))
        return
    for r in results:
        click.echo(f"{r.name}: {r.sentence(lang)}")
        line = ", ".join(f"{f} {r.counts[f]} ({r.expected[f]:.1f})" for f in r.counts)
        runs = "" if r.p_runs is None else f", what follows p {r.p_runs:.3f}"
        click.echo(
            f"  {line}; {r.method} p {r.p:.4f}, for any number of looks and dice {r.p_corrected:.4f}{runs}"
        )
