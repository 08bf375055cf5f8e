"""The editor of battles over the wire: steps, checks, files, the sheet, and a kept battle as a new game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_devices import Bench
from fake_hall import FakeHall, open_wide
from flask import Flask
from screens import Screen, untranslated

from calibration.workbench import Workbench
from referee.games.battlelore.box.scenario import load, write_scenario
from referee.kernel.lights import PALETTE, Meaning
from referee.kernel.registry import load_game
from referee.serving.hosting import NewGame
from web.app import create_app

AT = "/api/setup/battles/battlelore"


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[FakeHall]:
    hall = FakeHall(tmp_path, [load_game("battlelore")])
    bench = Bench(tmp_path / "bench")
    hall.workbench = Workbench(bench, bench.folder)  # type: ignore[attr-defined]
    yield hall
    hall.workbench.close()  # type: ignore[attr-defined]
    hall.close()


@pytest.fixture
def app(hall: FakeHall) -> Flask:
    return open_wide(create_app(hall))


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_battle_is_made_kept_and_chosen_for_a_new_game(app: Flask, hall: FakeHall, language: str) -> None:
    """Nothing on the way is told in ids; the record of the game has the whole file."""
    owner = Screen(app)
    owner.post("/api/language", {"language": language, "who": ""})
    seen = owner.client.get(AT).json
    kinds = [place["kind"] for place in seen["board"]["places"].values()]
    assert (kinds.count("region"), kinds.count("rock")) == (113, 8) and not seen["undo"]
    made = owner.post(f"{AT}/take_in", {"text": write_scenario(load("own_02")), "number": 0})
    assert made.status_code == 200, made.json
    step = {"do": "paint", "place": "a1", "terrain": "bridge"}
    drawn = owner.post(f"{AT}/step", {"step": step, "number": made.json["number"]}).json
    name = {"do": "name", "value": "Ours <b>"}
    named = owner.post(
        f"{AT}/step", {"step": name, "number": drawn["number"], "board": drawn["board"]["digest"]}
    )
    assert named.json["board"] is None, "the drawing is sent where it changed only"
    for data in (seen, drawn, named.json):
        assert untranslated({key: data[key] for key in ("stacks", "settings", "findings", "places")}) == set()
    assert owner.post(f"{AT}/step", {"step": step, "number": 0}).json["error"]["code"] == "stale"
    kept = owner.post(f"{AT}/keep", {"number": 0}).json["kept"]
    assert kept == [{"id": "ours_b", "name": "Ours <b>"}]
    file = owner.client.get(f"{AT}/file")
    assert load_game("battlelore").battles.read(file.text)["name"]["en"] == "Ours <b>"
    sheet = owner.client.get("/setup/battles/battlelore/sheet").text
    assert "Ours &lt;b&gt;" in sheet and "Ours <b>" not in sheet
    assert owner.client.get(f"{AT}/picture.svg").text.startswith("<svg")
    options = owner.client.get("/api/setup/house/battlelore").json["rules"][0]["options"]
    assert {"value": "kept:ours_b", "text": "Ours <b>"} in options
    begun = owner.post(
        "/api/games/new", {"game": "battlelore", "players": {}, "house": {"scenario": "kept:ours_b"}}
    )
    assert begun.status_code == 200, begun.json
    assert hall.table is not None and hall.table.header["options"]["scenario"] == file.text


def test_what_is_wrong_is_told_and_not_begun(app: Flask, hall: FakeHall) -> None:
    owner = Screen(app)
    assert owner.post(f"{AT}/play_out", {"games": 5, "number": 0}).json["error"]["code"] == "battle_wrong"
    assert owner.post(f"{AT}/keep", {"number": 0}).status_code == 400
    other = owner.post(f"{AT}/take_in", {"text": "game: chess", "number": 0}).json
    assert other["error"]["code"] == "invalid_file" and "chess" not in owner.client.get(f"{AT}/file").text
    for bad in ({"step": "paint"}, {"step": {"do": ["x"]}}, {"step": {"do": "paint"}, "number": "1"}):
        assert owner.post(f"{AT}/step", {"number": 0, **bad}).status_code == 400
    assert owner.post(f"{AT}/dance", {}).status_code == 404
    assert owner.post("/api/setup/battles/chess/new", {}).status_code == 404
    gone = {"game": "battlelore", "players": {}, "house": {"scenario": "kept:nothing"}}
    assert owner.post("/api/games/new", gone).status_code == 400
    hall.start(NewGame("battlelore", {}))
    app.extensions["table"].follow()
    owner.sit("south")
    assert Screen(app).post(f"{AT}/new", {}).json["error"]["code"] == "may_not_set_up"


LINE = """\
game: battlelore
position:
  scenario:
    id: line
    sections: fifth
    victory_banners: {south: 4, north: 4}
    units:
      south: [S1 e3 foot green 4 bow, S2 e4 foot blue 4]
      north: [N1 e6 foot blue 4, N2 g3 foot blue 4, N3 c3 foot blue 4]
  phase: 4
  to_act: south
  ordered: [S1]
"""


def test_targets_are_told_with_dice_and_what_cuts_a_line_lights_up(app: Flask, hall: FakeHall) -> None:
    """On the tablet and under the board alike; reading the reason puts the lights back."""
    hall.start(NewGame("battlelore", {}, options={"position": LINE.replace("fifth", "inward")}))
    app.extensions["table"].follow()
    seat = Screen(app)
    seat.sit("south")
    table = seat.state("south")["table"]

    def preview(*values: str) -> dict[str, Any]:
        answer = seat.post("/api/seat/south/preview", {"values": values, "revision": table["revision"]})
        assert answer.status_code == 200, answer.json
        found: dict[str, Any] = answer.json
        return found

    options = {one["value"]: one for one in preview("e3")["ask"]["options"]}
    assert options["g3"]["notes"] == ["2 dice at G3", "2 by its colour"]
    assert "notes" not in options["e6"] and options["e6"]["refused"]["rule"]["id"].startswith("los.")
    refused = preview("e3", "e6")
    lit = {place for place, light in refused["lights"].items() if light["meaning"] == "refused"}
    assert lit == {"e4", "e6"}
    assert {place for place, light in hall.shown_lights().items() if light == PALETTE[Meaning.REFUSED]} == lit
    assert "refused" not in {light["meaning"] for light in preview("e3")["lights"].values()}
