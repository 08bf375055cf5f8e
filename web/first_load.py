"""What a browser fetches for the first look at a page, as the wire carries it.

web.first_load_kb   the first load of a seat's page with its game's board, in kilobytes (1000 bytes): page,
                    styles, scripts and what they import, fonts, words, board, explanations and state; the
                    largest of our games
"""

from __future__ import annotations

import posixpath
import re
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.config.settings import CameraSection, Config
from referee.serving.hosting import NewGame
from referee.serving.runtime import TableRuntime
from referee.store.store import Store
from web.app import create_app

GAMES = ("five_armies", "war_of_the_ring", "battlelore", "mountain_king")
IMPORTED = re.compile(
    r"""(?:(?:^|\n)(?:import|export)\s(?:[^"';]*?\sfrom\s)?|new URL\()"(\./[\w./-]+\.js)\""""
)
CSRF = re.compile(r'<meta name="csrf" content="([^"]+)">')
LINKED = re.compile(r"""(?:href|src)="(/static/[^"]+)\"""")


def first_load(client: Any, page: str, more: tuple[str, ...]) -> dict[str, int]:
    """Bytes on the wire by address: a page, all that it links and imports, and ``more``."""
    sizes: dict[str, int] = {}
    waiting = [page, *more]
    while waiting:
        address = waiting.pop()
        if address in sizes:
            continue
        with client.get(address, headers={"Accept-Encoding": "gzip"}) as packed:
            assert packed.status_code == 200, (address, packed.status_code)
            sizes[address] = len(packed.get_data())
        if not address.endswith((".woff2", ".json")):
            with client.get(address) as plain:
                text = plain.get_data(as_text=True)
            waiting += LINKED.findall(text)
            folder = posixpath.dirname(address)
            waiting += [posixpath.normpath(posixpath.join(folder, one)) for one in IMPORTED.findall(text)]
    return sizes


def seat_load(folder: Path, game: str) -> dict[str, int]:
    """Bytes of the first load of the first seat's page of a new ``game``, played in German."""
    config = Config(camera=replace(CameraSection(), source="none"), lights={"driver": "none"})
    config = replace(config, record=replace(config.record, folder=str(folder)))
    folder.mkdir(parents=True, exist_ok=True)
    house = TableRuntime(config, Store.open(folder / "games.sqlite"))
    try:
        house.start(NewGame(game, {}))
        assert house.table is not None
        seat = house.table.seats[0]
        client = create_app(house).test_client()
        token = CSRF.search(client.get("/").get_data(as_text=True))
        assert token is not None
        client.post("/api/sit", json={"seat": seat}, headers={"X-CSRF-Token": token[1]})
        asked = ("/i18n/de.json", "/api/board", "/api/learn", f"/api/seat/{seat}/state")
        return first_load(client, f"/seat/{seat}", asked)
    finally:
        house.close()


def figures() -> dict[str, float]:
    """See above; some seconds."""
    with tempfile.TemporaryDirectory() as folder:
        loads = [sum(seat_load(Path(folder) / game, game).values()) for game in GAMES]
    return {"web.first_load_kb": max(loads) / 1000}


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name:32} {value:10.3f}")
