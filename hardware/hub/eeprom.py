"""Contents of the hub's EEPROM, by which a Pi recognises the board: python -m hardware.hub.eeprom FILE

The format is that of the Raspberry Pi HAT specification, version 1: a header, the vendor atom, and the GPIO map. There
is no device tree; the overlays stay in the Pi's `config.txt`. Every hub needs a UUID of its own, so each run makes one.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path
from uuid import UUID, uuid4

from board_drivers.hub_identity import PRODUCT, REVISION, REVISION_NUMBER
from board_drivers.pins import header_pins

VENDOR = "cribboard"
PRODUCT_ID = 0x6362
_SIGNATURE = b"R-Pi"
_VERSION = 1
_VENDOR_ATOM = 1
_GPIO_ATOM = 2
_NOT_WIRED = ("spare", "spi_ce0", "card_reader_tx", "card_reader_rx", "i2s_data_in", "hat_sda", "hat_scl")
_USED = 1 << 7
_INPUT = 0
_DEFAULT_PULL = 0 << 5
"""Of a byte of the GPIO map. Drafts of the specification had these bits in another order."""
GPIOS = 28


def eeprom_image(uuid: UUID) -> bytes:
    """The whole image. The Pi shows `uuid`, vendor, product and revision under /proc/device-tree/hat."""
    vendor = VENDOR.encode("ascii")
    product = PRODUCT.encode("ascii")
    facts = struct.pack("<HHBB", PRODUCT_ID, REVISION_NUMBER, len(vendor), len(product))
    atoms = [
        _atom(_VENDOR_ATOM, 0, uuid.int.to_bytes(16, "little") + facts + vendor + product),
        _atom(_GPIO_ATOM, 1, bytes([0, 0]) + _gpio_map()),
    ]
    body = b"".join(atoms)
    return _SIGNATURE + struct.pack("<BBHI", _VERSION, 0, len(atoms), 12 + len(body)) + body


def _gpio_map() -> bytes:
    """A byte for each GPIO. All pins that the hub uses stay inputs until the program sets them up."""
    used = {pin.bcm for pin in header_pins().pins if pin.bcm is not None and pin.use not in _NOT_WIRED}
    return bytes(_USED | _INPUT | _DEFAULT_PULL if bcm in used else 0 for bcm in range(GPIOS))


def _atom(kind: int, number: int, contents: bytes) -> bytes:
    atom = struct.pack("<HHI", kind, number, len(contents) + 2) + contents
    return atom + struct.pack("<H", crc16(atom))


def crc16(contents: bytes) -> int:
    """CRC-16 with the polynomial 0x8005, bits reflected, starting from 0."""
    crc = 0
    for byte in contents:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xA001 if crc & 1 else 0)
    return crc


def main(words: list[str]) -> int:
    """Writes a new image into the file that is named; returns the exit code."""
    if len(words) != 1:
        print("expected one file name, for example: python -m hardware.hub.eeprom hub.eep", file=sys.stderr)
        return 2
    uuid = uuid4()
    Path(words[0]).write_bytes(eeprom_image(uuid))
    print(f"{words[0]}: {PRODUCT}, revision {REVISION}, {uuid}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
