"""What a game declares of its state: each field once, with the sort of thing that it holds.

A state is a dataclass with ``slots``, whose fields are set to :func:`declare`::

    @dataclass(slots=True, eq=False)
    class State:
        supply: list[int] = declare(counts(FIGURES), start=FIGURES_IN_BOX)
        captured: int = declare(mask(PLACES))
        unused: list[list[int]] = declare(each(SEATS, counts(FACES)))
        armies: list[int] = declare(derived(), start=[0, 0])

    SCHEMA = Schema(State, derive=reckon_what_is_derived)

From this follow an independent copy, JSON with readable ids and the way back;
position files, corrections and forms start from the same declaration.  The
sorts of this module are complete for what the games here need; a game may add
one of its own as a :class:`Codec`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Generic, Protocol, TypeVar

from referee.games.kit.copying import copy_json
from referee.games.kit.places import mask_of, places_in

S = TypeVar("S")
Names = dict[str, Any]
"""What generated code refers to, by name."""
DECLARED = "declared"
"""The key of a dataclass field's metadata that holds its :class:`Declaration`."""


class Codec:
    """How values of one sort are kept, copied and written as JSON.

    This one shares them between copies, and JSON has them as they stand.
    """

    def empty(self) -> Any:
        """A value where nothing is."""
        return 0

    def write(self, value: Any) -> Any:
        """The value as JSON, fresh in every part."""
        return value

    def read(self, data: Any) -> Any:
        """The value that :meth:`write` wrote.  Raises KeyError or ValueError for what is none."""
        return data

    def copied(self, value: str, names: Names) -> str:
        """The source code of an independent copy of what the source code ``value`` stands for."""
        return value

    @property
    def is_changed(self) -> bool:
        """Whether a value is changed in place, so that each state needs its own."""
        return self.copied("value", {}) != "value"

    def written(self, value: str, names: Names) -> str:
        """The source code of :meth:`write`."""
        return value if type(self).write is Codec.write else f"{named(names, self.write)}({value})"


def named(names: Names, thing: Any) -> str:
    """A name for ``thing`` that generated code may use."""
    name = f"_{len(names)}"
    names[name] = thing
    return name


# --- single values -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plain(Codec):
    """A number, text, flag or None, or what is never changed in place."""

    start: Any = 0

    def empty(self) -> Any:
        """The value where nothing is."""
        return self.start


@dataclass(frozen=True)
class Number(Codec):
    """A whole number from ``least`` to ``most``."""

    least: int = 0
    most: int = 999

    def empty(self) -> int:
        """Nought, or the least."""
        return max(0, self.least)


class Flag(Codec):
    """True or false."""

    def empty(self) -> bool:
        """False."""
        return False


@dataclass(frozen=True)
class Index(Codec):
    """One of some ids as its index.  ``others`` are values that are none: number to what JSON has for it.

    ``plain``: JSON holds the number itself.
    """

    ids: Sequence[str]
    others: Mapping[int, Any] = field(default_factory=dict)
    plain: bool = False

    def write(self, value: int) -> Any:
        """The id."""
        if self.plain:
            return value
        return self.others[value] if value in self.others else self.ids[value]

    def read(self, data: Any) -> int:
        """The index."""
        if self.plain:
            return int(data)
        back = {other: number for number, other in self.others.items()}
        return back[data] if data in back else self.ids.index(data)


@dataclass(frozen=True)
class Mask(Codec):
    """A set of ids as a bit mask; ``plain``: JSON holds the mask itself."""

    ids: Sequence[str]
    plain: bool = False

    def write(self, value: int) -> Any:
        """The ids in order."""
        return value if self.plain else [self.ids[bit] for bit in places_in(value)]

    def read(self, data: Any) -> int:
        """The mask."""
        return int(data) if self.plain else mask_of(*(self.ids.index(name) for name in data))


