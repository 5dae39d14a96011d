"""The player of the program: it follows the host's snapshots as a phone does, and plays its seats."""
