"""What the primitives of cards and abilities take, for the box book's form and for checking a program.

An owner may describe a general's ability, or a card of another printing, as a
program: a list of steps like those in ``box/cards.toml``.  It lies in the box
book as ``ability.<general>`` or ``card.<card>``.  ``docs/five_armies_cards.md``
lists the primitives; it is written from this file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.games.five_armies.box.components import CHARACTERS, FACES, GENERALS, SPECIAL_TILES, UNITS
from referee.games.five_armies.box.map import TERRITORIES
from referee.games.five_armies.cards.effects_march import REACHES
from referee.games.five_armies.cards.primitives import PRIMITIVES, SELECTORS
from referee.games.five_armies.rules.marchers import ANY, GOBLIN, LED, PEOPLES
from referee.games.five_armies.state.card_data import CARDS
from referee.kernel.errors import InvalidAnswer
from referee.kernel.messages import Text, joined

NUMBER, FLAG, UNIT_COUNTS, PROGRAM = "number", "flag", "units", "program"
WHERE = tuple(SELECTORS)
ARMY = ("it", *SELECTORS)


@dataclass(frozen=True, slots=True)
class Spec:
    """A primitive: what it does in a sentence, what it must be given and what it may be given."""

    text: Text
    must: Mapping[str, Any]
    may: Mapping[str, Any]


_GIFTS = {"superiority": FLAG, "leadership": NUMBER, "no_retreat_in_round": NUMBER}
_NEED = (ANY, LED, GOBLIN, *PEOPLES)
SPECS: Mapping[str, Spec] = {
    "move": Spec(
        Text("five_armies.primitive.move"),
        {"armies": NUMBER},
        {"steps": NUMBER, "need": _NEED, "within": TERRITORIES},
    ),
    "march_and_attack": Spec(
        Text("five_armies.primitive.march_and_attack"),
        {},
        {"army": ARMY, "steps": NUMBER, "need": _NEED, **_GIFTS},
    ),
    "move_or_attack": Spec(Text("five_armies.primitive.move_or_attack"), {}, _GIFTS),
    "combined_attack": Spec(Text("five_armies.primitive.combined_attack"), {}, {}),
    "shoot": Spec(
        Text("five_armies.primitive.shoot"),
        {"dice": NUMBER, "target": NUMBER},
        {"by": CHARACTERS, "reach": REACHES},
    ),
    "archery": Spec(Text("five_armies.primitive.archery"), {"target": NUMBER}, {}),
    "recruit": Spec(
        Text("five_armies.primitive.recruit"), {"where": WHERE, "units": UNIT_COUNTS}, {"leadership": NUMBER}
    ),
    "place_token": Spec(
        Text("five_armies.primitive.place_token"), {"where": WHERE}, {"regions": NUMBER, "flip": (True, "or")}
    ),
    "flip_tokens": Spec(
        Text("five_armies.primitive.flip_tokens"),
        {},
        {"regions": NUMBER, "tokens": NUMBER, "within": TERRITORIES},
    ),
    "remove_tokens": Spec(
        Text("five_armies.primitive.remove_tokens"), {"dice": NUMBER, "success": NUMBER}, {}
    ),
    "leadership": Spec(
        Text("five_armies.primitive.leadership"),
        {"tokens": NUMBER},
        {"armies": NUMBER, "tokens_by_west": NUMBER},
    ),
    "strip_leadership": Spec(Text("five_armies.primitive.strip_leadership"), {"where": WHERE}, {}),
    "discard_die": Spec(Text("five_armies.primitive.discard_die"), {"face": FACES}, {}),
    "send_bats": Spec(
        Text("five_armies.primitive.send_bats"), {"bats": NUMBER, "against": ("leadership", "token")}, {}
    ),
    "heal": Spec(Text("five_armies.primitive.heal"), {"army": WHERE, "damage": NUMBER}, {}),
    "rally": Spec(Text("five_armies.primitive.rally"), {"success": NUMBER}, {"armies": NUMBER}),
    "rally_it": Spec(Text("five_armies.primitive.rally_it"), {"success": NUMBER}, {}),
    "repair": Spec(Text("five_armies.primitive.repair"), {}, {}),
    "damage": Spec(Text("five_armies.primitive.damage"), {"armies": NUMBER, "tokens": NUMBER}, {}),
    "shift_character": Spec(
        Text("five_armies.primitive.shift_character"),
        {"character": CHARACTERS, "spaces": NUMBER, "otherwise": PROGRAM},
        {"enters": FLAG, "then": PROGRAM},
    ),
    "beorn": Spec(Text("five_armies.primitive.beorn"), {}, {}),
    "eagles": Spec(Text("five_armies.primitive.eagles"), {"number": NUMBER}, {}),
    "wrath": Spec(Text("five_armies.primitive.wrath"), {"tokens": NUMBER}, {}),
    "raise_leadership": Spec(
        Text("five_armies.primitive.raise_leadership"), {"character": CHARACTERS, "by": NUMBER}, {}
    ),
    "return_general": Spec(Text("five_armies.primitive.return_general"), {}, {}),
    "move_bilbo": Spec(
        Text("five_armies.primitive.move_bilbo"), {"to": WHERE, "fate_card_with": CHARACTERS}, {}
    ),
    "bodyguard": Spec(Text("five_armies.primitive.bodyguard"), {}, {}),
    "trouble_general": Spec(Text("five_armies.primitive.trouble_general"), {}, {}),
    "orcs_on_card": Spec(Text("five_armies.primitive.orcs_on_card"), {"number": NUMBER}, {}),
    "draw_event": Spec(Text("five_armies.primitive.draw_event"), {}, {}),
    "add_tile": Spec(Text("five_armies.primitive.add_tile"), {"tile": SPECIAL_TILES}, {}),
    "shift_fate": Spec(Text("five_armies.primitive.shift_fate"), {"spaces": NUMBER}, {}),
    "stay": Spec(Text("five_armies.primitive.stay"), {}, {}),
}
"""Every primitive that a program may use (``lay_token`` serves resolving by hand only)."""

FIGHTING = frozenset({"march_and_attack", "move_or_attack", "combined_attack", "beorn"})
"""Primitives that may lead to a combat: only the last step of a program may be one."""


OWN_CARD_ONLY = frozenset({"orcs_on_card", "trouble_general"})
"""Primitives that leave something on a card that only the cards shipped with them know how to use up."""


def out_of_place(key: str) -> frozenset[str]:
    """Primitives that the program at ``key`` of the box book (``ability.…``, ``card.…``) may not use."""
    kind, _, name = key.partition(".")
    if kind != "card" or name not in CARDS:
        return OWN_CARD_ONLY | {"stay"}
    return OWN_CARD_ONLY - {step["do"] for step in CARDS[name].program}


def problems(program: Any, without: Collection[str] = ()) -> list[Text]:
    """What is wrong with a program, each in English and German; empty where it can be run.

    ``without`` names primitives that do not belong there.
    """
    if not isinstance(program, Sequence) or isinstance(program, str) or not program:
        return [Text("five_armies.program_list_steps")]
    found: list[Text] = []
    for number, step in enumerate(program, 1):
        name = step.get("do") if isinstance(step, Mapping) else None
        spec = SPECS.get(name) if isinstance(name, str) and name not in without else None
        if spec is None:
            known = ", ".join(one for one in SPECS if one not in without)
            found.append(Text("five_armies.step_no_primitive", number=number, name=name, known=known))
            continue
        found.extend(_step_problems(number, step, spec, without))
        if name in FIGHTING and number < len(program):
            found.append(Text("five_armies.step_attack_must_last", number=number))
    return found


def check_box(box: Mapping[str, Any]) -> None:
    """Check the programs of a box book.  Raises :class:`InvalidAnswer` naming the entry and what is wrong."""
    for key, program in box.items():
        kind, _, name = key.partition(".")
        if kind not in ("ability", "card"):
            continue
        known = [CHARACTERS[c] for c in GENERALS] if kind == "ability" else list(CARDS)
        if name not in known:
            raise InvalidAnswer(Text("five_armies.no_such_piece", key=key, name=name, known=", ".join(known)))
        wrong = problems(program, out_of_place(key))
        if wrong:
            raise InvalidAnswer(Text("five_armies.program_wrong", key=key, wrong=joined(wrong, "; ")))


def _step_problems(number: int, step: Mapping[str, Any], spec: Spec, without: Collection[str]) -> list[Text]:
    found: list[Text] = []
    for argument in spec.must:
        if argument not in step:
            found.append(Text("five_armies.step_missing", number=number, argument=f"`{argument}`"))
    for argument, value in step.items():
        if argument == "do":
            continue
        kind = spec.must.get(argument, spec.may.get(argument))
        if kind is None:
            takes = ", ".join(f"`{one}`" for one in (*spec.must, *spec.may)) or "-"
            found.append(
                Text("five_armies.step_not_taken", number=number, argument=f"`{argument}`", takes=takes)
            )
        elif kind == PROGRAM:
            found.extend(problems(value, without))
        elif not _fits(kind, value):
            wanted = kind if isinstance(kind, str) else ", ".join(map(str, kind))
            found.append(
                Text(
                    "five_armies.step_not_one",
                    number=number,
                    argument=f"`{argument}`",
                    value=value,
                    wanted=wanted,
                )
            )
    return found


def _fits(kind: Any, value: Any) -> bool:
    if kind == NUMBER:
        return isinstance(value, int) and not isinstance(value, bool) and -15 <= value <= 99
    if kind == FLAG:
        return isinstance(value, bool)
    if kind == UNIT_COUNTS:
        return isinstance(value, Mapping) and all(
            unit in UNITS and _fits(NUMBER, n) and n > 0 for unit, n in value.items()
        )
    return value in kind


def document() -> str:
    """``docs/five_armies_cards.md``: the primitives and what they take."""
    rows = [_HEAD]
    for name, spec in SPECS.items():
        rows.append(f"### `{name}`\n\n{spec.text}\n\n*{spec.text.in_words('de')}*\n")
        for title, arguments in (("must have", spec.must), ("may have", spec.may)):
            for argument, kind in arguments.items():
                values = kind if isinstance(kind, str) else ", ".join(f"`{value}`" for value in kind)
                rows.append(f"- {title} `{argument}`: {values}")
        rows.append("")
    return "\n".join(rows)


_HEAD = """# Cards and abilities of The Battle of Five Armies as programs

