"""Circuit boards from netlists: checks, drawings, copper zones, order files."""
