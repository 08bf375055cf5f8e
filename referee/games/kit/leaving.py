"""Games of many seats: going on where one of them leaves."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from referee.kernel.play import Milestone, SeatLeft
from referee.kernel.requests import ChooseSecretly, Forced, Request

Part = Generator[Request | Milestone, Any, Any]


def going_on(part: Part, leave: Callable[[str], None]) -> Part:
    """Run ``part`` of a flow; where a seat resigns meanwhile, the others' questions stay open.

    ``leave`` takes the seat out of the state.  A question that the seat itself was asked, alone or
    among several, cannot stay, nor can it be asked later on: there ``SeatLeft`` goes into ``part``,
    which may catch it, and from there to whoever runs this.
    """
    gone: list[str] = []
    try:
        item = next(part)
        while True:
            asked = next((seat for seat in gone if _asks(item, seat)), None) if gone else None
            if asked is not None:
                item = part.throw(SeatLeft(asked))
                continue
            try:
                value = yield item
            except SeatLeft as left:
                leave(left.seat)
                gone.append(left.seat)
                continue
            item = part.send(value)
    except StopIteration as end:
        return end.value


def _asks(item: Request | Milestone, seat: str) -> bool:
    if isinstance(item, ChooseSecretly):
        return seat in item.of
    return isinstance(item, Request) and not isinstance(item, Forced) and item.seat == seat
