"""Web: the screens (seats, board, prompts, corrections, desk, set-up), one blueprint an area.

It imports serving and every room below; what is legal is decided elsewhere.
The commands may enter.
"""
