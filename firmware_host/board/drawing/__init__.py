"""The drawing of a board as SVG."""
