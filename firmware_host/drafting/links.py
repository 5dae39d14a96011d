"""Where the sensors' clock and latch are made fresh: a buffer between two rows, before too many strips hang on one."""

from __future__ import annotations

from itertools import groupby

from firmware_host.board.plan import BoardPlan

STRIPS_A_SEGMENT = 26
"""As many registers as one driver serves; an estimate, of 5 pF each and their ribbon."""


def buffered(plan: BoardPlan) -> tuple[int, ...]:
    """The strips, by number from 0, whose clock and latch come through a buffer: the first of a row, if it can be."""
    found, begun = list[int](), 0
    for _, strips in groupby(plan.strips, key=lambda strip: strip.row):
        row = [strip.number for strip in strips]
        if row[-1] - begun >= STRIPS_A_SEGMENT and row[0] > begun:
            begun = row[0]
            found.append(begun)
        while row[-1] - begun >= STRIPS_A_SEGMENT:  # a row longer than a segment
            begun += STRIPS_A_SEGMENT
            found.append(begun)
    return tuple(found)
