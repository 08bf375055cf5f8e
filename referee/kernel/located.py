"""YAML that people write, read so that every complaint can name its line.

:func:`read_yaml` turns a text into :class:`Spot` values.  Asking a spot for
something it is not (``spot.number(0, 5)`` of a word) notes a problem in the
common :class:`Problems` list and gives a harmless value, so that one pass over
a file finds everything that is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from referee.kernel.errors import RefereeError


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a file, with its line (from 1)."""

    line: int
    sentence_en: str
    sentence_de: str

    def sentence(self, language: str) -> str:
        """``line 7: ...`` in ``de`` or ``en``."""
        if language == "de":
            return f"Zeile {self.line}: {self.sentence_de}"
        return f"line {self.line}: {self.sentence_en}"


class FileProblems(RefereeError):
    """A file that a person wrote cannot be used as it stands; ``problems`` says why, line by line."""

    code = "invalid_file"

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = sorted(problems, key=lambda problem: problem.line)
        super().__init__(
            "\n".join(p.sentence("en") for p in self.problems),
            "\n".join(p.sentence("de") for p in self.problems),
        )


@dataclass(slots=True)
class Problems:
    """Collects what is wrong while a file is read."""

    found: list[Problem] = field(default_factory=list)

    def add(self, spot: Spot, en: str, de: str) -> None:
        """Note a problem at a spot."""
        self.found.append(Problem(spot.line, en, de))

    def check(self) -> None:
        """Raise :class:`FileProblems` if there are any."""
        if self.found:
            raise FileProblems(self.found)


