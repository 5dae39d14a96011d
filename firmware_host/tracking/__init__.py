"""Peg tracking: sensor frames in, peg moves and faults out. Pure: time is an argument."""
