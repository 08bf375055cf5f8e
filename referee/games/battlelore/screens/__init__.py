"""What screens show: the view, forms, the readable record.

It imports the rules; only the game object enters.
"""