def _near(word: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    found = get_close_matches(word, list(known), n=3, cutoff=0.5)
    return ", ".join(found)


class Spot:
    """A value in a file with its line and a readable path (``regions.camp.units``)."""

    __slots__ = ("line", "path", "problems", "value")

    def __init__(self, value: Any, line: int, path: str, problems: Problems) -> None:
        self.value = value
        self.line = line
        self.path = path
        self.problems = problems

    def wrong(self, en: str, de: str) -> None:
        """Note a problem here."""
        self.problems.add(self, en, de)

    def number(self, lowest: int, highest: int) -> int:
        """A whole number in a range; ``lowest`` where it is not one."""
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
            self.wrong(
                f"{self.path}: a whole number from {lowest} to {highest} is wanted, not {self.shown()}.",
                f"{self.path}: hier gehört eine Zahl von {lowest} bis {highest} hin, nicht {self.shown()}.",
            )
            return lowest
        return value

    def flag(self) -> bool:
        """``true`` or ``false``."""
        if not isinstance(self.value, bool):
            self.wrong(
                f"{self.path}: true or false is wanted, not {self.shown()}.",
                f"{self.path}: hier gehört true oder false hin, nicht {self.shown()}.",
            )
            return False
        return self.value

    def word(self, known: Iterable[str], aliases: Mapping[str, str] | None = None) -> str | None:
        """One of the ``known`` words; None, with a problem noted, where it is another."""
        value = self.value
        known = tuple(known)
        if isinstance(value, str):
            value = (aliases or {}).get(value, value)
        if value not in known:
            near = _near(str(value), known)
            some = near or ", ".join(known[:12])
            self.wrong(
                f"{self.path}: {self.shown()} is not known here. Perhaps: {some}.",
                f"{self.path}: {self.shown()} ist hier nicht bekannt. Vielleicht: {some}.",
            )
            return None
        return str(value)

    def text(self) -> str:
        """Any text."""
        if not isinstance(self.value, str):
            self.wrong(f"{self.path}: a text is wanted.", f"{self.path}: hier gehört ein Text hin.")
            return ""
        return self.value

    def entries(self) -> Iterator[tuple[Spot, Spot]]:
        """Keys and values of a mapping (none, with a problem noted, where it is no mapping)."""
        if not isinstance(self.value, dict):
            if self.value is not None:
                self.wrong(
                    f"{self.path}: entries of the form `name: value` are wanted, not {self.shown()}.",
                    f"{self.path}: hier gehören Einträge der Form `Name: Wert` hin, nicht {self.shown()}.",
                )
            return
        for key, entry in self.value.items():
            yield Spot(key, entry.line, f"{self.path}.{key}".lstrip("."), self.problems), entry

    def items(self) -> Iterator[Spot]:
        """The items of a list (none, with a problem noted, where it is no list)."""
        if not isinstance(self.value, list):
            if self.value is not None:
                self.wrong(
                    f"{self.path}: a list [a, b] is wanted, not {self.shown()}.",
                    f"{self.path}: hier gehört eine Liste [a, b] hin, nicht {self.shown()}.",
                )
            return
        yield from self.value

    def read_by(
        self,
        reader: object,
        later: Iterable[str] = (),
        then: Callable[[], None] | None = None,
        at_last: Iterable[str] = (),
    ) -> None:
        """Hand each entry of a mapping to the reader's method ``on_<key>``.

        Those named ``later`` come after all others, in that order; after them
        ``then`` is called, and those named ``at_last`` are the end.
        """
        last = (*later, *at_last)
        handlers = {name[3:]: getattr(reader, name) for name in dir(reader) if name.startswith("on_")}
        waiting: dict[str, Spot] = {}
        for key, entry in self.entries():
            name = key.word(handlers)
            if name in last:
                waiting[name] = entry
            elif name is not None:
                handlers[name](entry)
        for name in later:
            if name in waiting:
                handlers[name](waiting[name])
        if then is not None:
            then()
        for name in at_last:
            if name in waiting:
                handlers[name](waiting[name])

    def get(self, key: str) -> Spot | None:
        """The value of a key of a mapping, or None."""
        return self.value.get(key) if isinstance(self.value, dict) else None

    def plain(self) -> Any:
        """The value without its lines."""
        if isinstance(self.value, dict):
            return {key: entry.plain() for key, entry in self.value.items()}
        if isinstance(self.value, list):
            return [entry.plain() for entry in self.value]
        return self.value

    def shown(self) -> str:
        """The value as a person would recognise it, shortened."""
        text = repr(self.plain())
        return text if len(text) <= 40 else f"{text[:37]}..."


DEEPEST = 20
"""Lists and mappings in each other; a position needs six."""


def read_yaml(text: str) -> Spot:
    """The whole text as a :class:`Spot`.  Raises :class:`FileProblems` where it is no YAML."""
    try:
        _plain(text)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        line = mark.line + 1 if mark else 1
        what = getattr(error, "problem", None) or str(error)
        problem = Problem(line, f"this is not YAML ({what}).", f"das ist kein YAML ({what}).")
        raise FileProblems([problem]) from error
    problems = Problems()
    if node is None:
        return Spot(None, 1, "", problems)
    return _spot(node, "", problems, yaml.SafeLoader(""))


def _plain(text: str) -> None:
    """Raises :class:`FileProblems` for references, of which a few lines can mean billions, and for endless
    nesting: before anything is built from the text."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.AliasEvent):
            german = "Verweise (*Name) werden nicht gelesen."
            raise FileProblems([Problem(line, "references (*name) are not read.", german)])
        if depth > DEEPEST:
            raise FileProblems([Problem(line, "this is nested too deep.", "das ist zu tief verschachtelt.")])


def _spot(node: yaml.Node, path: str, problems: Problems, loader: yaml.SafeLoader) -> Spot:
    line = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        entries: dict[Any, Spot] = {}
        for key_node, value_node in node.value:
            key = loader.construct_object(key_node)
            inner = f"{path}.{key}" if path else str(key)
            entry = _spot(value_node, inner, problems, loader)
            entry.line = key_node.start_mark.line + 1
            if key in entries:
                problems.add(entry, f"{inner} is given twice.", f"{inner} ist doppelt angegeben.")
            entries[key] = entry
        return Spot(entries, line, path, problems)
    if isinstance(node, yaml.SequenceNode):
        items = [_spot(item, f"{path}[{i}]", problems, loader) for i, item in enumerate(node.value, 1)]
        return Spot(items, line, path, problems)
    value = loader.construct_object(node)
    return Spot(value, line, path, problems)
