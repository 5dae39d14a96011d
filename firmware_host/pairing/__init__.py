"""Phones: the registry of paired ones, how a new one is paired, and the QR code for it."""
