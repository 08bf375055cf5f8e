"""What can be said of the looks without eyes: contrast, weight, no external or inline parts."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

WEB = Path(__file__).resolve().parents[2] / "web"
STATIC = WEB / "static"
BASE = (STATIC / "css/base.css").read_text()
LIMIT = 300_000

LANDS = ("mountain", "hill", "plain", "swamp", "ruins", "forest", "water", "other")
TEXT_ON_GROUND = [
    *product(("ink", "soft"), ("ground", "sheet", "raised", "sunk", "brass-ground")),
    *product(("ink", "bad"), ("bad-ground",)),
    *product(("brass", "bad", "good"), ("sheet", "raised", "ground")),
    ("on-brass", "brass"),
    *product([f"seat-{n}" for n in range(4)], ("sheet", "raised")),
    *product(("on-seat",), [f"seat-{n}" for n in range(4)]),
    *product(("land-ink",), [f"land-{terrain}" for terrain in LANDS]),
]
PARTS_ON_GROUND = [
    *product(("line",), ("ground", "sheet", "raised")),
    *product([f"seat-{n}" for n in range(4)], ("ground",)),
]


def themes() -> dict[str, dict[str, str]]:
    """The colours of both themes; the automatic dark one must equal the chosen one."""
    blocks = re.findall(r"(:root[^{]*)\{([^}]*)\}", BASE)
    found: dict[str, dict[str, str]] = {}
    for selector, body in blocks:
        colours = dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{3,8})", body))
        name = "auto" if "auto" in selector else "dark" if "dark" in selector else "light"
        found.setdefault(name, {}).update(colours)
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


def test_first_load_is_light() -> None:
    total = sum(path.stat().st_size for path in STATIC.rglob("*") if path.is_file())
    total += max(path.stat().st_size for path in (WEB / "translations").glob("*.po"))
    total += max(path.stat().st_size for path in (WEB / "templates").glob("*.html"))
    assert total < LIMIT


@pytest.mark.parametrize("path", sorted((WEB / "templates").glob("*.html")), ids=lambda path: path.name)
def test_pages_have_no_inline_code_and_nothing_from_elsewhere(path: Path) -> None:
    text = path.read_text()
    assert "http://" not in text and "https://" not in text and "//" not in re.sub(r"<!.*?>", "", text)
    assert not re.search(r"\son\w+=|\sstyle=|<style|<script(?![^>]*\ssrc=)", text)


@pytest.mark.parametrize("path", sorted(STATIC.rglob("*.*")), ids=lambda path: path.name)
def test_static_files_load_nothing_from_elsewhere(path: Path) -> None:
    text = path.read_text().replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|@import|url\((?!#)", text)
    assert "innerHTML" not in text and "eval(" not in text


def test_buttons_are_large_enough() -> None:
    """48 CSS pixels at the usual text size."""
    assert "--touch: 3rem" in BASE
    parts = (STATIC / "css/parts.css").read_text()
    assert re.search(r"button, \.button \{[^}]*min-height: var\(--touch\)", parts)
