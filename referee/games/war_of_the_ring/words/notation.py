"""The notation of moves: how the answers to each question of this game are written.

``docs/notation.md`` describes it for players.  Reading and writing use the same
table: see :mod:`referee.kernel.notation`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.kit import silent
from referee.games.war_of_the_ring.box import components as box
from referee.games.war_of_the_ring.box.map import PLACE, PLACES
from referee.games.war_of_the_ring.rules.actions import ACTIONS
from referee.games.war_of_the_ring.state.card_data import CARDS
from referee.kernel.notation import Notation, Style, Words
from referee.kernel.requests import ChooseOne, ChooseSome, Request

ALIASES: Mapping[str, str] = {"eye": "lidless_eye", "west": "will_of_the_west", "gandalf": "gandalf_the_grey"}
VOCABULARY: Mapping[str, tuple[str, ...]] = {
    "place": PLACES,
    "unit": (*box.FIGURES, *box.CHARACTERS),
    "character": box.CHARACTERS,
    "die": box.FACES,
    "face": box.FACES,
    "nation": box.NATIONS,
    "deck": box.DECKS,
    "card": tuple(CARDS),
    "tile": tuple(tile.id for tile in box.TILES),
    **dict.fromkeys(("number", "count"), tuple(map(str, range(21)))),
}


def _sign_free(request: Request) -> Mapping[str, str]:
    """Ids that hold a sign which is no part of a word: ``enter:saruman``, ``figure@place``."""
    options = request.options if isinstance(request, ChooseOne) else ()
    return {name: _word(name) for name in options if _word(name) != name}


def _word(name: str) -> str:
    return name.replace(":", "_").replace("@", ".").replace(",", ".").replace("+", ".")


def _action_words(request: Request) -> Mapping[str, str]:
    """Actions by the short words that fit the die: ``attack`` is another action with each symbol."""
    names = dict(_ACTIONS)
    if request.about.get("face") == "character":
        names |= {
            "led_attack": "attack",
            "led_move": "move",
            "attack": "army_attack",
            "move_armies": "armies",
        }
    return names


_ACTIONS = {
    **{action.id: _word(action.id) for action in ACTIONS},
    "move_armies": "move",
    "move_fellowship": "fellowship",
    "hide_fellowship": "hide",
    "move_companions": "companions",
    "move_minions": "minions|nazgul",
    "negotiate": "advance_nation|negotiate",
    "draw_card": "draw",
    "play_card": "play",
}


def implied_action(face: str, words: Words) -> str | None:
    """``army: a > b`` moves, ``army: a x b`` attacks: which action an army's way stands for."""
    march, attack = ("led_move", "led_attack") if face == "character" else ("move_armies", "attack")
    return silent.implied_march(words, PLACE, march, attack)


def _whole_army(request: Request) -> Any:
    """Everybody goes; where a border keeps some of them back it must be said who goes."""
    refused = () if not isinstance(request, ChooseSome) or request.refused is None else request.refused()
    kept_back = next((refusal for _, refusal in refused if refusal.rule == "move.borders"), None)
    return kept_back or silent.default(request)


STYLES: Mapping[str, Style] = {
    # the turn
    "prompt.ask_start": Style(marker="starts"),
    "prompt.discard": Style(marker="discard"),
    "prompt.roll_action_dice": Style(marker="dice"),
    "prompt.choose_die": Style(),
    "prompt.ring_die": Style(),
    "prompt.ring_face": Style(marker="="),
    "prompt.choose_action": Style(
        before=": ",
        words=_action_words,
        after_colon=True,
        implied=lambda request, words: implied_action(str(request.about.get("face")), words),
    ),
    # armies
    "prompt.choose_second_army": Style(before="; ", silent=silent.option("done")),
    "prompt.choose_destination": Style(marker=">"),
    "prompt.choose_onward": Style(marker=">", silent=silent.option("done"), always=True),
    "prompt.choose_movers": Style(silent=_whole_army),
    "prompt.choose_surplus": Style(marker="remove", silent=silent.default, always=True),
    "prompt.settlement_for": Style(before="= "),
    "prompt.choose_second_recruit": Style(before="; ", silent=silent.option("done")),
    # battle
    "prompt.choose_target": Style(marker="x"),
    "prompt.prolong_siege": Style(marker="prolong"),
    "prompt.choose_attackers": Style(silent=silent.default),
    "prompt.combat_card_back": Style(marker="card", words={"no_card": "none"}),
    "prompt.reveal_combat_card": Style(marker="shows"),
    "prompt.combat_roll": Style(marker="roll"),
    "prompt.leader_reroll": Style(marker="reroll"),
    "prompt.additional_attack": Style(marker="roll"),
    "prompt.own_hits": Style(marker="own"),
    "prompt.forfeit_points": Style(marker="forfeit"),
    "prompt.casualties": Style(marker="remove", silent=silent.default, always=True),
    "prompt.choose_retreat": Style(marker=">"),
    "prompt.advance": Style(marker="advance", silent=silent.default, always=True),
    # the Fellowship and characters
    "prompt.allocate_hunt_dice": Style(marker="hunt"),
    "prompt.choose_guide": Style(marker="guide"),
    "prompt.move_declared": Style(marker=">"),
    "prompt.move_revealed": Style(marker=">"),
    "prompt.roll_hunt": Style(marker="roll"),
    "prompt.choose_hunt_rerolls": Style(marker="again"),
    "prompt.reroll_hunt": Style(marker="reroll"),
    "prompt.draw_tile": Style(marker="tile"),
    "prompt.roll_tile": Style(marker="roll"),
    "prompt.draw_companion": Style(marker="drawn"),
    "prompt.random_companion": Style(marker="drawn"),
    "prompt.choose_way": Style(marker="through", words=_sign_free),
    "prompt.separated_move": Style(marker=">"),
    "prompt.companions_to": Style(marker=">"),
    "prompt.companion_company": Style(marker="with", silent=silent.default, always=True),
    "prompt.choose_fliers": Style(silent=silent.default),
    "prompt.minions_to": Style(marker=">"),
    "prompt.move_minions_from": Style(before="; ", silent=silent.option("done"), always=True),
    "prompt.move_companion": Style(before="; ", silent=silent.option("done"), always=True),
    # cards
    "prompt.play_card": Style(words=_sign_free),
    "prompt.by_hand": Style(words={"done": "that_is_all"}),
    "prompt.card_roll": Style(marker="roll"),
    "prompt.dunland_joins": Style(marker="joins"),
    "prompt.stormcrow_loss": Style(words=_sign_free),
    "prompt.use_table_card": Style(marker="use"),
}

SHORT = {"lidless_eye": "eye", "will_of_the_west": "west"}
ACTION_WORDS = frozenset(word for words in _ACTIONS.values() for word in words.split("|")) | {
    "attack",
    "armies",
}
"""Words that begin an action after its die."""
NOTATION = Notation(STYLES, ALIASES, VOCABULARY, SHORT)
SEAT_WORDS = box.SEATS
