"""Chapter VIII, phase 2: generals are activated and leadership tokens laid."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.games.five_armies.box.components import CHARACTER, CHARACTERS, FREE, GENERALS, SEATS
from referee.games.five_armies.box.map import OPTIONS, PLACE, PLACES
from referee.games.five_armies.rules.asking import Ask, ChooseExactly, ChooseWithDefault, refuse_all
from referee.games.five_armies.state.state import ELIMINATED, State
from referee.kernel.refusals import Refusal

MOST_GENERALS = 3


def activate_generals(state: State) -> Ask:
    """Phase 2: up to three generals in play, then as many tokens, each to a different army."""
    present = {CHARACTERS[c]: 1 for c in GENERALS if state.where[c] >= 0}
    state.generals_count = 0
    if present:
        most = min(MOST_GENERALS, len(present))
        chosen = yield ChooseWithDefault(
            "free",
            "prompt.activate_generals",
            present,
            maximum=most,
            default=dict(list(present.items())[:most]),
            domain="character",
            about={"maximum": most},
            rule="general.max_three",
            too_many=Refusal("general.max_three", "too_many", {"maximum": MOST_GENERALS}),
            refused=lambda: refuse_all(CHARACTERS, lambda c: why_not_activate(state, c)),
        )
        for name in chosen:
            state.activated |= 1 << CHARACTER[name]
        state.generals_count = len(chosen)
    yield from place_leadership(state, FREE, state.generals_count, "lead.free_count", "lead.free_spread")


def why_not_activate(state: State, character: int) -> Refusal | None:
    """Why a character cannot be activated."""
    if character not in GENERALS:
        return Refusal("general.roster", "not_a_general", {"character": CHARACTERS[character]})
    where = state.where[character]
    if where >= 0:
        return None
    reason = "eliminated" if where == ELIMINATED else "not_in_play"
    return Refusal("general.in_play_only", reason, {"character": CHARACTERS[character]})


class OneEach(ChooseExactly):
    """Places, one token each; two tokens for one army break another rule than a wrong number."""

    __slots__ = ("spread",)
    spread: str

    def why_not(self, value: Any) -> Refusal | None:
        for item, count in self._form(value).items():
            if count > 1 and item in self.limits:
                return Refusal(self.spread, "one_token_each", {"place": item})
        return super().why_not(value)


def place_leadership(state: State, seat: int, tokens: int, rule: str, spread: str) -> Ask:
    """Lay ``tokens`` leadership tokens, each to a different own army; what finds no army is not laid."""
    mask = state.armies[seat]
    tokens = min(tokens, mask.bit_count())
    if not tokens:
        return
    places: Iterable[str] = OPTIONS[mask]
    if tokens < mask.bit_count():
        request = OneEach(
            SEATS[seat],
            "prompt.place_leadership",
            dict.fromkeys(places, 1),
            minimum=tokens,
            maximum=tokens,
            domain="place",
            about={"count": tokens},
            rule=rule,
            too_few=Refusal(rule, "exactly_tokens", {"count": tokens}),
            too_many=Refusal(rule, "exactly_tokens", {"count": tokens}),
            refused=lambda: refuse_all(PLACES, lambda p: _why_not_here(state, seat, p)),
        )
        request.spread = spread
        places = yield request
    for name in places:
        state.leaders[PLACE[name]] += 1


def _why_not_here(state: State, seat: int, place: int) -> Refusal | None:
    if state.armies[seat] >> place & 1:
        return None
    return Refusal("lead.own_armies_only", "no_own_army", {"place": PLACES[place]})
