"""`python -m board_drivers.lights_out`: turns the LEDs' rail off after the program was killed or crashed.

LEDs keep their last colour as long as they have power. A running board holds the rail's line and is not disturbed.
"""

from __future__ import annotations

import sys
from contextlib import closing

from board_drivers.header import Header
from board_drivers.pins import LIGHTS_ENABLE
from board_drivers.ports import DriverError


def lights_out() -> None:
    """Turn the LEDs' rail off. Raises DriverError, also while another program holds its line."""
    with closing(Header()) as header:
        header.output(LIGHTS_ENABLE)  # an output starts off


if __name__ == "__main__":
    try:
        lights_out()
    except DriverError as fault:
        sys.exit(str(fault))
