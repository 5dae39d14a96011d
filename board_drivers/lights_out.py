"""`python -m board_drivers.lights_out`: the light rail off, for when a board ended without a farewell.

Lights hold their last colour as long as they have power. A running board holds the line, and is left alone.
"""

from __future__ import annotations

import sys
from contextlib import closing

from board_drivers.header import Header
from board_drivers.pins import LIGHTS_ENABLE
from board_drivers.ports import DriverFault


def lights_out() -> None:
    """Raises DriverFault."""
    with closing(Header()) as header:
        header.output(LIGHTS_ENABLE)  # it starts out off


if __name__ == "__main__":
    try:
        lights_out()
    except DriverFault as fault:
        sys.exit(str(fault))
