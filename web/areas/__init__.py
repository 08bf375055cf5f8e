"""One blueprint an area of the app."""
