"""Records that earlier programs kept on a database server, copied to a file of today."""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path

from referee.journal.errors import StoreUnwritable
from referee.kernel.files import sync_folder
from referee.kernel.messages import Text
from referee.store.copies import CopyDiffers, copy_whole, remove_unfinished
from referee.store.recover import Loaded, chain_from
from referee.store.store import Store
from referee.store.upgrade import stamp


def copy_server(url: str, folder: Path) -> tuple[Path, list[str]]:
    """A record that an earlier program kept on a database server, as a copy for ``referee restore``.

    Gives the copy and the games that are damaged on the server, which it lacks.  Each game was read again
    from ``folder``.  Raises :class:`StoreError`; no half copy is left then.
    """
    folder = folder.absolute()
    path = folder / f"games-000001-{stamp()}.sqlite"
    damaged: list[str] = []
    with Store.open(url, write=False) as server:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder, prefix="copying-") as beside:
                made = Path(beside) / "games.sqlite"
                with Store.open(made) as store:
                    for game_id in server.game_ids():
                        damaged += [] if _copied(server, store, game_id) else [game_id]
                copy_whole(made, path)
            sync_folder(folder)
        except (OSError, sqlite3.Error, CopyDiffers) as error:
            remove_unfinished(path)
            raise StoreUnwritable(Text("store.no_backup", folder=folder, why=error)) from error
    return path, damaged


def _copied(server: Store, store: Store, game_id: str) -> bool:
    found = server.found(game_id)
    chain = chain_from(found.header, found.events, {})[0] if found.header else []
    if found.header is None or len(chain) != found.rows:
        return False
    store.replace(Loaded(found.header, chain, found.openings))
    again = store.found(game_id)
    return again.events == dict(enumerate(chain, 1)) and again.openings == found.openings
