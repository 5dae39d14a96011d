"""Drill templates, solids, parts lists and pictures for makers, generated from the board plans."""
