"""What screens and readers of a record see: view, combat view, readable record, forms.

It imports box, state, rules and cards.  Only ``game.py`` enters.
"""
