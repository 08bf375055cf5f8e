"""Playing through the screens' own JSON: what a browser could tap, without a browser."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

from drafts import walked
from flask import Flask
from flask.testing import FlaskClient

from web.security import csrf_of


class Screen:
    """One device: a test client with its cookie and CSRF token."""

    def __init__(self, app: Flask) -> None:
        self.client: FlaskClient = app.test_client()
        page = self.client.get("/")
        assert page.status_code == 200
        self.cookie = app.extensions["table"].cookie
        cookie = self.client.get_cookie(self.cookie)
        assert cookie is not None
        self.csrf = csrf_of(cookie.value)

    def post(self, path: str, data: Any, **headers: str) -> Any:
        """POST JSON as our pages do; the response."""
        return self.client.post(path, json=data, headers={"X-CSRF-Token": self.csrf, **headers})

    def sit(self, seat: str, language: str = "en") -> None:
        """Take a seat and choose its language."""
        assert self.post("/api/sit", {"seat": seat}).json["state"] == "taken"
        assert self.post("/api/language", {"language": language, "who": f"seat:{seat}"}).status_code == 200

    def state(self, seat: str) -> dict[str, Any]:
        """The snapshot of a seat."""
        answer = self.client.get(f"/api/seat/{seat}/state")
        assert answer.status_code == 200, answer.json
        found: dict[str, Any] = answer.json
        return found

    def act(self, seat: str, state: dict[str, Any], rng: random.Random) -> str:
        """Answer the seat's question as a finger would; says what was done ("" where nothing is asked)."""
        table = state["table"]
        ask = table["ask"]
        if ask is None or ask.get("sealed"):
            return ""
        if ask["kind"] == "roll_dice":
            return self._roll(seat, table)
        if "draft" not in ask:
            option = rng.choice([one for one in ask["options"] if one["refused"] is None])
            return self._confirm(seat, [option["value"]], table["revision"])
        return self._draft(seat, ask["draft"], table["revision"], rng)

    def _roll(self, seat: str, table: dict[str, Any]) -> str:
        if table["dice"]["roll"] is None:
            assert self.post(f"/api/seat/{seat}/dice/throw", {}).status_code == 200
            table = self.state(seat)["table"]
        offer = table["dice"]["roll"]["number"]
        done = self.post(
            f"/api/seat/{seat}/dice/accept",
            {"revision": table["revision"], "offer": offer, "corrections": []},
        )
        assert done.status_code == 200, done.json
        return "roll"

    def _draft(self, seat: str, draft: dict[str, Any], revision: int, rng: random.Random) -> str:
        def preview(values: list[Any]) -> dict[str, Any]:
            answer = self.post(f"/api/seat/{seat}/preview", {"values": values, "revision": revision})
            assert answer.status_code == 200, answer.json
            told: dict[str, Any] = answer.json
            return told

        return self._confirm(seat, walked(draft, preview, rng), revision)

    def _confirm(self, seat: str, values: list[Any], revision: int) -> str:
        done = self.post(f"/api/seat/{seat}/answer", {"values": values, "revision": revision})
        assert done.status_code == 200, done.json
        return "answer"


ID_LIKE = re.compile(r"(?<![\w/.])[a-z]+[a-z0-9]*(?:[._][a-z0-9]+)+(?![\w/.])")
"""What an untranslated message looks like: words joined by dots or underscores."""

TEXT_KEYS = {"text", "prompt", "name", "title", "sentence", "note", "short", "chapter"}


def texts(data: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """All texts meant for people in a snapshot, with the key that holds them."""
    if isinstance(data, dict):
        for name, value in data.items():
            yield from texts(value, name)
    elif isinstance(data, list):
        for value in data:
            yield from texts(value, key)
    elif isinstance(data, str) and key in (*TEXT_KEYS, "notes"):
        yield key, data


def untranslated(state: dict[str, Any]) -> set[str]:
    """Texts of a snapshot that look like ids or are empty where a person needs them."""
    found = set()
    for key, text in texts(state):
        if ID_LIKE.search(text) or "{" in text:
            found.add(f"{key}: {text}")
    return found


def sizes(state: dict[str, Any]) -> int:
    """Bytes of a snapshot on the wire."""
    return len(json.dumps(state, separators=(",", ":")))


def at_desk(app: Flask, language: str) -> Screen:
    """The arbiter's device, with their own key, in ``language``."""
    screen = Screen(app)
    key = app.extensions["table"].seats.new_arbiter_key()
    assert screen.post("/api/arbiter/enter", {"key": key}).status_code == 200
    assert screen.post("/api/language", {"language": language, "who": "arbiter"}).status_code == 200
    return screen
