"""What command and lore cards do: programs of primitives, and what nobody described by hand.

It registers at the occasions of the rules; nothing below imports it.
"""
