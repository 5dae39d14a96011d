"""Where to buy the parts on the circuit boards: maker, part number, LCSC number, and an alternative.

A number of LCSC stands only with the public place where it was found (`PLACES`). Nobody asked the shop: compare each
with the part number before you order.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from firmware_host.circuits.circuit import Part


class Source(Struct, frozen=True):
    """One line of an order. `lcsc` is empty where no public place names it. `usd` is an estimate for a single piece."""

    maker: str
    mpn: str
    lcsc: str
    alternative: str
    usd: float

    @property
    def remark(self) -> str:
        """Where the number of LCSC was found or, without a number, what to search for."""
        return f"LCSC number: {PLACES[self.lcsc]}" if self.lcsc else f"no LCSC number: search for {self.wanted}"

    @property
    def wanted(self) -> str:
        """Maker and part number; the number alone where any maker will do."""
        return self.mpn if self.maker == "any" else f"{self.maker} {self.mpn}"


PLACES: Mapping[str, str] = {
    "C266120": "a public parts list quotes C266120 for DRV5032AJDBZR",
    "C10429": "two public parts lists quote C10429 for SN74LVC2G17DBVR",
    "C25744": "jlcpcb.com/partdetail/26487-0402WGF1002TCE/C25744",
    "C25082": "lcsc.com/product-detail/Chip-Resistor-Surface-Mount_UNI-ROYAL-Uniroyal-Elec-0402WGF1500TCE_C25082.html",
    "C25105": "jlcpcb.com/partdetail/25848-0402WGF330JTCE/C25105",
    "C25104": "datasheet.lcsc.com/szlcsc/Uniroyal-Elec-0402WGF3300TCE_C25104.pdf",
    "C25792": "datasheet.lcsc.com/szlcsc/Uniroyal-Elec-0402WGF4702TCE_C25792.pdf",
    "C1525": "six public parts lists quote C1525 for CL05B104KO5NNNC",
    "C155176": "lcsc.com/product-detail/C155176.html, named for SN74AHCT125DR in a public parts list",
    "C52895": "four public parts lists quote C52895 for onsemi's BSS138",
    "C83333": "five public parts lists quote C83333 for Littelfuse's SMBJ5.0A",
    "C8598": "datasheet.lcsc.com/lcsc/1809140216_Changjiang-Electronics-Tech-CJ-B5819W_C8598.pdf",
    "C81598": "five public parts lists quote C81598 for 1N4148W, SOD-123",
    "C17513": "datasheet.lcsc.com/lcsc/2205311800_UNI-ROYAL-Uniroyal-Elec-0805W8F1001T5E_C17513.pdf",
    "C17614": "jlcpcb.com/partdetail/18302-0805W8F3901T5E/C17614",
    "C17414": "datasheet.lcsc.com/lcsc/1810271610_UNI-ROYAL-Uniroyal-Elec-0805W8F1002T5E_C17414.pdf",
    "C17713": "seven public parts lists quote C17713 for 0805W8F4702T5E",
    "C149504": "three public parts lists, and an address of the shop in one of them, quote C149504 for 0805W8F1003T5E",
    "C17557": "datasheet.lcsc.com/lcsc/1810241809_UNI-ROYAL-Uniroyal-Elec-0805W8F2200T5E_C17557.pdf",
    "C17714": "jlcpcb.com/partdetail/18402-0805W8F470JT5E/C17714",
    "C17634": "datasheet.lcsc.com/szlcsc/Uniroyal-Elec-0805W8F330JT5E_C17634.pdf",
    "C17630": "datasheet.lcsc.com/szlcsc/Uniroyal-Elec-0805W8F3300T5E_C17630.pdf",
    "C81193": "datasheet.lcsc.com/szlcsc/ON-Semicon-ON-CAT24C32WI-GT3_C81193.pdf",
    "C144395": "three public parts lists quote C144395 for B4B-XH-A(LF)(SN)",
    "C131337": "three public parts lists quote C131337 for B2B-PH-K-S(LF)(SN)",
    "C158012": "three public parts lists quote C158012 for B2B-XH-A(LF)(SN)",
}
"""The public place that names each number of LCSC together with the part."""

_ANY = "any of this value, size and tolerance"

SOURCES: Mapping[tuple[str, str], Source] = {
    ("DRV5032AJ", ""): Source(
        "Texas Instruments",
        "DRV5032AJDBZR",
        "C266120",
        "Diodes AH1815-WG-7 (check its levels); no unipolar switch",
        0.45,
    ),
    ("SN74HCS165", ""): Source(
        "Texas Instruments", "SN74HCS165PWR", "", "none without Schmitt inputs: a 74HC165 misreads slow clocks", 0.35
    ),
    ("SN74LVC2G17", ""): Source("Texas Instruments", "SN74LVC2G17DBVR", "C10429", "Nexperia 74LVC2G17GV,125", 0.12),
    ("APA102-2020", ""): Source(
        "Shenzhen LED Color",
        "APA102-2020-256-8",
        "",
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
    ("surge diode", ""): Source("Littelfuse", "SMBJ5.0A", "C83333", "SMBJ5.0A of any maker", 0.30),
    ("surge diode array", ""): Source("Littelfuse", "SP0504BAHTG", "", "any array of four in the same package", 0.45),
    ("Schottky diode", ""): Source("Changjiang", "B5819W", "C8598", "B5819W of any maker", 0.04),
    ("diode", ""): Source("any", "1N4148W, SOD-123", "C81598", "1N4148W of any maker", 0.03),
    ("resistor", "1k 0805"): Source("Uniroyal", "0805W8F1001T5E", "C17513", _ANY, 0.01),
    ("resistor", "3k9 0805"): Source("Uniroyal", "0805W8F3901T5E", "C17614", _ANY, 0.01),
    ("resistor", "10k 0805"): Source("Uniroyal", "0805W8F1002T5E", "C17414", _ANY, 0.01),
    ("resistor", "47k 0805"): Source("Uniroyal", "0805W8F4702T5E", "C17713", _ANY, 0.01),
    ("resistor", "100k 0805"): Source("Uniroyal", "0805W8F1003T5E", "C149504", _ANY, 0.01),
    ("resistor", "220 0805"): Source("Uniroyal", "0805W8F2200T5E", "C17557", _ANY, 0.01),
    ("resistor", "47 0805"): Source("Uniroyal", "0805W8F470JT5E", "C17714", _ANY, 0.01),
    ("resistor", "33 0805"): Source("Uniroyal", "0805W8F330JT5E", "C17634", _ANY, 0.01),
    ("resistor", "330 0805"): Source("Uniroyal", "0805W8F3300T5E", "C17630", _ANY, 0.01),
    ("capacitor", "100n 0805"): Source("Samsung", "CL21B104KBCNNNC", "", _ANY, 0.02),
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
