"""Plays the open scenarios: builds the position of a step, carries it out by the flow, and says what came
of it.

``scenarios_open.yaml`` explains its own form.  Steps of one letter run on: what changed on the way is
kept.  Nothing
here knows a rule: what is allowed, how many dice, where a retreat ends, all comes from requests and their
refusals.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar

from open_attacks import DEAD, Outcome, offered, refused
from open_board import Board, scenarios, step_ids
from open_following import Following

from referee.games.battlelore.box.components import PLACES, SEATS, SECTIONS
from referee.games.battlelore.box.decks import section_orders
from referee.games.battlelore.cards.lore import level_of
from referee.games.battlelore.game import GAME
from referee.games.battlelore.rules import combat, council, ordering
from referee.games.battlelore.state.state import State
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal

LETTER = re.compile(r"([a-z]+)\d")


class Case(Following):
    """One step, with those of its letter before it."""

    def __init__(self, name: str) -> None:
        self.scenario_id, self.n = name.split("-")
        scenario = scenarios()[self.scenario_id]
        found = LETTER.match(self.n)
        assert found is not None
        letter = found[1]
        self.acts = [act for act in scenario["act"] if LETTER.match(act["n"])[1] == letter]  # type: ignore[index]
        self.expect: dict[str, Any] = scenario["expect"][self.n]
        self.board = Board(scenario["position"])
        self.before: dict[str, Any] = {}
        self.last: Play[State] | None = None

    def run(self) -> Outcome:
        """Play up to the step; what came of it."""
        for act in self.acts:
            self.act = act
            if "change" in act:
                self.board.told(act["change"])
            self.board.change(act.get("now", {}))
            found = self._one(act)
            if act["n"] == self.n:
                return found
            self.before = act
        raise AssertionError("no such step")

    def _one(self, act: dict[str, Any]) -> Outcome:
        if "attack" in act:
            return self._attack(*act["attack"], kind="bonus" if act.get("bonus_attack") else "attack")
        if "battle_back_of" in act:
            return self._attack(*act["battle_back_of"], kind="back")
        found: Outcome = getattr(self, "_" + act["action"])(act)
        return found

    # --- before a blow -------------------------------------------------------------------------------

    def _list_targets(self, act: dict[str, Any]) -> Outcome:
        self._state = self.board.state(phase=4, ordered=[act["of"]])
        play = Play(GAME, self._state)
        play.answer(PLACES[play.state.at[self._index(act["of"])]])
        return self._by_unit(play)

    def _no_attack(self, act: dict[str, Any]) -> Outcome:
        play = Play(GAME, self.board.state(phase=4, ordered=[act["unit"]]))
        return Outcome(verdict="allowed" if "done" in offered(play) else "refused")

    def _move(self, act: dict[str, Any]) -> Outcome:
        ordered = self.board.rest.get("activated", [act["unit"]])
        play = Play(GAME, self.board.state(phase=3, ordered=ordered))
        self._state = play.state
        start, *_, end = act["path"]
        assert play.request is not None
        refusal = play.request.why_not(start)
        if refusal is not None:
            return refused(refusal)
        play.answer(start)
        assert play.request is not None
        refusal = play.request.why_not(end)
        if refusal is not None:
            return refused(refusal)
        play.answer(end)
        self.moved = getattr(self, "moved", {}) | {act["unit"]: play.state}
        self.board.units[act["unit"]][0] = end
        return Outcome(verdict="allowed")

    def _attack_check(self, act: dict[str, Any]) -> Outcome:
        state = self.moved[act["unit"]]
        unit = state.field.index[act["unit"]]
        if not combat.may_fight(state, unit):
            return refused(combat.why_not_fight(state, unit))
        return Outcome(verdict="allowed")

    # --- cards, sections, council, end of turn -------------------------------------------------------

    def _play(self, act: dict[str, Any]) -> Outcome:
        self._state = state = self.board.state(phase=2)
        state.hand[state.active] -= 1
        state.discard += 1
        tactic = act["card"].startswith("tactic")
        found = Outcome(sections={
            name: [section for bit, section in enumerate(SECTIONS) if state.sections[state.active][at] >>
            bit & 1]
            for name, n in state.field.index.items() if (at := state.at[n]) >= 0
        })  # fmt: skip
        orders = [0, 0, 0]
        for name, section in zip(("left", "cent", "right"), range(3), strict=True):
            number = re.search(rf"{name}\w*(?: wing)?,? (\d)", act["card"])
            orders[section] = int(number[1]) if number else 0
        state.card = "tac_2" if tactic else "sec_1"
        state.discard -= 1
        before = state.tokens[state.active]
        play = Play(GAME, state) if tactic else _ordering(state, tuple(orders))
        for name in act["activate"]:
            at = PLACES[state.at[self._index(name)]]
            if play.request is None or play.request.domain != "place":
                return found | refused(Refusal("command.section_card"))
            if play.request.prompt not in ("prompt.order_unit", "prompt.order_anywhere"):
                return found | refused(Refusal("creature.out_of_section_counts"))
            refusal = play.request.why_not(at)
            if refusal is not None:
                return found | refused(refusal)
            play.answer(at)
        self.board.keep(play.state)
        assert before - play.state.tokens[state.active] == act.get("pay", 0)
        return found | Outcome(verdict="allowed", tokens=dict(zip(SEATS, play.state.tokens, strict=True)))

    def _setup_values(self, act: dict[str, Any]) -> Outcome:
        state = self.board.state()
        seat = SEATS.index(act["side"])
        return Outcome(
            levels=sum(state.council[seat]), command_hand=council.command_hand(state, seat),
            lore_keep=council.start_cards(state, seat), tokens=council.start_cards(state, seat),
            lore_limit=council.lore_limit(state, seat),
            neutral_discs_under_masters={n: d for n, d in council.neutral_discs(state, seat).items() if n
            != "commander"},
        )  # fmt: skip

    def _build_lore_deck(self, act: dict[str, Any]) -> Outcome:
        state = self.board.state()
        cards = council.lore_deck(state)
        size = sum(cards.values())
        return Outcome(
            cards=cards,
            deck=size,
            deck_after_both_drew=size - sum(council.start_cards(state, s) for s in (0, 1)),
        )

    def _check_council(self, act: dict[str, Any]) -> Outcome:
        state = self.board.state()
        part = council._share(state, SEATS.index(act["side"]))
        told = self.board.rest["councils"][act["side"]]
        refusal = part.why_not(told)
        return Outcome(verdict="allowed") if refusal is None else refused(refusal)

    def _keep_lore_cards(self, act: dict[str, Any]) -> Outcome:
        due = council.start_cards(self.board.state(), SEATS.index(act["side"]))
        return Outcome(verdict="allowed" if act["kept"] == due else f"refused: {due} are kept")

    def _max_orders(self, act: dict[str, Any]) -> Outcome:
        state = self.board.state()
        state.hand[0] -= 1
        return Outcome(units=max(section_orders(state.field.deck.command["sec_11"], state.hand[0] + 1)))

    def _end_option(self, act: dict[str, Any]) -> Outcome:
        self.board.units.setdefault("S1", ["c3", "foot", "blue", "4"])
        self.board.units.setdefault("N1", ["g3", "foot", "blue", "4"])
        chosen = act["choose"]
        state = self.board.state(phase=5)
        state.hand[0], state.deck = state.hand[0] - 1, state.deck + 1
        play = Play(GAME, state)
        assert play.request is not None
        if isinstance(chosen, list):
            try:
                play.request.why_not(chosen)
            except Exception:
                return Outcome(verdict="refused: one option only")
        play.answer(chosen)
        while play.request is not None and play.request.prompt == "prompt.give_up":
            if act.get("given_up") == "none":
                refusal = play.request.why_not("nothing")
                assert refusal is not None
                return refused(refusal)
            play.answer("card_held" if "held" in act["given_up"] else "card_drawn")
        state = play.state
        return Outcome(
            verdict="allowed",
            command_hand=state.hand[0],
            lore_hand=state.lore_hand[0],
            tokens=state.tokens[0],
        )

    LORE_CARDS: ClassVar[dict[str, str]] = {"warrior 1": "war_1", "warrior 5": "war_3", "rogue 1": "rog_1"}

    def _play_lore(self, act: dict[str, Any]) -> Outcome:
        """The practice cards of the same class, phase and cost stand for the printed ones."""
        self.board.units.setdefault("S1", ["e6", "foot", "blue", "4"])
        self.board.units.setdefault("N1", ["e7", "foot", "blue", "4"])
        name, _price = act["card"].split(", cost ")
        card = self.LORE_CARDS[name]
        phase = {"command": 1, "combat": 4}[act["phase"]]
        played = self.last is not None
        state = self.board.state(
            phase=phase,
            ordered=["S1"],
        )
        state.lore_played[0] = played
        play = Play(GAME, state)
        if phase == 1:
            play.answer("sec_5")
        assert play.request is not None
        if phase == 4:
            refusal = None
            if "lore_card" not in offered(play):
                return refused(Refusal("lore.one_per_own_turn"))
            play.answer("lore_card")
        if play.request is None or play.request.prompt != "prompt.lore_card":
            return refused(Refusal("lore.tokens_pay_cards"))
        refusal = play.request.why_not(card)
        if refusal is not None:
            return refused(refusal)
        play.answer(card)
        while play.request is not None and play.request.prompt == "prompt.lore_target":
            play.answer(offered(play)[0])
        self.last = play
        self.board.keep(play.state)
        level = level_of(play.state, 0, play.state.field.deck.lore[card])
        return Outcome(
            verdict="allowed", tokens=play.state.tokens[0], lore_hand=play.state.lore_hand[0], level=level
        )


def _ordering(state: State, orders: Any) -> Play[State]:
    """The activation phase of a section card with these orders."""

    class Game:
        def __getattr__(self, name: str) -> Any:
            return getattr(GAME, name)

        def flow(self, state: State) -> Any:
            yield from ordering.order_by_sections(state, orders)

    return Play(Game(), state)  # type: ignore[arg-type]


__all__ = ["DEAD", "Case", "scenarios", "step_ids"]
