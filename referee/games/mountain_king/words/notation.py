"""The notation of moves: how the answers to each question of this game are written.

``docs/notation.md`` describes notations for players; the styles lie in ``notation.yaml``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from referee.games.kit.tables import read_table, styles_of
from referee.games.mountain_king.box.components import CHAMPIONS, CLANS, HALLS, KINDS, PLACES, SEATS
from referee.games.mountain_king.box.symbols import PRINTED
from referee.games.mountain_king.rules.ancestry import cell_at
from referee.games.mountain_king.rules.asking import NUMBERS
from referee.games.mountain_king.rules.pieces import AT, TROLLS
from referee.games.mountain_king.state.grid import cell_name
from referee.kernel.notation import PLAIN, Notation, Style
from referee.kernel.requests import ChooseOne, ChooseSome, Request

TABLE = read_table(Path(__file__).with_name("notation.yaml"))
ACTION_WORDS: Mapping[str, str] = TABLE["actions"]
CELLS = ("prompt.lay_card", "prompt.wild_pairs", "prompt.weak_symbol", "prompt.group")
UNITS = ("prompt.advance_units", "prompt.bolster_move", "prompt.which_falls")
VOCABULARY: Mapping[str, tuple[str, ...]] = {
    "place": PLACES,
    "clan": CLANS,
    "champion": CHAMPIONS,
    "seat": SEATS,
    "number": NUMBERS,
    "hall": HALLS,
    "kind": KINDS,
    "symbol": PRINTED,
    "action": (*ACTION_WORDS, "stop"),
}


def _ids(request: Request) -> list[str]:
    """Everything that a request may be answered with, refused answers too."""
    found = [str(one) for one in (request.options if isinstance(request, ChooseOne) else ())]
    if isinstance(request, ChooseSome):
        found += request.limits
    if isinstance(request, ChooseOne | ChooseSome) and request.refused is not None:
        found += [str(value) for value, _ in request.refused()]
    return found


def cell_words(request: Request) -> Mapping[str, str]:
    """Cells of ancestries by column and row."""
    return {name: cell_name(cell_at(name)) for name in _ids(request)}


def unit_words(request: Request) -> Mapping[str, str]:
    """Trolls by the place that they stand in."""
    return {name: name.removeprefix(TROLLS + AT) for name in _ids(request) if name.startswith(TROLLS + AT)}


def _styles() -> dict[str, Style]:
    styles = styles_of(TABLE["styles"])
    for prompt in CELLS:
        styles[prompt] = replace(styles.get(prompt, PLAIN), words=cell_words)
    for prompt in UNITS:
        styles[prompt] = replace(styles.get(prompt, PLAIN), words=unit_words)
    for prompt in ("prompt.action", "prompt.second_action"):
        styles[prompt] = replace(styles[prompt], words=ACTION_WORDS)
    return styles


NOTATION = Notation(_styles(), TABLE["aliases"], VOCABULARY)
