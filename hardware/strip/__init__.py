"""The strip: the circuit board under five holes."""
