"""The product's own tray: poses from a physics engine, pictures from a quick renderer, all from a seed."""
