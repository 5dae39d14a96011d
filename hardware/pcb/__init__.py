"""Circuit boards from netlists: checks, drawings, routing, order files. Only `kicad` and `fabrication` need KiCad."""
