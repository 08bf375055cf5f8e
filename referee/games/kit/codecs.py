"""Sorts of things that a field of a state may hold; see :mod:`referee.games.kit.schema`.

Each sort knows how a value is copied, how JSON has it, how a position file has
it, and between what bounds it lies.  The lower-case functions at the end are
the words of a declaration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

# games take all sorts from here
from referee.games.kit.codec import Aliases, Names, Sliced, counted, is_counts, named, words_of
from referee.games.kit.codec import Codec as Codec
from referee.games.kit.codec_json import Flat as Flat
from referee.games.kit.codec_json import Json as Json
from referee.games.kit.codec_json import Memory as Memory
from referee.games.kit.codec_json import Row as Row
from referee.games.kit.codec_json import Rows as Rows
from referee.games.kit.codec_json import Several as Several
from referee.games.kit.codec_values import Bits as Bits
from referee.games.kit.codec_values import Flag as Flag
from referee.games.kit.codec_values import Index as Index
from referee.games.kit.codec_values import Mask as Mask
from referee.games.kit.codec_values import Number as Number
from referee.games.kit.codec_values import OneOf as OneOf
from referee.games.kit.codec_values import Packed as Packed
from referee.games.kit.codec_values import Plain as Plain
from referee.games.kit.codec_values import Without as Without
from referee.kernel.located import LocatedValue
from referee.kernel.messages import Text

if TYPE_CHECKING:
    from referee.games.kit.schema import Schema


@dataclass(frozen=True)
class Counts(Sliced):
    """A list of how many there are of each id; JSON leaves out those of which there is none.

    ``listed``: position files list the ids, each as often as it is there; else they have counts.
    ``known`` are the ids that they may name, all where it is not told.  ``total`` bounds the sum.
    """

    ids: Sequence[str]
    most: int | Sequence[int] = 99
    listed: bool = False
    known: Sequence[str] | None = None
    aliases: Aliases = field(default_factory=dict)
    total: int | None = None

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

    def fits(self, data: Any) -> bool:
        """Counts by id."""
        return is_counts(data, self.ids)

    def say(self, value: list[int]) -> Any:
        """The counts, or a list of the ids."""
        known = self.ids if self.known is None else self.known
        counts = {name: number for name, number in self.write(value).items() if name in known}
        return [name for name, number in counts.items() for _ in range(number)] if self.listed else counts

    def hear(self, spot: LocatedValue, now: list[int]) -> list[int]:
        """The counts of all ids."""
        found, known = self.empty(), self.ids if self.known is None else self.known
        if self.listed:
            for name in words_of(spot, known, self.aliases):
                found[self.ids.index(name)] += 1
        else:
            mosts = [self.most] * len(self.ids) if isinstance(self.most, int) else self.most
            most = [mosts[self.ids.index(name)] for name in known]
            for name, number in counted(spot, known, most, self.aliases):
                found[self.ids.index(name)] = number
        if self.total is not None and sum(found) > self.total:
            spot.wrong(Text("kit.figures_only", path=spot.path, total=self.total))
        return found

    def outside(self, value: str, names: Names) -> str:
        """Less than none of something, or too much in all."""
        return f"min({value}) < 0" + ("" if self.total is None else f" or sum({value}) > {self.total}")


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
        if len(self.inner) == 1 and not self.inner[0].is_changed:
            return self.kept_as([self.inner[0].empty()] * len(self.ids))
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

    def fits(self, data: Any) -> bool:
        """A value for each id."""
        return isinstance(data, dict) and data.keys() == set(self.ids) and self._parts_fit(data)

    def _parts_fit(self, data: Mapping[str, Any]) -> bool:
        parts = dict(self.parts())
        return all(parts[name].fits(one) for name, one in data.items())

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

    def say(self, value: Sequence[Any]) -> Any:
        """The values by id, where there is something; of flags the ids that are true."""
        if isinstance(self.inner[0], Flag):
            return [name for name, one in zip(self.ids, value, strict=True) if one]
        said = {name: part.say(one) for (name, part), one in zip(self.parts(), value, strict=True)}
        return {name: one for name, one in said.items() if one not in ([], {})}

    def hear(self, spot: LocatedValue, now: Sequence[Any]) -> Any:
        """The values by id; those that are not named stay as they are."""
        if isinstance(self.inner[0], Flag):
            said = set(words_of(spot, self.ids))
            return self.kept_as(name in said for name in self.ids)
        found, parts = list(now), dict(self.parts())
        for key, entry in spot.entries():
            name = key.word(self.ids)
            if name is not None:
                index = self.ids.index(name)
                found[index] = parts[name].hear(entry, found[index])
        return self.kept_as(found)

    def outside(self, value: str, names: Names) -> str:
        """Where a part is out of its bounds."""
        tests = [part.outside(f"{value}[{n}]", names) for n, (_, part) in enumerate(self.parts())]
        return " or ".join(filter(None, tests))


@dataclass(frozen=True)
class Sparse(Each):
    """A list with a value for each id, of which JSON has those where something is."""

    def write(self, value: Sequence[Any]) -> dict[str, Any]:
        """The values by id, where there is something."""
        inner = self.inner[0].write
        return {name: inner(one) for name, one in zip(self.ids, value, strict=True) if one}

    def say(self, value: Sequence[Any]) -> Any:
        """The values by id, where there is something."""
        inner = self.inner[0].say
        return {name: inner(one) for name, one in zip(self.ids, value, strict=True) if one}

    def read(self, data: Any) -> Any:
        """The values in the order of the ids."""
        found = list(self.empty())
        for name, one in data.items():
            found[self.ids.index(name)] = self.inner[0].read(one)
        return self.kept_as(found)

    def fits(self, data: Any) -> bool:
        """Values for some ids."""
        return isinstance(data, dict) and data.keys() <= set(self.ids) and self._parts_fit(data)

    def outside(self, value: str, names: Names) -> str:
        """Less than nothing somewhere."""
        return "" if self.inner[0].outside("", names) == "" else f"min({value}) < 0"


@dataclass(frozen=True)
class Some(Codec):
    """A tuple with a number for each id; only the ``known`` ids have any, the others have ``none``."""

    ids: Sequence[str]
    known: Sequence[str]
    most: int
    none: int = -1

    def write(self, value: tuple[int, ...]) -> dict[str, int]:
        """The numbers of the known ids."""
        return {name: number for name, number in zip(self.ids, value, strict=True) if name in self.known}

    def read(self, data: Mapping[str, int]) -> tuple[int, ...]:
        """The numbers of all ids."""
        return tuple(data.get(name, self.none) for name in self.ids)

    def fits(self, data: Any) -> bool:
        """A number for each known id."""
        return is_counts(data, self.known) and len(data) == len(self.known)

    def hear(self, spot: LocatedValue, now: tuple[int, ...]) -> tuple[int, ...]:
        """Numbers of known ids; those that are not named stay as they are."""
        told = counted(spot, self.known, [self.most] * len(self.known))
        return self.read({**self.write(now), **dict(told)})


@dataclass(frozen=True)
class Locations(Sliced):
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
        copy = f"{named(names, self.schema.copy)}({value})"
        return copy if self.always else f"(None if {value} is None else {copy})"

    def fits(self, data: Any) -> bool:
        """The part's JSON, or null where there may be none."""
        return self.schema.fits(data) or (data is None and not self.always)

    def say(self, value: Any) -> Any:
        """What differs from a new part, None where there is none."""
        return None if value is None else self.schema.say(value)

    def hear(self, spot: LocatedValue, now: Any) -> Any:
        """A new part with what the entries tell of it."""
        part = self.schema.cls()
        self.schema.hear(part, spot)
        return part


class Derived(Sliced):
    """A list that follows from other fields: kept for speed, written nowhere."""

    def empty(self) -> list[Any]:
        """Nothing yet."""
        return []


# --- the words of a declaration ----------------------------------------------------------------------

flag = Flag
index = Index
mask = Mask
counts = Counts


def number(least: int = 0, most: int = 999) -> Number:
    """A whole number in a range."""
    return Number(least, most)


def text(known: Sequence[str] | None = None) -> Plain:
    """A text, one of the ``known`` words where they are told."""
    return Plain("", known)


def listed(ids: Sequence[str], known: Sequence[str] | None = None, aliases: Aliases | None = None) -> Counts:
    """Counts that position files list one by one."""
    return Counts(ids, listed=True, known=known, aliases=aliases or {})


def each(ids: Sequence[str], *inner: Codec, kept_as: type = list) -> Each:
    """A value for each id, numbers unless ``inner`` says otherwise; see :class:`Each`."""
    return Each(ids, inner or (Number(),), kept_as)


def sparse(ids: Sequence[str], inner: Codec | None = None) -> Sparse:
    """A value for each id where something is; see :class:`Sparse`."""
    return Sparse(ids, (inner or Number(),))
