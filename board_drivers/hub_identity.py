"""How the hub names itself to the Pi, as the HAT specification wants it: in its EEPROM, and under /proc/device-tree.

The program and the circuit boards are made for one revision of the hub; both take it from here.
"""

from __future__ import annotations

PRODUCT = "cribboard hub"
REVISION = "B"
"""A letter; in the EEPROM it is a hexadecimal digit."""
REVISION_NUMBER = int(REVISION, 16)
PRODUCT_FILE = "/proc/device-tree/hat/product"
REVISION_FILE = "/proc/device-tree/hat/product_ver"
"""Written by the Pi at boot, with a zero byte at the end; missing if the EEPROM is empty."""


def named_revision(text: str) -> str:
    """The letter of a revision as the Pi writes it, `0x000b`; the text itself if it is no such number."""
    try:
        return f"{int(text, 16):X}"
    except ValueError:
        return text
