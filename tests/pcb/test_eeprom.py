"""The image of the hub's EEPROM, decoded here by the tables of the HAT specification without code of the generator."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import pytest

from board_drivers.pins import header_pins
from firmware_host.circuits.hub_netlist import HUB
from hardware.hub.eeprom import crc16, eeprom_image, main

IDENTITY = UUID("01234567-89ab-cdef-0123-456789abcdef")
EEPROM_BYTES = 4096


def number(contents: bytes) -> int:
    return int.from_bytes(contents, "little")


def remainder(contents: bytes) -> int:
    """The specification's CRC by long division, bit by bit: polynomial 0x8005, least significant bit first."""
    bits = [byte >> bit & 1 for byte in contents for bit in range(8)] + [0] * 16
    rest = 0
    for bit in bits:
        rest = rest << 1 | bit
        if rest & 0x10000:
            rest ^= 0x18005
    return int(f"{rest:016b}"[::-1], 2)


def atoms(image: bytes) -> dict[int, bytes]:
    """The contents of each atom by type; checks header, order, lengths and checksums."""
    assert image[:4] == b"R-Pi" and image[4:6] == b"\x01\x00"
    assert number(image[8:12]) == len(image)
    found, at = {}, 12
    for count in range(number(image[6:8])):
        length = number(image[at + 4 : at + 8])
        end = at + 8 + length
        assert number(image[at + 2 : at + 4]) == count
        assert number(image[end - 2 : end]) == remainder(image[at : end - 2])
        found[number(image[at : at + 2])] = image[at + 8 : end - 2]
        at = end
    assert at == len(image)
    return found


def test_the_vendor_atom_names_hub_and_revision() -> None:
    vendor = atoms(eeprom_image(IDENTITY))[1]
    assert vendor[15::-1].hex() == IDENTITY.hex, "four words, the least significant first"
    assert (number(vendor[16:18]), number(vendor[18:20])) == (0x6362, 0xB)
    names = vendor[22 : 22 + vendor[20]], vendor[22 + vendor[20] :]
    assert names == (b"cribboard", b"cribboard hub") and len(names[1]) == vendor[21]


def setgpio(byte: int) -> str:
    """A byte of the GPIO map in the words of `eepmake`: bits 2 to 0 function, 4 and 3 reserved, 6 and 5 pull, 7 used.

    The first drafts of the specification had the bits in another order; Raspberry Pi's tools read this one.
    """
    functions = ("INPUT", "OUTPUT", "ALT5", "ALT4", "ALT0", "ALT1", "ALT2", "ALT3")
    assert byte & 0b1_1000 == 0, "reserved"
    return f"{functions[byte & 0b111]} {('DEFAULT', 'UP', 'DOWN', 'NONE')[byte >> 5 & 0b11]}"


def test_the_gpio_map_has_the_pins_that_the_hub_connects_and_drives_none() -> None:
    """Firmware sets the pins as the map says before Linux starts: an output would work against the rows."""
    gpio = atoms(eeprom_image(IDENTITY))[2]
    assert gpio[:2] == b"\0\0" and len(gpio) == 30, "default drive, and no promise to power the Pi"
    wired = {pin.bcm for pin in header_pins().pins if pin.bcm is not None and HUB.part("J1").nets[str(pin.physical)]}
    used = {bcm: setgpio(byte) for bcm, byte in enumerate(gpio[2:]) if byte & 0b1000_0000}
    assert used == dict.fromkeys(sorted(wired - {0, 1}), "INPUT DEFAULT")
    assert not any(byte for byte in gpio[2:] if not byte & 0b1000_0000)


def test_the_image_fits_the_part_and_the_checksum_detects_every_flipped_bit() -> None:
    image = eeprom_image(IDENTITY)
    assert len(image) <= EEPROM_BYTES
    for bit in range(8 * 12, 8 * len(image)):
        broken = bytearray(image)
        broken[bit // 8] ^= 1 << bit % 8
        with pytest.raises(AssertionError):
            atoms(bytes(broken))


def test_the_checksum_has_its_published_check_value() -> None:
    assert crc16(b"123456789") == 0xBB3D == remainder(b"123456789")


def test_every_run_makes_another_uuid(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.eep", "two.eep")]
    for file in files:
        assert main([str(file)]) == 0
    vendors = [atoms(file.read_bytes())[1] for file in files]
    assert vendors[0][:16] != vendors[1][:16] and vendors[0][16:] == vendors[1][16:]


def test_without_a_file_name_the_command_says_what_it_expects(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "hub.eep" in capsys.readouterr().err
