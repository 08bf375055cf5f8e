"""`referee lights plan`: where each LED goes, on paper in true size, with cut list and LED map."""

from __future__ import annotations

from pathlib import Path

import click

from calibration.led_plan import UNLIT, make_plan, pdf
from referee.commands.led_map import load_played, names_of
from referee.commands.lights import CONFIG, GAME, LANGUAGE, LightsContext
from referee.commands.tray import write
from referee.kernel.board import Place
from referee.kernel.messages import Text, languages


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
    setup = LightsContext(config_file, None, None, language)
    played = load_played(game)
    board, both = played.board(), names_of(played)
    at = languages().index(setup.language)
    names = {key: _name(board.places.get(key), known[at], setup.language) for key, known in both.items()}
    beside = [key for key in both if key not in board.places]
    made = make_plan(board, beside, width_mm, playable)
    table, mapped = output.with_suffix(".csv"), output.with_suffix(".toml")
    write(pdf(board, made, names, setup.language, whole), output)
    write(made.cut_list(names).encode("utf-8"), table)
    write(made.led_map.to_toml().encode("utf-8"), mapped)
    unlit = 0 if playable else sum(place.kind == UNLIT for place in board.places.values())
    setup.say(
        Text(
            "commands.plan_written",
            leds=len(made.leds),
            metres=made.wire_mm / 1000,
            budget=made.power.budget_ma,
            output=output,
            table=table,
            mapped=mapped,
            name=mapped.name,
        )
    )
    if unlit:
        setup.say(
            Text("commands.leds_under_rock", unlit=unlit),
        )


def _name(place: Place | None, name: str, language: str) -> str:
    """What the list calls a place; ground that nobody enters has no name of its own."""
    if place is None or place.kind != UNLIT:
        return name
    if place.terrain == "water":
        return Text("commands.sea").in_words(language)
    return Text("commands.rock").in_words(language)
