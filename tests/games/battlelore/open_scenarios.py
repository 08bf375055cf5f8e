"""Plays the open scenarios: builds the position of a step, carries it out by the flow, and says what came
of it.

``scenarios_open.yaml`` explains its own form.  Steps of one letter run on: what changed on the way is
kept.  Nothing
here knows a rule: what is allowed, how many dice, where a retreat ends, all comes from requests and their
refusals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import yaml

from referee.games.battlelore.box import components as box
from referee.games.battlelore.box.components import PLACE, PLACES, SEATS, SECTIONS
from referee.games.battlelore.game import GAME
from referee.games.battlelore.position.position import read_position
from referee.games.battlelore.rules import combat, council, dice, follow_on, morale, ordering, targeting
from referee.games.battlelore.state.state import State
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, RollDice

FILE = Path(__file__).parent / "scenarios_open.yaml"
BOUND = {"ignore": "prompt.ignore_flags", "retreat": "prompt.retreat_to"}
LETTER = re.compile(r"([a-z]+)\d")


@cache
def scenarios() -> dict[str, dict[str, Any]]:
    """The scenarios by id."""
    data = yaml.load(FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return {scenario["id"]: scenario for scenario in data["scenarios"]}


def step_ids() -> list[str]:
    """Every step as ``open_14-a2``."""
    return [f"{name}-{act['n']}" for name, one in scenarios().items() for act in one["act"]]


class Board:
    """The position of a step in plain words."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.units = {words[0]: words[1:] for words in (unit.split() for unit in told.get("units", ()))}
        self.terrain: dict[str, list[str]] = {at: [kind] for at, kind in told.get("terrain", {}).items()}
        self.rest = {key: deepcopy(value) for key, value in told.items() if key not in ("units", "terrain")}

    def change(self, now: dict[str, Any]) -> None:
        """Changes made before a step."""
        for key, value in now.items():
            if key == "terrain":
                for at, kinds in value.items():
                    self.terrain[at] = kinds if isinstance(kinds, list) else [kinds]
            elif value == "gone":
                self.units.pop(key)
            else:
                self._unit(key, str(value).split())

    def _unit(self, name: str, words: list[str]) -> None:
        if len(words) >= 4:
            self.units[name] = words
            return
        unit = self.units[name]
        for word in words:
            if word in PLACE:
                unit[0] = word
            elif word.startswith("fig"):
                unit[3] = word[3:]
            elif word in box.COLOURS:
                unit[2] = word
            elif word in box.CLASSES:
                unit[1] = word
                unit[3] = str(min(int(unit[3]), box.FIGURES[box.CLASSES.index(word)]))
            else:
                unit.append(word)

    def told(self, change: str) -> None:
        """A change in words: ``active: north``, ``tokens south 2``."""
        for part in change.split(", ") if "{" not in change and "wizard" not in change else [change]:
            key, _, value = part.partition(": ")
            if not value:
                what, side, number = part.split()
                self.rest[what][side] = int(number)
            elif key in SEATS:
                members = (one.split() for one in value.split(", ") if not one.startswith("no "))
                self.rest["councils"][key] = {name: int(level) for name, level in members}
            else:
                self.rest[key] = yaml.safe_load(value)

    def state(self, **more: Any) -> State:
        """The position as a state, through a position file."""
        kinds: dict[str, list[str]] = {}
        for at, there in self.terrain.items():
            for kind in there:
                kinds.setdefault(kind, []).append(at)
        units: dict[str, list[str]] = {seat: [] for seat in SEATS}
        for name, (at, kind, colour, _figures, *tags) in self.units.items():
            whole = box.FIGURES[box.CLASSES.index(kind)]
            line = " ".join((name, at, kind, colour, str(whole), *tags))
            units[SEATS["SN".index(name[0])]].append(line)
        rest = self.rest
        goal = rest.get("goal", 9)
        if not self.units:
            units = {"south": ["S1 c3 foot blue 4"], "north": ["N1 g3 foot blue 4"]}
        lore = rest.get("scenario") == "lore"
        scenario = {
            "id": "open",
            "kind": rest.get("scenario", "plain"),
            "sections": rest.get("sections", "cut_twelve"),
            "first": rest.get("active", "south"),
            "victory_banners": {"south": goal, "north": goal},
            "command_hand": {"south": 5, "north": 5},
            "kinds": {"cap3": {"cap": 3}},
            "terrain": kinds,
            "units": units,
        }
        councils = rest.get("councils", rest.get("council", {}))
        position = {
            "scenario": scenario,
            "to_act": rest.get("active", "south"),
            "units": {
                name: "gone" if unit[0] == "off" else f"{unit[0]} {unit[3]}"
                for name, unit in self.units.items()
            },
            "council": {seat: councils.get(seat, {}) for seat in SEATS} if councils else None,
            "hands": rest.get("command_hand") and {**{"north": 5}, **rest["command_hand"]},
            "lore_hands": rest.get("lore_hand"),
            "tokens": rest.get("tokens") if lore else None,
            "banners": rest.get("banners"),
            "lore_deck": 30 if lore else None,
            **more,
        }
        if position["council"]:
            position["council"] = {
                seat: {one: told.get(one, 0) for one in box.COUNCIL}
                for seat, told in position["council"].items()
            }
        text = yaml.safe_dump(
            {"position": {k: v for k, v in position.items() if v is not None}}, sort_keys=False
        )
        return read_position(text).state

    def keep(self, state: State) -> None:
        """What a step changed and the next one goes on with: tokens and banners."""
        for key in ("banners", "tokens") if state.field.lore else ("banners",):
            self.rest[key] = dict(zip(SEATS, getattr(state, key), strict=True))


