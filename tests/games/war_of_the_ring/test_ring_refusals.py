"""What the table of actions refuses of the Fellowship and of characters, and with which rule."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from ring_driving import Drive, position

from referee.games.war_of_the_ring.box.components import (
    F_CHARACTER,
    F_EVENT,
    F_MUSTER,
    F_WEST,
    FACES,
    FREE,
    GONDOR,
    SHADOW,
)
from referee.games.war_of_the_ring.rules import action_dice, characters, minions
from referee.games.war_of_the_ring.state.state import State
from referee.kernel.naming import namer


def use(state: State, seat: int, face: int) -> Drive:
    """The question which action a die with this face does; a card in hand could be played with it."""
    if not any(state.hand[seat]) and not state.table_cards:
        state.hand[seat], state.deck[seat] = [1, 1], [23, 23]
    state.unused[seat] = [0] * len(FACES)
    state.unused[seat][face] = 1
    d = Drive(state, action_dice.take_action(state, seat))
    return d.do(FACES[face]) if d.asked.endswith("choose_die") else d


@pytest.mark.parametrize(
    ("fields", "face", "action", "rule"),
    [
        ({"hidden": False}, F_CHARACTER, "move_fellowship", "fellowship.move_needs_hidden"),
        ({"progress": 12}, F_CHARACTER, "move_fellowship", "fellowship.track_end"),
        ({"hidden": False, "mordor": 1}, F_CHARACTER, "move_fellowship", "mordor.needs_hidden"),
        ({}, F_CHARACTER, "hide_fellowship", "fellowship.hide"),
        ({"hidden": False}, F_EVENT, "hide_fellowship", "fellowship.strider_guide"),
        ({"mordor": 1}, F_CHARACTER, "separate", "mordor.no_separation"),
        ({"company": ""}, F_CHARACTER, "separate", "fellowship.separate"),
        ({}, F_CHARACTER, "move_companions", "char.die_moves_all"),
        ({}, F_WEST, "enter:aragorn", "char.aragorn_enters"),
        ({}, F_CHARACTER, "enter:aragorn", "char.aragorn_enters"),
        ({}, F_WEST, "enter:gandalf_the_white", "char.gandalf_white_enters"),
        ({}, F_EVENT, "rouse:boromir", "char.rouses_nation"),
    ],
)
def test_the_free_peoples_may_not(fields: dict[str, object], face: int, action: str, rule: str) -> None:
    assert use(position(**fields), FREE, face).refused(action) == rule  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "face", "action", "rule"),
    [
        ({}, F_CHARACTER, "move_minions", "nazgul.die_moves_all"),
        ({"chars": {"saruman": "orthanc"}}, F_CHARACTER, "move_minions", "minion.saruman_stays"),
        ({}, F_MUSTER, "enter:witch_king", "minion.witch_king_enters"),
        ({}, F_MUSTER, "enter:saruman", "minion.saruman_enters"),
        ({}, F_MUSTER, "enter:mouth_of_sauron", "minion.mouth_enters"),
        ({}, F_MUSTER, "saruman_muster", "minion.voice_of_saruman"),
        ({}, F_MUSTER, "as_army_die", "minion.mouth_army_die"),
    ],
)
def test_the_shadow_may_not(fields: dict[str, object], face: int, action: str, rule: str) -> None:
    assert use(position(**fields), SHADOW, face).refused(action) == rule  # type: ignore[arg-type]


def test_strider_as_guide_hides_with_an_event_die() -> None:
    state = position(hidden=False, guide="strider")
    use(state, FREE, F_EVENT).do("hide_fellowship")
    assert state.hidden
    assert state.hunt_dice == [0, 0]


def test_gollum_is_not_moved_on_the_map() -> None:
    state = position(company="", chars={"legolas": "bree", "gimli": "erebor"})
    d = use(state, FREE, F_CHARACTER).do("move_companions")
    assert d.refused("gollum") == "char.level_zero"


def test_boromir_rouses_gondor_with_any_die_even_while_a_card_bars_muster_dice() -> None:
    state = position(company="peregrin", chars={"boromir": "minas_tirith"})
    state.table_cards["threats_and_promises"] = {}
    state.shown[SHADOW] = (1 << 48) - 1
    state.hand[SHADOW], state.deck[SHADOW] = [0, 0], [0, 0]
    steps = state.steps[GONDOR]
    use(state, FREE, F_EVENT).do("rouse:boromir")
    assert state.steps[GONDOR] == steps - 1
    assert "threats_and_promises" not in state.table_cards  # an ability advanced a nation


def test_every_refused_place_has_a_reason_in_both_languages() -> None:
    from referee.games.war_of_the_ring.game import GAME

    makers: tuple[Callable[[State], Drive], ...] = (
        lambda s: Drive(s, characters.move_companions(s)),
        lambda s: Drive(s, minions.move_minions(s)).do("barad_dur"),
    )
    for make in makers:
        state = position(
            company="peregrin",
            chars={"legolas": "bree", "mouth_of_sauron": "barad_dur", "witch_king": "umbar"},
            places={"lorien_siege": {"elves_regular": 1}, "lorien": {"sauron_regular": 1}},
        )
        for candidate in make(state).request.candidates():
            if candidate.refusal is not None and candidate.refusal.reason:
                for language in ("de", "en"):
                    key = f"reason.{candidate.refusal.reason}"
                    text = GAME.messages.text(key, language, candidate.refusal.params)
                    assert text != key and "{" not in text


def test_ways_are_named_by_what_they_pass() -> None:
    from referee.games.war_of_the_ring.game import GAME
    from referee.games.war_of_the_ring.rules.hunt import reveal

    state = position(ring="hollin", progress=9)
    request = Drive(state, reveal(state)).do("dimrill_dale").request
    assert namer(GAME, "en").name("via:moria", request.domain) == "Moria"
    assert namer(GAME, "en").name("via:none", request.domain) == "no stronghold"
    assert namer(GAME, "de").name("via:none", request.domain) == "an keiner Festung vorbei"
