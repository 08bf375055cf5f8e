"""Learn by playing, through a whole turn of both games: what is explained, when, and what stays in sight."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from driving import Seat
from tables import RunningTable, answer
from test_pages import CUT_OFF, SIZES, overflow

TOPIC = "return document.querySelector('#learn')?.dataset.topic || ''"
IN_SIGHT = """
const learn = document.querySelector('#learn');
learn.closest('.body').scrollTop = 0;
scrollTo(0, 0);
const within = (e) => {
  const [box, room] = [e, e.closest('.body')].map((one) => one.getBoundingClientRect());
  const end = Math.min(room.bottom, innerHeight) + 1;
  return box.top >= room.top - 1 && Math.min(box.bottom, box.top + 48) <= end;
};
const first = within(document.querySelector('#prompt'))
  && [...document.querySelectorAll('#ask .option, #ask .hint')].slice(0, 1).every(within);
learn.scrollIntoView({ block: 'end' });
const [box, room] = [learn, learn.closest('.body')].map((one) => one.getBoundingClientRect());
return first && box.bottom <= Math.min(room.bottom, innerHeight) + 1 && box.height <= room.height + 1;
"""
"""Whether question and first answer are in sight at the top, and all of the explanation after one scroll."""
PHASES = ["2", "3", "4", "5"]
"""Those in which something is asked: what is over before anybody looks is not explained late."""


@pytest.mark.parametrize(
    ("game", "language"), [("five_armies", "de"), ("war_of_the_ring", "en"), ("war_of_the_ring", "de")]
)
def test_a_whole_turn_explains_each_thing_once_and_covers_nothing(
    tmp_path: Path, devices: list[Seat], game: str, language: str
) -> None:
    """From the set-up into the second turn; the screen is turned with each card."""
    running, seat = RunningTable(tmp_path, game), devices[0]
    table, chance = running.hall.table, random.Random(4)
    told: list[str] = []
    assert table is not None
    try:
        seat.sit(running, table.asked_seats[0], language, SIZES["wide"])
        while table.request is not None:
            # at rest, too: amounts are tried by themselves, which would be too late after the answer below
            shown = f'body:not(.busy) #prompt[data-revision="{table.revision}"]'
            seat.until(lambda: seat.find(shown))  # noqa: B023  (called at once)
            while topic := seat.driver.execute_script(TOPIC):
                seat.tap("learn-open")
                for name, size in SIZES.items():
                    seat.size(*size)
                    seat.settle(own=True)
                    seat.shot(f"learn-{game}-{language}-{len(told):02d}-{name}")
                    assert not seat.find("#field #learn") and overflow(seat) <= 0, topic
                    assert seat.driver.execute_script(IN_SIGHT), (topic, name)
                    assert seat.driver.execute_script(CUT_OFF) == [], (topic, name)
                told.append(topic)
                seat.tap("learn-ok")
                seat.until(lambda: seat.driver.execute_script(TOPIC) != topic)
            if table.view(None, "en")["turn"] == 2:
                break
            with running.web.hub.lock:
                answer(table, table.request.sample(chance))
        assert len(told) == len(set(told)), "nothing is said twice"
        assert [one for one in told if one in (*PHASES, "1", "end")] == PHASES
        assert seat.ids_on_screen() == []
    finally:
        seat.leave()
        running.close()
