"""Surfaces beside the board: ancestries, the wheel, the display, gate cards, won champions, the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from referee.games.kit.places import places_in
from referee.games.kit.sheets import cards, cell, grid, ring
from referee.games.kit.view import Text
from referee.games.mountain_king.box import symbols
from referee.games.mountain_king.box.box import BREACH
from referee.games.mountain_king.box.components import CHAMPION, CHAMPIONS, CLANS, OUTSIDER, PLACES, SEATS
from referee.games.mountain_king.rules.ancestry import cell_id
from referee.games.mountain_king.rules.invasion import Invasion, candidates, decides
from referee.games.mountain_king.screens.figures import symbol_sign
from referee.games.mountain_king.state import grid as cells
from referee.games.mountain_king.state.state import ANCESTRY, FRAY, NOBODY, SETUP, State
from referee.kernel.lights import Meaning

WAYS_SHOWN = 6
"""Caverns that are shown of those that a gnome reaches, the easiest first."""
LEDGER_ROWS = 24
"""Entries of the ledger that are shown, the newest."""


def surfaces(state: State, seat: str | None, text: Text) -> list[dict[str, Any]]:
    """All sheets; a seat's own ancestry comes first."""
    own = SEATS.index(seat) if seat in SEATS else -1
    seats = sorted(places_in(state.seats), key=lambda one: one != own)
    found = []
    if state.phase != SETUP:
        found += [_ancestry(state, one, text) for one in seats]
    found += [_wheel(state, text), _display(state, text)]
    if state.gate_row:
        found.append(_gates(state, text))
    if any(state.won):
        found.append(_won(state, seats, text))
    if state.swarm >= 0 and state.phase != SETUP and state.winner < 0:
        found.append(_next_way(state, text))
    if state.ways:
        found.append(_ways(state, text))
    if state.ledger:
        found.append(_ledger(state, text))
    return found


def _ancestry(state: State, seat: int, text: Text) -> dict[str, Any]:
    drafting = state.phase == ANCESTRY and not state.step
    drawn = _drawn(state.grids[seat], state.covered[seat], seat, drafting, text)
    title = text("sheet.ancestry", seat=text(f"seat.{SEATS[seat]}"))
    return grid(f"ancestry_{SEATS[seat]}", title, drawn[1], drawn[0], SEATS[seat])


@lru_cache(maxsize=64)
def _drawn(
    shown: bytes, covered: int, seat: int, drafting: bool, text: Text
) -> tuple[int, tuple[dict[str, Any], ...]]:
    """The columns and cells of an ancestry; all screens of a language show the same ones."""
    laid = cells.cells_of(shown).cards & cells.WINDOW
    top, bottom, left, right = cells.window(laid) if drafting else cells.edges(laid)
    at = [cells.STRIDE * row + column for row in range(top, bottom + 1) for column in range(left, right + 1)]
    at += [one for one in range(cells.SIZE, cells.LENGTH) if shown[one]]
    return right - left + 1, tuple(_symbol(shown[one], covered >> one & 1, seat, one, text) for one in at)


def _symbol(shown: int, covered: int, seat: int, at: int, text: Text) -> dict[str, Any]:
    word, sign = "", ("", "")
    if shown:
        sign = symbol_sign(symbols.word(shown))
        letter = symbols.word(shown)
        word = text("symbol.blank") if letter == "." else text(f"symbol.{letter[0]}") + letter[1:]
    marks = [{"id": "cube", "name": text("cell.covered"), "count": 1, "seat": SEATS[seat]}] if covered else []
    return cell(cell_id(seat, at), cells.cell_name(at), text=word, sign=sign, seat=SEATS[seat], markers=marks)


def _wheel(state: State, text: Text) -> dict[str, Any]:
    found = []
    for space, effect in enumerate(state.box.effects):
        triggers = state.box.triggers.get(space, ())
        way = "effect" if not triggers else "breach" if BREACH in triggers else "boost"
        here = space == state.pawn
        marks = [{"id": "pawn", "name": text("cell.pawn"), "count": 1, "seat": None}] if here else []
        found.append(
            cell(
                f"wheel_{space}",
                text("cell.wheel", number=space + 1),
                text=text(f"cell.wheel_{way}", effect=text(f"effect.{effect}")),
                light=Meaning.TURN if here else None,
                markers=marks,
            )
        )
    return ring("wheel", text("sheet.wheel"), found)


def _display(state: State, text: Text) -> dict[str, Any]:
    found = []
    for champion, track in zip(state.display, state.influence, strict=True):
        told = (
            text("cell.influence", seat=text(f"seat.{SEATS[seat]}"), count=value) for seat, value in track
        )
        found.append(_card(state, champion, text, told))
    return cards("display", text("sheet.display"), found)


