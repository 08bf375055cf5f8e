"""``referee position`` and ``referee explain``: positions by hand, and why a move is not allowed."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from referee.archive.results import told_result
from referee.commands.common import SPOKEN
from referee.drawing.board_svg import draw
from referee.hall.table import Table
from referee.kernel.at_table import at_table
from referee.kernel.capabilities import Notated, PositionFiles
from referee.kernel.errors import RefereeError
from referee.kernel.explain import Explanation, explain
from referee.kernel.files import FileUnwritable, write_whole
from referee.kernel.located import Problem
from referee.kernel.messages import Text
from referee.kernel.naming import namer
from referee.kernel.play import Game, Play
from referee.kernel.positions import Checked, check, game_named, lead_in
from referee.kernel.registry import game_ids, load_game
from referee.store.store import Store

FILE = click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
GAME = click.option("--game", "game_id", default="", help="The game, where the file does not name it.")
LANG = click.option("--lang", type=SPOKEN, default="en", show_default=True, help="Language of the answer.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def read(
    file: Path, game_id: str, lang: str, as_json: bool, exit_code: int = 1
) -> tuple[Game[Any], str, Checked]:
    """The game, the text and the position of a file; ends the command with every problem there is."""
    text = _text_of(file, lang)
    try:
        game = load_game(game_id or _named(text))
        checked = check(game, text)
        if not checked.problems:
            there = at_table(game, {"position": text})
            return there, text, checked if there is game else check(there, text)
    except RefereeError as error:
        raise click.ClickException(error.sentence(lang)) from error
    if as_json:
        problems = [_problem_data(problem) for problem in checked.problems]
        click.echo(json.dumps({"valid": False, "problems": problems}, ensure_ascii=False, indent=1))
    else:
        for problem in checked.problems:
            click.echo(f"{file}: {problem.sentence(lang)}", err=True)
    sys.exit(exit_code)


def _problem_data(problem: Problem) -> dict[str, Any]:
    return {"line": problem.line, **{lang: problem.text.in_words(lang) for lang in ("en", "de")}}


def _text_of(file: Path, lang: str) -> str:
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise click.ClickException(Text("commands.not_text", file=file).in_words(lang)) from error


def _named(text: str) -> str:
    """The game that a file names; else the only one, or Five Armies."""
    known = game_ids()
    return game_named(text) or (known[0] if len(known) == 1 else "five_armies")


@click.command()
@FILE
@GAME
@LANG
@JSON
@click.option("--svg", "svg_file", type=click.Path(dir_okay=False, path_type=Path), help="Draw it.")
@click.option("--write", is_flag=True, help="Print it in the referee's own form.")
@click.option("--start", "store_file", type=click.Path(dir_okay=False), help="Begin a game in this store.")
def position(
    file: Path,
    game_id: str,
    lang: str,
    as_json: bool,
    svg_file: Path | None,
    write: bool,
    store_file: str | None,
) -> None:
    """Check a position FILE; every mistake is named with its line.  Exit 0 only where it can be played."""
    game, text, checked = read(file, game_id, lang, as_json)
    play, title = checked.play, checked.title
    assert play is not None
    facts: dict[str, Any] = {"valid": True, "game": game.id, "title": title}
    facts["to_act"] = None if play.request is None else play.request.seat
    facts["asked"] = None if play.request is None else play.request.prompt
    if play.outcome is not None:
        facts["outcome"] = play.outcome.as_json()
    if svg_file is not None:
        drawing = draw(game, play.state, lang, {"position": text})
        try:
            write_whole(svg_file, drawing, new_folder=False)
        except FileUnwritable as error:
            raise click.ClickException(
                Text("commands.drawing_unwritable", svg_file=svg_file, why=error.why).in_words(lang)
            ) from error
        facts["svg"] = str(svg_file)
    if store_file is not None:
        if play.request is None:
            raise click.ClickException(_over(game, play, lang))
        try:
            facts["game_id"] = _start(game, text, store_file)
        except RefereeError as error:
            raise click.ClickException(error.sentence(lang)) from error
    if write:
        assert isinstance(game, PositionFiles)  # it has just read one
        position = checked.position
        click.echo(game.write_position(position.state, title, position.answers), nl=False)
    elif as_json:
        click.echo(json.dumps(facts, ensure_ascii=False, indent=1))
    else:
        _tell(facts, game, play, lang)


def _over(game: Game[Any], play: Play[Any], lang: str) -> str:
    """That nothing is left to play, and why."""
    result = told_result(game, {"players": {}}, play.outcome, lang)
    return Text("commands.position_over", result=result).in_words(lang)


def _tell(facts: Mapping[str, Any], game: Game[Any], play: Play[Any], lang: str) -> None:
    click.echo(Text("commands.position_ok").in_words(lang))
    if play.request is not None:
        names = namer(game, lang)
        asked = names.question(play.request.prompt, play.request.about)
        click.echo(f"{names.seat(play.request.seat)}: {asked}")
    else:
        click.echo(_over(game, play, lang))
    if "svg" in facts:
        click.echo(Text("commands.drawn", file=facts["svg"]).in_words(lang))
    if "game_id" in facts:
        click.echo(Text("commands.game_begun", game=facts["game_id"]).in_words(lang))


def _start(game: Game[Any], text: str, store_file: str) -> str:
    """A game in a store that begins from the position; its way into a running combat is recorded too."""
    with Store.open(store_file) as store, Table.create(store, game, options={"position": text}) as table:
        lead_in(table)
        return table.id


@click.command(name="explain")
@FILE
@click.argument("move")
@GAME
@LANG
@JSON
def explain_command(file: Path, move: str, game_id: str, lang: str, as_json: bool) -> None:
    """Is MOVE allowed in the position of FILE?  Exit 0: allowed, 1: refused, 2: not understood."""
    game, _, checked = read(file, game_id, lang, as_json, exit_code=2)
    if not isinstance(game, Notated):
        raise click.ClickException(
            f"{game.id} has no notation of moves. / {game.id} kennt keine Zugnotation."
        )
    assert checked.play is not None
    found = explain(checked.play, move, game.words)
    if as_json:
        click.echo(json.dumps(explanation_data(found, game), ensure_ascii=False, indent=1))
    else:
        click.echo(found.sentence(lang, game))
        if not found.allowed and found.said:
            click.echo(Text("commands.ok_so_far", said=found.said).in_words(lang))
    sys.exit({"allowed": 0, "refused": 1}.get(found.verdict, 2))


def explanation_data(found: Explanation, game: Game[Any]) -> dict[str, Any]:
    """An explanation as plain JSON data, both languages."""
    rule = found.rule
    return {
        "verdict": found.verdict,
        "rule": None if rule is None else rule.id,
        "title": None if rule is None else {"de": rule.title_de, "en": rule.title_en},
        "page": None if rule is None else {"de": rule.page_de, "en": rule.page_en},
        "sentence": {lang: found.sentence(lang, game) for lang in ("de", "en")},
        "at_step": found.at_step,
        "said": found.said,
        "at": found.at,
        "asked": None if found.request is None else found.request.prompt,
    }
