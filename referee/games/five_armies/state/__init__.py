"""The state of a game: its declaration, armies, the battle, what every rule looks at.

It imports the box.  Rules, cards, words, position, play and screens may enter.
"""
