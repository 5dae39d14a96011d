"""Checks of values that were parsed from JSON."""

from __future__ import annotations


def are_integers(*values: object) -> bool:
    """Whether each value is an integer and none is true or false, which the class pattern `int()` accepts too."""
    return all(isinstance(value, int) and not isinstance(value, bool) for value in values)
