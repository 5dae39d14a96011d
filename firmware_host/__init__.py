"""The host: the engine of the game and the program that runs it on a board."""
