"""What cards do: programs, effects, cards in play, cards played by hand.

They import box, state and rules.  Words, position, play and screens may enter.
"""
