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

NUMBER, FLAG, UNIT_COUNTS, PROGRAM = "number", "flag", "units", "program"
WHERE = tuple(SELECTORS)
ARMY = ("it", *SELECTORS)


@dataclass(frozen=True, slots=True)
class Spec:
    """A primitive: what it does in a sentence, what it must be given and what it may be given."""

    en: str
    de: str
    must: Mapping[str, Any]
    may: Mapping[str, Any]


_GIFTS = {"superiority": FLAG, "leadership": NUMBER, "no_retreat_in_round": NUMBER}
_NEED = (ANY, LED, GOBLIN, *PEOPLES)
SPECS: Mapping[str, Spec] = {
    "move": Spec(
        "Up to so many own armies move, each up to so many regions (one unless said).",
        "Bis zu so viele eigene Armeen bewegen sich, jede bis zu so viele Regionen (sonst eine).",
        {"armies": NUMBER},
        {"steps": NUMBER, "need": _NEED, "within": TERRITORIES},
    ),
    "march_and_attack": Spec(
        "One own army may move and may then attack, with what is granted for that combat.",
        "Eine eigene Armee darf sich bewegen und dann angreifen, mit dem, was für diesen Kampf gewährt wird.",
        {},
        {"army": ARMY, "steps": NUMBER, "need": _NEED, **_GIFTS},
    ),
    "move_or_attack": Spec(
        "The army of the step before may move one region or attack.",
        "Die Armee des vorigen Schritts darf sich eine Region bewegen oder angreifen.",
        {},
        _GIFTS,
    ),
    "combined_attack": Spec(
        "Own armies around one enemy army may attack it together.",
        "Eigene Armeen um eine gegnerische Armee dürfen sie gemeinsam angreifen.",
        {},
        {},
    ),
    "shoot": Spec(
        "Dice against one enemy army within reach; each at the target number or above deals a damage.",
        "Würfel gegen eine gegnerische Armee in Reichweite; jeder ab der Zielzahl fügt einen Schaden zu.",
        {"dice": NUMBER, "target": NUMBER},
        {"by": CHARACTERS, "reach": REACHES},
    ),
    "archery": Spec(
        "Archery by the rules of Thranduil's ability.",
        "Bogenschützenangriff nach den Regeln von Thranduils Fähigkeit.",
        {"target": NUMBER},
        {},
    ),
    "recruit": Spec(
        "Units from the supply, and leadership tokens, come into one place.",
        "Einheiten aus dem Vorrat und Führungsmarker kommen an einen Ort.",
        {"where": WHERE, "units": UNIT_COUNTS},
        {"leadership": NUMBER},
    ),
    "place_token": Spec(
        "A face-down recruitment token is laid in each of up to so many regions and turned up at once "
        "(flip = or: laid or turned up).",
        "In bis zu so viele Regionen wird je ein Rekrutierungsmarker gelegt und gleich aufgedeckt "
        "(flip = or: gelegt oder aufgedeckt).",
        {"where": WHERE},
        {"regions": NUMBER, "flip": (True, "or")},
    ),
    "flip_tokens": Spec(
        "Own recruitment tokens are turned up: in so many regions, or so many tokens in one territory.",
        "Eigene Rekrutierungsmarker werden aufgedeckt: in so vielen Regionen oder so viele im Territorium.",
        {},
        {"regions": NUMBER, "tokens": NUMBER, "within": TERRITORIES},
    ),
    "remove_tokens": Spec(
        "Dice are rolled; each success removes an enemy recruitment token.",
        "Es wird gewürfelt; jeder Erfolg entfernt einen gegnerischen Rekrutierungsmarker.",
        {"dice": NUMBER, "success": NUMBER},
        {},
    ),
    "leadership": Spec(
        "Leadership tokens to one army, or one lot each to several armies.",
        "Führungsmarker zu einer Armee oder zu mehreren Armeen.",
        {"tokens": NUMBER},
        {"armies": NUMBER, "tokens_by_west": NUMBER},
    ),
    "strip_leadership": Spec(
        "An enemy army loses all leadership tokens.",
        "Eine gegnerische Armee verliert alle Führungsmarker.",
        {"where": WHERE},
        {},
    ),
    "discard_die": Spec(
        "The opponent puts an unused action die with this face aside.",
        "Der Gegner legt einen nicht eingesetzten Würfel mit dieser Seite beiseite.",
        {"face": FACES},
        {},
    ),
    "send_bats": Spec(
        "Great Bats leave; each takes a leadership or recruitment token of the Free Peoples along.",
        "Große Fledermäuse gehen; jede nimmt einen Führungs- oder Rekrutierungsmarker der Freien Völker mit.",
        {"bats": NUMBER, "against": ("leadership", "token")},
        {},
    ),
    "heal": Spec(
        "An own army loses damage tokens.",
        "Eine eigene Armee verliert Schadensmarker.",
        {"army": WHERE, "damage": NUMBER},
        {},
    ),
    "rally": Spec(
        "Two own armies rally, with this number for a success.",
        "Zwei eigene Armeen erholen sich, mit dieser Zahl für einen Erfolg.",
        {"success": NUMBER},
        {"armies": NUMBER},
    ),
    "rally_it": Spec(
        "The army of the step before may rally.",
        "Die Armee des vorigen Schritts darf sich erholen.",
        {"success": NUMBER},
        {},
    ),
    "repair": Spec(
        "A fortification loses damage by the strength of the army in it.",
        "Eine Wehranlage verliert Schaden in Höhe der Kampfstärke der Armee in ihr.",
        {},
        {},
    ),
    "damage": Spec(
        "Damage on each of several enemy armies without damage.",
        "Schaden auf mehrere gegnerische Armeen ohne Schaden.",
        {"armies": NUMBER, "tokens": NUMBER},
        {},
    ),
    "shift_character": Spec(
        "A character who waits on the Fate track is moved, may enter if ready, and a program follows; "
        "where he does not wait there another program is carried out.",
        "Ein Charakter auf der Schicksalsleiste wird bewegt, kann ins Spiel kommen, wenn er bereit ist, "
        "und ein Programm folgt; steht er nicht dort, gilt ein anderes Programm.",
        {"character": CHARACTERS, "spaces": NUMBER, "otherwise": PROGRAM},
        {"enters": FLAG, "then": PROGRAM},
    ),
    "beorn": Spec("Beorn may move and attack.", "Beorn darf sich bewegen und angreifen.", {}, {}),
    "eagles": Spec("Eagles come to the Eyrie.", "Adler kommen in den Adlerhorst.", {"number": NUMBER}, {}),
    "wrath": Spec(
        "Wrath tokens on Beorn's card, sixteen at most in all.",
        "Wutmarker auf Beorns Karte, insgesamt höchstens sechzehn.",
        {"tokens": NUMBER},
        {},
    ),
    "raise_leadership": Spec(
        "A character's leadership rises.",
        "Die Führung eines Charakters steigt.",
        {"character": CHARACTERS, "by": NUMBER},
        {},
    ),
    "return_general": Spec(
        "An eliminated general returns to an own army.",
        "Ein eliminierter General kehrt zu einer eigenen Armee zurück.",
        {},
        {},
    ),
    "move_bilbo": Spec(
        "Bilbo goes to an own army; with this character there a Fate card is drawn.",
        "Bilbo geht zu einer eigenen Armee; steht dort dieser Charakter, wird eine Schicksalskarte gezogen.",
        {"to": WHERE, "fate_card_with": CHARACTERS},
        {},
    ),
    "bodyguard": Spec(
        "A Great Orc of Bolg's army becomes a Bodyguard.",
        "Ein Großer Ork aus Bolgs Armee wird zur Leibwache.",
        {},
        {},
    ),
    "trouble_general": Spec(
        "A general is named whose ability is forbidden while the card stays.",
        "Ein General wird bestimmt, dessen Fähigkeit verboten ist, solange die Karte liegt.",
        {},
        {},
    ),
    "orcs_on_card": Spec(
        "Orcs from the supply lie on the card.",
        "Orks aus dem Vorrat kommen auf die Karte.",
        {"number": NUMBER},
        {},
    ),
    "draw_event": Spec("Draw an Event card.", "Eine Ereigniskarte ziehen.", {}, {}),
    "add_tile": Spec(
        "A special Fate tile comes into the pool.",
        "Ein besonderes Schicksalsplättchen kommt in den Vorrat.",
        {"tile": SPECIAL_TILES},
        {},
    ),
    "shift_fate": Spec("The Fate marker moves.", "Der Schicksalsmarker bewegt sich.", {"spaces": NUMBER}, {}),
    "stay": Spec("The card stays in play.", "Die Karte bleibt im Spiel.", {}, {}),
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


def problems(program: Any, without: Collection[str] = ()) -> list[tuple[str, str]]:
    """What is wrong with a program, each in English and German; empty where it can be run.

    ``without`` names primitives that do not belong there.
    """
    if not isinstance(program, Sequence) or isinstance(program, str) or not program:
        return [("a program is a list of steps", "ein Programm ist eine Liste von Schritten")]
    found: list[tuple[str, str]] = []
    for number, step in enumerate(program, 1):
        name = step.get("do") if isinstance(step, Mapping) else None
        spec = SPECS.get(name) if isinstance(name, str) and name not in without else None
        if spec is None:
            known = ", ".join(one for one in SPECS if one not in without)
            found.append(
                (
                    f"step {number}: {name!r} is no primitive here; there are {known}",
                    f"Schritt {number}: {name!r} ist hier kein Grundbaustein; es gibt {known}",
                )
            )
            continue
        found.extend(_step_problems(number, step, spec, without))
        if name in FIGHTING and number < len(program):
            found.append(
                (
                    f"step {number}: an attack must be the last step",
                    f"Schritt {number}: ein Angriff muss der letzte Schritt sein",
                )
            )
    return found


def check_box(box: Mapping[str, Any]) -> None:
    """Check the programs of a box book.  Raises :class:`InvalidAnswer` naming the entry and what is wrong."""
    for key, program in box.items():
        kind, _, name = key.partition(".")
        if kind not in ("ability", "card"):
            continue
        known = [CHARACTERS[c] for c in GENERALS] if kind == "ability" else list(CARDS)
        if name not in known:
            raise InvalidAnswer(
                f"{key}: there is no {name!r}; there are {', '.join(known)}.",
                f"{key}: {name!r} gibt es nicht; es gibt {', '.join(known)}.",
            )
        wrong = problems(program, out_of_place(key))
        if wrong:
            raise InvalidAnswer(
                f"{key}: " + "; ".join(english for english, _ in wrong) + ".",
                f"{key}: " + "; ".join(german for _, german in wrong) + ".",
            )


def _step_problems(
    number: int, step: Mapping[str, Any], spec: Spec, without: Collection[str]
) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for argument in spec.must:
        if argument not in step:
            found.append((f"step {number}: {argument} is missing", f"Schritt {number}: {argument} fehlt"))
    for argument, value in step.items():
        if argument == "do":
            continue
        kind = spec.must.get(argument, spec.may.get(argument))
        if kind is None:
            takes = ", ".join((*spec.must, *spec.may)) or "-"
            found.append(
                (
                    f"step {number}: {argument} is not taken here ({takes})",
                    f"Schritt {number}: {argument} passt hier nicht ({takes})",
                )
            )
        elif kind == PROGRAM:
            found.extend(problems(value, without))
        elif not _fits(kind, value):
            wanted = kind if isinstance(kind, str) else ", ".join(map(str, kind))
            found.append(
                (
                    f"step {number}: {argument} = {value!r} is not one of: {wanted}",
                    f"Schritt {number}: {argument} = {value!r} ist nicht unter: {wanted}",
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
        rows.append(f"### `{name}`\n\n{spec.en}\n\n*{spec.de}*\n")
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
