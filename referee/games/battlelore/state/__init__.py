"""What a position is: the battlefield, the units, the turn, a running fight; and its audit.

It imports the box.  Every room above may enter.
"""
