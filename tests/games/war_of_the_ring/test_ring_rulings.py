"""The questions that players asked about the Fellowship, the Hunt, Mordor, rings and characters.

Each test is named by the id of its question in ``facts/war_of_the_ring/rulings.yaml``
and plays the accepted answer through the table of actions where there is one.
"""

from __future__ import annotations

import pytest
from ring_driving import Drive, position, where

from referee.games.war_of_the_ring.box.components import (
    CHARACTER,
    F_ARMY,
    F_CHARACTER,
    F_EVENT,
    F_EYE,
    F_MUSTER,
    F_WEST,
    FACES,
    FREE,
    FREE_NATIONS,
    GOLLUM,
    GONDOR,
    ISENGARD,
    MOUTH,
    NORTH,
    ROHAN,
    SARUMAN,
    SAURON,
    SHADOW,
    TILE,
    WITCH_KING,
)
from referee.games.war_of_the_ring.box.map import PLACE
from referee.games.war_of_the_ring.rules import (
    action_dice,
    characters,
    fellowship,
    hunt,
    movement,
    separation,
    turn,
)
from referee.games.war_of_the_ring.rules.attacks import can_attack, why_not_attack, why_not_targets
from referee.games.war_of_the_ring.rules.tiles import put_special_in_play
from referee.games.war_of_the_ring.state.state import ELIMINATED, State

BOTH_EDITIONS = pytest.mark.parametrize("edition", ["first", "second"])


def with_dice(state: State, seat: int, *faces: int) -> Drive:
    """An action of a seat with just these dice, through the table of actions."""
    state.unused[seat] = [0] * len(FACES)
    for face in faces:
        state.unused[seat][face] += 1
    return Drive(state, action_dice.take_action(state, seat))


def use(state: State, seat: int, face: int) -> Drive:
    """An action of a seat with a die of this face: its symbol is chosen."""
    d = with_dice(state, seat, face)
    return d.do(FACES[face]) if d.asked.endswith("choose_die") else d


@pytest.mark.ruling("r05")
@BOTH_EDITIONS
def test_ruling_r05(edition: str) -> None:
    """A revealed Fellowship may end in a free town; only cities and strongholds are forbidden."""
    state = position(edition=edition, ring="weather_hills", progress=1)
    d = Drive(state, hunt.reveal(state))
    assert d.refused("bree") == ""
    shire = position(edition=edition, ring="buckland", progress=1)
    assert Drive(shire, hunt.reveal(shire)).refused("the_shire") == "fellowship.reveal_end"


@pytest.mark.ruling("r08")
@BOTH_EDITIONS
def test_ruling_r08(edition: str) -> None:
    """Stop: the Ring-bearers do not go on for that move."""
    state = position(edition=edition, mordor=2, company="")
    put_special_in_play(state, TILE["on_on_they_went"])
    use(state, FREE, F_CHARACTER).do("move_fellowship", "on_on_they_went", "use_ring")
    assert state.mordor == 2
    assert state.hunt_dice == [1, 0]  # it was a move all the same


@pytest.mark.ruling("r10")
@BOTH_EDITIONS
def test_ruling_r10(edition: str) -> None:
    """The die of a move goes to the Hunt Box after its Hunt and helps later ones only."""
    state = position(edition=edition, hunt_dice=[0, 1])
    d = use(state, FREE, F_CHARACTER).do("move_fellowship").dice(5)
    assert d.asked == "over"  # a 5 does not find it yet
    d = use(state, FREE, F_CHARACTER).do("move_fellowship").dice(5)
    assert d.asked == "shadow draw_tile"


@pytest.mark.ruling("r11")
def test_ruling_r11() -> None:
    """Declared at the gates, the Fellowship may enter Mordor in the same phase."""
    state = position(ring="osgiliath", progress=3)
    Drive(state, fellowship.fellowship_phase(state)).do("declare", "minas_morgul", "enter_mordor")
    assert state.mordor == 0


@pytest.mark.ruling("r15")
@BOTH_EDITIONS
def test_ruling_r15(edition: str) -> None:
    """Forbidden is a city or stronghold of the Free Peoples that they control, no other."""
    state = position(edition=edition, ring="dimrill_dale", progress=1)
    assert Drive(state, hunt.reveal(state)).refused("lorien") == "fellowship.reveal_end"
    lost = position(edition=edition, ring="dimrill_dale", progress=1, captured="lorien moria")
    d = Drive(lost, hunt.reveal(lost))
    assert d.refused("lorien") == ""  # the Shadow holds it
    assert d.refused("moria") == ""  # the Free Peoples hold it, but it is none of theirs


