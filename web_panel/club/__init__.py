"""The pages of a club night: the screen of the room, and the pages of the organiser."""
