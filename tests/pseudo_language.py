"""A third language for tests: every message of the English catalogues with accents on all vowels.

It is a folder of catalogues, as a translator would make one.  What is said in it without accents was
said in another language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from referee.kernel.play import Game

CODE = "qps"
ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("referee", "web", "calibration", "vision", "firmware_bridge")
_ACCENTS = str.maketrans("aeiouyAEIOUY", "áéíóúýÁÉÍÓÚÝ")
_FIELD = re.compile(r"\{(\w+)(![a-z])?(?::([^}]*))?\}")
PLAIN = re.compile(r"\b[A-Za-z]*[aeiou][A-Za-z]*(?: [A-Za-z]*[aeiou][A-Za-z]*)+\b")
"""Two words or more without accents."""


def accented(text: str) -> str:
    """The text with accents, its fields as they are, words to choose from in fields with accents too."""
    found, at = [], 0
    for field in _FIELD.finditer(text):
        found.append(text[at : field.start()].translate(_ACCENTS))
        words = field[3] or ""
        spec = f":{words.translate(_ACCENTS) if '|' in words else words}" if words else ""
        found.append(f"{{{field[1]}{field[2] or ''}{spec}}}")
        at = field.end()
    return "".join([*found, text[at:].translate(_ACCENTS)])


def make(folder: Path, games: Mapping[str, Game[Any]]) -> None:
    """Write the language's catalogues to ``folder``, rules of ``games`` among them."""
    for room in ROOMS:
        for english in (ROOT / room).rglob("en.po"):
            with english.open("rb") as file:
                source = read_po(file)
            target = _empty()
            for message in source:
                if isinstance(message.id, tuple):
                    target.add(message.id, tuple(map(accented, message.string)))
                elif message.id:
                    target.add(message.id, accented(str(message.string)))
            _write(target, folder / english.relative_to(ROOT).with_name(f"{CODE}.po"))
    for name, game in games.items():
        rules = _empty()
        for rule in game.catalogue.values():
            for what in ("title", "sentence", "note", "page", "book"):
                text = getattr(rule, f"{what}_en")
                if text:
                    rules.add(f"rule.{rule.id}.{what}", accented(text).replace("{", "{{").replace("}", "}}"))
        _write(rules, folder / "referee/games" / name / "texts/rules" / f"{CODE}.po")


def _empty() -> Catalog:
    return Catalog(locale=CODE, header_comment="")


def _write(catalogue: Catalog, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalogue, width=10_000)
    text = path.read_text(encoding="utf-8")
    plural = '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n'
    if "Plural-Forms" not in text:
        text = text.replace('"MIME-Version', plural + '"MIME-Version', 1)
    path.write_text(text, encoding="utf-8")


def plain(said: Any, allowed: frozenset[str] = frozenset()) -> Iterator[str]:
    """Words without accents in a text, or in any string of JSON; ``allowed`` are left out of account."""
    if isinstance(said, Mapping):
        for key, value in said.items():
            if key not in allowed:
                yield from plain(value, allowed)
    elif isinstance(said, list | tuple):
        for value in said:
            yield from plain(value, allowed)
    elif isinstance(said, str):
        for words in sorted(allowed, key=len, reverse=True):
            said = said.replace(words, "")
        yield from PLAIN.findall(said)
