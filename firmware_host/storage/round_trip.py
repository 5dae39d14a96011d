"""Checks, before a row is written, that its event can be read again.

Rows are never changed and never deleted, so one event that cannot be decoded makes its game or its club unreadable for
ever. A codec that writes more than it reads does that: Python takes True for the integer 1, JSON writes it as `true`,
and a reader of integers refuses it. The check does not depend on the codec, so it covers every field and version.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

E = TypeVar("E")

Columns = tuple[str, int, str]
"""Kind, version and body of an event."""


class NotReadable(ValueError):
    """An event that would not be read as it is. Text: its class, and what happens instead."""


def encode_checked(event: E, encode: Callable[[E], Columns], decode: Callable[[str, int, str], E]) -> Columns:
    """What `encode` makes of the event, if `decode` makes an equal event of it. Raises NotReadable for any other."""
    name = type(event).__name__
    try:
        columns = encode(event)
        read = decode(*columns)
    except Exception as fault:  # whatever the codec raises: the row must not be written
        raise NotReadable(f"{name}, which {type(fault).__name__} keeps from being read: {fault}") from fault
    if read != event:
        raise NotReadable(f"{name}, which would be read as {read}")
    return columns
