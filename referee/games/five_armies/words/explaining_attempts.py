"""Attempts that the flow offers at no time, or not now, by the word they begin with (see :mod:`explaining`).

``look camp`` at a face-down token, ``keep`` a Fate card, ``end`` a phase with dice left: there is a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.games.five_armies.box.components import BEORN, CHARACTER_BITS, FREE, SHADOW
from referee.games.five_armies.box.map import PLACE
from referee.games.five_armies.state.state import State
from referee.games.kit.explaining import Found, Pairs
from referee.kernel.notation import Words
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import Request

Handler = Callable[[Play[State], Request | None, Words, Pairs], Found]


def _always(rule: str, reason: str) -> Handler:
    def refuse(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
        return Refusal(rule, reason)

    return refuse


def _end(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    return Refusal("turn.p5_end" if play.state.phase == 5 else "turn.six_phases", "not_over_yet")


def _keep(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    if request is not None and request.prompt == "prompt.fate_card":
        return Refusal("fate.card_immediate_free", "not_kept")
    return None


def _leaders(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """Leadership tokens at another time than their phase."""
    if play.state.phase != 5:
        return None
    free = play.state.active == FREE
    return Refusal("lead.free_place_now" if free else "lead.shadow_place_now", "not_this_phase")


def _bats(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    return Refusal("bats.chosen_in_phase_four", "not_this_phase") if play.state.phase == 5 else None


def _claim(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """``claim camp``: freeing a settlement without army units."""
    place = PLACE.get(words.peek(1) or "")
    if place is None:
        return None
    there = play.state.chars[place] & CHARACTER_BITS[FREE] & ~(1 << BEORN)
    return Refusal("control.characters_do_not_free" if there else "control.fp_unit_frees", "units_needed")


def _substitute(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """``for orcs`` where the figure shown is there, or where a card brings units itself."""
    if any(r.prompt == "prompt.play_card" for r, _ in pairs[-3:]):
        return Refusal("muster.direct_no_figure_no_unit", "no_substitute")
    return Refusal("muster.substitute_only_if_exhausted", "no_substitute")


def _play(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """A card without a die, or outside the action phase."""
    if play.state.phase != 5 or play.state.combat is not None:
        return Refusal("cards.event_order_use", "not_this_phase")
    if request is not None and request.prompt == "prompt.choose_die":
        return Refusal("cards.play_needs_die", "no_die")
    return None


def _draw(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """Drawing cards when nobody may."""
    state = play.state
    if state.combat is not None:
        return Refusal("combat.superiority_draw_card", "no_card_now")
    if state.phase in (1, 2):
        return Refusal("turn.p1_draw", "no_card_now")
    return None


def _draw_story(play: Play[State], request: Request | None, words: Words, pairs: Pairs) -> Found:
    """``draw_story``: from an empty deck, or from the other side's."""
    seat = play.state.active if play.state.active in (FREE, SHADOW) else FREE
    if not play.state.story_deck[seat]:
        return Refusal("cards.story_deck_empty", "empty_deck")
    return Refusal("cards.story_own_deck", "own_deck_only")


ATTEMPTS: Mapping[str, Handler] = {
    "look": _always("muster.token_face_hidden", "stays_hidden"),
    "show": _always("manoeuvre.simultaneous_hidden", "stays_hidden"),
    "onto": _always("fort.absorbs_first", "walls_first"),
    "end": _end,
    "keep": _keep,
    "leaders": _leaders,
    "bats": _bats,
    "claim": _claim,
    "for": _substitute,
    "play": _play,
    "draw_cards": _draw,
    "draw_story": _draw_story,
}
"""By the first word of the attempt."""
