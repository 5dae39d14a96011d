"""The board: geometry, plan files, hole numbering and the SVG drawing. Pure: no clock, no files, no threads."""
