"""The notation of moves: how the answers to each question of this game are written.

``docs/notation.md`` describes it for players.  Reading and writing use the same
table: see :mod:`referee.kernel.notation`.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.battlelore.box import components as box
from referee.games.battlelore.box import own_deck
from referee.games.battlelore.box.components import FACES, PLACES, SECTIONS
from referee.games.battlelore.box.decks import deck_ids, deck_of
from referee.games.kit import silent
from referee.kernel.notation import Notation, Style

_CARDS = (
    *(card for name in deck_ids() for card in (*deck_of(name).command, *deck_of(name).lore)),
    *own_deck.CARDS,
)
VOCABULARY: Mapping[str, tuple[str, ...]] = {
    "place": PLACES,
    "die": FACES,
    "face": FACES,
    "card": _CARDS,
    "section": SECTIONS,
    "number": tuple(map(str, range(21))),
    "council": box.COUNCIL,
    "power": tuple(power for card in box.CREATURES.values() for power in card.get("powers", {})),
}
DONE = silent.option("done")
STYLES: Mapping[str, Style] = {
    "prompt.ask_sections": Style(marker="lines"),
    "prompt.council": Style(marker="council"),
    "prompt.command_card": Style(marker="play"),
    "prompt.lore_card": Style(marker="lore", silent=silent.option("no_card")),
    "prompt.lore_cost": Style(marker="pays"),
    "prompt.lore_target": Style(marker="on"),
    "prompt.lore_section": Style(marker="in"),
    "prompt.order_unit": Style(marker="order", words={"done": "enough"}),
    "prompt.order_anywhere": Style(marker="order", words={"done": "enough"}),
    "prompt.move_unit": Style(marker="move", words={"done": "enough"}),
    "prompt.rush": Style(marker="rush", silent=silent.option("no_rush")),
    "prompt.move_to": Style(marker=">"),
    "prompt.leap_to": Style(marker=">"),
    "prompt.choose_fighter": Style(marker="fight", words={"done": "enough"}),
    "prompt.choose_target": Style(marker="x"),
    "prompt.roll_attack": Style(marker="roll"),
    "prompt.roll_bonus": Style(marker="roll"),
    "prompt.roll_back": Style(marker="roll"),
    "prompt.critical_roll": Style(marker="again"),
    "prompt.panic_roll": Style(marker="panic"),
    "prompt.barred_roll": Style(marker="barred"),
    "prompt.lore_roll": Style(marker="spell"),
    "prompt.ignore_flags": Style(marker="ignore"),
    "prompt.retreat_to": Style(marker="back"),
    "prompt.trample_first": Style(marker="trample"),
    "prompt.gain_ground": Style(marker="ground"),
    "prompt.pursue_to": Style(marker="pursue"),
    "prompt.bonus_attack": Style(marker="bonus_attack"),
    "prompt.battle_back": Style(words={"battle_back": "battle_back", "no_battle_back": "hold"}),
    "prompt.take_lore": Style(marker="take"),
    "prompt.give_up": Style(marker="give"),
    "prompt.use_power": Style(marker="power"),
    "prompt.store_signs": Style(marker="store"),
    "prompt.set_place": Style(marker="set"),
    "prompt.heal_unit": Style(marker="heal"),
    "prompt.react_attacked": Style(marker="react"),
    "prompt.react_rolled": Style(marker="react"),
    "prompt.react_lore": Style(marker="react"),
    "prompt.by_hand": Style(marker="step"),
    "prompt.by_hand_number": Style(marker="number"),
    "prompt.by_hand_place": Style(marker="at"),
    **{f"prompt.ask_terrain_{name}": Style(marker=name) for name in box.TERRAIN_FIELDS},
    "prompt.ask_weapon_bonus": Style(marker="strikes"),
}
SHORT = {"red_helmet": "red", "blue_helmet": "blue", "green_helmet": "green", "sword_on_shield": "bonus"}
"""Words written for faces of the die."""
NOTATION = Notation(
    STYLES, {"centre": "center", **{word: face for face, word in SHORT.items()}}, VOCABULARY, SHORT
)
