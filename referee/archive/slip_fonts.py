"""Letters of all writings on slips: shipped fonts, one found on the system, and code points for the rest.

Shipped are Latin, Greek, Cyrillic, Hebrew and Arabic.  Chinese and Japanese would weigh many megabytes; where
a name needs them, the system's fonts are searched once.  What no font has is printed as its code point, so
that nobody's name turns into empty boxes, and :attr:`Letters.lacking` says so.
"""

from __future__ import annotations

import logging
import os
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from fontTools.ttLib import TTFont, TTLibError
from fpdf import FPDF

FONTS = Path(__file__).with_name("fonts")
FAMILY = "table"
JOINERS = ("\u200c", "\u200d")
"""Format characters that writing needs.  All others only hide what stands there."""
MOST_FONTS = 400
"""Files that are looked into at most."""

log = logging.getLogger(__name__)


def system_folders() -> list[Path]:
    """Where fonts lie on this machine."""
    home = Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser()
    return [
        Path("/usr/share/fonts"),
        Path("/usr/local/share/fonts"),
        home / "fonts",
        Path("~/.fonts").expanduser(),
    ]


class Letters:
    """The fonts of one slip; :meth:`shown` makes any text printable with them."""

    def __init__(self, pdf: FPDF) -> None:
        self._pdf = pdf
        self._known: set[int] = set()
        self._searched = False
        self.lacking: set[str] = set()
        """Characters that no font has."""
        for style, name in (("", "TableRefereeSans"), ("B", "TableRefereeSans-Bold")):
            pdf.add_font(FAMILY, style, FONTS / f"{name}.ttf")
        with TTFont(FONTS / "TableRefereeSans.ttf", lazy=True) as font:
            self._known |= set(font.getBestCmap())
        # letters of Arabic join, Hebrew and Arabic run from right to left
        pdf.set_text_shaping(True)

    def shown(self, text: str) -> str:
        """``text`` in characters that are there; ``[U+20000]`` for one that is not."""
        text = unicodedata.normalize("NFC", text)
        if not self._searched and any(not self._has(one) for one in text):
            self._search({ord(one) for one in text if not self._has(one)})
        return "".join(one if self._has(one) else self._code_point(one) for one in text)

    def _has(self, character: str) -> bool:
        if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co"):
            return character in JOINERS
        return ord(character) in self._known

    def _code_point(self, character: str) -> str:
        self.lacking.add(character)
        return f"[U+{ord(character):04X}]"

    def _search(self, wanted: set[int]) -> None:
        """Add the font of this system that has most of ``wanted``, if one has any."""
        self._searched = True
        best: tuple[int, Path, set[int]] | None = None
        for path in _font_files():
            has = _characters(path)
            count = len(wanted & has)
            if count and (best is None or count > best[0]):
                best = (count, path, has)
                if count == len(wanted):
                    break
        if best is None:
            return
        try:
            for style in ("", "B"):
                self._pdf.add_font("found", style, best[1])
        except (OSError, ValueError, TTLibError, NotImplementedError) as error:
            log.warning("%s cannot be used on slips: %s", best[1], error)
            return
        self._pdf.set_fallback_fonts(["found"], exact_match=False)
        self._known |= best[2]


def _font_files() -> Iterator[Path]:
    count = 0
    for folder in system_folders():
        for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
            if path.suffix.lower() in (".ttf", ".ttc"):
                count += 1
                if count > MOST_FONTS:
                    return
                yield path


def _characters(path: Path) -> set[int]:
    """What a font can draw in a PDF; nothing where it is damaged or of a kind that cannot be put into one."""
    try:
        # fontTools would leave a damaged file open
        with path.open("rb") as file, TTFont(file, lazy=True, fontNumber=0) as font:
            return set(font.getBestCmap() or ()) if "glyf" in font else set()
    except (OSError, TTLibError, ValueError, KeyError, AssertionError) as error:
        log.debug("%s is no font for slips: %s", path, error)
        return set()
