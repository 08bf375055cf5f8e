"""Cards whose effect nobody has described, resolved by hand with the same primitives.

Every card of the first edition is one, as their texts are not known, and so is
a card of another printing.  The player declares a step, the referee checks it,
the opponent agrees, then it is carried out under the ordinary rules.  An attack
comes last: the battle ends the action.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from referee.games.kit import by_hand as common
from referee.games.kit.by_hand import Declaration, Declared, Simple, at_once
from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.map import ALL_REGIONS, OPTIONS, PLACES, places_in
from referee.games.war_of_the_ring.cards.effects import Running, open_to_recruits
from referee.games.war_of_the_ring.cards.effects_recruit import home_of
from referee.games.war_of_the_ring.cards.primitives import PRIMITIVES
from referee.games.war_of_the_ring.rules import politics
from referee.games.war_of_the_ring.rules.asking import Ask, ChooseWithDefault
from referee.games.war_of_the_ring.rules.casualties import army_gone
from referee.games.war_of_the_ring.rules.movement import unpack
from referee.games.war_of_the_ring.rules.pieces import add_figures, put_character, remove_figures, settle
from referee.games.war_of_the_ring.rules.walking import arrive
from referee.games.war_of_the_ring.state.armies import GROUP, ONE
from referee.games.war_of_the_ring.state.state import IN_FELLOWSHIP, State
from referee.kernel.refusals import Refusal

RULE = "cards.rules_still_apply"


class Hand(common.Hand[State]):
    """Who resolves what by hand."""

    SEATS, PLACES, OPTIONS, RULE = box.SEATS, PLACES, OPTIONS, RULE
    SIMPLE: ClassVar[Mapping[str, Simple]] = {
        "attack": Simple("march_or_attack", {"armies": 0}),
        "hunt_tile": Simple("hunt_tile"),
        "corrupt": Simple("corrupt", argument="points", prompt="prompt.by_hand_points", most=3),
        "separate": Simple("separate", argument="bonus", prompt="prompt.by_hand_regions", least=0, most=3),
        "move_companions": Simple("move_companions"),
        "move_nazgul": Simple("move_nazgul"),
    }

    def running(self) -> Running:
        """The card as the primitives want it."""
        return Running(self.seat, self.what, -1)

    def primitive(self, name: str, **step: Any) -> Declared:
        """A step that is one primitive of the cards."""
        return Declared(step, lambda: PRIMITIVES[name](self.state, self.running(), step))

    # --- steps on the board --------------------------------------------------------------------------

    def move_armies(self) -> Declaration:
        """Own armies move."""
        armies = yield from self.number("prompt.by_hand_armies", 1, 4)
        steps = yield from self.number("prompt.by_hand_regions", 1, 3)
        return self.primitive("march", armies=armies, steps=steps)

    def attack_dice(self) -> Declaration:
        """Dice against an enemy army."""
        place = yield from self.place(self.state.armies[1 - self.seat], Refusal(RULE, "no_enemy_army"))
        dice = yield from self.number("prompt.by_hand_dice", 1, 5)
        target = yield from self.number("prompt.by_hand_target", 2, 6)
        about = {"place": PLACES[place], "dice": dice, "target": target}
        step = {"dice": dice, "success": target, "where": PLACES[place]}
        return Declared(about, lambda: PRIMITIVES["hits"](self.state, self.running(), step))

    def place_figures(self) -> Declaration:
        """Figures come from the reinforcements."""
        state, seat = self.state, self.seat
        open_places = open_to_recruits(state, seat)
        names = tuple(
            box.FIGURES[f]
            for f in range(len(box.FIGURES))
            if box.SEAT_OF[f] == seat and state.supply[f] and _room(state, seat, f, open_places)
        )
        if not names:
            return None
        figure = box.FIGURE[(yield from self.option("prompt.by_hand_figure", names, "unit"))]
        number = yield from self.number("prompt.by_hand_figures", 1, min(5, state.supply[figure]))
        region = yield from self.place(_room(state, seat, figure, open_places), Refusal(RULE, "enemy_there"))

        about = {"place": PLACES[region], "figure": box.FIGURES[figure], "count": number}
        return at_once(about, lambda: add_figures(state, home_of(state, seat, region), ONE[figure] * number))

    def remove_units(self) -> Declaration:
        """Units of one army are removed; their owner chooses which."""
        state = self.state
        place = yield from self.place(state.armies[0] | state.armies[1], Refusal(RULE, "no_army_there"))
        group = GROUP[state.figures[place]]
        number = yield from self.number("prompt.by_hand_figures", 1, group.units)

        def apply() -> Ask:
            limits = {name: n for name, n in group.counts.items() if box.FIGURE[name] < box.UNIT_COUNT}
            chosen = yield ChooseWithDefault(
                box.SEATS[group.seat],
                "prompt.by_hand_remove",
                limits,
                minimum=number,
                maximum=number,
                default=_first(limits, number),
                about={"place": PLACES[place], "count": number, "card": self.what},
                rule=RULE,
            )
            remove_figures(state, place, unpack(chosen)[0])
            if not state.armies[group.seat] >> place & 1:
                army_gone(state, place, group.seat, with_characters=False)
            settle(state, place)

        return Declared({"place": PLACES[place], "count": number}, apply)

    def move_character(self) -> Declaration:
        """An own character on the map goes to a region."""
        state = self.state
        own = box.CHARACTERS_OF_SEAT[self.seat]
        names = tuple(box.CHARACTERS[c] for c in places_in(own) if state.where[c] >= 0)
        name = yield from self.option("prompt.by_hand_character", names, "character")
        place = yield from self.place(
            ALL_REGIONS & ~(1 << state.where[box.CHARACTER[name]]), Refusal(RULE, "here_already")
        )

        about = {"character": name, "place": PLACES[place]}
        if self.seat == box.FREE:
            return at_once(about, lambda: arrive(state, 1 << box.CHARACTER[name], place))
        return at_once(about, lambda: put_character(state, box.CHARACTER[name], place))

    # --- steps beside it -------------------------------------------------------------------------------

    def advance_nation(self) -> Declaration:
        """A nation advances on the political track."""
        names = tuple(name for n, name in enumerate(box.NATIONS) if politics.may_advance(self.state, n))
        name = yield from self.option("prompt.by_hand_nation", names, "nation")
        return self.primitive("advance", nation=name)

    def activate_nation(self) -> Declaration:
        """A passive nation becomes active."""
        names = tuple(name for n, name in enumerate(box.NATIONS) if not self.state.awake >> n & 1)
        name = yield from self.option("prompt.by_hand_nation", names, "nation")

        return at_once(
            {"nation": name}, lambda: politics.activate(self.state, box.NATION[name], cause="card")
        )

    def draw_card(self) -> Declaration:
        """Draw a card from an own deck."""
        decks = tuple(name for deck, name in enumerate(box.DECKS) if self.state.deck[self.seat][deck])
        deck = yield from self.option("prompt.by_hand_deck", decks, "deck")
        return self.primitive("draw", deck=deck, cards=1)

    def turn_die(self) -> Declaration:
        """An own unused die is turned to another result."""
        unused = self.state.unused[self.seat]
        old = yield from self.option(
            "prompt.by_hand_die", tuple(box.FACES[face] for face, n in enumerate(unused) if n), "die"
        )
        others = tuple(box.FACES[face] for face in box.FACES_OF_SEAT[self.seat] if box.FACES[face] != old)
        new = yield from self.option("prompt.by_hand_new_face", others, "die")
        step = {"from": old, "to": new}

        def apply() -> Ask:
            if box.FACES[box.FACE[new]] == "lidless_eye":
                unused[box.FACE[old]] -= 1
                self.state.hunt_dice[box.SHADOW] += 1
            else:
                yield from PRIMITIVES["turn_die"](self.state, self.running(), step)

        return Declared({"face": old, "new_face": new}, apply)

    def add_tile(self) -> Declaration:
        """A special Hunt tile is put in play."""
        state = self.state
        there = [state.tiles[t] + state.tiles_ready[t] + state.tiles_out[t] for t in range(len(box.TILES))]
        names = tuple(
            box.TILES[t].id
            for t in box.SPECIAL_TILES
            if box.TILES[t].seat == self.seat and not there[t] and not state.tiles_gone[t]
        )
        name = yield from self.option("prompt.by_hand_tile", names, "tile")
        return self.primitive("add_tile", tile=name)

    def heal(self) -> Declaration:
        """The Ring-bearers' corruption falls."""
        points = yield from self.number("prompt.by_hand_points", 1, min(3, self.state.corruption))
        return self.primitive("heal", points=points)