@pytest.mark.ruling("r16")
@BOTH_EDITIONS
def test_ruling_r16(edition: str) -> None:
    """Merry and Pippin may both separate because of one tile; they move as a group."""
    state = position(edition=edition, company="meriadoc peregrin", guide="meriadoc", progress=1)
    d = Drive(state, hunt.draw_tile(state, source="hunt")).do("two", "separate_guide", "separate_guide")
    assert d.asked == "free separated_move"
    d.do("trollshaws")
    assert where(state, "meriadoc") == where(state, "peregrin") != PLACE["rivendell"]
    assert state.corruption == 0


@pytest.mark.ruling("r24")
@BOTH_EDITIONS
def test_ruling_r24(edition: str) -> None:
    """Separated, a companion goes as far as progress and level; a group by its highest level."""
    state = position(edition=edition, progress=2, company="gimli meriadoc peregrin")
    d = use(state, FREE, F_CHARACTER).do("separate", {"gimli": 1, "meriadoc": 1})
    assert d.request.about["level"] == 4
    far = position(edition=edition, progress=2, company="gimli meriadoc peregrin")
    d = Drive(far, separation.separate(far)).do({"meriadoc": 1})
    assert d.request.about["level"] == 3


@pytest.mark.ruling("r25")
@BOTH_EDITIONS
def test_ruling_r25(edition: str) -> None:
    """The highest remaining companion guides next, or Gollum."""
    state = position(edition=edition, company="strider gimli peregrin")
    Drive(state, separation.separate(state)).do({"strider": 1}, "rivendell")
    assert state.guide == CHARACTER["gimli"]
    Drive(state, separation.separate(state)).do({"gimli": 1, "peregrin": 1}, "rivendell")
    assert state.guide == GOLLUM


@pytest.mark.ruling("r26")
@BOTH_EDITIONS
def test_ruling_r26(edition: str) -> None:
    """The Hunt level counts the Shadow's dice only."""
    state = position(edition=edition, hunt_dice=[3, 2])
    d = Drive(state, fellowship.move_fellowship(state))
    assert d.request.about["level"] == 2
    d.dice(1, 1)


@pytest.mark.ruling("r27")
@BOTH_EDITIONS
def test_ruling_r27(edition: str) -> None:
    """A minion's die counts from the start of the next turn, and so does its loss."""
    state = position(edition=edition, places={"orthanc": {"isengard_regular": 1}})
    state.steps[ISENGARD] = 0
    state.pool[SHADOW] = 7
    use(state, SHADOW, F_MUSTER).do("enter:saruman")
    assert state.pool[SHADOW] == 7
    state.phase, state.deck = 1, [[0, 0], [0, 0]]
    state.unseen_discards = [[24, 24], [24, 24]]
    Drive(state, turn.recovery(state))
    assert state.pool[SHADOW] == 8
    state.chars[state.where[SARUMAN]] &= ~(1 << SARUMAN)
    state.where[SARUMAN] = ELIMINATED
    assert state.pool[SHADOW] == 8
    Drive(state, turn.recovery(state))
    assert state.pool[SHADOW] == 7


@pytest.mark.ruling("r29")
@BOTH_EDITIONS
def test_ruling_r29(edition: str) -> None:
    """Gandalf the White does not come before a minion is or was in play."""
    state = position(edition=edition, company="peregrin")
    d = use(state, FREE, F_WEST)
    assert d.refused("enter:gandalf_the_white") == "char.gandalf_white_enters"
    state = position(edition=edition, company="peregrin")
    state.where[MOUTH] = ELIMINATED
    assert characters.can_enter(state, CHARACTER["gandalf_the_white"])


@pytest.mark.ruling("r30")
def test_ruling_r30() -> None:
    """One declaration a turn; after it the guide may change or Mordor be entered."""
    state = position(ring="osgiliath", progress=3, corruption=4)
    d = Drive(state, fellowship.fellowship_phase(state)).do("declare", "minas_morgul")
    assert d.refused("declare") == "fellowship.declare_once"
    d.do("no")
    assert d.asked == "free choose_guide"
    haven = position(corruption=4)
    d = Drive(haven, fellowship.fellowship_phase(haven)).do("declare")
    assert d.asked == "free choose_guide"
    assert haven.corruption == 3


@pytest.mark.ruling("r33")
@BOTH_EDITIONS
def test_ruling_r33(edition: str) -> None:
    """Declaring in an unconquered city or stronghold activates its nation and does not advance it."""
    state = position(edition=edition, ring="osgiliath", progress=1)
    steps = state.steps[GONDOR]
    Drive(state, fellowship.fellowship_phase(state)).do("declare", "minas_tirith")
    assert state.awake >> GONDOR & 1
    assert state.steps[GONDOR] == steps
    lost = position(edition=edition, ring="osgiliath", progress=1, captured="minas_tirith")
    Drive(lost, fellowship.fellowship_phase(lost)).do("declare", "minas_tirith")
    assert not lost.awake >> GONDOR & 1


