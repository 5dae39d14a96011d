"""The kinds of parts on our boards: pins, what each does, supply, and KiCad's name for the land pattern.

Pin numbers are from the makers' datasheets. Where KiCad's own library has the part (`symbol`), the board's job checks
them against it; land patterns are always checked.
"""

from __future__ import annotations

from hardware.pcb.circuit import Kind, Pin, Role

_ROLES = {
    "+": Role.TAKES,
    "^": Role.GIVES,
    "0": Role.GROUND,
    "<": Role.HEARS,
    ">": Role.DRIVES,
    "_": Role.SINKS,
    "~": Role.GATED,
    "-": Role.PASSIVE,
}


def _pins(table: str) -> tuple[Pin, ...]:
    """`1 VCC +` for each pin: number, name, and what it does as in `_ROLES`."""
    words = table.split()
    return tuple(
        Pin(number, name, _ROLES[role]) for number, name, role in zip(words[::3], words[1::3], words[2::3], strict=True)
    )


def _row(count: int) -> tuple[Pin, ...]:
    return tuple(Pin(str(number), str(number), Role.PASSIVE) for number in range(1, count + 1))


def _capacitor(name: str, footprint: str, symbol: str, *, by_hand: bool = False, height_mm: float = 0.0) -> Kind:
    return Kind(name, footprint, _row(2), symbol=symbol, hand_fitted=by_hand, height_mm=height_mm)


HALL = Kind(  # the field passes through the middle of the package
    "DRV5032AJ",
    "Package_TO_SOT_SMD:SOT-23",
    _pins("1 VCC +  2 OUT _  3 GND 0"),
    volts=(1.65, 5.5),
    symbol="Sensor_Magnetic:DRV5033AJxDBZ",  # the same maker's switch in the same package
    height_mm=1.12,
)
REGISTER = Kind(
    "74HC165",
    "Package_SO:TSSOP-16_4.4x5mm_P0.65mm",
    _pins(
        """1 PL <   2 CP <   3 D4 <   4 D5 <   5 D6 <   6 D7 <   7 Q7N >  8 GND 0
           9 Q7 >  10 DS <  11 D0 <  12 D1 <  13 D2 <  14 D3 <  15 CE <  16 VCC +"""
    ),
    volts=(2.0, 6.0),
    high=0.7,
    symbol="74xx:74LS165",
    height_mm=1.2,
)
LIGHT = Kind(  # not the pins of the larger 5050 package: supply and ground change places, inputs and outputs too
    "APA102-2020",
    "LED_SMD:LED-APA102-2020",
    _pins("1 VDD +  2 CKO >  3 SDO >  4 SDI <  5 CKI <  6 GND 0"),
    volts=(4.5, 5.5),
    high=0.7,
    symbol="LED:APA102-2020",
    height_mm=0.9,
)
SHIFTER = Kind(
    "74AHCT125",
    "Package_SO:SOIC-14_3.9x8.7mm_P1.27mm",
    _pins(
        """1 OE1 <  2 A1 <  3 Y1 ~   4 OE2 <  5 A2 <   6 Y2 ~  7 GND 0
           8 Y3 ~   9 A3 <  10 OE3 <  11 Y4 ~  12 A4 <  13 OE4 <  14 VCC +"""
    ),
    volts=(4.5, 5.5),
    high=2.0,
    ttl=True,
    symbol="74xx:74LS125",
)
POWER_SWITCH = Kind(
    "P-channel MOSFET",
    "Package_SO:SOIC-8_3.9x4.9mm_P1.27mm",
    _pins("1 S +  2 S +  3 S +  4 G -  5 D ^  6 D ^  7 D ^  8 D ^"),
    volts=(0.0, 20.0),
    symbol="Transistor_FET:IRF7404",
)
SMALL_SWITCH = Kind(
    "N-channel MOSFET",
    "Package_TO_SOT_SMD:SOT-23",
    _pins("1 G <  2 S 0  3 D _"),
    volts=(0.0, 50.0),
    high=1.5,
    ttl=True,
    symbol="Transistor_FET:BSS138",
)
FUSE = Kind(
    "polyfuse",
    "Fuse:Fuse_Bourns_MF-RG300",
    _pins("1 IN +  2 OUT ^"),
    volts=(0.0, 16.0),
    symbol="Device:Fuse",
    hand_fitted=True,
)
SURGE = Kind("surge diode", "Diode_SMD:D_SMB", _pins("1 K -  2 A -"), symbol="Device:D", volts=(0.0, 5.0))
KEY_GUARD = Kind(
    "4 surge diodes",
    "Package_TO_SOT_SMD:SOT-23-5",
    _pins("1 K1 -  2 A 0  3 K3 -  4 K4 -  5 K5 -"),
    symbol="Power_Protection:SP0504BAHT",
)
DIODE = Kind("diode", "Diode_SMD:D_SOD-123", _pins("1 K -  2 A -"), through=(("1", "2"),), symbol="Diode:1N4001")

RESISTOR = Kind("resistor", "Resistor_SMD:R_0805_2012Metric", _row(2), through=(("1", "2"),), symbol="Device:R")
SMALL_RESISTOR = Kind(
    "resistor", "Resistor_SMD:R_0402_1005Metric", _row(2), through=(("1", "2"),), symbol="Device:R", height_mm=0.4
)
CAPACITOR = _capacitor("capacitor", "Capacitor_SMD:C_0805_2012Metric", "Device:C")
SMALL_CAPACITOR = _capacitor("capacitor", "Capacitor_SMD:C_0402_1005Metric", "Device:C", height_mm=0.6)
RESERVOIR = _capacitor("electrolytic", "Capacitor_THT:CP_Radial_D10.0mm_P5.00mm", "Device:C_Polarized", by_hand=True)

_STUB_MM = 1.2  # a wire from below, soldered and cut off above
LINK = Kind(
    "9 holes at 1.27 mm",
    "Connector_PinHeader_1.27mm:PinHeader_1x09_P1.27mm_Vertical",
    _row(9),
    hand_fitted=True,
    height_mm=_STUB_MM,
)
WIRE_PAD = Kind(
    "hole for a thick wire",
    "TestPoint:TestPoint_THTPad_D2.0mm_Drill1.0mm",
    _row(1),
    hand_fitted=True,
    height_mm=_STUB_MM,
)
TEST_PAD = Kind(
    "hole for a wire",
    "TestPoint:TestPoint_THTPad_D1.5mm_Drill0.7mm",
    _row(1),
    hand_fitted=True,
    height_mm=_STUB_MM,
)
RIBBON_10 = Kind("box header 2 x 5", "Connector_IDC:IDC-Header_2x05_P2.54mm_Vertical", _row(10), hand_fitted=True)
RIBBON_12 = Kind("box header 2 x 6", "Connector_IDC:IDC-Header_2x06_P2.54mm_Vertical", _row(12), hand_fitted=True)
SCREWS_2 = Kind("screw terminal", "TerminalBlock:TerminalBlock_bornier-2_P5.08mm", _row(2), hand_fitted=True)


def header(pins: int) -> Kind:
    """A single row of pins, 2.54 mm apart."""
    return Kind(
        f"pin header 1 x {pins}",
        f"Connector_PinHeader_2.54mm:PinHeader_1x{pins:02}_P2.54mm_Vertical",
        _row(pins),
        hand_fitted=True,
    )
