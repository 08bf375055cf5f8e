"""All that the screens of a table show, as one digest: for comparing before and after."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from referee.hall.table import Table
from web.asks import ask_json, own_part


def screens(table: Table) -> str:
    """What both seats and a spectator are shown and asked, in the order in which it is shown."""
    shown: list[Any] = []
    seats = table.game.seats
    for language in ("de", "en"):
        shown += [table.view(seat, language) for seat in (*seats, None)]
        status = table.status(language)
        del status["recovery"]  # what was mended is told after the restart only
        shown.append(status)
        for seat in seats:
            own = None if table.request is None else own_part(table.request, seat)
            if own is not None:
                shown.append(ask_json(table.game, own, language, table.play.answered, False))
    return hashlib.sha256(json.dumps(shown).encode()).hexdigest()