@pytest.mark.ruling("r34")
@BOTH_EDITIONS
def test_ruling_r34(edition: str) -> None:
    """One casualty a tile, the rest is corruption; hobbits may still help as guides."""
    state = position(edition=edition, company="boromir meriadoc peregrin")
    d = Drive(state, hunt.draw_tile(state, source="hunt", eye=5)).do("three", "lose_guide")
    if d.asked == "free choose_guide":
        d.do("meriadoc")
    assert d.refused("lose_guide") == d.refused("lose_random") == "hunt.one_casualty"
    assert d.options == {"separate_guide", "use_ring"}


@pytest.mark.ruling("r35")
@BOTH_EDITIONS
@pytest.mark.parametrize(("tile", "corruption"), [("three", 1), ("one", 0)])
def test_ruling_r35(edition: str, tile: str, corruption: int) -> None:
    """Excess damage is corruption; a companion of a higher level is lost all the same."""
    state = position(edition=edition, company="boromir")
    d = Drive(state, hunt.draw_tile(state, source="hunt")).do(tile, "lose_guide")
    if d.open is not None:
        d.do("use_ring")
    assert where(state, "boromir") == ELIMINATED
    assert state.corruption == corruption


@pytest.mark.ruling("r38")
@BOTH_EDITIONS
def test_ruling_r38(edition: str) -> None:
    """In Mordor an Eye counts five dice as five, the paying die not; earlier ones yes, without a limit."""
    state = position(edition=edition, mordor=1, company="", hunt_dice=[0, 5])
    d = use(state, FREE, F_CHARACTER).do("move_fellowship", "eye_reveal")
    assert (d.asked, state.corruption) == ("over", 5)
    assert state.hunt_dice == [1, 5]
    later = position(edition=edition, mordor=1, company="", hunt_dice=[1, 6], corruption=1)
    use(later, FREE, F_CHARACTER).do("move_fellowship", "eye_reveal")
    assert later.corruption == 8


@pytest.mark.ruling("r40")
@BOTH_EDITIONS
def test_ruling_r40(edition: str) -> None:
    """A separation by card on the Mordor track removes the chosen companions."""
    state = position(edition=edition, mordor=0, company="gandalf_the_grey gimli legolas")
    Drive(state, separation.separate(state, bonus=1)).do({"gimli": 1, "legolas": 1})
    assert where(state, "gimli") == where(state, "legolas") == ELIMINATED


@pytest.mark.ruling("r51")
@BOTH_EDITIONS
def test_ruling_r51(edition: str) -> None:
    """A Nazgul may join an army that besieges a stronghold of the Free Peoples."""
    state = position(
        edition=edition,
        places={
            "barad_dur": {"nazgul": 1},
            "lorien_siege": {"elves_regular": 1},
            "lorien": {"sauron_regular": 2},
        },
    )
    d = use(state, SHADOW, F_CHARACTER).do("move_minions", "barad_dur")
    assert d.refused("rivendell") == "minion.no_free_stronghold"
    d.do("lorien")
    assert state.figures[PLACE["lorien"]] != 0


@pytest.mark.ruling("r63")
@BOTH_EDITIONS
@pytest.mark.parametrize(("companion", "wakes"), [("strider", True), ("legolas", False)])
def test_ruling_r63(edition: str, companion: str, wakes: bool) -> None:
    """A companion who marches with an army into a city ends his move there and wakes its nation."""
    state = position(
        edition=edition, company="peregrin", chars={companion: "bree"}, places={"bree": {"north_regular": 1}}
    )
    d = use(state, FREE, F_CHARACTER).do("led_move", "buckland", {"north_regular": 1, companion: 1})
    assert not state.awake >> NORTH & 1
    d = use(state, FREE, F_CHARACTER).do("led_move", "the_shire", {"north_regular": 1, companion: 1})
    assert d.asked == "over"
    assert bool(state.awake >> NORTH & 1) is wakes
    rohan = position(edition=edition, company="peregrin", chars={"aragorn": "edoras"})
    movement.march(rohan, PLACE["edoras"], PLACE["helms_deep"], 0, 1 << CHARACTER["aragorn"])
    assert rohan.awake >> ROHAN & 1  # Aragorn wakes any nation


@pytest.mark.ruling("r66")
@BOTH_EDITIONS
def test_ruling_r66(edition: str) -> None:
    """No ring turns a die into the Will of the West or an Eye into something; the Shadow may make an Eye."""
    state = position(edition=edition)
    d = with_dice(state, FREE, F_MUSTER, F_EVENT).do("ring", "muster")
    assert d.refused("will_of_the_west") == "ring.not_to_will_of_the_west"
    d.do("character")
    assert state.rings == [2, 1]
    d = with_dice(state, SHADOW, F_ARMY, F_EVENT).do("ring")
    assert d.refused("lidless_eye") == "ring.not_from_eye"
    d.do("army", "lidless_eye")
    assert state.hunt_dice[SHADOW] == 1
    assert state.unused[SHADOW][F_EVENT] + state.used[SHADOW][F_EVENT] == 1  # an action is still to come
    assert state.unused[SHADOW][F_EYE] == 0


