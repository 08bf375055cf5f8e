"""The notation of moves: how the answers to each question of this game are written.

``docs/notation.md`` describes it for players.  Reading and writing use the same
table: see :mod:`referee.kernel.notation`.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.five_armies.box.components import (
    CHARACTERS,
    FACES,
    SEATS,
    TILES,
    TOKEN_FACES,
    TOKEN_GROUPS,
    UNIT_ALIASES,
    UNITS,
)
from referee.games.five_armies.box.map import PLACES, TERRITORIES
from referee.games.five_armies.state.battle import CARDS
from referee.games.five_armies.state.card_data import CARDS as ORDER_AND_STORY
from referee.games.five_armies.state.card_data import COMBAT_EFFECTS
from referee.games.kit import silent
from referee.kernel.notation import Notation, Style, Words
from referee.kernel.requests import ChooseOne, Request

ALIASES: Mapping[str, str] = {
    **UNIT_ALIASES,
    "eye": "lidless_eye",
    "west": "will_of_the_west",
    "white": "combat_white",
    "black": "combat_black",
    "lord": "lord_of_the_eagles",
}

VOCABULARY: Mapping[str, tuple[str, ...]] = {
    "place": PLACES,
    "unit": (*UNITS, *CHARACTERS, "leadership", "eagles", "great_bats"),
    "character": CHARACTERS,
    "die": FACES,
    "territory": TERRITORIES,
    "number": tuple(map(str, range(21))),
    "manoeuvre": CARDS,
    "token_group": TOKEN_GROUPS,
    "token": (*dict.fromkeys(face for faces in TOKEN_FACES for face in faces), "eagles"),
    "card": (*ORDER_AND_STORY, *COMBAT_EFFECTS, *CARDS),
    "fate_tile": tuple(TILES),
}


def _next(request: Request) -> str:
    """In front of a second army, region or character of one action."""
    return "; " if isinstance(request, ChooseOne) and "done" in request.options else ""


def _action_words(request: Request) -> Mapping[str, str]:
    """Actions by the short words that fit the die: ``attack`` is another action with each symbol."""
    names = dict(_ACTIONS)
    face = request.about.get("face")
    if face == "character":
        names |= {"led_attack": "attack", "fast_move": "fast|move", "attack": "army_attack"}
        names["strategic_move"] = "strategic"
    elif face == "lidless_eye":
        names |= {"goblin_attack": "attack", "goblin_move": "move", "recruit_goblins": "recruit|goblins"}
        names |= {"attack": "army_attack", "strategic_move": "strategic", "recruit": "flip"}
    return names


_ACTIONS = {
    "strategic_move": "move|strategic",
    "combined_attack": "combined",
    "fast_move": "fast",
    "move_characters": "characters",
    "draw_cards": "draw",
    "eagles_attack": "eagles",
    "move_beorn": "beorn",
    "play_card": "play",
    **{f"enter:{name}": f"enter_{name}" for name in CHARACTERS},
}
_DICE = {f"ability:{name}": f"ability_{name}" for name in CHARACTERS}
_USE = {"use": "use", "decline": "no"}
_TILE_WORDS = {face: face.removeprefix("tile_").replace("_card", "c") for face in TILES}


def implied_action(face: str, words: Words) -> str | None:
    """``army: a > b`` moves, ``army: a x b`` attacks: which action an army's way stands for."""
    march, attack = _MARCHES.get(face, ("strategic_move", "attack"))
    return silent.implied_march(words, PLACES, march, attack)


_MARCHES = {"character": ("fast_move", "led_attack"), "lidless_eye": ("goblin_move", "goblin_attack")}