class Bits(Codec):
    """A bit mask that JSON has as the list of its bits."""

    def write(self, value: int) -> list[int]:
        """The numbers of the bits."""
        return list(places_in(value))

    def read(self, data: Any) -> int:
        """The mask."""
        return mask_of(*data)


@dataclass(frozen=True)
class OneOf(Codec):
    """One of the things of a table, known by its attribute ``key``."""

    table: Mapping[str, Any]
    key: str = "id"

    def write(self, value: Any) -> Any:
        """The thing's id."""
        return getattr(value, self.key)

    def read(self, data: Any) -> Any:
        """The thing."""
        return self.table[data]


@dataclass(frozen=True)
class Packed(Codec):
    """Figures packed into one integer: ``counts(value)`` gives ``{id: count}``, ``pack`` the way back."""

    counts: Callable[[int], Mapping[str, int]]
    pack: Callable[[Mapping[str, int]], int]

    def write(self, value: int) -> dict[str, int]:
        """Each figure that is there, with its count."""
        return dict(self.counts(value))

    def read(self, data: Any) -> int:
        """The packed figures."""
        return self.pack(data)


# --- several values ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counts(Codec):
    """A list of how many there are of each id; JSON leaves out those of which there is none."""

    ids: Sequence[str]

    def empty(self) -> list[int]:
        """None of each."""
        return [0] * len(self.ids)

    def write(self, value: list[int]) -> dict[str, int]:
        """The counts above nought by id."""
        return {name: number for name, number in zip(self.ids, value, strict=True) if number}

    def read(self, data: Any) -> list[int]:
        """The counts of all ids."""
        found = self.empty()
        for name, number in data.items():
            found[self.ids.index(name)] = number
        return found

    def copied(self, value: str, names: Names) -> str:
        """A slice."""
        return f"{value}[:]"


@dataclass(frozen=True)
class Each(Codec):
    """A list with a value for each id; ``inner`` says of which sort, one for all or one for each.

    ``kept_as`` is list, or tuple for what is replaced instead of changed.
    """

    ids: Sequence[str]
    inner: Sequence[Codec]
    kept_as: type = list

    def __post_init__(self) -> None:
        if len(self.inner) not in (1, len(self.ids)):
            raise ValueError(f"{len(self.inner)} sorts for {len(self.ids)} ids")

    def parts(self) -> list[tuple[str, Codec]]:
        """Each id with the sort of its value."""
        return [(name, self.inner[n % len(self.inner)]) for n, name in enumerate(self.ids)]

    def empty(self) -> Any:
        """Nothing for each id."""
        return self.kept_as(part.empty() for _, part in self.parts())

    def write(self, value: Sequence[Any]) -> dict[str, Any]:
        """The values by id."""
        return {name: part.write(one) for (name, part), one in zip(self.parts(), value, strict=True)}

    def written(self, value: str, names: Names) -> str:
        """A mapping with every part written out."""
        if type(self).write is not Each.write:
            return super().written(value, names)
        parts = (
            f"{name!r}: {part.written(f'{value}[{n}]', names)}" for n, (name, part) in enumerate(self.parts())
        )
        return f"{{{', '.join(parts)}}}"

    def read(self, data: Any) -> Any:
        """The values in the order of the ids."""
        return self.kept_as(part.read(data[name]) for name, part in self.parts())

    def copied(self, value: str, names: Names) -> str:
        """A list of copies."""
        if self.kept_as is tuple:
            return value
        inside = {part.copied("part", names) for part in self.inner}
        if inside == {"part"}:
            return f"{value}[:]"
        if len(inside) == 1:
            return f"[{inside.pop()} for part in {value}]"
        parts = (part.copied(f"{value}[{n}]", names) for n, (_, part) in enumerate(self.parts()))
        return f"[{', '.join(parts)}]"


