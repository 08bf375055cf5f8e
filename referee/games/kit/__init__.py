"""What every game of the house does in the same way, so that a game holds only its own rules."""
