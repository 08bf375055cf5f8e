"""Chapter VIII, phase 2: generals are activated and leadership tokens laid."""

from __future__ import annotations

from referee.games.five_armies.box.components import CHARACTER, CHARACTERS, FREE, GENERALS, SEATS
from referee.games.five_armies.box.map import OPTIONS, PLACE, PLACES
from referee.games.five_armies.rules.asking import Ask, ChooseExactly, ChooseWithDefault, refuse_all
from referee.games.five_armies.state.state import ELIMINATED, State
from referee.games.kit.asking import refuse_named
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Forced

MOST_GENERALS = 3


def activate_generals(state: State) -> Ask:
    """Phase 2: up to three generals in play, then as many tokens, each to a different army."""
    present = {CHARACTERS[c]: 1 for c in GENERALS if state.where[c] >= 0}
    most = min(MOST_GENERALS, len(present))
    request = ChooseWithDefault(
        "free",
        "prompt.activate_generals",
        present,
        maximum=most,
        default=dict(list(present.items())[:most]),
        domain="character",
        about={"maximum": most},
        rule="general.max_three",
        too_many=Refusal("general.max_three", "too_many", {"maximum": MOST_GENERALS}),
        otherwise=refuse_named(present, "general.one_token_each", "general_one_token"),
        refused=lambda: refuse_all(CHARACTERS, lambda c: why_not_activate(state, c)),
    )
    chosen = yield request if present else Forced(request, {})
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


def place_leadership(state: State, seat: int, tokens: int, rule: str, spread: str) -> Ask:
    """Lay ``tokens`` leadership tokens, each to a different own army; what finds no army is not laid."""
    mask = state.armies[seat]
    tokens = min(tokens, mask.bit_count())
    everywhere = dict.fromkeys(OPTIONS[mask], 1)
    request = ChooseExactly(
        SEATS[seat],
        "prompt.place_leadership",
        everywhere,
        minimum=tokens,
        maximum=tokens,
        domain="place",
        about={"count": tokens},
        rule=rule,
        too_few=Refusal(rule, "exactly_tokens", {"count": tokens}),
        too_many=Refusal(rule, "exactly_tokens", {"count": tokens}),
        otherwise=refuse_named(everywhere, spread, "one_token_each", "place"),
        refused=lambda: refuse_all(PLACES, lambda p: why_not_here(state, seat, p)),
    )
    forced = Forced(request, everywhere if tokens else {})
    for name in (yield request if 0 < tokens < mask.bit_count() else forced):
        state.leaders[PLACE[name]] += 1


def why_not_here(state: State, seat: int, place: int) -> Refusal | None:
    """Why no leadership token is laid in a place; None where one may be."""
    if state.armies[seat] >> place & 1:
        return None
    return Refusal("lead.own_armies_only", "no_own_army", {"place": PLACES[place]})
