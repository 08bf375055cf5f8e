"""Whatever is attempted gets an answer: allowed, or refused with a rule of the catalogue."""

from __future__ import annotations

from random import Random

import pytest

from referee.games.five_armies import GAME
from referee.games.five_armies.box.components import CHARACTERS, DICE, SEATS, UNITS
from referee.games.five_armies.box.map import PLACES
from referee.games.five_armies.state.state import State
from referee.kernel.explain import UNCLEAR, explain
from referee.kernel.play import Play

ACTIONS = {
    "army": ("move A > B", "move A > B 2 U", "attack A x B", "attack A > B x C", "combined x A from B C"),
    "character": ("fast A > B > C", "attack A x B", "characters P > A", "enter_P", "beorn > A x B"),
    "muster": ("recruit A", "rally A", "eagles at A", "bat_cloud A > B", "enter_P"),
    "event": ("draw", "play troop_leader", "play black_tide", "play lucky_number", "enter_P"),
    "lidless_eye": ("recruit", "move A > B", "attack A x B", "attack A > B x C"),
    "will_of_the_west": ("beorn > A > B x C", "recruit A", "move A > B", "draw"),
}
OTHERS = (
    "pass",
    "end",
    "ability_P",
    "leaders A",
    "bats 3",
    "look A",
    "claim A",
    "retreat",
    "advance 1 U",
    "use",
)


def attempts(rng: Random, state: State) -> list[str]:
    """Lines that are well formed, whether or not they make sense."""

    def fill(text: str) -> str:
        for letter in "ABC":
            text = text.replace(f"{letter} ", f"{rng.choice(PLACES)} ").replace(
                f" {letter}", f" {rng.choice(PLACES)}"
            )
        return text.replace("U", rng.choice(UNITS)).replace("P", rng.choice(CHARACTERS))

    faces = DICE["free_action" if state.active == 0 else "shadow_action"].faces
    lines = [
        f"{face}: {fill(rng.choice(ACTIONS.get(face, ACTIONS['army'])) + ' ').strip()}"
        for face in dict.fromkeys(faces)
    ]
    return [*lines, fill(rng.choice(OTHERS) + " ").strip(), f"{rng.choice(SEATS)}: {lines[0]}"]


@pytest.mark.parametrize("seed", range(4))
def test_any_attempt_before_an_action_has_an_answer(seed: int) -> None:
    rng = Random(seed)
    play = Play(GAME, GAME.new_state({"setup": "suggested"}), audit=False)
    tried, refused, unclear = 0, set(), []
    while tried < 300:
        if play.request is None:
            play = Play(GAME, GAME.new_state({"setup": "suggested"}), audit=False)
        assert play.request is not None
        if play.request.prompt == "prompt.choose_die" and rng.random() < 0.4:
            before = GAME.to_json(play.state)
            for line in attempts(rng, play.state):
                found = explain(play, line, GAME.words)
                tried += 1
                for language in ("de", "en"):
                    assert "{" not in found.sentence(language, GAME), (line, found.refusal)
                asked = "" if found.request is None else found.request.prompt
                if found.verdict == UNCLEAR and asked.startswith("prompt.ask_"):
                    continue  # hangs on what only a printed card tells
                if found.verdict == UNCLEAR:
                    unclear.append((line, found.at, asked))
                elif found.refusal is not None:
                    assert found.rule is not None, (line, found.refusal)
                    refused.add(found.rule.id)
            assert GAME.to_json(play.state) == before
        play.answer(play.request.sample(rng))
    assert unclear == []
    assert len(refused) >= 20
