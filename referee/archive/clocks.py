"""Times and boot ids of a record: remarks where they are not plausible.  Never faults."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

from referee.archive.exchange import shown
from referee.journal.events import Event
from referee.kernel.messages import Text

EARLIEST = datetime(2024, 1, 1, tzinfo=UTC)
"""Before this there was no program that could have recorded anything."""
AHEAD = timedelta(days=1)
"""How far another computer's clock may be ahead of this one before it is remarked."""
BOOT = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}")


def time_of(text: str) -> datetime | None:
    """The instant that ``text`` (ISO 8601 with a zone) names, or None."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo is not None else None


def clock_remarks(header: Mapping[str, Any], events: Sequence[Event], now: datetime) -> list[Text]:
    """What is odd about the times and boot ids; of each kind the first, and how many there are."""
    return [*_odd_times(header, events, now), *_odd_steps(events), *_odd_boots(events)]


def _odd_times(header: Mapping[str, Any], events: Sequence[Event], now: datetime) -> list[Text]:
    no_times: list[int] = []
    far_off: list[int] = []
    for number, text in [(0, str(header.get("created", ""))), *((one.number, one.at) for one in events)]:
        at = time_of(text)
        if at is None:
            no_times.append(number)
        elif not EARLIEST <= at <= now + AHEAD:
            far_off.append(number)
    texts = {0: str(header.get("created", ""))} | {one.number: one.at for one in events}
    found = []
    for message, numbers in (("archive.no_time", no_times), ("archive.time_far_off", far_off)):
        if numbers:
            found.append(Text(message, number=numbers[0], at=shown(texts[numbers[0]]), n=len(numbers)))
    created = time_of(texts[0])
    first = time_of(events[0].at) if events else None
    if created is not None and first is not None and first < created:
        found.append(Text("archive.began_before_created", at=shown(events[0].at), created=shown(texts[0])))
    return found


def _odd_steps(events: Sequence[Event]) -> list[Text]:
    """Where the clock went back."""
    back = [pair for pair in pairwise(events) if _is_back(*pair)]
    if not back:
        return []
    before, event = back[0]
    said = Text(
        "archive.clock_went_back", number=event.number, at=shown(before.at), at2=shown(event.at), n=len(back)
    )
    return [said]


def _is_back(before: Event, event: Event) -> bool:
    earlier, later = time_of(before.at), time_of(event.at)
    return earlier is not None and later is not None and later < earlier


def _odd_boots(events: Sequence[Event]) -> list[Text]:
    """Ids that no computer gives itself, and one that comes back: a computer starts but once."""
    found = []
    strange = [one for one in events if not BOOT.fullmatch(one.boot)]
    if strange:
        found.append(Text("archive.boot_strange", number=strange[0].number, boot=shown(strange[0].boot)))
    gone: set[str] = set()
    for before, event in pairwise(events):
        if before.boot != event.boot:
            gone.add(before.boot)
            if event.boot in gone:
                found.append(Text("archive.boot_again", number=event.number))
                break
    return found
