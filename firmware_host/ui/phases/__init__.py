"""The wording of each phase of a game: the line of the display, the voice, and the sentences of the page."""
