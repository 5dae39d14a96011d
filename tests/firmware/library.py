"""The portable firmware as a library: the state of its scans as ctypes."""

from __future__ import annotations

import ctypes
from enum import IntEnum

MAX_STRIPS, MAX_CHANGES, DEBOUNCE = 120, 16, 3


class Result(IntEnum):
    """The result of one scan."""

    SAME, CHANGED, RECOUNTED, BROKEN = range(4)


class Chain(ctypes.Structure):
    """`struct chain` of scan.h."""

    _fields_ = (
        ("strips", ctypes.c_uint8),
        ("state", ctypes.c_uint8 * MAX_STRIPS),
        ("debounce", ctypes.c_uint8),
        ("fault", ctypes.c_uint8 * 3),
        ("changes", ctypes.c_uint8),
        ("change", ctypes.c_uint8 * 3 * MAX_CHANGES),
        ("raw", ctypes.c_uint8 * (MAX_STRIPS + 1)),
        ("last", ctypes.c_uint8 * MAX_STRIPS),
        ("equal", ctypes.c_uint8 * MAX_STRIPS),
        ("invalid", ctypes.c_uint8),
    )
