"""What the voice says."""
