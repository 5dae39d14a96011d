"""The row board: the circuit board under six groups of five holes, or under one."""
