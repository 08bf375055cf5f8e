"""The archive: what is told of a record (show, verify, slip, summary, exchange, restoring).

It imports store, journal, hall and kernel and returns values or text.
Serving, web and the commands may enter.
"""

from pathlib import Path

from referee.kernel.messages import register

TEXTS = register("archive", Path(__file__).with_name("texts"))
