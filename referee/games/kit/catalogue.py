"""A rule catalogue as files: ``catalogue/<chapter>.yaml``, one entry a rule, read when somebody looks.

What an entry holds is told at the head of each game's ``catalogue.py``, as the
books differ; ``with`` is common to all: the rule under which a player sees this
one.  Files ``code*.yaml`` say where rules are carried out (:func:`code_names`),
``rulings.yaml`` how open points are decided, ``pieces.yaml`` the rule to read on at
for each sort of piece (:meth:`CatalogueFiles.piece_rules`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from referee.kernel.code_places import CodePlaces
from referee.kernel.messages import Messages
from referee.kernel.refusals import Catalogue, Rule

NO_CHAPTERS = ("code", "pieces", "rulings")
"""Files whose names begin so hold no rules."""
Entry = Mapping[str, Any]
RuleOf = Callable[[str, Entry, tuple[str, ...]], Rule]


def rule_of(rule_id: str, entry: Entry, atoms: tuple[str, ...]) -> Rule:
    """The rule of an entry, by the keys that all catalogues have."""
    return Rule(
        id=rule_id,
        chapter=entry["chapter"],
        title_en=entry["title_en"],
        title_de=entry["title_de"],
        page_de=str(entry["page"]),
        page_en=entry.get("part_en", ""),
        sentence_en=entry["en"],
        sentence_de=entry["de"],
        refusable=entry["refusable"],
        atoms=atoms,
        note_en=entry.get("conflict_en", ""),
        note_de=entry.get("conflict_de", ""),
    )


class CatalogueFiles:
    """The folder of a game's catalogue.  ``chapters`` are its files; all that hold rules unless given."""

    def __init__(self, folder: Path, chapters: Iterable[str] | None = None) -> None:
        self.folder = folder
        self._chapters = None if chapters is None else tuple(chapters)

    @cached_property
    def chapters(self) -> tuple[str, ...]:
        """The files of the catalogue, in the order of the rulebook's chapters."""
        if self._chapters is not None:
            return self._chapters
        names = (path.stem for path in self.folder.glob("*.yaml"))
        return tuple(sorted(name for name in names if not name.startswith(NO_CHAPTERS)))

    def read(self, name: str) -> Any:
        """One file of the folder as plain data."""
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        return yaml.load((self.folder / f"{name}.yaml").read_text(encoding="utf-8"), Loader=loader)

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """All entries as they stand in the files, by rule id, each with its ``chapter`` added."""
        found: dict[str, dict[str, Any]] = {}
        for chapter in self.chapters:
            for rule_id, entry in (self.read(chapter) or {}).items():
                if rule_id in found:
                    raise ValueError(f"{rule_id} stands in {found[rule_id]['chapter']} and in {chapter}")
                found[rule_id] = {**entry, "chapter": chapter}
        return found

    @cached_property
    def seen_as(self) -> Mapping[str, str]:
        """Rule id to the id of the rule under which a player sees it (itself, mostly)."""
        return {rule_id: entry.get("with", rule_id) for rule_id, entry in self.entries.items()}

    def catalogue(self, rule: RuleOf | None = None) -> Catalogue:
        """The catalogue, in which ``rule(id, entry, atoms)`` (:func:`rule_of`) makes the rule of an entry."""
        return Catalogue(lambda: self._rules(rule or rule_of))

    @cached_property
    def rulings(self) -> Mapping[str, Entry]:
        """How open points are decided, by the ruling's id."""
        found: Mapping[str, Entry] = self.read("rulings")
        return found

    def piece_rules(self, names: Mapping[str, Iterable[str]]) -> Mapping[tuple[str, str], str]:
        """Everything that can be explained, as (kind, id), and the rule to read on at.

        The file has the rule by kind and id; ``*`` stands for all other ``names`` of a kind.
        """
        told: Mapping[str, Mapping[str, str]] = self.read("pieces")
        return {
            (kind, name): rules.get(name) or rules["*"]
            for kind, rules in told.items()
            for name in names.get(kind, rules)
        }

    def _rules(self, rule: RuleOf) -> list[Rule]:
        atoms: dict[str, list[str]] = defaultdict(list)
        for rule_id, shown in self.seen_as.items():
            atoms[shown].append(rule_id)
        rules = [rule(rule_id, entry, tuple(atoms[rule_id])) for rule_id, entry in self.entries.items()]
        return [replace(one, messages=self.messages) for one in rules]

    @cached_property
    def messages(self) -> Messages:
        """The rules in further languages than the files have: ``texts/rules/<language>.po`` of the game."""
        return Messages(self.folder.parent / "texts" / "rules")

    def code_names(self) -> Mapping[str, list[str]]:
        """Rule id to the functions, ``module:function``, that carry it out, from all files ``code*.yaml``."""
        found: dict[str, list[str]] = {}
        for path in sorted(self.folder.glob("code*.yaml")):
            for rule, names in (self.read(path.stem) or {}).items():
                found.setdefault(rule, []).extend(names)
        return found

    def code_places(self, package: str) -> CodePlaces:
        """The functions of a game's ``package`` that carry out rules which no request names."""
        return CodePlaces(package, self.code_names)

    def traceable(self, rule: str, places: Mapping[str, Any]) -> bool:
        """Whether play can meet a rule in a way that is noticed: all but what is printed on components."""
        return rule in places or bool(self.entries[rule]["refusable"])
