"""The lights of the board: their signals and colours."""
