"""Attacks of the open scenarios: refused or struck, and every way in which their flags are carried out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from open_board import Board

from referee.games.battlelore.box import components as box
from referee.games.battlelore.box.components import PLACES, SEATS
from referee.games.battlelore.game import GAME
from referee.games.battlelore.rules import dice, morale, targeting
from referee.games.battlelore.state.state import State
from referee.kernel.play import Play
from referee.kernel.refusals import Refusal
from referee.kernel.requests import ChooseOne, RollDice

BOUND = {"ignore": "prompt.ignore_flags", "retreat": "prompt.retreat_to"}
FACES = {**{colour: f"{colour}_helmet" for colour in box.COLOURS}, "bonus": "sword_on_shield"}
DEAD = "dead"
"""What a retreat costs that costs every figure."""


class Outcome(dict[str, Any]):
    """What came of a step, by the keys of ``expect``."""


def refused(refusal: Refusal) -> Outcome:
    """A step that is refused, and by which rule."""
    assert refusal.rule in GAME.catalogue, refusal.rule
    return Outcome(verdict=f"refused: {refusal.rule}", rule=refusal.rule)


def offered(play: Play[State]) -> list[str]:
    """What may be answered now."""
    assert isinstance(play.request, ChooseOne)
    return list(play.request.options)


class Acts:
    """What all parts of a step work on: its board, what it does now, and the game after the last blow."""

    board: Board
    acts: list[dict[str, Any]]
    act: dict[str, Any]
    last: Play[State] | None
    _state: State


class Attacks(Acts):
    """Attacks and battles back."""

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
