"""What screens and readers of a record see: view, sheets, readable record, forms.

It imports box, state, rules and cards.  Only ``game.py`` enters.
"""
