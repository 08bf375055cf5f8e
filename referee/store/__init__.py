"""The store: a record on disk, with its mirror, lock, migrations, pictures and backups.

It imports kernel, journal and config; what the events mean it does not know.
Hall, archive and serving may enter; games never do.
"""

from pathlib import Path

from referee.kernel.messages import register

TEXTS = register("store", Path(__file__).with_name("texts"))
