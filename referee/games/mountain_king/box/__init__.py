"""What is known of the components: counts of the box, boards with their cards, house rules.

It imports the kernel and the kit only.  Every room of the game may enter.
"""