STYLES: Mapping[str, Style] = {
    # phases 1 to 4
    "prompt.discard": Style(marker="discard", words={"event_card": "event", "story_card": "story"}),
    "prompt.activate_generals": Style(marker="generals"),
    "prompt.place_leadership": Style(marker="leaders"),
    "prompt.fate_tile": Style(marker="tile", words=_TILE_WORDS),
    "prompt.fate_apply_or_draw": Style(),
    "prompt.fate_card": Style(marker="fate"),
    "prompt.choose_bats": Style(marker="bats"),
    "prompt.place_bats": Style(marker="over"),
    # dice and actions
    "prompt.roll_action_dice": Style(marker="dice"),
    "prompt.choose_die": Style(words=_DICE),
    "prompt.choose_action": Style(
        before=": ",
        words=_action_words,
        after_colon=True,
        implied=lambda request, words: implied_action(str(request.about.get("face")), words),
    ),
    # what only a printed card tells is taken as fitting where a line does not say it
    "prompt.ask_entry_die": Style(marker="says", silent="any"),
    "prompt.ask_entry_place": Style(marker="says", silent="any_region"),
    "prompt.ask_movement": Style(marker="says"),
    "prompt.ask_leadership": Style(marker="says"),
    "prompt.ask_eagles_mustered": Style(marker="says"),
    # movement
    "prompt.choose_army": Style(before=_next, silent=silent.option("done")),
    "prompt.choose_attacker": Style(),
    "prompt.choose_destination": Style(marker=">", silent=silent.option("stay")),
    "prompt.choose_target": Style(marker="x", silent=silent.option("no_attack")),
    "prompt.combined_target": Style(marker="x"),
    "prompt.combined_armies": Style(marker="from", silent=silent.default),
    "prompt.beorn_step": Style(marker=">", silent=silent.option("stay")),
    "prompt.entry_place": Style(marker="at"),
    "prompt.eagles_fly": Style(marker="eagles"),
    "prompt.lord_flies": Style(marker="lord"),
    "prompt.eagle_targets": Style(marker="at"),
    "prompt.lord_attacks": Style(),
    "prompt.eagle_roll": Style(marker="roll"),
    "prompt.eagle_again": Style(marker="again"),
    "prompt.who_marches": Style(silent=silent.default),
    "prompt.share_damage": Style(marker="damage"),
    "prompt.reduce": Style(marker="remove"),
    "prompt.casualty": Style(marker="remove"),
    "prompt.choose_character": Style(before=_next, silent=silent.option("done")),
    "prompt.character_destination": Style(marker=">"),
    # recruiting and rallying
    "prompt.choose_token": Style(before=_next, silent=silent.option("done")),
    "prompt.choose_token_group": Style(),
    "prompt.token_face": Style(before="= "),
    "prompt.substitute": Style(marker="for"),
    "prompt.overflow": Style(marker="remove"),
    "prompt.choose_rally": Style(before=_next, silent=silent.option("done")),
    "prompt.rally_roll": Style(marker="roll"),
    "prompt.rally_reroll": Style(marker="reroll", silent=silent.option("0")),
    "prompt.rally_again": Style(before="= "),
    # combat
    "prompt.manoeuvre_both": Style(marker="cards"),
    "prompt.manoeuvre": Style(marker="card"),
    "prompt.event_card_played": Style(marker="effect"),
    "prompt.determined_attack": Style(marker="again"),
    "prompt.combat_roll": Style(marker="roll"),
    "prompt.combat_reroll": Style(marker="reroll", silent=silent.nothing_if_free, always=True),
    "prompt.combat_reroll_dice": Style(before="= "),
    "prompt.use_ability": Style(words=_USE, silent="decline", always=True),
    "prompt.vampire_like": Style(
        words={"use": "use_bat", "decline": "keep_bat"}, silent="decline", always=True
    ),
    "prompt.bodyguard": Style(
        words={"discard_bodyguard": "guard", "take_damage": "no_guard"}, silent="take_damage", always=True
    ),
    "prompt.fell_race": Style(marker="race", words={"take_damage": "damage"}),
    "prompt.captain_of_war": Style(marker="captain", silent="decline", always=True),
    "prompt.shining_armour": Style(marker="armour", silent=silent.nothing_if_free, always=True),
    "prompt.casualties": Style(marker="remove", silent=silent.nothing_if_free, always=True),
    "prompt.break_off": Style(),
    "prompt.stay_or_leave": Style(silent=silent.only_option),
    "prompt.retreat_to": Style(marker=">"),
    "prompt.forced_retreat_to": Style(marker=">"),
    "prompt.characters_along": Style(marker="with", silent=silent.default),
    "prompt.advance_from": Style(marker="from"),
    "prompt.advance": Style(marker="advance"),
    "prompt.beorn_advance": Style(silent="no_advance", always=True),
    "prompt.damage_along": Style(marker="damage"),
    "prompt.leadership_along": Style(marker="leaders"),
    "prompt.damage_lifted": Style(marker="lift"),
    "prompt.reduce_army": Style(marker="remove"),
    # cards and abilities
    "prompt.play_card": Style(),
    **{
        f"prompt.card_{what}": Style(before=_next, silent=silent.option("done"))
        for what in (
            "recruit",
            "token_place",
            "remove_token",
            "send_bat",
            "strip_leadership",
            "leadership",
            "damage",
            "heal",
            "repair",
            "rally",
            "character_to",
            "beorn",
        )
    },
    "prompt.card_combined_attack": Style(silent="no_attack", words={"combined_attack": "combined"}),
    "prompt.card_move_or_attack": Style(silent=silent.option("done"), words={"done": "neither"}),
    "prompt.card_roll": Style(marker="roll"),
    "prompt.lucky_number": Style(marker="lucky", silent="keep"),
    "prompt.lucky_number_roll": Style(marker="roll"),
    "prompt.archery_target": Style(marker="x", silent="no_attack"),
    "prompt.archers": Style(marker="archers", silent=silent.default),
    "prompt.archery_roll": Style(marker="roll"),
    "prompt.blast_target": Style(marker="x", silent="no_attack"),
    "prompt.blast_roll": Style(marker="roll"),
    "prompt.eagle_mountain_target": Style(marker="x"),
    "prompt.eagles_sent": Style(marker="sent", silent=silent.default),
    "prompt.ask_reach": Style(marker="reach"),
    "prompt.ask_archery_dice": Style(marker="says"),
    "prompt.ask_archery_number": Style(marker="says"),
    "prompt.ask_archery_terrain": Style(marker="says"),
    "prompt.ask_blast_dice": Style(marker="says"),
    "prompt.ask_blast_number": Style(marker="says"),
}

SHORT = {
    "lidless_eye": "eye",
    "will_of_the_west": "west",
    "combat_white": "white",
    "combat_black": "black",
}
ACTION_WORDS = frozenset(word for words in _ACTIONS.values() for word in words.split("|")) | {
    "attack",
    "fast",
    "rally",
    "recruit",
    "bat_cloud",
    "skip",
    "goblins",
}
"""Words that begin an action after its die."""
NOTATION = Notation(STYLES, ALIASES, VOCABULARY, SHORT)
SEAT_WORDS = SEATS
