"""Make the fonts of screens and slips: subsets of open fonts, so that every device lays out the same.

Usage: ``python scripts/make_fonts.py NODE_MODULES``, where that folder holds the packages
``@fontsource-variable/alegreya`` (5.3.0) and ``@fontsource-variable/source-sans-3`` (5.3.1); DejaVu Sans
(2.37) comes from Debian's ``fonts-dejavu-core``.  Needs the extra ``test``.

Writes ``referee/archive/fonts/*.ttf`` (``--slips``: these alone, without NODE_MODULES): of DejaVu Sans
Condensed the letters of Latin, Greek, Cyrillic, Hebrew and Arabic writing, in which players' names are, with
what shaping needs.  And ``web/static/fonts/*.woff2``: the letters of German, English and their neighbours
(Latin-1), and of
DejaVu Sans the signs that occur in our texts, screens and drawings.  The fonts bear names of their own, as
their licences ask of changed fonts; the licence files beside them say whose work they are.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

ROOT = Path(__file__).resolve().parent.parent
FONTS = ROOT / "web" / "static" / "fonts"
DEJAVU = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
ROOMS = ("web", "referee", "vision", "firmware_bridge", "calibration")
TEXTS = (".po", ".js", ".css", ".html", ".py", ".yaml", ".toml", ".json")
LATIN = {*range(0x20, 0x7F), *range(0xA0, 0x100), *map(ord, "Œœ–—‘’‚“”„…•−€")}
FEATURES = ["kern", "liga", "mark", "mkmk", "ccmp", "locl", "lnum", "tnum", "pnum"]
"""Layout features that are kept: kerning, ligatures, accents, lining and tabular figures."""

SLIP_FONTS = ROOT / "referee" / "archive" / "fonts"
SLIP_RANGES = (
    (0x20, 0x250),  # Latin and its extensions
    (0x2B0, 0x370),  # modifiers and combining accents
    (0x370, 0x530),  # Greek and Cyrillic
    (0x591, 0x700),  # Hebrew and Arabic
    (0x750, 0x780),  # Arabic of further languages
    (0x1E00, 0x2000),  # Latin with two accents (Vietnamese), Greek with breathings
    (0x200C, 0x200E),  # joiners
    (0x2010, 0x2230),  # punctuation, currencies, numbers, arrows, signs
    (0x2260, 0x2270),
    (0x2C60, 0x2C80),
    (0xA720, 0xA800),
    (0xFB00, 0xFE00),  # forms that shaping puts in
    (0xFE70, 0xFEFF),
)
SHAPING = ["*"]
"""All layout features: Arabic letters join by them, Hebrew points find their place."""

FACES = {
    "table-serif": ("Table Serif", "alegreya/files/alegreya-latin-wght-normal.woff2", (500, 700)),
    "table-serif-italic": ("Table Serif", "alegreya/files/alegreya-latin-wght-italic.woff2", (600, 700)),
    "table-sans": ("Table Sans", "source-sans-3/files/source-sans-3-latin-wght-normal.woff2", (400, 700)),
}
"""File name: family, source below ``@fontsource-variable`` and the weights that are kept."""


def characters() -> set[int]:
    """Code points beyond ASCII in everything that may come to a screen."""
    return {
        ord(character)
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.suffix in TEXTS
        for character in path.read_text(encoding="utf-8")
        if ord(character) > 0x7E
    }


def cut(source: Path, wanted: Iterable[int], features: list[str]) -> TTFont:
    """The font in ``source`` with the wanted code points alone."""
    font = TTFont(source, recalcTimestamp=False)
    options = subset.Options(
        layout_features=features, hinting=False, notdef_outline=True, name_IDs=[0, 13, 14]
    )
    options.drop_tables += ["FFTM"]
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=wanted)
    cutter.subset(font)
    # read anew: the instancer wants a font whose variations are written for the glyphs that are left
    written = io.BytesIO()
    font.flavor = None
    font.save(written)
    written.seek(0)
    return TTFont(written, recalcTimestamp=False)


def save(font: TTFont, name: str, family: str) -> set[int]:
    """Write the font under a family of ours; gives its code points."""
    for number, text in ((1, family), (2, "Regular"), (3, name), (4, family), (6, name)):
        font["name"].setName(text, number, 3, 1, 0x409)
    font.flavor = "woff2"
    path = FONTS / f"{name}.woff2"
    font.save(path)
    found = set(font.getBestCmap())
    print(f"{path.name}: {len(found)} characters, {path.stat().st_size} bytes")
    return found


def make_slip_fonts() -> None:
    """Regular and bold for slips."""
    for weight, name in (("", "TableRefereeSans"), ("-Bold", "TableRefereeSans-Bold")):
        wanted = {code for low, high in SLIP_RANGES for code in range(low, high)}
        font = cut(DEJAVU.with_name(f"DejaVuSansCondensed{weight}.ttf"), wanted, SHAPING)
        for number, text in ((1, "Table Referee Sans"), (4, name), (6, name)):
            font["name"].setName(text, number, 3, 1, 0x409)
        path = SLIP_FONTS / f"{name}.ttf"
        font.save(path)
        print(f"{path.name}: {len(font.getBestCmap())} characters, {path.stat().st_size} bytes")


def main() -> None:
    """Cut letters and signs; a character that no font has is an error."""
    make_slip_fonts()
    if sys.argv[1:] == ["--slips"]:
        return
    packages = Path(sys.argv[1]) / "@fontsource-variable"
    letters: list[set[int]] = []
    for name, (family, source, weights) in FACES.items():
        font = instancer.instantiateVariableFont(
            cut(packages / source, LATIN, FEATURES), {"wght": weights}, updateFontNames=False
        )
        letters.append(save(font, name, family))
    signs = characters() - set.intersection(*letters)
    lacking = signs - save(cut(DEJAVU, signs, []), "table-signs", "Table Signs")
    if lacking:
        raise SystemExit(f"no font has {' '.join(map(chr, sorted(lacking)))}")


if __name__ == "__main__":
    main()
