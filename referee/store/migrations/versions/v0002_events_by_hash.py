"""Find an event by its hash, as printed on a match slip."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the index."""
    op.create_index("events_by_hash", "events", ["hash"], unique=True)


def downgrade() -> None:
    """Not offered: a backup is made before every upgrade."""
    raise NotImplementedError("restore the backup that was made before the upgrade")
