"""The display of the board: its prompt of one line, its pages, its look."""