FACES = {**{colour: f"{colour}_helmet" for colour in box.COLOURS}, "bonus": "sword_on_shield"}
DEAD = "dead"
"""What a retreat costs that costs every figure."""


class Outcome(dict[str, Any]):
    """What came of a step, by the keys of ``expect``."""


class Case:
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

    # --- attacks -------------------------------------------------------------------------------------

    def _index(self, name: str) -> int:
        return self._state.field.index[name]

    def _attack(self, attacker: str, target: str, kind: str) -> Outcome:
        if self.last is not None and self.last.outcome is not None:
            return refused(Refusal("victory.immediate_end"))
        seat = SEATS["SN".index(attacker[0])]
        active = SEATS[1 - SEATS.index(seat)] if kind == "back" else seat
        rest = {
            "to_act": active,
            "phase": 4,
            "ordered": [
                u
                for u in self.board.units
                if SEATS["SN".index(u[0])] == active and self.board.units[u][0] != "off"
            ],
        }
        self._state = state = self.board.state(**rest)
        refusal = targeting.why_not_target(state, self._index(attacker), state.at[self._index(target)])
        if refusal is not None and kind == "attack":
            return self._refused_attack(attacker, target, refusal)
        fight = {"attacker": attacker, "target": target, "kind": kind}
        self._state = state = self.board.state(**{**rest, "fight": fight})
        state.bonus = self.act.get("bonus", 0)
        return self._struck(Play(GAME, state), attacker, target)

    def _refused_attack(self, attacker: str, target: str, refusal: Refusal) -> Outcome:
        """The request refuses it too, by the same rule."""
        play = Play(GAME, self._state)
        there = PLACES[play.state.at[self._index(target)]]
        at = PLACES[play.state.at[self._index(attacker)]]
        found = refused(refusal)
        could = targeting.targets(self._state, self._index(attacker))
        found["targets"] = [PLACES[one] for one in range(len(PLACES)) if could >> one & 1]
        if isinstance(play.request, ChooseOne) and at in play.request.options:
            play.answer(at)
            if isinstance(play.request, ChooseOne):
                told = play.request.why_not(there)
                assert told is not None and told.rule == refusal.rule
        return found

    def _struck(self, play: Play[State], attacker: str, target: str) -> Outcome:
        state, fight = play.state, play.state.fight
        assert fight is not None
        unit = state.field.index[target]
        number = dice.reckon(state, fight)[-1][1]
        found = Outcome(verdict="allowed", dice_count=number, bold=morale.bold(state, unit),
                        kind="melee" if dice.is_melee(fight) else "ranged")  # fmt: skip
        faces = self.act.get("dice")
        if faces is None:
            return found
        request = play.request
        assert isinstance(request, RollDice), request
        if len(faces) != number:
            return Outcome(verdict=f"refused: {len(faces)} dice, {number} are due")
        figures = state.figures[unit]
        play.answer({"battle": [FACES.get(face, face) for face in faces]})
        self.last = play
        state = play.state
        found |= {"hits": fight.hits, "flags": fight.flags, "left_after_hits": max(0, figures - fight.hits)}
        found |= {"reroll_dice": 0, "trampled": {}}
        if play.request is not None and play.request.prompt == "prompt.critical_roll":
            found["reroll_dice"] = sum(play.request.dice.values())  # type: ignore[attr-defined]
        left = figures if state.field.creatures >> unit & 1 else max(0, figures - fight.hits)
        self._ends(play, unit, fight, left, found)
        self.board.keep(play.state)
        found |= {
            "tokens": dict(zip(SEATS, play.state.tokens, strict=True)),
            "lore_tokens": dict(zip(SEATS, play.state.tokens, strict=True)),
            "banners": dict(zip(SEATS, play.state.banners, strict=True)),
            "game_over": play.outcome is not None,
            "winner": None if play.outcome is None else play.outcome.winner,
        }
        return found

    def _ends(self, play: Play[State], unit: int, fight: Any, after_hits: int, found: Outcome) -> None:
        """Every way in which the flags can be carried out."""
        ends: dict[int, dict[str, Any]] = {}
        answered, grounds, panic, checks, lives = [], set(), {}, set(), set()
        creature = play.state.field.creatures >> unit & 1
        forced = 1 if creature and fight.flags else 0
        for ignored, twin, path in self._walks(play, unit, forced):
            at = twin.state.at[unit]
            place = PLACES[at] if at >= 0 else path[-1] if path else PLACES[fight.hex]
            missing = after_hits - twin.state.figures[unit]
            prompt = "" if twin.request is None else twin.request.prompt
            if prompt == "prompt.panic_roll":
                panic[ignored] = sum(twin.request.dice.values())  # type: ignore[union-attr]
            if prompt == "prompt.barred_roll":
                missing = sum(twin.request.dice.values())  # type: ignore[union-attr]
                checks.add(missing)
            if prompt == "prompt.battle_back" and not missing:
                answered.append(ignored)
            if prompt == "prompt.gain_ground":
                grounds.add(PLACES[fight.hex])
            ends.setdefault(ignored, {})[place] = DEAD if at < 0 and after_hits else missing
            if at < 0 or at != fight.hex:
                grounds |= {PLACES[fight.hex]} if dice.is_melee(fight) and fight.kind == "attack" else set()
            lives.add(twin.state.figures[unit])
            found.setdefault("chooser", path.chooser)
        held = PLACES[fight.hex]
        found["retreat"] = {n: "hold" if e == {held: 0} else e for n, e in ends.items()}
        found["battle_back"] = sorted(answered)
        found["battle_back_allowed"] = bool(answered)
        found["ground"] = grounds.pop() if grounds else "no"
        found["panic_dice"] = panic if len(panic) > 1 else next(iter(panic.values()), 0)
        found["check_dice"] = max(checks, default=0)
        found["figures_left"] = max(lives) if len(lives) == 1 else lives

    def _walks(self, play: Play[State], unit: int, forced: int) -> Iterator[tuple[int, Play[State], Any]]:
        """(flags ignored, the game at the end of the retreat, hexes on the way) for every choice."""

        class Path(list[str]):
            chooser = ""

        waiting: list[tuple[int, Play[State], Path]] = [(forced, play, Path())]
        while waiting:
            ignored, here, path = waiting.pop()
            request = here.request
            prompt = "" if request is None else request.prompt
            if prompt not in BOUND.values():
                yield ignored, here, path
                continue
            assert isinstance(request, ChooseOne)
            for option in request.options:
                twin = here.fork()
                twin.answer(option)
                onward = Path(path)
                onward.chooser = path.chooser
                if prompt == BOUND["ignore"]:
                    waiting.append((int(option), twin, onward))
                else:
                    onward.append(option)
                    onward.chooser = request.seat
                    waiting.append((ignored, twin, onward))

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
            play.answer(play.request.sample(__import__("random").Random(0)))
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
        from referee.games.battlelore.box.decks import section_orders

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
        from referee.games.battlelore.cards.lore import level_of

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


def refused(refusal: Refusal) -> Outcome:
    """A step that is refused, and by which rule."""
    assert refusal.rule in GAME.catalogue, refusal.rule
    return Outcome(verdict=f"refused: {refusal.rule}", rule=refusal.rule)


def offered(play: Play[State]) -> list[str]:
    """What may be answered now."""
    assert isinstance(play.request, ChooseOne)
    return list(play.request.options)


__all__ = ["Case", "follow_on", "scenarios", "step_ids"]
