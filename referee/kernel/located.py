"""YAML that people write, read so that every complaint can name its line.

:func:`read_yaml` turns a text into :class:`LocatedValue` values.  Asking a spot for
something it is not (``spot.number(0, 5)`` of a word) notes a problem in the
common :class:`Problems` list and gives a harmless value, so that one pass over
a file finds everything that is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

import yaml

from referee.kernel.errors import RefereeError
from referee.kernel.messages import Text, joined


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a file, with its line (from 1)."""

    line: int
    text: Text

    @property
    def located(self) -> Text:
        """``line 7: ...``"""
        return Text("kernel.at_line", line=self.line, problem=self.text)

    def sentence(self, language: str) -> str:
        """``line 7: ...`` in ``language``."""
        return self.located.in_words(language)


class FileProblems(RefereeError):
    """A file that a person wrote cannot be used as it stands; ``problems`` says why, line by line."""

    code = "invalid_file"

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = sorted(problems, key=lambda problem: problem.line)
        super().__init__(joined((problem.located for problem in self.problems), "\n"))


@dataclass(slots=True)
class Problems:
    """Collects what is wrong while a file is read."""

    found: list[Problem] = field(default_factory=list)

    def add(self, spot: LocatedValue, text: Text) -> None:
        """Note a problem at a spot."""
        self.found.append(Problem(spot.line, text))

    def check(self) -> None:
        """Raise :class:`FileProblems` if there are any."""
        if self.found:
            raise FileProblems(self.found)


def _near(word: str, known: Iterable[str]) -> str:
    found = get_close_matches(word, list(known), n=3, cutoff=0.5)
    return ", ".join(found)


class LocatedValue:
    """A value in a file with its line and a readable path (``regions.camp.units``)."""

    __slots__ = ("line", "path", "problems", "value")

    def __init__(self, value: Any, line: int, path: str, problems: Problems) -> None:
        self.value = value
        self.line = line
        self.path = path
        self.problems = problems

    def wrong(self, text: Text) -> None:
        """Note a problem here."""
        self.problems.add(self, text)

    def number(self, lowest: int, highest: int) -> int:
        """A whole number in a range; ``lowest`` where it is not one."""
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
            self.wrong(
                Text(
                    "kernel.number_wanted", path=self.path, lowest=lowest, highest=highest, shown=self.shown()
                ),
            )
            return lowest
        return value

    def flag(self) -> bool:
        """``true`` or ``false``."""
        if not isinstance(self.value, bool):
            self.wrong(
                Text("kernel.flag_wanted", path=self.path, shown=self.shown()),
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
                Text("kernel.unknown_word", path=self.path, shown=self.shown(), some=some),
            )
            return None
        return str(value)

    def text(self) -> str:
        """Any text."""
        if not isinstance(self.value, str):
            self.wrong(Text("kernel.text_wanted", path=self.path))
            return ""
        return self.value

    def entries(self) -> Iterator[tuple[LocatedValue, LocatedValue]]:
        """Keys and values of a mapping (none, with a problem noted, where it is no mapping)."""
        if not isinstance(self.value, dict):
            if self.value is not None:
                self.wrong(
                    Text("kernel.entries_wanted", path=self.path, shown=self.shown()),
                )
            return
        for key, entry in self.value.items():
            yield LocatedValue(key, entry.line, f"{self.path}.{key}".lstrip("."), self.problems), entry

    def items(self) -> Iterator[LocatedValue]:
        """The items of a list (none, with a problem noted, where it is no list)."""
        if not isinstance(self.value, list):
            if self.value is not None:
                self.wrong(
                    Text("kernel.pair_wanted", path=self.path, shown=self.shown()),
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
        waiting: dict[str, LocatedValue] = {}
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

    def get(self, key: str) -> LocatedValue | None:
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
        return shortened(self.plain())


def shortened(value: Any) -> str:
    """A plain value as a person would recognise it, in 40 characters at most."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


DEEPEST = 20
"""Lists and mappings in each other; a position needs six."""


def read_yaml(text: str) -> LocatedValue:
    """The whole text as a :class:`LocatedValue`.  Raises :class:`FileProblems` where it is no YAML."""
    try:
        _plain(text)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        line = mark.line + 1 if mark else 1
        what = getattr(error, "problem", None) or str(error)
        problem = Problem(line, Text("kernel.not_yaml", what=what))
        raise FileProblems([problem]) from error
    problems = Problems()
    if node is None:
        return LocatedValue(None, 1, "", problems)
    return _spot(node, "", problems, yaml.SafeLoader(""))


def _plain(text: str) -> None:
    """Raises :class:`FileProblems` for references, of which a few lines can mean billions, and for endless
    nesting: before anything is built from the text."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.AliasEvent):
            raise FileProblems([Problem(line, Text("kernel.no_references"))])
        if depth > DEEPEST:
            raise FileProblems([Problem(line, Text("kernel.too_deep"))])


def _spot(node: yaml.Node, path: str, problems: Problems, loader: yaml.SafeLoader) -> LocatedValue:
    line = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        entries: dict[Any, LocatedValue] = {}
        for key_node, value_node in node.value:
            key = _scalar(key_node, problems, loader, "key")
            inner = f"{path}.{key}" if path else str(key)
            entry = _spot(value_node, inner, problems, loader)
            entry.line = key_node.start_mark.line + 1
            if key in entries:
                problems.add(entry, Text("kernel.given_twice", inner=inner))
            entries[key] = entry
        return LocatedValue(entries, line, path, problems)
    if isinstance(node, yaml.SequenceNode):
        items = [_spot(item, f"{path}[{i}]", problems, loader) for i, item in enumerate(node.value, 1)]
        return LocatedValue(items, line, path, problems)
    return LocatedValue(_scalar(node, problems, loader, ""), line, path, problems)


def _scalar(node: yaml.Node, problems: Problems, loader: yaml.SafeLoader, unusable: Any) -> Any:
    """A key or a single value; ``unusable``, with a problem noted, where YAML makes none of it."""
    what: object = "a key of several values"
    try:
        if isinstance(node, yaml.ScalarNode):
            return loader.construct_object(node)
    except yaml.MarkedYAMLError as error:
        what = error.problem
    except (ValueError, OverflowError) as error:  # a date or number that cannot be
        what = error
    problems.found.append(Problem(node.start_mark.line + 1, Text("kernel.not_yaml", what=str(what))))
    return unusable
