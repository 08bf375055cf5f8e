"""``referee bundle``: what helps to find a fault, without what is private.

Names, remarks, keys, addresses and seats' tokens do not go in.  Positions,
answers and logs do, as a fault cannot be found without them.
"""

from __future__ import annotations

import io
import json
import platform
import re
import tarfile
from collections.abc import Mapping
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import click

from referee import __version__
from referee.commands.common import config_option, says_what_is_wrong, write_out
from referee.config.settings import Config, load
from referee.journal.errors import StoreError
from referee.serving.health import checks
from referee.serving.logs import hide_secrets
from referee.store.recover import Loaded
from referee.store.store import Store
from referee.store.upgrade import stamp

ADDRESS = re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b|\b(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}\b", re.IGNORECASE)
HARDWARE = re.compile(r"\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b", re.IGNORECASE)
SPOKEN = ("text", "reason", "arbiter")
"""Fields of answers that hold what people wrote."""


def cleaned(text: str, names: tuple[str, ...] = ()) -> str:
    """``text`` without secrets, addresses, this machine's name, home folders and players' names."""
    text = hide_secrets(text)
    text = HARDWARE.sub("<hardware>", ADDRESS.sub("<address>", text))
    text = text.replace(str(Path.home()), "~")
    for name in (platform.node(), *names):
        if len(name) > 1:
            text = text.replace(name, "<name>")
    return text


def anonymous(loaded: Loaded) -> list[dict[str, Any]]:
    """A game's header and events without names and remarks.  Its chain does not hold any more."""
    players = {seat: f"player {n}" for n, seat in enumerate(loaded.header["players"], start=1)}
    header = {**loaded.header, "players": players, "table": "", "created": loaded.header["created"][:7]}
    return [
        {"header": header},
        *(
            {**event.as_json(), "answer": _silent(event.answer), "evidence": _silent(event.evidence)}
            for event in loaded.events
        ),
    ]


def _silent(answer: Any) -> Any:
    if not isinstance(answer, Mapping):
        return answer
    return {key: "<removed>" if key in SPOKEN else value for key, value in answer.items()}


def parts(config: Config) -> dict[str, str]:
    """The bundle's files by name."""
    found: dict[str, str] = {}
    names: tuple[str, ...] = ()
    try:
        with Store.open(config.store, write=False) as store:
            games = store.game_ids()
            loaded = [store.load(one) for one in games[-2:]]
            headers = [store.header(one) for one in games]
    except StoreError as error:
        found["record.txt"] = str(error)
    else:
        names = tuple({name for header in headers for name in (*header["players"].values(), header["table"])})
        for one in loaded:
            lines = [json.dumps(line, ensure_ascii=False) for line in anonymous(one)]
            found[f"games/{one.header['id']}.jsonl"] = "\n".join(lines) + "\n"
        found["record.txt"] = f"{len(games)} games\n" + "".join(f"{remark}\n" for remark in store.remarks)
    versions = sorted(f"{one.metadata['Name']} {one.version}" for one in distributions())
    found["versions.txt"] = (
        f"table-referee {__version__}\npython {platform.python_version()}\n{platform.platform()}\n\n"
        + "\n".join(versions)
    )
    found["doctor.json"] = json.dumps([one.as_json() for one in checks(config)], ensure_ascii=False, indent=2)
    if config.path is not None:
        found["table.toml"] = config.path.read_text(encoding="utf-8")
    for path in sorted((config.data_folder / "logs").glob("referee.log*")):
        found[f"logs/{path.name}.txt"] = path.read_text(encoding="utf-8", errors="replace")[-2_000_000:]
    return {name: cleaned(text, names) for name, text in found.items()}


@click.command()
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write.")
@config_option()
@says_what_is_wrong
def bundle(output: Path | None, config_path: Path | None) -> None:
    """Pack what helps to find a fault, with private data removed: look through it before you send it."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, text in parts(load(config_path)).items():
            data = text.encode("utf-8", "backslashreplace")  # it may name files whose names are no UTF-8
            info = tarfile.TarInfo(f"table-referee-bundle/{name}")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    path = output or Path(f"table-referee-bundle-{stamp()}.tar.gz")
    write_out(path, buffer.getvalue())
    click.echo(str(path))
