"""The hub: the circuit board between the Raspberry Pi and everything else."""
