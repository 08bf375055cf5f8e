"""Written moves and their explanation: notation, attempts that the flow does not ask for.

It imports box, state, rules and cards.  Only ``game.py`` enters.
"""
