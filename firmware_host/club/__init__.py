"""A club: members, nights of nine games, pairing, standings, play-offs, seasons. See README.md."""
