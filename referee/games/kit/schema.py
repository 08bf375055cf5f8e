"""What a game declares of its state: each field once, with the sort of thing that it holds.

A state is a dataclass with ``slots``, whose fields are set to :func:`declare`::

    @dataclass(slots=True, eq=False)
    class State:
        supply: list[int] = declare(counts(FIGURES), start=FIGURES_IN_BOX)
        captured: int = declare(mask(PLACES))
        unused: list[list[int]] = declare(each(SEATS, counts(FACES)), file="unused_dice")
        armies: list[int] = declare(Derived(), start=[0, 0])

    SCHEMA = Schema(State, derive=reckon_what_is_derived)

From this follow an independent copy, JSON with readable ids and the way back,
entries of position files both ways, a check of all bounds and the counters of
screens; :mod:`corrections` declares beside it what an arbiter may set.  The
sorts are in :mod:`codecs`; a game may add one of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Generic, Protocol, TypeVar

from referee.games.kit.codec import Codec, Names
from referee.games.kit.codecs import Counts, Derived, Each
from referee.games.kit.copying import copy_json
from referee.kernel.located import LocatedValue

S = TypeVar("S")
DECLARED = "declared"
"""The key of a dataclass field's metadata that holds what :func:`declare` was told."""
Hear = Callable[[LocatedValue], None]
"""Takes the value of a key of a position file."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """A field of a state: its name, its sort, its key in JSON ("": it is not written) and in position files.

    ``form`` is its sort in position files; ``always``: they tell it even where nothing is.
    """

    name: str
    codec: Codec
    key: str
    file: str | None
    form: Codec
    always: bool


def declare(
    codec: Codec,
    *,
    start: Any = None,
    key: str | None = None,
    file: str | None = None,
    form: Codec | None = None,
    always: bool = False,
) -> Any:
    """A dataclass field of this sort.

    ``start`` is its value in a new state (nothing, unless given; lists are
    copied), ``key`` its name in JSON where that is another.  ``file`` is its key
    in position files, dotted for one inside another (``fellowship.progress``),
    "" for values by id that stand there without a key of their own; see
    :class:`Declaration` for the rest.
    """
    metadata = {DECLARED: ("" if isinstance(codec, Derived) else key, codec, file, form or codec, always)}
    value = codec.empty() if start is None else start
    if not codec.is_changed:
        return field(default_factory=lambda: value, metadata=metadata)
    if start is None:
        return field(default_factory=codec.empty, metadata=metadata)
    return field(default_factory=lambda: copy_json(list(start)), metadata=metadata)


class Writing(Protocol):
    """What a schema writes beside its single fields."""

    def write(self, state: Any) -> Any:
        """A part of the state as JSON."""

    def read(self, state: Any, data: Any) -> None:
        """Set that part of the state from what :meth:`write` wrote."""

    def fits(self, data: Any) -> bool:
        """Whether JSON is what :meth:`write` could have written."""


class Schema(Generic[S]):
    """The declaration of a state, or of a part of it, read from its dataclass.

    ``derive(state)`` sets what follows from the other fields once they are
    read.  ``joined`` are JSON keys that hold parts of several fields; those
    fields are declared with ``key=""``.  ``short``: JSON leaves out each field
    that is as in a new one.  ``in_files``: every field stands in position files,
    by its name unless it is declared with another key.
    """

    def __init__(
        self,
        cls: type[S],
        *,
        derive: Callable[[S], None] | None = None,
        joined: Mapping[str, Writing] | None = None,
        short: bool = False,
        in_files: bool = False,
    ) -> None:
        self.cls = cls
        self.joined = dict(joined or {})
        self.short = short
        self._derive = derive
        self.fields: dict[str, Declaration] = {}
        for one in fields(cls):  # type: ignore[arg-type]
            key, codec, file, *rest = one.metadata[DECLARED]
            key = one.name if key is None else key
            file = one.name if file is None and in_files else file
            self.fields[one.name] = Declaration(one.name, codec, key, file, *rest)
        self._written = [one for one in self.fields.values() if one.key]
        self.copy: Callable[[S], S] = self._generated(self._copying)
        """An independent copy of a state."""
        self._plain_json: Callable[[S], dict[str, Any]] = self._generated(self._writing)
        self.out_of_bounds: Callable[[S], list[str]] = self._generated(self._checking)
        """Every field whose value lies outside its bounds, in English."""
        self._idle = self._plain_json(cls()) if short else {}
        self._in_file = [one for one in self.fields.values() if one.file is not None]

    # --- JSON --------------------------------------------------------------------------------------------

    def to_json(self, state: S) -> dict[str, Any]:
        """The state as JSON with readable ids, fresh in every part."""
        data = self._plain_json(state)
        for key, writing in self.joined.items():
            data[key] = writing.write(state)
        if self.short:
            return {key: value for key, value in data.items() if value != self._idle[key]}
        return data

    def from_json(self, data: Mapping[str, Any]) -> S:
        """The state that :meth:`to_json` wrote.  Raises KeyError or ValueError for what is none."""
        state = self.cls()
        for one in self._written:
            if not self.short or one.key in data:
                setattr(state, one.name, one.codec.read(data[one.key]))
        for key, writing in self.joined.items():
            writing.read(state, data[key])
        if self._derive is not None:
            self._derive(state)
        return state

    def fits(self, data: Any) -> bool:
        """Whether JSON, perhaps written by a person, is a whole state of this shape."""
        keys = {one.key for one in self._written} | self.joined.keys()
        return (
            isinstance(data, dict)
            and (data.keys() <= keys if self.short else data.keys() == keys)
            and all(self.fits_key(key, one) for key, one in data.items())
        )

    def fits_key(self, key: str, data: Any) -> bool:
        """Whether JSON is of the shape of what a state's JSON has under a key."""
        if key in self.joined:
            return self.joined[key].fits(data)
        return next(one for one in self._written if one.key == key).codec.fits(data)

    # --- position files ----------------------------------------------------------------------------------

    def say(self, state: S) -> dict[str, Any]:
        """The entries of a position file: what differs from a new state, and what is always told."""
        found: dict[str, Any] = {}
        new = self.cls()
        for one in self._in_file:
            value = getattr(state, one.name)
            said = one.form.say(value)
            if one.always or (said not in ([], {}) and said != one.form.say(getattr(new, one.name))):
                inside, _, key = one.file.rpartition(".") if one.file else ("", "", "")
                where = found.setdefault(inside, {}) if inside else found
                where.update({key: said} if key else said)
        return found

    def heard(self, state: S) -> dict[str, Hear]:
        """What takes the value of each key of a position file, dotted where one stands inside another."""
        found: dict[str, Hear] = {}
        for one in self._in_file:
            if one.file:
                found[one.file] = _setter(state, one)
            elif isinstance(one.form, Each):
                parts = one.form.parts()
                found |= {name: _item_setter(state, one, n, part) for n, (name, part) in enumerate(parts)}
        return found

    def hear(self, state: S, spot: LocatedValue) -> None:
        """Set what the entries of a position file tell; problems are noted at their spots."""
        for _, entry, take in entries_for(spot, self.heard(state)):
            take(entry)

    # --- screens -----------------------------------------------------------------------------------------

    def counters(self, state: S, seat: int, names: Iterable[str]) -> Iterator[tuple[str, int]]:
        """The numbers of a seat: fields with a value, or counts by id, for each seat."""
        for name in names:
            codec, value = self.fields[name].codec, getattr(state, name)[seat]
            inner = codec.parts()[seat][1] if isinstance(codec, Each) else codec
            if isinstance(inner, Counts):
                yield from ((f"{name}_{kind}", n) for kind, n in zip(inner.ids, value, strict=True))
            else:
                yield name, value

    # --- generated once, as they are called after every answer -------------------------------------------

    def _generated(self, make: Callable[[Names], Iterable[str]]) -> Any:
        """The function ``made`` of the source code that ``make`` gives, line by line."""
        names: Names = {}
        source = "\n".join(make(names))
        exec(compile(source, f"<schema of {self.cls.__name__}>", "exec"), names)
        return names["made"]

    def _copying(self, names: Names) -> Iterator[str]:
        names["cls"], names["new_of"] = self.cls, self.cls.__new__
        yield "def made(state):"
        yield "    new = new_of(cls)"
        for one in self.fields.values():
            yield f"    new.{one.name} = {one.codec.copied(f'state.{one.name}', names)}"
        yield "    return new"

    def _writing(self, names: Names) -> Iterator[str]:
        yield "def made(state):"
        yield "    return {"
        for one in self._written:
            yield f"        {one.key!r}: {one.codec.written(f'state.{one.name}', names)},"
        yield "    }"

    def _checking(self, names: Names) -> Iterator[str]:
        yield "def made(state):"
        yield "    found = []"
        for one in self.fields.values():
            test = one.codec.outside(f"state.{one.name}", names)
            if test:
                yield f"    if {test}:"
                yield f"        found.append('{one.name}: ' + str(state.{one.name}))"
        yield "    return found"


def _setter(state: Any, one: Declaration) -> Hear:
    return lambda spot: setattr(state, one.name, one.form.hear(spot, getattr(state, one.name)))


def _item_setter(state: Any, one: Declaration, index: int, part: Codec) -> Hear:
    values = getattr(state, one.name)
    return lambda spot: values.__setitem__(index, part.hear(spot, values[index]))


def entries_for(
    spot: LocatedValue, heard: Mapping[str, Hear], inside: str = ""
) -> Iterator[tuple[str, LocatedValue, Hear]]:
    """Each entry with its dotted key and what takes it; unknown keys are noted as problems."""
    keys = [key.removeprefix(inside) for key in heard if key.startswith(inside)]
    for key, entry in spot.entries():
        name = key.word(dict.fromkeys(known.partition(".")[0] for known in keys))
        if name is None:
            continue
        whole = inside + name
        if whole in heard:
            yield whole, entry, heard[whole]
        else:
            yield from entries_for(entry, heard, whole + ".")