@pytest.mark.ruling("r67")
@BOTH_EDITIONS
def test_ruling_r67(edition: str) -> None:
    """A revealed Fellowship is never attacked."""
    state = position(
        edition=edition,
        ring="hollin",
        hidden=False,
        places={"moria": {"sauron_regular": 3, "nazgul": 1}, "tharbad": {"isengard_regular": 2}},
    )
    state.steps[SAURON] = state.steps[ISENGARD] = 0
    assert can_attack(state, SHADOW, "") == 0
    assert why_not_attack(state, SHADOW).rule.startswith("battle.")
    other = position(
        edition=edition,
        ring="hollin",
        hidden=False,
        places={
            "moria": {"sauron_regular": 3},
            "dimrill_dale": {"elves_regular": 1},
            "parth_celebrant": {"elves_regular": 1},
        },
    )
    assert [
        place
        for place, refusal in why_not_targets(other, SHADOW, PLACE["moria"], 0)
        if refusal.rule == "battle.not_the_fellowship"
    ] == ["hollin"]


@pytest.mark.ruling("r68")
def test_ruling_r68() -> None:
    """First edition: the Witch-king needs Sauron At War only and wakes all Free Peoples."""
    state = position(edition="first", places={"gorgoroth": {"sauron_regular": 1}})
    state.steps[SAURON] = 0
    use(state, SHADOW, F_MUSTER).do("enter:witch_king")
    assert state.where[WITCH_KING] == PLACE["gorgoroth"]
    assert all(state.awake >> nation & 1 for nation in FREE_NATIONS)
    second = position(places={"gorgoroth": {"sauron_regular": 1}})
    second.steps[SAURON] = 0
    assert use(second, SHADOW, F_MUSTER).refused("enter:witch_king") == "minion.witch_king_enters"
    assert state.edition.witch_king_any_deck and not second.edition.witch_king_any_deck


@pytest.mark.ruling("r69")
@BOTH_EDITIONS
def test_ruling_r69(edition: str) -> None:
    """Saruman comes to Orthanc, the Mouth for Mordor or total war; a Muster die a turn serves as Army die."""
    state = position(edition=edition, mordor=0, places={"morannon": {"sauron_regular": 2}})
    state.steps[ISENGARD] = state.steps[SAURON] = 0
    use(state, SHADOW, F_MUSTER).do("enter:saruman")
    assert state.where[SARUMAN] == PLACE["orthanc"]
    use(state, SHADOW, F_MUSTER).do("enter:mouth_of_sauron", "moria")
    assert state.where[MOUTH] == PLACE["moria"]
    d = use(state, SHADOW, F_MUSTER).do("as_army_die")
    assert "move_armies" in d.options
    d.do("skip")
    assert use(state, SHADOW, F_MUSTER).refused("as_army_die") == "minion.mouth_army_die"


@pytest.mark.ruling("r70")
@BOTH_EDITIONS
def test_ruling_r70(edition: str) -> None:
    """A companion in a region with a friendly army belongs to it: he falls with it."""
    state = position(
        edition=edition,
        company="peregrin",
        chars={"gimli": "dimrill_dale"},
        places={"moria": {"sauron_regular": 5}, "dimrill_dale": {"elves_regular": 1}},
    )
    state.steps[SAURON] = 0
    d = use(state, SHADOW, F_ARMY).do("attack")
    while d.open is not None and d.state.where[CHARACTER["gimli"]] >= 0:
        if d.request.kind == "roll_dice":
            d.do({die: ["6" if "shadow" in die else "1"] * n for die, n in d.request.dice.items() if n})
        else:
            d.do(d.request.candidates()[0].value if d.request.kind != "choose_some" else d.request.default)
    assert where(state, "gimli") == ELIMINATED


@pytest.mark.ruling("r71")
@pytest.mark.parametrize(
    ("edition", "deck", "draws"),
    [("second", 1, True), ("second", 0, True), ("first", 0, True), ("first", 1, False)],
)
def test_ruling_r71(edition: str, deck: int, draws: bool) -> None:
    """Gandalf's draw as guide works with an Event result, the Will of the West used as one included."""
    state = position(edition=edition)
    state.hand[FREE], state.deck[FREE] = [1, 1], [23, 23]
    d = Drive(state, characters.guide_draws(state, deck))
    assert (d.asked == "free guide_draws") is draws
