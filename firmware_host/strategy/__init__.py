"""The engine: what a discard or a card of the play is worth, judged from what one player sees."""
