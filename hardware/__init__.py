"""The truth about wood and wires, as data: boards/*.toml travels with the wheel."""
