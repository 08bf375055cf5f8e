"""A part of the flow driven on a position set up by hand, audited after every answer."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from referee.games.war_of_the_ring.box.components import CHARACTER, GOLLUM, TILE
from referee.games.war_of_the_ring.box.editions import EDITIONS
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.catalogue.loading import CATALOGUE
from referee.games.war_of_the_ring.rules.asking import Ask
from referee.games.war_of_the_ring.rules.company import companions_in, fit_to_guide
from referee.games.war_of_the_ring.rules.pieces import add_figures, put_character
from referee.games.war_of_the_ring.rules.victory import GameEnds
from referee.games.war_of_the_ring.state.armies import pack
from referee.games.war_of_the_ring.state.audit import audit
from referee.games.war_of_the_ring.state.state import ELIMINATED, IN_FELLOWSHIP, STARTING_COMPANIONS, State
from referee.kernel.errors import IllegalAnswer
from referee.kernel.play import Milestone
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Forced, Request

ALL = tuple(STARTING_COMPANIONS)


def position(
    *,
    edition: str = "second",
    company: str = "gandalf_the_grey strider boromir legolas gimli meriadoc peregrin",
    guide: str = "",
    places: Mapping[str, Mapping[str, int]] | None = None,
    chars: Mapping[str, str] | None = None,
    captured: str = "",
    **fields: Any,
) -> State:
    """An otherwise empty board in phase 5.

    ``company`` are the companions in the Fellowship, the others are eliminated
    unless ``chars`` puts them in a place; ``fields`` are set on the state
    (``ring`` by its id).
    """
    state = State(edition=EDITIONS[edition], turn=1, phase=5, step="action")
    travelling = {CHARACTER[name] for name in company.split()}
    for character in ALL:
        put_character(state, character, IN_FELLOWSHIP if character in travelling else ELIMINATED)
    for place, counts in (places or {}).items():
        add_figures(state, PLACE[place], pack(counts))
    for name, place in (chars or {}).items():
        put_character(state, CHARACTER[name], PLACE[place])
    for place in captured.split():
        state.captured |= 1 << PLACE[place]
    for name, value in fields.items():
        setattr(state, name, PLACE[value] if name == "ring" else value)
    if not companions_in(state):
        state.guide = GOLLUM
        put_character(state, GOLLUM, IN_FELLOWSHIP)
    else:
        fit = fit_to_guide(state)
        state.guide = CHARACTER[guide] if guide else (fit & -fit).bit_length() - 1
    assert audit(state) == []
    return state


class Drive:
    """A running part of the flow; answers go through the requests' own checks."""

    def __init__(self, state: State, flow: Ask) -> None:
        self.state = state
        self.flow = flow
        self.open: Request | None = None
        self.result: Any = None
        self.ended = False
        self._run(None)

    def _run(self, value: Any) -> None:
        self.open = None
        try:
            item = self.flow.send(value)
            while isinstance(item, Milestone | Forced):
                item = self.flow.send(item.answer)
        except StopIteration as stop:
            self.result = stop.value
        except GameEnds:
            self.ended = True
        else:
            assert isinstance(item, Request)
            self.open = item
        assert audit(self.state) == []

    @property
    def request(self) -> Request:
        assert self.open is not None, "nothing is asked any more"
        return self.open

    @property
    def asked(self) -> str:
        """``seat prompt`` of what is asked, "over" where nothing is."""
        return "over" if self.open is None else f"{self.open.seat} {self.open.prompt.removeprefix('prompt.')}"

    @property
    def options(self) -> set[Any]:
        """The values allowed now."""
        return {
            candidate.value if isinstance(candidate.value, str) else next(iter(candidate.value))
            for candidate in self.request.candidates()
            if candidate.allowed
        }

    def do(self, *answers: Any) -> Drive:
        """Answer one request after the other."""
        for answer in answers:
            value = self.request.check(answer)
            self._run(value)
        return self

    def dice(self, *pips: int) -> Drive:
        """Answer a roll of the Shadow's combat dice."""
        return self.do({"combat_shadow": [str(pip) for pip in pips]})

    def refused(self, answer: Any) -> str:
        """The rule that refuses an answer now, "" where it is allowed."""
        refusal = self.request.why_not(answer)
        if refusal is None:
            return ""
        assert refusal.rule in CATALOGUE, refusal.rule
        try:
            self.request.check(answer)
        except IllegalAnswer:
            return refusal.rule
        raise AssertionError("refused, but taken")

    def play(self, rng: Random) -> Drive:
        """Answer at random to the end."""
        while self.open is not None:
            self._run(self.open.check(self.open.sample(rng)))
        return self


def where(state: State, character: str) -> int:
    """The place of a character, by its index."""
    return state.where[CHARACTER[character]]


def only_tiles(state: State, **counts: int) -> None:
    """Leave just these standard tiles in the pool; the others are out."""
    for tile, number in enumerate(state.tiles):
        state.tiles_out[tile] += number
        state.tiles[tile] = 0
    for name, number in counts.items():
        state.tiles[TILE[name]] += number
        state.tiles_out[TILE[name]] -= number


def rule(refusal: Refusal | None) -> str:
    """The rule of a refusal, "" where there is none."""
    return "" if refusal is None else refusal.rule
