"""From a table of parts to a board that can be ordered: checks, drawings, tracks. Only `kicad.py` needs KiCad."""
