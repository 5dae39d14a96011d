"""The sixteen keys and the tagged cards: what they enter, and the menus on the display."""
