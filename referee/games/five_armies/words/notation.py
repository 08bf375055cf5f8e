"""The notation of moves: how the answers to each question of this game are written.

``docs/notation.md`` describes it for players; the styles lie in ``notation.yaml``.
Reading and writing use the same table: see :mod:`referee.kernel.notation`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from referee.games.five_armies.box import components as box
from referee.games.five_armies.box.map import PLACES, TERRITORIES
from referee.games.five_armies.state.battle import CARDS
from referee.games.five_armies.state.card_data import CARDS as ORDER_AND_STORY
from referee.games.five_armies.state.card_data import COMBAT_EFFECTS
from referee.games.kit import silent
from referee.games.kit.tables import before_another, read_table, styles_of
from referee.kernel.notation import Notation, Style, Words
from referee.kernel.requests import Request

_TABLE = read_table(Path(__file__).with_name("notation.yaml"))
ALIASES: Mapping[str, str] = {**box.UNIT_ALIASES, **_TABLE["aliases"]}
VOCABULARY: Mapping[str, tuple[str, ...]] = {
    "place": PLACES,
    "unit": (*box.UNITS, *box.CHARACTERS, "leadership", "eagles", "great_bats"),
    "character": box.CHARACTERS,
    "die": box.FACES,
    "territory": TERRITORIES,
    "number": tuple(map(str, range(21))),
    "manoeuvre": CARDS,
    "token_group": box.TOKEN_GROUPS,
    "token": (*dict.fromkeys(face for faces in box.TOKEN_FACES for face in faces), "eagles"),
    "card": (*ORDER_AND_STORY, *COMBAT_EFFECTS, *CARDS),
    "fate_tile": tuple(box.TILES),
}
_ACTIONS = {**_TABLE["actions"], **{f"enter:{name}": f"enter_{name}" for name in box.CHARACTERS}}
_MARCHES = {"character": ("fast_move", "led_attack"), "lidless_eye": ("goblin_move", "goblin_attack")}


def _action_words(request: Request) -> Mapping[str, str]:
    """Actions by the short words that fit the die."""
    return {**_ACTIONS, **_TABLE["actions_by_die"].get(request.about.get("face"), {})}


def implied_action(face: str, words: Words) -> str | None:
    """``army: a > b`` moves, ``army: a x b`` attacks: which action an army's way stands for."""
    march, attack = _MARCHES.get(face, ("strategic_move", "attack"))
    return silent.implied_march(words, PLACES, march, attack)


STYLES: Mapping[str, Style] = {
    **styles_of(_TABLE["styles"]),
    "prompt.fate_tile": Style(
        marker="tile", words={face: face.removeprefix("tile_").replace("_card", "c") for face in box.TILES}
    ),
    "prompt.choose_army": Style(
        before=lambda request: "; " if "to" in request.about else before_another(request),
        silent=silent.option("done"),
    ),
    "prompt.choose_die": Style(words={f"ability:{name}": f"ability_{name}" for name in box.CHARACTERS}),
    "prompt.choose_action": Style(
        before=": ",
        words=_action_words,
        after_colon=True,
        implied=lambda request, words: implied_action(str(request.about.get("face")), words),
    ),
}
ACTION_WORDS = frozenset(word for words in _ACTIONS.values() for word in words.split("|")) | {
    *("attack", "fast", "rally", "recruit", "bat_cloud", "skip", "goblins")
}
"""Words that begin an action after its die."""
NOTATION = Notation(STYLES, ALIASES, VOCABULARY, _TABLE["short"])
