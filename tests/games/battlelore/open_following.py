"""What follows a blow of the open scenarios: further rolls, gaining ground, pursuit, bonus attacks."""

from __future__ import annotations

from random import Random
from typing import Any

from open_attacks import BOUND, FACES, Attacks, Outcome, offered, refused

from referee.games.battlelore.box.components import PLACE, PLACES, SEATS
from referee.games.battlelore.state.state import State
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, RollDice


class Following(Attacks):
    """Rolls that follow an attack, and what is tried after a blow."""

    # --- rolls that follow an attack -----------------------------------------------------------------

    def _follow(self, prompt: str) -> Play[State]:
        """The game after the letter's last blow, brought to a roll: the first way that leads there."""
        assert self.last is not None
        unit = self.last.state.field.index[self.act["unit"]] if "unit" in self.act else -1
        waiting = [self.last]
        while waiting:
            here = waiting.pop(0)
            request = here.request
            if request is not None and request.prompt == prompt:
                name = self.act.get("unit") or self._attacked
                unit = here.state.field.index[name]
                if "unit" not in self.act or here.state.at[unit] == PLACE[self.board.units[name][0]]:
                    return here.fork()
            if isinstance(request, ChooseOne) and request.prompt in BOUND.values():
                for option in request.options:
                    twin = here.fork()
                    twin.answer(option)
                    waiting.append(twin)
        raise AssertionError(f"{prompt} does not come")

    @property
    def _attacked(self) -> str:
        return next(act["attack"][1] for act in self.acts if "attack" in act)

    def _roll(self, prompt: str, act: dict[str, Any]) -> tuple[Outcome, Play[State]]:
        play = self._follow(prompt)
        request = play.request
        assert isinstance(request, RollDice)
        due = sum(request.dice.values())
        if len(act["dice"]) != due:
            return Outcome(verdict=f"refused: {due} dice are due"), play
        before = list(play.state.figures)
        name = act.get("unit") or self._attacked
        unit = play.state.field.index[name]
        at = play.state.at[unit]
        play.answer({"battle": [FACES.get(face, face) for face in act["dice"]]})
        state = play.state
        again = play.request is not None and play.request.prompt == "prompt.critical_roll"
        self.last = play
        while play.request is not None and play.request.prompt == "prompt.retreat_to":
            play.answer(play.request.sample(Random(0)))
        dead = state.at[unit] < 0
        ids = [one.id for one in state.field.units]
        lost = {
            ids[n]: was - now
            for n, (was, now) in enumerate(zip(before, state.figures, strict=True))
            if was != now and n != unit
        }
        self.board.keep(state)
        prompt_now = "" if play.request is None else play.request.prompt
        return Outcome(
            verdict="allowed", killed=dead, creature="unharmed" if not dead else "", trampled=lost,
            hits=sum(play.request.dice.values()) if again else 0,  # type: ignore[union-attr]
            reroll_dice=sum(play.request.dice.values()) if again else 0,  # type: ignore[union-attr]
            figures_lost=before[unit] - state.figures[unit],
            figures_left=state.figures[unit] if prompt == "prompt.panic_roll" else {ids[n]: f for n, f in
            enumerate(state.figures)},
            further_retreat=0, stays=PLACES[at], creature_at="" if dead else PLACES[state.at[unit]],
            battle_back_allowed=prompt_now == "prompt.battle_back",
            ground=play.request.about["to"] if prompt_now == "prompt.gain_ground" else "no",  # type: ignore[union-attr]
            tokens=dict(zip(SEATS, state.tokens, strict=True)), lore_tokens=dict(zip(SEATS, state.tokens,
            strict=True)),
            banners=dict(zip(SEATS, state.banners, strict=True)),
        ), play  # fmt: skip

    def _panic_roll(self, act: dict[str, Any]) -> Outcome:
        return self._roll("prompt.panic_roll", act)[0]

    def _blocked_check(self, act: dict[str, Any]) -> Outcome:
        act = {**act, "unit": self._attacked}
        self.act = act
        return self._roll("prompt.barred_roll", act)[0]

    def _critical_reroll(self, act: dict[str, Any]) -> Outcome:
        return self._roll("prompt.critical_roll", act)[0]

    # --- what is tried after a blow ------------------------------------------------------------------

    def _resolved(self) -> Play[State]:
        """The game after the letter's last blow, its choices made so that the units stand as the step
        says."""
        assert self.last is not None
        waiting = [self.last]
        while waiting:
            here = waiting.pop(0)
            if isinstance(here.request, ChooseOne) and here.request.prompt in BOUND.values():
                for option in here.request.options:
                    twin = here.fork()
                    twin.answer(option)
                    waiting.append(twin)
            elif all(self._as_told(here, name) for name in self.board.units if name[0] == "N"):
                return here.fork()
        raise AssertionError("no such way")

    def _as_told(self, play: Play[State], name: str) -> bool:
        told, index = self.board.units[name][0], play.state.field.index
        return name not in index or play.state.at[index[name]] in (-1, PLACE.get(told, -1))

    def _try(self, answers: list[tuple[str, Any]], rule: str) -> Outcome:
        """Answer requests by their prompts; the first that does not come or refuses is the verdict."""
        play = self._resolved()
        for prompt, answer in answers:
            if play.request is None or play.request.prompt != prompt:
                return refused(Refusal(rule))
            refusal = play.request.why_not(answer)
            if refusal is not None:
                return refused(refusal)
            play.answer(answer)
        self.last = play
        return Outcome(verdict="allowed")

    def _gain_ground(self, act: dict[str, Any]) -> Outcome:
        play = self._resolved()
        if (
            play.request is None
            or play.request.prompt != "prompt.gain_ground"
            or play.request.about["to"] != act["to"]
        ):
            return refused(Refusal("ground.may_advance"))
        return Outcome(verdict="allowed")

    def _decline_ground(self, act: dict[str, Any]) -> Outcome:
        return self._try([("prompt.gain_ground", "no")], "ground.optional")

    def _pursue(self, act: dict[str, Any]) -> Outcome:
        if "path" not in act:
            return self._try([("prompt.gain_ground", "yes")], "pursuit.not_for_defender")
        play = self._resolved()
        play.answer("yes")
        return Outcome(
            verdict="allowed" if act["path"][-1] in offered(play) else "refused: one further hex only"
        )

    def _bonus_attack(self, act: dict[str, Any]) -> Outcome:
        answers: list[tuple[str, Any]] = []
        if act.get("ground") == "declined":
            answers = [("prompt.gain_ground", "no")]
        elif self.last is not None and self._resolved().request is not None:
            asked = self._resolved().request
            assert asked is not None
            answers = [("prompt.gain_ground", "yes")] if asked.prompt == "prompt.gain_ground" else []
        return self._try([*answers, ("prompt.bonus_attack", act["target"])], "pursuit.needs_gaining_ground")

    def _list_pursuit_hexes(self, act: dict[str, Any]) -> Outcome:
        play = self._resolved()
        play.answer("yes")
        found = offered(play)
        return Outcome(hexes=[one for one in found if one != "stay"], stay="stay" in found)

    def _list_bonus_targets(self, act: dict[str, Any]) -> Outcome:
        play = self._resolved()
        play.answer("yes")
        here = PLACES[play.state.at[play.state.field.index[act["unit"]]]]
        play.answer("stay" if act["at"] == here else act["at"])
        return self._by_unit(play)

    def _by_unit(self, play: Play[State]) -> Outcome:
        ids = [unit.id for unit in play.state.field.units]
        return Outcome(targets=[ids[play.state.unit_at[PLACE[at]]] for at in offered(play) if at in PLACE])

    def _battle_back_request(self, act: dict[str, Any]) -> Outcome:
        play = self._resolved()
        asked = play.request is not None and play.request.prompt == "prompt.battle_back"
        return Outcome(verdict="allowed") if asked else refused(Refusal("bold.one_battle_back_per_combat"))

    def _choose_retreat(self, act: dict[str, Any]) -> Outcome:
        assert self.last is not None
        asked = self.last.request is not None and self.last.request.prompt in BOUND.values()
        return Outcome(verdict="allowed") if asked else refused(Refusal("creature.must_ignore_first_flag"))

    def _next_combat(self, act: dict[str, Any]) -> Outcome:
        assert self.last is not None
        if self.last.outcome is not None:
            return refused(Refusal("victory.immediate_end"))
        return Outcome(verdict="allowed")

    def _draw_command_card(self, act: dict[str, Any]) -> Outcome:
        return self._next_combat(act)
