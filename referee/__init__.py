"""Table Referee: rules, record and one refereed game."""

__version__ = "0.1.0"
