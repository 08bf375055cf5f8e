"""An eventful game to export, and what a forger does to its lines."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import table_bot
import toy_game
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.archive.verify import Verdict
from referee.hall.table import Table
from referee.journal.events import digest_of
from referee.journal.signing import TableKey
from referee.kernel.play import canonical_json
from referee.kernel.requests import RollDice
from vision.reading import DiceReading, Die

KEY = TableKey(Ed25519PrivateKey.from_private_bytes(bytes(range(32))))


def eventful(table: Table) -> Table:
    """A game in which everything happened that can happen."""
    rng = Random(11)
    table_bot.play(table, rng, 5)
    table.note("white", "Pause für Kaffee")
    table.raise_objection("black", "Der Würfel lag schief.")
    table.rule("Der Wurf gilt.")
    table.set_clock(60)
    table.note_clock("white", "start", {"white": 3600, "black": 3600})
    table.ask_for_draw("white", revision=table.revision)
    table.consent("black", False, revision=table.revision)
    table_bot.play(table, rng, 4)
    while table.undo_class("white").kind != "consent":  # type: ignore[union-attr]
        table_bot.one_answer(table, rng)
    table.take_back("white", revision=table.revision)
    table.consent("black", True, revision=table.revision)
    while table.request is not None and table.request.prompt != "prompt.place":
        table_bot.one_answer(table, rng)
    seat = table.request.seat  # type: ignore[union-attr]
    place = table.request.refused and next(iter(table.request.refused()))[0]  # type: ignore[union-attr]
    table.let_stand(place, "Niemand hat es bemerkt.", revision=table.revision)
    table_bot.play(table, rng, 3)
    table.correct([{"do": "points", "seat": seat, "value": 3}], "Verzählt.", revision=table.revision)
    penalty = table.note("arbiter", "Zu spät", kind="penalty", about="black", value=1)
    table.appeal("black", "Die Bahn fiel aus.", about=penalty.number)
    table.withdraw_objection("black")
    table.note_clock("black", "flag", {"white": 60, "black": -1})
    throw_twice(table, rng)
    table_bot.play(table, rng, 6)
    if table.request is not None and table.request.prompt == "prompt.place":
        near = table.request.options[0]  # type: ignore[attr-defined]
        table.answer_many(table.request.seat, [near, {"men": 1}], revision=table.revision)
        table.take_back(table.events()[-1].seat, revision=table.revision)
    table_bot.play(table, rng)
    for one in toy_game.SEATS:
        table.confirm_result(one)
    return table


def throw_twice(table: Table, rng: Random) -> None:
    """Two complete readings of the next roll, and the second is taken."""
    table_bot.advance_to(table, RollDice, rng)
    request = table.request
    assert isinstance(request, RollDice)
    for at in (0, 90):
        table.offer_reading(complete_reading(request, at))
    table.accept_dice(request.seat, revision=table.revision)


def complete_reading(request: RollDice, at: int = 0) -> DiceReading:
    """All dice of a roll in a row that begins at this pixel."""
    places = iter(range(at, at + 1000, 60))
    dice = [_die(die, request, next(places)) for die, n in request.dice.items() for _ in range(n)]
    return DiceReading("ok", tuple(dice), (), 800, 600)


def _die(kind: str, request: RollDice, x: float) -> Die:
    quad = ((x, 0.0), (x + 40, 0.0), (x + 40, 40.0), (x, 40.0))
    return Die(kind, request.types[kind].faces[0], "white", quad, 0.99)


def codes(verdict: Verdict) -> list[str]:
    return [one.code for one in verdict.findings]


def reseal(lines: list[dict[str, Any]], key: TableKey = KEY) -> list[dict[str, Any]]:
    """What a forger can do who has a key: chain and signature made anew."""
    lines = copy.deepcopy(lines)
    previous = digest_of(lines[0]["header"])
    for number, event in enumerate(lines[1:-1], start=1):
        event["number"], event["previous"] = number, previous
        previous = event["hash"] = digest_of({k: v for k, v in event.items() if k != "hash"})
    body = {k: v for k, v in lines[-1]["signature"].items() if k != "value"}
    body |= {"key": key.public, "events": len(lines) - 2, "head": previous}
    lines[-1] = {"signature": {**body, "value": key.sign(canonical_json(body).encode())}}
    return lines


def find(lines: list[dict[str, Any]], kind: str) -> int:
    return next(place for place, line in enumerate(lines) if line.get("kind") == kind)
