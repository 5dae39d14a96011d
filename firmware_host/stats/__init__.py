"""Past games: archive, statistics and scorecards."""
