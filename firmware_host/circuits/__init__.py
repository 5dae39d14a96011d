"""The circuit board of a plan: parts, nets, where to buy them. `hardware/kicad` makes its project and its order."""
