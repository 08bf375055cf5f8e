"""Words for moves: notation, explaining, what pieces do.

It imports the rules; screens stand beside it.
"""
