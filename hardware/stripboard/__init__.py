"""The strip made by hand: the same netlist on two pieces of stripboard."""
