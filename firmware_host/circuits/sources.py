"""Where to buy the parts on the circuit boards: maker, part number, LCSC number, and an alternative.

The LCSC numbers are from memory and were not verified here: compare each with the part number before you order.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from firmware_host.circuits.circuit import Part


class Source(Struct, frozen=True):
    """One line of an order. `lcsc` is empty where no number is known. `usd` is an estimate for a single piece."""

    maker: str
    mpn: str
    lcsc: str
    alternative: str
    usd: float
    comment: str = ""


_ANY = "any of this value, size and tolerance"

SOURCES: Mapping[tuple[str, str], Source] = {
    ("DRV5032AJ", ""): Source(
        "Texas Instruments", "DRV5032AJDBZR", "", "Diodes AH1815-WG-7 (check its levels); no unipolar switch", 0.45
    ),
    ("SN74HCS165", ""): Source(
        "Texas Instruments", "SN74HCS165PWR", "", "none without Schmitt inputs: a 74HC165 misreads slow clocks", 0.35
    ),
    ("SN74LVC2G17", ""): Source("Texas Instruments", "SN74LVC2G17DBVR", "C10427", "Nexperia 74LVC2G17GV,125", 0.12),
    ("APA102-2020", ""): Source(
        "Shenzhen LED Color",
        "APA102-2020-256-8",
        "C2909059",
        "none: the SK9822-EC20 has other pads in its middle",
        0.25,
    ),
    ("resistor", "10k 0402"): Source("Uniroyal", "0402WGF1002TCE", "C25744", _ANY, 0.005),
    ("resistor", "150 0402"): Source("Uniroyal", "0402WGF1500TCE", "C25082", _ANY, 0.005),
    ("resistor", "33 0402"): Source("Uniroyal", "0402WGF330JTCE", "C25105", _ANY, 0.005),
    ("resistor", "330 0402"): Source("Uniroyal", "0402WGF3300TCE", "C25104", _ANY, 0.005),
    ("resistor", "47k 0402"): Source("Uniroyal", "0402WGF4702TCE", "C25792", _ANY, 0.005),
    ("capacitor", "100n 0402"): Source("Samsung", "CL05B104KO5NNNC", "C1525", _ANY, 0.005),
    ("Molex PicoBlade 8", ""): Source(
        "Molex", "53047-0810", "", "a 1.25 mm header of the same pattern, polarised", 0.45
    ),
    ("74AHCT125", ""): Source("Texas Instruments", "SN74AHCT125DR", "C155176", "Nexperia 74AHCT125D,118", 0.45),
    ("P-channel MOSFET", ""): Source(
        "onsemi", "FDS6575", "", "any P-channel MOSFET in SO-8 for 20 V with at most 17 milliohm at 2.5 V", 0.90
    ),
    ("P-channel MOSFET, reversed", ""): Source(
        "onsemi", "FDS6575", "", "any P-channel MOSFET in SO-8 for 20 V with at most 17 milliohm at 2.5 V", 0.90
    ),
    ("N-channel MOSFET", ""): Source("onsemi", "BSS138", "C52895", "2N7002", 0.08),
    ("polyfuse", "holds 5 A"): Source("Bourns", "MF-RG500-0", "", "RGEF500; the same pitch of 5.1 mm", 0.70),
    ("polyfuse", "holds 3 A"): Source("Bourns", "MF-RG300-0", "", "RGEF300; the same pitch of 5.1 mm", 0.55),
    ("surge diode", ""): Source("Littelfuse", "SMBJ5.0A", "C113975", "SMBJ5.0A of any maker", 0.30),
    ("surge diode array", ""): Source("Littelfuse", "SP0504BAHTG", "", "any array of four in the same package", 0.45),
    ("Schottky diode", ""): Source("MCC", "B5819W-TP", "C8598", "B5819W of any maker", 0.04),
    ("diode", ""): Source("onsemi", "1N4148W", "C81598", "1N4148W of any maker", 0.03),
    ("resistor", "1k 0805"): Source("Uniroyal", "0805W8F1001T5E", "C17513", _ANY, 0.01),
    ("resistor", "3k9 0805"): Source("Uniroyal", "0805W8F3901T5E", "C17614", _ANY, 0.01),
    ("resistor", "10k 0805"): Source("Uniroyal", "0805W8F1002T5E", "C17414", _ANY, 0.01),
    ("resistor", "47k 0805"): Source("Uniroyal", "0805W8F4702T5E", "C17713", _ANY, 0.01),
    ("resistor", "100k 0805"): Source("Uniroyal", "0805W8F1003T5E", "C17407", _ANY, 0.01),
    ("resistor", "220 0805"): Source("Uniroyal", "0805W8F2200T5E", "C17557", _ANY, 0.01),
    ("resistor", "47 0805"): Source("Uniroyal", "0805W8F470JT5E", "C17714", _ANY, 0.01),
    ("resistor", "33 0805"): Source("Uniroyal", "0805W8F330JT5E", "C17634", _ANY, 0.01),
    ("resistor", "330 0805"): Source("Uniroyal", "0805W8F3300T5E", "C17630", _ANY, 0.01),
    ("capacitor", "100n 0805"): Source("Samsung", "CL21B104KBCNNNC", "C1711", _ANY, 0.02),
    ("capacitor", "2u2 0805"): Source("Samsung", "CL21B225KAFNNNE", "", _ANY, 0.03),
    ("electrolytic", ""): Source(
        "Panasonic", "EEUFR1A102", "", "any 1000 uF 10 V with 10 mm and a pitch of 5 mm", 0.40
    ),
    ("CAT24C32", ""): Source("onsemi", "CAT24C32WI-GT3", "C81193", "ST M24C32-WMN6TP", 0.25),
    ("socket 2 x 20", ""): Source("Samtec", "SSW-120-01-T-D", "", "any 2 x 20 socket of 2.54 mm, 8.5 mm high", 0.90),
    ("DC jack 5.5 / 2.1 mm", ""): Source(
        "CUI", "PJ-102AH", "", "any of these pads for 5 A; a DC-005 is for 2 to 3 A", 0.80
    ),
    ("JST XH 4", ""): Source("JST", "B4B-XH-A(LF)(SN)", "C144395", "any 4-pin XH header", 0.08),
    ("JST PH 2", ""): Source("JST", "B2B-PH-K-S(LF)(SN)", "C131337", "any 2-pin PH header", 0.05),
    ("pin header 1 x 2", ""): Source("any", "pin header 1 x 2, 2.54 mm", "", "any, with a shunt", 0.05),
    ("pin header 1 x 7", ""): Source("any", "pin header 1 x 7, 2.54 mm", "", "any", 0.08),
    ("pin header 1 x 8", ""): Source("any", "pin header 1 x 8, 2.54 mm", "", "any", 0.12),
    ("JST XH 2", ""): Source("JST", "B2B-XH-A(LF)(SN)", "C158012", "any 2-pin XH header", 0.06),
}


def source_of(part: Part) -> Source:
    """The source of a part. Raises LookupError if the table has none."""
    size = part.kind.footprint.split("_")[-2] if part.kind.name in ("resistor", "capacitor") else ""
    value = f"{part.value} {size[-4:]}" if size else part.value if part.kind.name == "polyfuse" else ""
    try:
        return SOURCES[part.kind.name, value]
    except KeyError:
        raise LookupError(
            f"{part.ref}: expected a source for {part.kind.name} {value or part.value}, got none; add it to sources.py"
        ) from None