@dataclass(frozen=True)
class Sparse(Each):
    """A list with a value for each id, of which JSON has those where something is."""

    def write(self, value: Sequence[Any]) -> dict[str, Any]:
        """The values by id, where there is something."""
        return {name: self.inner[0].write(one) for name, one in zip(self.ids, value, strict=True) if one}

    def read(self, data: Any) -> Any:
        """The values in the order of the ids."""
        found = list(self.empty())
        for name, one in data.items():
            found[self.ids.index(name)] = self.inner[0].read(one)
        return self.kept_as(found)


@dataclass(frozen=True)
class Locations(Codec):
    """Where each of some pieces is: a list of places, or of numbers of ``elsewhere``.

    ``elsewhere``: number to what JSON has for it.  ``left_out``: the number that JSON does not tell.
    """

    pieces: Sequence[str]
    places: Sequence[str]
    elsewhere: Mapping[int, Any]
    left_out: int | None = None

    def empty(self) -> list[int]:
        """All where JSON leaves them out, or at the first number of ``elsewhere``."""
        return [next(iter(self.elsewhere)) if self.left_out is None else self.left_out] * len(self.pieces)

    def write(self, value: list[int]) -> dict[str, Any]:
        """Piece to place."""
        return {
            piece: self.elsewhere[at] if at in self.elsewhere else self.places[at]
            for piece, at in zip(self.pieces, value, strict=True)
            if at != self.left_out
        }

    def read(self, data: Any) -> list[int]:
        """The places of all pieces."""
        found = self.empty()
        back = {text: number for number, text in self.elsewhere.items()}
        for piece, text in data.items():
            at = back[text] if text in back else self.places.index(text)
            found[self.pieces.index(piece)] = at
        return found

    def copied(self, value: str, names: Names) -> str:
        """A slice."""
        return f"{value}[:]"


@dataclass(frozen=True)
class Json(Codec):
    """Any JSON, copied in depth; ``make`` is its outermost sort (list or dict)."""

    make: Callable[[], Any] = dict

    def empty(self) -> Any:
        """Nothing in it."""
        return self.make()

    def write(self, value: Any) -> Any:
        """A copy."""
        return copy_json(value)

    def read(self, data: Any) -> Any:
        """A copy."""
        return copy_json(data)

    def copied(self, value: str, names: Names) -> str:
        """Empty ones, which are most, are not worth a call."""
        return f"({named(names, copy_json)}({value}) if {value} else {named(names, self.make)}())"


@dataclass(frozen=True)
class Flat(Codec):
    """A mapping from text to what is never changed in place; ``make`` reads it, and shares it if frozen."""

    make: Callable[[Mapping[str, Any]], Any] = dict

    def empty(self) -> Any:
        """Nothing in it."""
        return self.make({})

    def write(self, value: Mapping[str, Any]) -> dict[str, Any]:
        """The mapping, copied in depth."""
        found: dict[str, Any] = copy_json(dict(value))
        return found

    def read(self, data: Any) -> Any:
        """The mapping."""
        return self.make(data)

    def copied(self, value: str, names: Names) -> str:
        """A new dict, or the frozen mapping itself."""
        return f"{value}.copy()" if self.make is dict else value


@dataclass(frozen=True)
class Part(Codec):
    """A part of the state with a schema of its own; None where there is none of it, unless it is there
    ``always``."""

    schema: Schema[Any]
    always: bool = False

    def empty(self) -> Any:
        """None, or a new part."""
        return self.schema.cls() if self.always else None

    def write(self, value: Any) -> Any:
        """The part as JSON."""
        return None if value is None else self.schema.to_json(value)

    def read(self, data: Any) -> Any:
        """The part."""
        return None if data is None else self.schema.from_json(data)

    def copied(self, value: str, names: Names) -> str:
        """A copy by the part's schema."""
        return f"(None if {value} is None else {named(names, self.schema.copy)}({value}))"


class Derived(Codec):
    """A list that follows from other fields: kept for speed, written nowhere."""

    def empty(self) -> list[Any]:
        """Nothing yet."""
        return []

    def copied(self, value: str, names: Names) -> str:
        """A slice."""
        return f"{value}[:]"