Card texts are not part of this project. What a card does is a short program: a list of steps, each one of
the primitives below under the ordinary rules. Programs of all cards are in
`referee/games/five_armies/box/cards.toml`; an attack is always the last step. The box book takes programs
too: `ability.bard`, `ability.dain`, `ability.gandalf`, `ability.thranduil` for what is printed on the
generals' cards, and `card.<card>` for a card that reads differently in your box. What nobody has described
is resolved by hand with the same primitives: declared by its player, checked, agreed to by the opponent.
This file is written by `python -m referee.games.five_armies.cards.programs`.

Kartentexte gehören nicht zum Projekt. Was eine Karte tut, ist ein kurzes Programm aus den Grundbausteinen
unten, unter den gewöhnlichen Regeln; ein Angriff steht immer am Schluss. Das Schachtelbuch nimmt Programme
für Fähigkeiten der Generäle und abweichend gedruckte Karten auf. Was niemand beschrieben hat, wird mit
denselben Bausteinen von Hand abgewickelt: angesagt, geprüft, vom Gegner bestätigt.

Selectors (`where`, `army`): `it` is the place of the step before; the others name own armies, settlements
or regions as their words say.
"""

assert set(SPECS) == set(PRIMITIVES) - {"lay_token"}

if __name__ == "__main__":
    print(document(), end="")
