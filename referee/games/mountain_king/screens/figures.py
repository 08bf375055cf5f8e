"""Which silhouette each piece and marker has; champions and known gnomes are told by their numbers."""

from __future__ import annotations

from referee.kernel.figures import figures

FIGURES = figures(
    {
        "troll": "ogre",
        "gnome": "bad-gnome",
        "hall": "throne-king",
        "swarm": "primitive-torch",
        "looked": "surrounded-eye",
    }
)