def _won(state: State, seats: list[int], text: Text) -> dict[str, Any]:
    """The champions that seats have won, each under its owner."""
    found = []
    for seat in seats:
        for champion in state.won[seat]:
            claws = state.box.champions[champion].claws
            told = [text(f"seat.{SEATS[seat]}")]
            told += [text("cell.claws", count=state.claws[champion], most=claws)] if claws else []
            found.append({**_card(state, champion, text, iter(told)), "seat": SEATS[seat]})
    return cards("champions", text("sheet.won"), found)


def _card(state: State, champion: int, text: Text, more: Iterator[str]) -> dict[str, Any]:
    card = state.box.champions[champion]
    clan = text("cell.outsider") if card.clan == OUTSIDER else text(f"clan.{CLANS[card.clan]}")
    says = [text("cell.champion", clan=clan, votes=card.votes), *more]
    if card.power:
        says.insert(1, text(f"power.{card.power}", count=card.amount))
    name = text("champion.number", number=champion + 1)
    return cell(CHAMPIONS[champion], name, text=" · ".join(says))


def _gates(state: State, text: Text) -> dict[str, Any]:
    found = []
    for at, (clan, looks) in enumerate(zip(state.gate_row, state.gate_looks, strict=True)):
        says = [text("cell.gate_hidden") if clan < 0 else text(f"clan.{CLANS[clan]}")]
        says += [text("cell.looked", seat=text(f"seat.{SEATS[seat]}")) for seat in places_in(looks)]
        found.append(cell(f"gate_{at + 1}", text("gate_card.number", number=at + 1), text=" · ".join(says)))
    return cards("gates", text("sheet.gates"), found)


def _next_way(state: State, text: Text) -> dict[str, Any]:
    """Where the next gnome from the swarm point would go as things stand, and why not elsewhere."""
    breaches = state.active if state.phase == FRAY else NOBODY
    reached = candidates(state, state.swarm)
    easy = min(reached.values(), default=None)
    equal = sum(worth == easy for worth in reached.values())
    seat = text(f"seat.{SEATS[decides(state, Invasion(state.swarm, breaches))]}")
    found = []
    for place, worth in sorted(reached.items(), key=lambda one: (one[1], one[0]))[: max(equal, WAYS_SHOWN)]:
        says = [text("cell.way", trolls=worth[0], passed=worth[1])]
        if worth == easy:
            one_of = text("cell.way_one_of", seat=seat, count=equal)
            says.append(one_of if equal > 1 else text("cell.way_here"))
        name = PLACES[place]
        found.append(cell(f"next_{name}", text(f"place.{name}"), text=" · ".join(says)))
    title = text("sheet.next_way", clan=text(f"clan.{CLANS[state.swarm]}"))
    return cards("next_way", title, found)


def _ways(state: State, text: Text) -> dict[str, Any]:
    """Why each gnome of the last invasion went where it went."""
    found = []
    for at, (place, trolls, passed, equal, seat) in enumerate(state.ways):
        says = [text("cell.way", trolls=trolls, passed=passed)]
        if seat >= 0:
            says.append(text("cell.way_chosen", seat=text(f"seat.{SEATS[seat]}"), count=equal))
        title = text("cell.way_to", number=at + 1, place=text(f"place.{PLACES[place]}"))
        found.append(cell(f"way_{at}", title, text=" · ".join(says)))
    return cards("ways", text("sheet.ways"), found)


def _ledger(state: State, text: Text) -> dict[str, Any]:
    """The newest entries, each with its rule and the honour before and after."""
    found = []
    totals = [0] * len(SEATS)
    for at, (wave, rule, what, seat, number) in enumerate(state.ledger):
        before, totals[seat] = totals[seat], totals[seat] + number
        title = text("cell.ledger", wave=wave, seat=text(f"seat.{SEATS[seat]}"), count=f"{number:+d}")
        says = text(
            "cell.ledger_entry",
            rule=text(f"ledger.{rule}"),
            what=_what(what, text),
            before=before,
            after=totals[seat],
        )
        found.append(cell(f"ledger_{at}", title, text=says, seat=SEATS[seat]))
    return cards("ledger", text("sheet.ledger"), found[-LEDGER_ROWS:])


def _what(what: str, text: Text) -> str:
    """What an entry was for: a place, a hall, a clan, a champion, or nothing in particular."""
    if not what:
        return "–"
    if what in CHAMPION:
        return text("champion.number", number=CHAMPION[what] + 1)
    if what.startswith("hall_"):
        return text("place.hall", number=int(what.removeprefix("hall_")))
    return text(f"clan.{what}" if what in CLANS else f"place.{what}")
