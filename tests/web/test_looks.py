"""What can be said of the looks without eyes: contrast, weight, no external or inline parts."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest
import toy_game
from fake_hall import FakeHall
from fontTools.ttLib import TTFont

from referee.drawing import signs as signs_module
from referee.drawing.board_svg import BOX, ROCK, TERRAIN
from referee.drawing.signs import signs_of
from referee.kernel.registry import load_game
from referee.kernel.seats import BRIGHT, COLOURS, SHAPES
from web.app import create_app
from web.first_load import seat_load

WEB = Path(__file__).resolve().parents[2] / "web"
STATIC = WEB / "static"
BASE = (STATIC / "css/base.css").read_text()
LAND = (STATIC / "js/landcolours.js").read_text()
FONTS = STATIC / "fonts"
DRAWING = Path(signs_module.__file__).parent
LIMIT = 400_000
"""Bytes on the wire of the first load of a page, fonts and all."""
SCREEN_TEXTS = (".po", ".js", ".css", ".html", ".py", ".yaml", ".toml", ".json")

PLATES = (*(colour for colour in COLOURS if colour not in BRIGHT),)
LANDS = ("mountain", "hill", "plain", "swamp", "ruins", "forest", "water", "other", "box", "rock", "cave")
TEXT_ON_GROUND = [
    *product(("ink", "soft"), ("ground", "sheet", "raised", "sunk", "brass-ground")),
    *product(("ink", "bad"), ("bad-ground",)),
    *product(("brass", "bad", "good"), ("sheet", "raised", "ground")),
    ("on-brass", "brass"),
    *product([f"seat-{colour}" for colour in COLOURS], ("sheet", "raised")),
    *product(("on-seat",), [f"seat-{colour}" for colour in COLOURS]),
    *product(("on-bright",), [f"seat-{colour}-fill" for colour in BRIGHT]),
    *product(("land-ink",), (*(f"land-{terrain}" for terrain in LANDS), "land-halo")),
    *product(("on-plate",), [f"plate-{colour}" for colour in PLATES]),
]
PARTS_ON_GROUND = [
    *product(("line",), ("ground", "sheet", "raised")),
    *product([f"seat-{colour}" for colour in COLOURS], ("ground",)),
]


def themes() -> dict[str, dict[str, str]]:
    """The colours of both themes; the automatic dark one must equal the chosen one."""
    blocks = re.findall(r"(:root[^{]*)\{([^}]*)\}", BASE)
    found: dict[str, dict[str, str]] = {}
    for selector, body in blocks:
        colours = dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{3,8})", body))
        name = "auto" if "auto" in selector else "dark" if "dark" in selector else "light"
        found.setdefault(name, {}).update(colours)
    painted = dict(re.findall(r"\t(light|dark): \{(.*?)\n\t\},", LAND, re.DOTALL))
    for name, body in painted.items():
        ground = re.search(r"ground: \{(.*?)\}", body, re.DOTALL)
        assert ground
        grounds = {f"land-{terrain}": colour for terrain, colour in re.findall(r'(\w+): "(#\w+)"', ground[1])}
        for theme in (name, "auto") if name == "dark" else (name,):
            found[theme].update(grounds)
    return found


def luminance(colour: str) -> float:
    """Relative luminance by WCAG 2.2."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_measure_itself() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXT_ON_GROUND)
def test_text_has_contrast_aa(theme: str, text: str, ground: str) -> None:
    colours = themes()[theme]
    assert contrast(colours[text], colours[ground]) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("part", "ground"), PARTS_ON_GROUND)
def test_parts_have_contrast_aa(theme: str, part: str, ground: str) -> None:
    colours = themes()[theme]
    assert contrast(colours[part], colours[ground]) >= 3


def test_the_automatic_dark_theme_is_the_dark_theme() -> None:
    found = themes()
    assert found["auto"] == found["dark"]
    assert set(found["dark"]) == set(found["light"])


def test_land_has_on_paper_the_colours_of_the_screen_by_day() -> None:
    ground = {
        name.removeprefix("land-"): colour for name, colour in themes()["light"].items() if "land-" in name
    }
    assert {terrain: ground[terrain] for terrain in TERRAIN} == TERRAIN
    assert (ground["rock"], ground["box"]) == (ROCK, BOX)


def test_every_silhouette_and_face_that_a_game_names_is_there() -> None:
    """And nothing is shipped to a screen that its game does not draw."""
    for game in map(load_game, ("five_armies", "war_of_the_ring", "battlelore")):
        signs = signs_of(game)
        assert set(signs["silhouettes"]) == {one["sign"] for one in signs["figures"].values()}
        assert all(path.startswith(("M", "m")) for path in signs["silhouettes"].values())
        drawn = {face for die in game.dice.values() if die.kind == "symbol" for face in die.faces}
        assert drawn <= set(signs["dice"]["symbols"]), game.id
        short = [name.split(".") for name in game.messages.ids("en") if name.endswith(".short")]
        pieces = {name for kind, name, *_ in short if kind in ("unit", "character", "special")}
        assert len(pieces) > 12 and pieces <= set(signs["figures"]), (game.id, pieces - set(signs["figures"]))
    assert "CC BY 3.0" in (DRAWING / "silhouettes.LICENSE.txt").read_text()


