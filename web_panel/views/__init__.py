"""JSON views of a snapshot. Pure."""
