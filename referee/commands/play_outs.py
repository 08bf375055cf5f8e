"""``referee play-outs``: a battle played out by computer players, many times over."""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from referee.commands.common import SPOKEN
from referee.kernel.capabilities import PlaysItself
from referee.kernel.errors import AuditFailed, RefereeError
from referee.kernel.messages import Text
from referee.kernel.naming import namer
from referee.kernel.registry import load_game

TOLD_EVERY_S = 0.25


@click.command("play-outs")
@click.argument("game_id", metavar="GAME")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@click.option("--games", default=1000, show_default=True, help="How many games.")
@click.option("--first", default=0, show_default=True, help="The first seed.")
@click.option("--lang", type=SPOKEN, default="en", show_default=True, help="Language of the answer.")
@click.option("--nice", default=0, show_default=True, help="How far it stands back behind other processes.")
@click.option("--json", "as_json", is_flag=True, help="Tell the progress as lines of JSON.")
def play_outs(game_id: str, file: Path, games: int, first: int, lang: str, nice: int, as_json: bool) -> None:
    """Play the battle of FILE out by computer players: who wins how often, in how many turns.

    FILE is a scenario; "-" reads a game's options as JSON.
    """
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    try:
        game = load_game(game_id)
        options = json.load(sys.stdin) if str(file) == "-" else {"scenario": file.read_text(encoding="utf-8")}
        if not isinstance(game, PlaysItself):
            raise click.ClickException(Text("commands.plays_itself", game=game_id).in_words(lang))
        told = 0.0
        found: dict[str, Any] = {}
        for found in played(game, options, first, games):
            if as_json and (time.monotonic() - told > TOLD_EVERY_S or found["games"] == games):
                told = time.monotonic()
                click.echo(json.dumps(found))
    except RefereeError as error:
        raise click.ClickException(error.sentence(lang)) from error
    if not as_json:
        click.echo(summary(game, found, lang))


def played(game: PlaysItself, options: Mapping[str, Any], first: int, games: int) -> Iterator[dict[str, Any]]:
    """What came of the games so far, after each: ``games``, ``wins`` by seat, ``turns`` in the mean.

    A game that fails ends it: ``failed`` names its seed.
    """
    wins: Counter[str] = Counter()
    turns = 0
    for number in range(1, games + 1):
        seed = first + number - 1
        try:
            result = game.play_out(options, seed)
        except (AuditFailed, RuntimeError) as error:
            yield {
                "games": number - 1,
                "wins": wins,
                "turns": turns / max(1, number - 1),
                "failed": f"{seed}: {error}",
            }
            return
        wins.update(result.winners)
        turns += result.turns
        yield {"games": number, "wins": wins, "turns": turns / number}


def summary(game: Any, found: Mapping[str, Any], language: str) -> str:
    """``1,000 battles: South wins 54 %, North wins 46 %, 7.8 turns``."""
    names = namer(game, language)
    shares = ", ".join(
        Text(
            "commands.wins",
            seat=names.name(seat, "seat"),
            share=round(100 * found["wins"].get(seat, 0) / found["games"]),
        ).in_words(language)
        for seat in game.seats
    )
    return Text("commands.play_outs", games=found["games"], shares=shares, turns=found["turns"]).in_words(
        language
    )
