"""``referee arbiter add | list | revoke``: arbiters by name, each with a link of their own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from referee.commands.common import as_typed, language, says_what_is_wrong
from referee.config.settings import Config, load
from referee.kernel.messages import Text
from referee.serving.arbiters import ArbiterBook


@click.group()
def arbiter() -> None:
    """Arbiters by name: each has a link of their own, which opens the arbiter's door once."""


def _book(config: Config) -> ArbiterBook:
    return ArbiterBook(config.data_folder / "seats")


def _config(path: Path | None, data: Path | None) -> Config:
    config = load(path)
    return config if data is None else replace(config, record=replace(config.record, folder=str(data)))


_OPTIONS = (
    click.option("--config", "config_path", type=click.Path(path_type=Path), help="The table's TOML file."),
    click.option("--data", type=click.Path(path_type=Path), help="The table's folder, as for serve."),
)


@arbiter.command()
@click.argument("name")
@click.option("--head", is_flag=True, help="A head arbiter, to whom others' decisions are appealed.")
@_OPTIONS[0]
@_OPTIONS[1]
@says_what_is_wrong
def add(name: str, head: bool, config_path: Path | None, data: Path | None) -> None:
    """Let NAME in: prints a link that one device can open, once.  The table may run meanwhile."""
    config = _config(config_path, data)
    name = as_typed(name)
    token = _book(config).add(name, head)
    scheme = "https" if config.web.https else "http"
    address = config.web.address or f"{scheme}://localhost:{config.web.port}"
    click.echo(Text("commands.arbiter_link", name=name).in_words(language()))
    click.echo(f"{address.rstrip('/')}/arbiter#{token}")


@arbiter.command(name="list")
@_OPTIONS[0]
@_OPTIONS[1]
@says_what_is_wrong
def list_arbiters(config_path: Path | None, data: Path | None) -> None:
    """Who may come through the arbiter's door by name."""
    for one in _book(_config(config_path, data)).known():
        said = [one.name]
        if one.head:
            said.append(Text("commands.arbiter_head").in_words(language()))
        if one.link:
            said.append(Text("commands.arbiter_waits").in_words(language()))
        click.echo("  ".join(said))


@arbiter.command()
@click.argument("name")
@_OPTIONS[0]
@_OPTIONS[1]
@says_what_is_wrong
def revoke(name: str, config_path: Path | None, data: Path | None) -> None:
    """Shut the door to NAME at once: link and devices."""
    _book(_config(config_path, data)).revoke(as_typed(name))
