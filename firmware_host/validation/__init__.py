"""Reads fields of mappings and checks their values: plan files, settings, request bodies, JSON lines. Pure."""
