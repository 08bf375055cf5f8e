"""The hall: one refereed game, where rules, record, reader, lights and screens meet (``hall/table.py``).

It imports kernel, journal and store.  One game has one writer.
Archive, serving and web may enter.
"""

from pathlib import Path

from referee.kernel.messages import register

TEXTS = register("hall", Path(__file__).with_name("texts"))
