"""Random battles: nothing is lost or made, every milestone restarts, every text is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import pytest
from battle_driving import Fight, ground
from hypothesis import given
from hypothesis import strategies as st

from referee.games.war_of_the_ring.box.components import (
    CHARACTER,
    CHARACTERS,
    FIGURE,
    FREE,
    GOLLUM,
    SARUMAN,
    SEAT_OF,
    SEAT_OF_CHARACTER,
    SHADOW,
)
from referee.games.war_of_the_ring.box.editions import EDITIONS
from referee.games.war_of_the_ring.box.map import (
    ALL_REGIONS,
    NEIGHBOURS,
    PLACE,
    SEAT_OF_REGION,
    SIEGE_BOX,
    STRONGHOLDS,
    places_in,
)
from referee.games.war_of_the_ring.cards.combat_by_hand import WAYS
from referee.games.war_of_the_ring.catalogue.loading import CATALOGUE
from referee.games.war_of_the_ring.game import GAME
from referee.games.war_of_the_ring.rules import attacks, combat, marching, movement
from referee.games.war_of_the_ring.rules.casualties import (
    Casualties,
    _default,
    _limits,
    _over,
    _refuses,
    _take_off,
    endurance,
    worth,
)
from referee.games.war_of_the_ring.rules.pieces import add_figures, put_character, regulars_left, units_at
from referee.games.war_of_the_ring.rules.setup import place_figures
from referee.games.war_of_the_ring.screens.combat_view import combat_focus
from referee.games.war_of_the_ring.state.armies import GROUP, ONE, SEAT_BITS
from referee.games.war_of_the_ring.state.audit import audit
from referee.games.war_of_the_ring.state.card_data import CARD_BIT
from referee.games.war_of_the_ring.state.state import SCHEMA, State
from referee.kernel.play import MILESTONE
from referee.kernel.requests import ChooseOne, Forced, Request

LANGUAGES = ("de", "en")


def scattered(rng: Random, edition: str) -> State:
    """The armies of the start, moved about until many face each other, with characters among them."""
    state = State(edition=EDITIONS[edition], turn=3, phase=5, step="act", guide=-1)
    place_figures(state)
    state.steps = [rng.choice((0, 0, 0, 1)) for _ in range(8)]
    state.awake = 255
    for character in range(len(CHARACTERS)):
        armies = list(places_in(state.armies[SEAT_OF_CHARACTER[character]]))
        if character != GOLLUM and rng.random() < 0.6:
            put_character(state, character, PLACE["orthanc"] if character == SARUMAN else rng.choice(armies))
        else:
            put_character(state, character, -2)
    for _ in range(60):
        seat = rng.randrange(2)
        start = rng.choice(list(places_in(state.armies[seat] & ALL_REGIONS)))
        ends = [
            end
            for end in places_in(NEIGHBOURS[start] & ~state.armies[1 - seat])
            if units_at(state, end) + units_at(state, start) <= 10
        ]
        if ends:
            mine = state.figures[start] & SEAT_BITS[seat]
            chars = marching.mobile_characters(state, start, seat)
            movement.march(state, start, rng.choice(ends), mine, chars)
    for seat in (FREE, SHADOW):
        for deck in range(2):
            state.hand[seat][deck] = rng.randrange(4)
            state.deck[seat][deck] -= state.hand[seat][deck]
    state.ring = rng.randrange(105)
    if rng.random() < 0.2:
        state.table_cards["balrog_of_moria"] = {}
        state.shown[SHADOW] |= CARD_BIT["balrog_of_moria"]
        state.deck[SHADOW][0] -= 1
    assert audit(state) == []
    return state


def sieges(rng: Random, edition: str) -> State:
    """Strongholds under siege all over the map, armies of relief near some, characters inside and outside."""
    state = State(edition=EDITIONS[edition], turn=3, phase=5, step="act", guide=-1)
    state.steps, state.awake = [0] * 8, 255
    state.where = [-2] * len(CHARACTERS)

    def army(place: int, seat: int, most: int) -> None:
        for _ in range(rng.randint(1, most)):
            figure = rng.choice([f for f in range(16) if SEAT_OF[f] == seat and state.supply[f]])
            add_figures(state, place, ONE[figure])
        leader = FIGURE["nazgul"] if seat == SHADOW else FIGURE["gondor_leader"]
        if rng.random() < 0.5 and state.supply[leader]:
            add_figures(state, place, ONE[leader])

    for region in rng.sample(STRONGHOLDS, 4):
        holder = SEAT_OF_REGION[region]
        army(SIEGE_BOX[region], holder, 5)
        army(region, 1 - holder, 6)
        free = NEIGHBOURS[region] & ~(state.armies[FREE] | state.armies[SHADOW])
        if free and rng.random() < 0.5:
            army(places_in(free)[0], holder, 3)
    for character in range(len(CHARACTERS)):
        if character not in (GOLLUM, SARUMAN) and rng.random() < 0.6:
            armies = list(places_in(state.armies[SEAT_OF_CHARACTER[character]]))
            put_character(state, character, rng.choice(armies))
    for seat in (FREE, SHADOW):
        state.hand[seat], state.deck[seat] = [2, 2], [22, 22]
    assert audit(state) == []
    return state


class Battlefield:
    """Random battles on one position."""

    def __init__(self, seed: int, edition: str, make: Callable[[Random, str], State] = scattered) -> None:
        self.rng = Random(seed)
        self.state = make(self.rng, edition)

    def fight(self, number: int) -> Iterator[Request]:
        """Fight so many battles; each request is handed out before it is answered at random."""
        for _ in range(number):
            seat = self.rng.randrange(2)
            need = self.rng.choice(("", "led", "nazgul", "companion", "witch_king"))
            if not attacks.can_attack(self.state, seat, need):
                assert attacks.why_not_attack(self.state, seat, need).rule in CATALOGUE
                continue
            self.state.step = "action"
            yield from self._answer(attacks.attack_action(self.state, seat, need, "battle.army_die"))
            yield from self._answer(movement.end_of_action(self.state))
            self.state.step = "act"
            assert self.state.battle is None
            assert audit(self.state) == []

    def _answer(self, flow: Any) -> Iterator[Request]:
        value = None
        while True:
            try:
                item = flow.send(value)
            except StopIteration:
                return
            value = None
            if item is MILESTONE:
                if self.rng.random() < 0.2:  # go on from the written state
                    self.state = SCHEMA.from_json(SCHEMA.to_json(self.state))
                    flow = combat.fight(self.state)
                    assert flow.send(None) is MILESTONE
                continue
            if isinstance(item, Forced):
                value = item.answer
                continue
            assert audit(self.state) == []
            yield item
            value = item.check(item.sample(self.rng))


@pytest.mark.parametrize("edition", ["second", "first"])
@pytest.mark.parametrize("seed", range(12))
def test_random_battles_keep_every_invariant(edition: str, seed: int) -> None:
    field = Battlefield(seed, edition)
    for number, _ in enumerate(field.fight(12)):
        if number % 7 == 0:
            data = SCHEMA.to_json(field.state)
            assert SCHEMA.to_json(SCHEMA.from_json(data)) == data
            assert SCHEMA.to_json(SCHEMA.copy(field.state)) == data


def test_random_sieges_keep_every_invariant_and_show_all_their_ways() -> None:
    seen = set()
    for seed in range(40):
        field = Battlefield(seed, "second", sieges)
        for request in field.fight(10):
            battle = field.state.battle
            if battle is not None:
                seen.add(f"{request.prompt} {'siege' if battle.siege else 'sortie' if battle.sortie else ''}")
            for candidate in request.candidates():
                assert candidate.refusal is None or candidate.refusal.rule in CATALOGUE
    assert {
        "prompt.prolong_siege siege",
        "prompt.cease_or_go_on sortie",
        "prompt.stay_or_retreat sortie",
        "prompt.advance ",
    } <= seen
    assert "prompt.stay_or_retreat siege" not in seen
    assert "prompt.advance siege" not in seen and "prompt.advance sortie" not in seen


def test_every_question_has_its_texts_and_every_refusal_its_rule() -> None:
    missing = set()
    for edition in ("second", "first"):
        for seed in range(20, 26):
            field = Battlefield(seed, edition)
            for request in field.fight(8):
                missing |= _without_text(request)
                assert request.rule in CATALOGUE, request.rule
                for candidate in request.candidates():
                    if candidate.refusal is not None:
                        assert candidate.refusal.rule in CATALOGUE
                        reason = candidate.refusal.reason
                        missing |= _missing(f"reason.{reason}") if reason else set()
    assert not missing


def _missing(message: str) -> set[str]:
    return {message for language in LANGUAGES if GAME.messages.find(message, language) is None}


def _without_text(request: Request) -> set[str]:
    found = _missing(request.prompt) | _missing(request.prompt.replace("prompt.", "log."))
    if isinstance(request, ChooseOne) and request.domain in ("option", "combat_step"):
        for option in request.options:
            if _missing(f"option.{request.prompt}.{option}"):
                found |= _missing(f"option.{option}")
    return found


def test_what_is_declared_by_hand_has_names() -> None:
    assert not {text for ways in WAYS for name in ways for text in _missing(f"option.{name}")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_battle_on_screen(language: str) -> None:
    seen = set()
    for seed in range(40, 44):
        field = Battlefield(seed, "second")
        for request in field.fight(10):
            focus = combat_focus(field.state, language, GAME.messages)
            if field.state.battle is None:
                assert focus is None
                continue
            assert focus is not None
            text = str(focus)
            assert "combat.title" not in text and "terrain." not in text and "unit." not in text
            assert set(focus["sides"]) == {"free", "shadow"}
            roles = {side["role"] for side in focus["sides"].values()}
            assert roles == {"attacker", "defender"}
            for side in focus["sides"].values():
                assert side["target_why"]["rule"] in CATALOGUE
                assert side["card"] is None or side["card"]["name"] != f"card.{side['card']['id']}"
            seen.add(request.prompt)
    assert {"prompt.combat_roll", "prompt.casualties"} <= seen


def test_a_battle_that_is_over_is_shown_without_those_who_left() -> None:
    """A sortie is won; the Witch-king's draw makes the hand too large when all have left the box."""
    state = ground(
        {"minas_morgul_siege": {"sauron_regular": 3}, "minas_morgul": {"gondor_regular": 1}},
        {"witch_king": "minas_morgul_siege"},
        shadow="deadly_strife",
    )
    state.hand[SHADOW], state.deck[SHADOW] = [6, 1], [18, 23]
    place = PLACE["minas_morgul_siege"]
    figures = 2 << 6 * FIGURE["sauron_regular"]
    flow = attacks.begin(state, SHADOW, place, PLACE["minas_morgul"], figures, 1 << CHARACTER["witch_king"])
    fought = Fight(state, flow)
    fought.effects = {"free": "", "shadow": "deadly_strife"}
    fought.use_cards().go((6, 6), (1,))
    assert fought.asked == "shadow discard"
    focus = combat_focus(state, "en", GAME.messages)
    assert focus is not None and state.battle is not None and state.battle.ended
    assert [side["pieces"] for side in focus["sides"].values()] == [[], []]
    assert focus["sides"]["shadow"]["hits"] == 2
    fought.go({"character": 1})
    assert fought.asked == "over"


