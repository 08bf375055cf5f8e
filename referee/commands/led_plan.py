"""`referee lights plan`: where each LED goes, on paper in true size, with cut list and LED map."""

from __future__ import annotations

from pathlib import Path

import click

from calibration.led_plan import UNLIT, make_plan, pdf
from referee.commands.led_map import load_played, names_of
from referee.commands.lights import CONFIG, GAME, LANGUAGE, Setup
from referee.commands.tray import write
from referee.kernel.board import Place


@click.command("plan")
@click.option(
    "--width",
    "width_mm",
    type=click.FloatRange(200, 3000),
    required=True,
    help="Width of the printed map in millimetres, as you measure it on your board.",
)
@click.option("--playable", is_flag=True, help="No LED where no rule lights one (rock, sea).")
@click.option("--whole", is_flag=True, help="One large sheet, for a copy shop, instead of A4 sheets.")
@click.option(
    "--output", type=click.Path(path_type=Path, dir_okay=False), default="led_plan.pdf", show_default=True
)
@CONFIG
@GAME
@LANGUAGE
def plan_command(
    width_mm: float,
    playable: bool,
    whole: bool,
    output: Path,
    config_file: Path | None,
    game: str,
    language: str | None,
) -> None:
    """Print where the LEDs go: plan in true size and cut list (PDF, CSV), and the LED map of such a strip."""
    setup = Setup(config_file, None, None, language)
    german = setup.language == "de"
    played = load_played(game)
    board, both = played.board(), names_of(played)
    names = {
        key: _name(board.places.get(key), pair[0 if german else 1], german) for key, pair in both.items()
    }
    beside = [key for key in both if key not in board.places]
    made = make_plan(board, beside, width_mm, playable)
    table, mapped = output.with_suffix(".csv"), output.with_suffix(".toml")
    write(pdf(board, made, names, german, whole), output)
    write(made.cut_list(names).encode("utf-8"), table)
    write(made.led_map.to_toml().encode("utf-8"), mapped)
    unlit = 0 if playable else sum(place.kind == UNLIT for place in board.places.values())
    metres, budget = f"{made.wire_mm / 1000:.1f}", made.power.budget_ma
    setup.say(
        f"{len(made.leds)} LEDs, {metres} m of wire a core, budget_ma = {budget}. Written: {output}, {table} "
        f'(cut list), {mapped}. Wired in this order, put into [lights]: map = "{mapped.name}"',
        f"{len(made.leds)} LEDs, {metres.replace('.', ',')} m Draht je Ader, budget_ma = {budget}. "
        f"Geschrieben: {output}, {table} (Schnittliste), {mapped}. "
        f'So verdrahtet in [lights]: map = "{mapped.name}"',
    )
    if unlit:
        setup.say(
            f"{unlit} of them lie under rock or sea, where no rule lights one: --playable leaves them out.",
            f"{unlit} davon unter Fels oder Meer, wo keine Regel leuchtet: --playable lässt sie weg.",
        )


def _name(place: Place | None, name: str, german: bool) -> str:
    """What the list calls a place; ground that nobody enters has no name of its own."""
    if place is None or place.kind != UNLIT:
        return name
    if place.terrain == "water":
        return "Meer" if german else "sea"
    return "Fels" if german else "rock"
