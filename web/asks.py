"""Requests for screens: what is asked, in words, with every candidate allowed or refused and why.

One JSON form for all kinds of request; the browser renders it by ``domain``
and knows no game.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Any

from referee.kernel.capabilities import PicturesTokens
from referee.kernel.naming import domain_of, namer
from referee.kernel.play import Game
from referee.kernel.refusals import Candidate
from referee.kernel.requests import ChooseOne, ChooseSecretly, ChooseSome, Request, RollDice
from referee.kernel.together import ChooseInSteps
from web.words import name_of, refusal_json, rule_json, sentence

FEW_ANSWERS = 6
"""So many whole answers stand below each other, each taken by one tap, instead of a stepper for each item."""


def key_of(request: Request, answered: int) -> str:
    """Names this very question: equal for two looks at it, different for the next one."""
    parts: list[Any] = [answered, request.kind, request.seat, request.prompt, request.domain, request.about]
    if isinstance(request, ChooseOne):
        parts.append(list(request.options))
    elif isinstance(request, ChooseSome):
        parts.append([dict(request.limits), request.minimum, request.maximum])
    elif isinstance(request, RollDice):
        parts.append(dict(request.dice))
    elif isinstance(request, ChooseInSteps) and (first := request.following(())) is not None:
        parts.append(key_of(first, answered))
    text = json.dumps(parts, sort_keys=True, default=str)
    return f"{answered}.{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def own_part(request: Request, seat: str) -> Request | None:
    """What ``seat`` itself is asked by ``request``, or None."""
    if isinstance(request, ChooseSecretly):
        return request.of.get(seat)
    return request if request.seat == seat else None


def prompt_text(game: Game[Any], request: Request, language: str) -> str:
    """The prompt in one line; a number that is 0 may have its own words (``prompt.casualties.no_least``), and
    a particular that a question has only now and then (``prompt.choose_army.with_to``)."""
    none = (f"{request.prompt}.no_{name}" for name, value in request.about.items() if value == 0)
    given = (f"{request.prompt}.with_{name}" for name in request.about)
    for message_id in (*none, *given, f"prompt.{request.prompt}", request.prompt):
        if game.messages.find(message_id, language) is not None:
            return sentence(game, message_id, language, request.about)
    return request.prompt


def option_text(game: Game[Any], request: Request, value: Any, language: str) -> str:
    """What a button of one option of ``request`` says: the prompt's own wording first, then the thing's name,
    with a capital letter as all buttons have (a name in a sentence may begin with a small one)."""
    names = namer(game, language)
    if isinstance(value, str):
        text = names.option(request.prompt, value, request.domain, request.about)
    else:
        text = names.answer(value, request.prompt, domain_of(request))
    return text[:1].upper() + text[1:]


def ask_json(game: Game[Any], request: Request, language: str, answered: int, secret: bool) -> dict[str, Any]:
    """The whole question as JSON."""
    data: dict[str, Any] = {
        "key": key_of(request, answered),
        "kind": request.kind,
        "seat": request.seat,
        "domain": request.domain,
        "prompt": prompt_text(game, request, language),
        "about": json.loads(json.dumps(dict(request.about), default=str)),
        "rule": rule_json(game, request.rule, language),
        "forced": request.is_forced(),
        "chance": request.is_chance,
        "secret": secret,
    }
    if isinstance(request, RollDice):
        data["roll"] = _roll_json(game, request, language)
    elif isinstance(request, ChooseSome):
        data["some"] = _some_json(game, request, language)
    elif isinstance(request, ChooseInSteps):
        data["options"] = []  # its steps are drafted one by one
    else:
        drawn = game if isinstance(game, PicturesTokens) else None
        data["options"] = [_option_json(game, drawn, request, c, language) for c in request.candidates()]
        if isinstance(request, ChooseOne) and _all_at_once(request):
            data["now"] = True
    return data


def _all_at_once(request: ChooseOne) -> bool:
    """Whether one tap takes any of the options: said once, of the question."""
    return bool(request.options) and set(request.options) <= set(request.at_once)


def _option_json(
    game: Game[Any], drawn: PicturesTokens | None, request: Request, candidate: Candidate, language: str
) -> dict[str, Any]:
    refusal = candidate.refusal
    data = {
        "value": candidate.value,
        "text": option_text(game, request, candidate.value, language),
        "refused": refusal_json(game, refusal, language) if refusal is not None else None,
    }
    if isinstance(request, ChooseOne) and refusal is None:
        if request.notes is not None:
            data["notes"] = [
                sentence(game, note, language, about) for note, about in request.notes(candidate.value)
            ]
        if candidate.value in request.at_once and not _all_at_once(request):
            data["now"] = True
    if drawn is not None and isinstance(candidate.value, str):
        picture = drawn.token_picture(request.domain, candidate.value)
        if picture is not None:
            data["picture"] = picture
    if request.domain == "die" and (face := drawn_face(game, candidate.value)) is not None:
        data["face"] = face
    return data


def _some_json(game: Game[Any], request: ChooseSome, language: str) -> dict[str, Any]:
    items: list[dict[str, Any]] = [
        {"value": item, "text": option_text(game, request, item, language), "most": most, "refused": None}
        for item, most in request.limits.items()
        if most > 0
    ]
    if request.refused is not None:
        items.extend(
            {
                "value": item,
                "text": option_text(game, request, item, language),
                "most": 0,
                "refused": refusal_json(game, refusal, language),
            }
            for item, refusal in request.refused()
        )
    answers = request.few(FEW_ANSWERS) if request.at_once else []
    return {
        "items": items,
        "minimum": request.minimum,
        "maximum": request.maximum,
        "default": request.proposal,
        "answers": [
            {"counts": one, "text": option_text(game, request, one, language) if one else ""}
            for one in answers
        ],
    }


def _roll_json(game: Game[Any], request: RollDice, language: str) -> dict[str, Any]:
    return {
        "dice": [
            {
                "type": die,
                "name": name_of(game, die, language, "die"),
                "body": request.types[die].body,
                "pips": request.types[die].kind == "pip",
                "count": count,
                "faces": [
                    {"id": face, "text": face_text(game, die, face, language)}
                    for face in request.types[die].distinct_faces
                ],
            }
            for die, count in request.dice.items()
            if count
        ],
        "kept": {die: list(faces) for die, faces in request.kept.items()},
    }


def by_name(game: Game[Any], dice: Iterable[str], sentence: str, language: str) -> str:
    """A sentence of the dice reader with the names of these dice and their faces instead of their ids."""
    known = [die for die in dice if die in game.dice]
    names = {die: name_of(game, die, language, "die") for die in known}
    names |= {f: face_text(game, die, f, language) for die in known for f in game.dice[die].distinct_faces}
    ids = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.sub(rf"\b({ids})\b", lambda found: names[found[0]], sentence) if ids else sentence


def drawn_face(game: Game[Any], value: Any) -> str | None:
    """``value`` where it is a face of one of the game's dice with symbols."""
    symbols = (die for die in game.dice.values() if die.kind == "symbol")
    return value if isinstance(value, str) and any(value in die.faces for die in symbols) else None


def face_text(game: Game[Any], die: str, face: str, language: str) -> str:
    """The name of a face: a pip is its number."""
    return namer(game, language).face(die, face)
