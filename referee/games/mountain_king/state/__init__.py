"""The state of a game: its declaration, ancestries and their groups, gnome tokens, tracks.

It imports the box.  Rules, cards, words, position, play and screens may enter.
"""