def _first(limits: Mapping[str, int], number: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, most in limits.items():
        if number:
            found[name] = min(most, number)
            number -= found[name]
    return found


def _room(state: State, seat: int, figure: int, open_places: int) -> int:
    """Where figures of this kind may be put: a leader of the Free Peoples only with an army."""
    if seat == box.FREE and figure >= box.UNIT_COUNT:
        return sum(
            1 << region
            for region in places_in(open_places)
            if state.armies[box.FREE] >> home_of(state, box.FREE, region) & 1
        )
    return open_places


def steps(state: State, seat: int) -> tuple[str, ...]:
    """The steps that can be declared now."""
    own, foes = state.armies[seat], state.armies[1 - seat]
    on_map = any(state.where[c] >= 0 for c in places_in(box.CHARACTERS_OF_SEAT[seat]))
    special = any(
        not state.tiles[t] + state.tiles_ready[t] + state.tiles_out[t] + state.tiles_gone[t]
        for t in box.SPECIAL_TILES
        if box.TILES[t].seat == seat
    )
    able = {
        "move_armies": own,
        "attack": own,
        "attack_dice": foes,
        "place_figures": any(state.supply[f] for f in range(len(box.FIGURES)) if box.SEAT_OF[f] == seat),
        "remove_units": own | foes,
        "move_character": on_map,
        "advance_nation": any(politics.may_advance(state, n) for n in range(len(box.NATIONS))),
        "activate_nation": state.awake != (1 << len(box.NATIONS)) - 1,
        "draw_card": any(state.deck[seat]),
        "turn_die": any(state.unused[seat]),
        "add_tile": special,
        "heal": state.corruption and seat == box.FREE,
        "corrupt": seat == box.SHADOW,
        "hunt_tile": seat == box.SHADOW,
        "separate": seat == box.FREE
        and state.mordor < 0
        and any(where == IN_FELLOWSHIP for where in state.where),
        "move_companions": seat == box.FREE and on_map,
        "move_nazgul": seat == box.SHADOW,
    }
    return tuple(name for name, can in able.items() if can)


def resolve(state: State, seat: int, what: str) -> Ask:
    """Resolve a card step by step: declared, checked, agreed to, carried out."""
    return common.resolve(Hand(state, seat, what), lambda: steps(state, seat))
