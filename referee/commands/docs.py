"""`referee docs`: where the pages are that the program's sentences name."""

from __future__ import annotations

import sys
from pathlib import Path

import click

import referee

CHECKOUT = Path(referee.__file__).parents[1] / "docs"
INSTALLED = Path(sys.prefix) / "share/table-referee/docs"


def folder() -> Path | None:
    """The folder of the pages: beside the program in a checkout, else where a wheel puts them."""
    return next((one for one in (CHECKOUT, INSTALLED) if (one / "running.md").exists()), None)


@click.command()
def docs() -> None:
    """Say where the documentation is: the pages docs/... that sentences of this program name."""
    found = folder()
    if found is None:
        raise click.ClickException("The pages were not installed with this program; they are in its source.")
    for page in sorted(found.rglob("*.md")):
        click.echo(page)
