"""By which names a table may be called, what a wrong one sees, a proxy, and two tables on one machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_hall import FakeHall, open_wide
from flask import Flask
from screens import Screen

from web.app import create_app
from web.security import COOKIE, csrf_of

HOME = [
    "tisch.fritz.box:8613", "tisch.speedport.ip", "tisch.home", "TISCH.LOCAL:8000", "tisch.local.",
    "raspberrypi",    "10.42.0.1:8000", "[fd00::7]:8000", "tisch.lan", "tisch.localdomain",
]  # fmt: skip


@pytest.mark.parametrize("host", HOME)
def test_names_that_home_routers_give_were_refused(app: Flask, host: str) -> None:
    assert app.test_client().get("/", base_url=f"http://{host}").status_code == 200


def test_the_configured_name_of_the_table_was_refused(hall: FakeHall, app: Flask) -> None:
    client = app.test_client()
    assert client.get("/", base_url="http://table.example.org").status_code == 421
    hall.addresses = ["https://table.example.org:8443"]
    assert client.get("/", base_url="http://table.example.org").status_code == 200
    for name in ("other.example.org", "table.example.org.evil.example", "fritz.box.evil.example"):
        assert client.get("/", base_url=f"http://{name}").status_code == 421, name


def test_a_wrong_name_gets_a_page_that_says_where_the_table_is(hall: FakeHall, app: Flask) -> None:
    hall.addresses = ["http://10.42.0.1:8000"]
    client = app.test_client()
    page = client.get(
        "/seat/white",
        base_url="http://evil.example",
        headers={"Accept": "text/html,*/*;q=0.8", "Accept-Language": "de"},
    )
    assert page.status_code == 421 and page.mimetype == "text/html"
    assert 'href="http://10.42.0.1:8000/"' in page.text and "nicht bekannt" in page.text
    assert "Set-Cookie" not in page.headers and "<script" not in page.text
    with client.get("/static/css/base.css", base_url="http://evil.example") as sheet:
        assert sheet.status_code == 200
    script = client.get("/api/start", base_url="http://evil.example", headers={"Accept": "application/json"})
    assert script.status_code == 421 and script.json["error"]["code"] == "bad_host"
    post = client.post("/api/sit", base_url="http://evil.example", json={}, headers={"Accept": "text/html"})
    assert post.status_code == 421 and post.mimetype == "application/json"


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [("/setup/nonsense", 404, "Diese Seite gibt es nicht"), ("/api/sit", 405, "So geht das hier nicht")],
)
def test_a_person_is_told_in_words_what_is_not_there_and_where_to_go_on(
    app: Flask, path: str, status: int, says: str
) -> None:
    """JSON was on screen."""
    client = app.test_client()
    page = client.get(path, headers={"Accept": "text/html,*/*;q=0.8", "Accept-Language": "de"})
    assert page.status_code == status and page.mimetype == "text/html"
    assert says in page.text and 'href="/"' in page.text
    for wanted in ("application/json", "*/*"):  # as a page's own scripts ask
        script = client.get(path, headers={"Accept": wanted})
        assert script.status_code == status and script.json["error"]["sentence"]


# a proxy in front

FORWARDED = {
    "X-Forwarded-For": "192.168.1.20",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "table.example.org",
}


def behind_proxy(hall: FakeHall, proxy: str) -> Flask:
    hall.addresses = ["https://table.example.org"]
    return open_wide(create_app(hall, proxy=proxy))


def test_behind_a_proxy_with_https_nobody_could_tap(hall: FakeHall) -> None:
    """The table took its own pages for foreign ones: they came by another name and scheme."""
    client = behind_proxy(hall, "127.0.0.1").test_client()
    page = client.get("/", headers=FORWARDED)
    assert page.status_code == 200 and "Secure" in page.headers["Set-Cookie"]
    name, _, value = page.headers["Set-Cookie"].split(";")[0].partition("=")
    origin = {
        "Origin": "https://table.example.org",
        "Cookie": f"{name}={value}",
        "X-CSRF-Token": csrf_of(value),
    }
    taken = client.post("/api/sit", json={"seat": "white"}, headers=FORWARDED | origin)
    assert taken.status_code == 200, taken.json
    foreign = client.post(
        "/api/sit", json={"seat": "white"}, headers=FORWARDED | origin | {"Origin": "https://evil.example"}
    )
    assert foreign.status_code == 403


@pytest.mark.parametrize("proxy", ["", "10.0.0.5"])
def test_forwarded_headers_of_others_mean_nothing(hall: FakeHall, proxy: str) -> None:
    app = behind_proxy(hall, proxy)
    page = app.test_client().get("/", headers=FORWARDED | {"X-Forwarded-Host": "evil.example"})
    assert page.status_code == 200 and "Secure" not in page.headers["Set-Cookie"]


def test_callers_behind_a_proxy_are_told_apart(hall: FakeHall) -> None:
    app = create_app(hall, proxy="127.0.0.1")
    hall.addresses = ["https://table.example.org"]
    doors = app.extensions["table"].doors
    doors.per_second = 0.0

    def knock(address: str) -> list[int]:
        screen = Screen(app)
        said = FORWARDED | {
            "X-Forwarded-For": f"10.9.9.9, {address}",
            "X-Forwarded-Host": "localhost",
            "X-Forwarded-Proto": "http",
        }
        return [screen.post("/api/join/look", {"token": "x" * 43}, **said).status_code for _ in range(11)]

    assert knock("192.168.1.20") == [403] * 10 + [429]
    assert knock("192.168.1.21") == [403] * 10 + [429]


# two tables on one machine


def test_two_tables_on_one_machine_shared_their_cookies(tmp_path: Path, hall: FakeHall) -> None:
    """Browsers keep one jar for all ports of a machine: whoever sat at one table lost it at the other."""
    (tmp_path / "other").mkdir()
    other = FakeHall(tmp_path / "other", hall.games())  # type: ignore[arg-type]
    try:
        one, two = (Screen(open_wide(create_app(each))) for each in (hall, other))
        assert one.cookie != two.cookie
        jar = {each.cookie: each.client.get_cookie(each.cookie) for each in (one, two)}
        for each, neighbour in ((one, two), (two, one)):
            kept = jar[neighbour.cookie]
            assert kept is not None
            each.client.set_cookie(neighbour.cookie, kept.value)
            assert "Set-Cookie" not in each.client.get("/").headers
    finally:
        other.close()


def test_a_device_that_knows_the_shared_cookie_keeps_its_seat(app: Flask, white: Screen) -> None:
    """Cookies of the time before each table had its own name."""
    own = white.client.get_cookie(white.cookie)
    assert own is not None
    old = app.test_client()
    old.set_cookie(COOKIE, own.value)
    assert old.get("/api/seat/white/state").status_code == 200
    assert old.get("/").headers["Set-Cookie"].startswith(f"{white.cookie}={own.value};")
    stranger = app.test_client()
    stranger.set_cookie(COOKIE, "of another table")
    assert stranger.get("/").headers["Set-Cookie"].startswith(f"{white.cookie}=")
