"""``referee doctor``: what is wrong with this table, in words, and what to do about it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from referee.commands.common import SPOKEN, config_option, language, says_what_is_wrong
from referee.config.settings import load
from referee.serving.health import HealthCheck, checks


@click.command()
@config_option()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--lang", type=SPOKEN, help="Language.")
@says_what_is_wrong
def doctor(config_path: Path | None, as_json: bool, lang: str | None) -> None:
    """Look at power, heat, disk, clock, rights, record, camera, lights.  Exit code 0: nothing failed."""
    found: list[HealthCheck] = []
    spoken = lang or language()
    signs = {"ok": "  ok ", "warn": " warn", "fail": " FAIL"}
    for one in checks(load(config_path)):
        found.append(one)
        if not as_json:
            click.echo(f"{signs[one.verdict]}  {one.id:<12} {one.text.in_words(spoken)}")
            if one.do is not None and one.verdict != "ok":
                click.echo(f"       {'':<12} → {one.do.in_words(spoken)}")
    if as_json:
        click.echo(json.dumps([one.as_json() for one in found], ensure_ascii=False, indent=2))
    sys.exit(1 if any(one.verdict == "fail" for one in found) else 0)
