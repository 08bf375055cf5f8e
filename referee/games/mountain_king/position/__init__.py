"""Position files, corrections and their forms.

It imports box, state, rules and cards.  Only ``game.py`` enters.
"""
