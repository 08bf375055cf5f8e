"""What is known of the components: map, units, cards, dice, editions and house rules.

It imports the kernel and the kit only.  Every room of the game may enter.
"""
