"""Games, events, secrets and snapshots."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the first tables."""
    op.create_table(
        "games",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("header", sa.Text, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("game", sa.String(64), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("boot", sa.String(64), nullable=False),
        sa.Column("seat", sa.String(64), nullable=False),
        sa.Column("source", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("request", sa.Text, nullable=True),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("evidence", sa.Text, nullable=True),
        sa.Column("batch", sa.Integer, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("previous", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("game", "number"),
    )
    op.create_table(
        "seals",
        sa.Column("game", sa.String(64), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("opening", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game", "number"),
    )
    op.create_table(
        "snapshots",
        sa.Column("game", sa.String(64), sa.ForeignKey("games.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("game", "number"),
    )


def downgrade() -> None:
    """Not offered: a backup is made before every upgrade."""
    raise NotImplementedError("restore the backup that was made before the upgrade")