# --- casualties ---------------------------------------------------------------------------------


@given(
    st.dictionaries(st.integers(0, 9), st.integers(1, 5), min_size=1, max_size=5),
    st.integers(1, 30),
    st.integers(0, 1000),
    st.booleans(),
)
def test_hits_conserve_figures(counts: dict[int, int], hits: int, seed: int, used_up: bool) -> None:
    """Whatever the owner chooses, the hits taken are those scored, and no figure is lost or made."""
    state = State()
    figures = 0
    for figure, number in counts.items():
        figures += ONE[figure] * min(number, state.supply[figure])
    if not figures:
        return
    place = PLACE["lorien"]
    add_figures(state, place, figures)
    if used_up:  # no regular is in the reinforcements
        state.supply = [0 if f < 16 and not f & 1 else number for f, number in enumerate(state.supply)]
    left_over = {elite: regulars_left(state, elite) for elite in GROUP[figures].kinds if elite & 1}
    hits = min(hits, endurance(figures) - 1)
    over = _over(figures, hits, left_over)
    if not hits or hits + over >= endurance(figures):
        return
    default = _default(figures, hits, left_over)
    request = Casualties(
        "free",
        "prompt.casualties",
        _limits(figures, hits, left_over),
        default=default,
        refuses=partial(_refuses, figures, hits, left_over),
    )
    request.figures, request.hits = figures, hits
    for choice in (request.sample(Random(seed)), default):
        assert worth(choice) == hits + over
        assert request.why_not(choice) is None
        after = SCHEMA.copy(state)
        total = [a + b for a, b in zip(after.supply, after.fallen, strict=True)]
        _take_off(after, place, choice)
        left = endurance(after.figures[place])
        assert left == endurance(figures) - hits - over, "an elite that is reduced leaves a regular"
        box = [
            (after.figures[place] >> 6 * f & 63) + after.supply[f] + after.fallen[f]
            for f in range(len(total))
        ]
        start = [(figures >> 6 * f & 63) + total[f] for f in range(len(total))]
        assert box == start
