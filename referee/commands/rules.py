"""``referee rules``: what a game's rule catalogue holds, and which tests exercise it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from referee.commands.common import SPOKEN
from referee.commands.rule_coverage import report
from referee.kernel.errors import RefereeError
from referee.kernel.messages import Text, languages
from referee.kernel.refusals import Catalogue, Rule
from referee.kernel.registry import load_game


def _game(game_id: str) -> Any:
    try:
        return load_game(game_id)
    except RefereeError as error:
        raise click.ClickException("\n".join(map(error.sentence, languages()))) from error


@click.command()
@click.argument("game_id", metavar="GAME")
@click.option("--find", "text", default="", help="Only rules whose id, title or sentence contains this text.")
@click.option("--lang", type=SPOKEN, default="en", show_default=True, help="Language of the listing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, both languages.")
@click.option("--coverage", is_flag=True, help="Run tests and random games; list what meets each rule.")
@click.option("--games", default=60, show_default=True, help="Random games for --coverage.")
@click.option(
    "--from",
    "out",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="What a test run has written (REFEREE_RULES_OUT), instead of running the tests again.",
)
def rules(
    game_id: str, text: str, lang: str, as_json: bool, coverage: bool, games: int, out: Path | None
) -> None:
    """Print the rule catalogue of GAME: id, title, page and sentence of every rule."""
    game = _game(game_id)
    found = [rule for rule in game.catalogue.values() if _matches(rule, text)]
    if coverage:
        sys.exit(report(game, found, games=games, as_json=as_json, language=lang, out=out))
    if as_json:
        click.echo(json.dumps([rule_data(rule) for rule in found], ensure_ascii=False, indent=1))
    else:
        for line in listing(game.catalogue, found, lang):
            click.echo(line)
    if not found:
        raise click.ClickException(f"No rule contains {text!r}. / Keine Regel enthält {text!r}.")


def _matches(rule: Rule, text: str) -> bool:
    text = text.casefold()
    fields = (rule.id, rule.title_en, rule.title_de, rule.sentence_en, rule.sentence_de)
    return not text or any(text in entry.casefold() for entry in fields)


def rule_data(rule: Rule) -> dict[str, Any]:
    """A rule as plain JSON data."""
    return {
        "id": rule.id,
        "chapter": rule.chapter,
        "title": {"de": rule.title_de, "en": rule.title_en},
        "page": {"de": rule.page_de, "en": rule.page_en},
        "sentence": {"de": rule.sentence_de, "en": rule.sentence_en},
        "refusable": rule.refusable,
        "atoms": list(rule.atoms),
        "note": {"de": rule.note_de, "en": rule.note_en},
    }


def listing(catalogue: Catalogue, found: Iterable[Rule], language: str) -> Iterable[str]:
    """The rules as lines of text, by chapter."""
    chapter, count = "", 0
    for rule in found:
        if rule.chapter != chapter:
            chapter = rule.chapter
            yield f"\n== {chapter} =="
        count += 1
        title = rule.title(language)
        which = "page"
        if rule.book_en:
            which = "page_of_english_book"
        elif rule.page_en:
            which = "summary_page"
        page = Text(f"commands.{which}", page_de=rule.page_de, page_en=rule.page(language)).in_words(language)
        page = rule.where(language) if rule.heading else page
        mark = " *" if rule.refusable else ""
        yield f"{rule.id}{mark}  {title} ({page})"
        yield f"    {rule.sentence(language)}"
        note = rule.note(language)
        if note:
            yield f"    [{note}]"
        others = [atom for atom in rule.atoms if atom != rule.id]
        if others:
            also = Text("commands.also").in_words(language)
            yield f"    ({also}: {', '.join(others)})"
    total = len(catalogue)
    books = (rule.book(language) for rule in catalogue.values() if rule.book_en)
    book = next(books, None) or Text("commands.german_rulebook")
    yield "\n" + Text("commands.rules_listed", count=count, total=total, book=book).in_words(language)
