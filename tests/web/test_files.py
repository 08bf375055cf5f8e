"""Static files by their version: kept for ever by the address that names it, asked for anew by any other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import toy_game
from fake_hall import FakeHall
from flask.testing import FlaskClient

from web import files
from web.app import create_app
from web.files import StaticFiles

LINKED = re.compile(r'(?:href|src)="(/static/[^"]+)"')


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small folder of static files, of which each change is seen at once."""
    monkeypatch.setattr(files, "LOOK_EVERY_S", 0.0)
    for name in ("js/game.js", "css/base.css"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    return tmp_path


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    """A browser without a seat."""
    hall = FakeHall(tmp_path, [toy_game.register()])
    yield create_app(hall).test_client()
    hall.close()


def test_the_version_hangs_on_every_file_and_on_nothing_else(folder: Path) -> None:
    first = StaticFiles(folder).version()
    assert re.fullmatch(r"[0-9a-f]{12}", first)
    (folder / "js/game.js").touch()
    assert StaticFiles(folder).version() == first, "the same files, copied anew"
    (folder / "css/base.css").write_text("css/base.CSS")
    second = StaticFiles(folder).version()
    (folder / "css/base.css").rename(folder / "css/other.css")
    assert len({first, second, StaticFiles(folder).version()}) == 3


def test_a_file_that_is_changed_under_a_running_table_gets_another_address(folder: Path) -> None:
    found = StaticFiles(folder)
    before = found.address("js/game.js")
    assert found.lasts(before)
    (folder / "js/game.js").write_text("another")
    assert not found.lasts(before), "what is sent there now is of another version"
    assert found.address("js/game.js") != before and found.lasts(found.address("js/game.js"))
    assert not found.lasts("/static/js/game.js") and not found.lasts(found.address("js/none.js"))


def test_between_two_looks_no_changed_file_is_taken_for_the_old_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = StaticFiles(folder)
    monkeypatch.setattr(files, "LOOK_EVERY_S", 1000.0)
    before = found.address("js/game.js")
    (folder / "js/game.js").write_text("another")
    assert found.address("js/game.js") == before and not found.lasts(before)


def test_files_that_are_replaced_just_now_keep_their_version_until_the_next_look(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = StaticFiles(folder)
    before = found.version()
    (folder / "js/game.js").write_text("another")
    read = Path.read_bytes

    def gone(path: Path) -> bytes:
        raise FileNotFoundError(path)

    monkeypatch.setattr(Path, "read_bytes", gone)
    assert found.version() == before and StaticFiles(folder).version() == "unknown"
    monkeypatch.setattr(Path, "read_bytes", read)
    assert found.version() == StaticFiles(folder).version() != before


def test_pages_link_what_lasts(client: FlaskClient) -> None:
    linked = LINKED.findall(client.get("/").get_data(as_text=True))
    assert len(linked) > 10 and len({address.split("/")[2] for address in linked}) == 1
    for address in linked:
        with client.get(address) as sent:
            assert sent.status_code == 200
            assert sent.headers["Cache-Control"] == "private, max-age=31536000, immutable", address
            known = {"If-None-Match": sent.headers["ETag"]}
        with client.get(address, headers=known) as again:
            assert again.status_code == 304 and "immutable" in again.headers["Cache-Control"]


@pytest.mark.parametrize("version", ["", "v-000000000000/"])
def test_any_other_address_gives_the_file_of_now_and_is_asked_for_anew(
    client: FlaskClient, version: str
) -> None:
    current = next(one for one in LINKED.findall(client.get("/").text) if one.endswith("theme.js"))
    with client.get(current) as now, client.get(f"/static/{version}js/theme.js") as sent:
        assert sent.status_code == 200 and sent.data == now.data
        assert sent.headers["Cache-Control"] == "no-cache"


def test_nothing_outside_of_the_folder_is_served_and_what_is_missing_is_not_kept(client: FlaskClient) -> None:
    version = LINKED.findall(client.get("/").text)[0].split("/")[2]
    for name in ("../app.py", "js/../../app.py", "%2e%2e/app.py", "js/none.js", "", "js"):
        with client.get(f"/static/{version}/{name}") as sent:
            assert sent.status_code == 404 and "immutable" not in sent.headers["Cache-Control"], name
    with client.get(f"/static/{version}/css/base.css", base_url="http://evil.example") as sent:
        assert sent.status_code == 421