# --- the words of a declaration ----------------------------------------------------------------------


def number(least: int = 0, most: int = 999) -> Codec:
    """A whole number in a range."""
    return Number(least, most)


def text() -> Codec:
    """A text."""
    return Plain("")


def flag() -> Codec:
    """True or false."""
    return Flag()


def index(ids: Sequence[str], others: Mapping[int, Any] | None = None, *, plain: bool = False) -> Codec:
    """One of some ids; see :class:`Index`."""
    return Index(ids, others or {}, plain)


def mask(ids: Sequence[str], *, plain: bool = False) -> Codec:
    """A set of ids; see :class:`Mask`."""
    return Mask(ids, plain)


def counts(ids: Sequence[str]) -> Codec:
    """How many of each id; see :class:`Counts`."""
    return Counts(ids)


def each(ids: Sequence[str], *inner: Codec, kept_as: type = list) -> Codec:
    """A value for each id, numbers unless ``inner`` says otherwise; see :class:`Each`."""
    return Each(ids, inner or (Plain(),), kept_as)


def sparse(ids: Sequence[str], inner: Codec | None = None) -> Codec:
    """A value for each id where something is; see :class:`Sparse`."""
    return Sparse(ids, (inner or Plain(),))


# --- declarations ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Declaration:
    """A field of a state: its name, its sort, and the key under which JSON has it ("": it is not written)."""

    name: str
    codec: Codec
    key: str


def declare(codec: Codec, *, start: Any = None, key: str | None = None) -> Any:
    """A dataclass field of this sort.

    ``start`` is its value in a new state (nothing, unless given; lists are
    copied), ``key`` its name in JSON where that is another.
    """
    metadata = {DECLARED: (codec, "" if isinstance(codec, Derived) else key)}
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


class Schema(Generic[S]):
    """The declaration of a state, or of a part of it, read from its dataclass.

    ``derive(state)`` sets what follows from the other fields once they are
    read.  ``joined`` are JSON keys that hold parts of several fields; those
    fields are declared with ``key=""``.  ``short``: JSON leaves out each field
    that is as in a new one.
    """

    def __init__(
        self,
        cls: type[S],
        *,
        derive: Callable[[S], None] | None = None,
        joined: Mapping[str, Writing] | None = None,
        short: bool = False,
    ) -> None:
        self.cls = cls
        self.joined = dict(joined or {})
        self.short = short
        self._derive = derive
        self.fields: dict[str, Declaration] = {}
        for one in fields(cls):  # type: ignore[arg-type]
            codec, key = one.metadata[DECLARED]
            self.fields[one.name] = Declaration(one.name, codec, one.name if key is None else key)
        self._written = [one for one in self.fields.values() if one.key]
        self.copy: Callable[[S], S] = self._generated(self._copying)
        """An independent copy of a state."""
        self._plain_json: Callable[[S], dict[str, Any]] = self._generated(self._writing)
        self._idle = self._plain_json(cls()) if short else {}

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

    # --- generated once, as they are called after every answer -------------------------------------------

    def _generated(self, make: Callable[[Names], Iterable[str]]) -> Any:
        """The function ``made`` of the source code that ``make`` gives, line by line."""
        names: Names = {}
        source = "\n".join(make(names))
        exec(compile(source, f"<schema of {self.cls.__name__}>", "exec"), names)
        return names["made"]

    def _copying(self, names: Names) -> Iterable[str]:
        names["cls"], names["new_of"] = self.cls, self.cls.__new__
        yield "def made(state):"
        yield "    new = new_of(cls)"
        for one in self.fields.values():
            yield f"    new.{one.name} = {one.codec.copied(f'state.{one.name}', names)}"
        yield "    return new"

    def _writing(self, names: Names) -> Iterable[str]:
        yield "def made(state):"
        yield "    return {"
        for one in self._written:
            yield f"        {one.key!r}: {one.codec.written(f'state.{one.name}', names)},"
        yield "    }"