def test_seats_have_on_paper_the_colours_of_the_screen() -> None:
    found = themes()
    for colour, (light, dark) in COLOURS.items():
        assert (found["light"][f"seat-{colour}"], found["dark"][f"seat-{colour}"]) == (light, dark), colour
    for colour, fill in BRIGHT.items():
        assert {found[theme][f"seat-{colour}-fill"] for theme in ("light", "dark")} == {fill}


def test_every_seat_colour_and_shape_has_its_classes() -> None:
    css = "".join(path.read_text() for path in (STATIC / "css").glob("*.css"))
    for colour in COLOURS:
        for name in ("seat", "plate", "of-seat"):
            assert f".{name}-{colour} {{" in css, (name, colour)
    drawn = (STATIC / "js/signs.js").read_text()
    for shape in set(SHAPES) - {"round"}:  # round is what is drawn where no other is asked for
        assert f".shape-{shape} {{" in css and f'shape === "{shape}"' in drawn, shape


def test_first_load_is_light(tmp_path: Path) -> None:
    sizes = seat_load(tmp_path / "game", "war_of_the_ring")
    for name in ("js/game.js", "js/boardnames.js", "css/board.css", "fonts/table-serif.woff2"):
        counted = [address for address in sizes if re.fullmatch(rf"/static/v-\w+/{re.escape(name)}", address)]
        assert len(counted) == 1, "what pages link and scripts import is counted"
    assert sum(sizes.values()) <= LIMIT


@pytest.mark.parametrize("path", sorted((WEB / "templates").glob("*.html")), ids=lambda path: path.name)
def test_pages_have_no_inline_code_and_nothing_from_elsewhere(path: Path) -> None:
    text = path.read_text()
    assert "http://" not in text and "https://" not in text and "//" not in re.sub(r"<!.*?>", "", text)
    assert not re.search(r"\son\w+=|\sstyle=|<style|<script(?![^>]*\ssrc=)", text)


@pytest.mark.parametrize(
    "path", sorted({*STATIC.rglob("*.*")} - {*FONTS.glob("*")}), ids=lambda path: path.name
)
def test_static_files_load_nothing_from_elsewhere(path: Path) -> None:
    text = path.read_text().replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|@import|url\((?!#|\"\.\./fonts/)", text)
    assert "innerHTML" not in text and "eval(" not in text


def test_every_font_is_named_loaded_early_and_has_its_licence() -> None:
    shipped = {path.name for path in FONTS.glob("*.woff2")}
    assert set(re.findall(r'url\("\.\./fonts/([\w.-]+)"\)', BASE)) == shipped
    page = (WEB / "templates/base.html").read_text()
    early = re.search(r"for font in \(([^)]*)\)", page)
    assert early and {f"table-{name}.woff2" for name in re.findall(r'"([\w-]+)"', early[1])} == shipped
    families = {path.stem.removesuffix("-italic") for path in FONTS.glob("*.woff2")}
    for family in families:
        terms = (FONTS / f"{family}.LICENSE.txt").read_text()
        assert "SIL OPEN FONT LICENSE" in terms or "Bitstream Vera" in terms
    assert {path.name for path in FONTS.iterdir()} == shipped | {f"{name}.LICENSE.txt" for name in families}


def test_changed_fonts_bear_no_reserved_name() -> None:
    for path in FONTS.glob("*.woff2"):
        names = TTFont(path)["name"]
        called = [names.getDebugName(number) or "" for number in (1, 3, 4, 6)]
        assert not re.search(r"source|bitstream|vera|arev", " ".join(called), re.IGNORECASE), called


def test_our_fonts_have_every_character_of_our_texts() -> None:
    """Otherwise a device takes it from where it likes: run scripts/make_fonts.py."""
    signs = set(TTFont(FONTS / "table-signs.woff2").getBestCmap())
    rooms = [WEB, *(WEB.parent / room for room in ("referee", "vision", "firmware_bridge", "calibration"))]
    files = [path for room in rooms for path in room.rglob("*") if path.suffix in SCREEN_TEXTS]
    used = {character for path in files for character in path.read_text(encoding="utf-8")} - {"\n", "\t"}
    assert len(files) > 300 and {"ß", "û", "⚑", "−"} <= used
    for name in ("table-sans", "table-serif", "table-serif-italic"):
        letters = set(TTFont(FONTS / f"{name}.woff2").getBestCmap())
        assert sorted(character for character in used if ord(character) not in letters | signs) == [], name
        assert set(range(0x20, 0x7F)) | set(range(0xA0, 0x100)) <= letters, name


def test_fonts_are_served_as_fonts(tmp_path: Path) -> None:
    hall = FakeHall(tmp_path, [toy_game.register()])
    with create_app(hall).test_client().get("/static/fonts/table-sans.woff2") as sent:
        assert sent.status_code == 200 and sent.mimetype == "font/woff2"
    hall.close()


def test_buttons_are_large_enough() -> None:
    """48 CSS pixels at the usual text size."""
    assert "--touch: 3rem" in BASE
    parts = (STATIC / "css/parts.css").read_text()
    assert re.search(r"button, \.button \{[^}]*min-height: var\(--touch\)", parts)
