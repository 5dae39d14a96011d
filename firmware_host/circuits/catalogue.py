"""The kinds of parts on the boards: pins with their roles, supply range, and KiCad footprint.

Pin numbers are from the data sheets. Tests compare them with the symbol in the KiCad library where there is one; pin
numbers are always compared with the pads of the footprint.
"""

from __future__ import annotations

from firmware_host.circuits.circuit import Kind, Pin, Role

_ROLES = {
    "+": Role.POWER_IN,
    "^": Role.POWER_OUT,
    "0": Role.GROUND,
    "<": Role.INPUT,
    ">": Role.OUTPUT,
    "_": Role.OPEN_DRAIN,
    "~": Role.TRI_STATE,
    "-": Role.PASSIVE,
}


def pins(table: str) -> tuple[Pin, ...]:
    """Parses pins written as `1 VCC +`: number, name, and role.

    Roles are `+` power input, `^` power output, `0` ground, `<` input, `>` output, `_` open-drain output, `~` tri-state
    output, `-` passive.
    """
    words = table.split()
    return tuple(
        Pin(number, name, _ROLES[role]) for number, name, role in zip(words[::3], words[1::3], words[2::3], strict=True)
    )


def _row(count: int) -> tuple[Pin, ...]:
    return tuple(Pin(str(number), str(number), Role.PASSIVE) for number in range(1, count + 1))


def _capacitor(name: str, footprint: str, symbol: str, *, by_hand: bool = False, height_mm: float = 0.0) -> Kind:
    return Kind(name, footprint, _row(2), symbol=symbol, hand_fitted=by_hand, height_mm=height_mm)


HALL = Kind(  # the sensor element is at the centre of the package
    "DRV5032AJ",
    "Package_TO_SOT_SMD:SOT-23",
    pins("1 VCC +  2 OUT _  3 GND 0"),
    volts=(1.65, 5.5),
    symbol="Sensor_Magnetic:DRV5033AJxDBZ",  # a switch of the same maker in the same package
    height_mm=1.12,
)
REGISTER = Kind(  # Schmitt-trigger inputs: a slow or ringing clock edge counts once
    "SN74HCS165",
    "Package_SO:TSSOP-16_4.4x5mm_P0.65mm",
    pins(
        """1 PL <   2 CP <   3 D4 <   4 D5 <   5 D6 <   6 D7 <   7 Q7N >  8 GND 0
           9 Q7 >  10 DS <  11 D0 <  12 D1 <  13 D2 <  14 D3 <  15 CE <  16 VCC +"""
    ),
    volts=(2.0, 6.0),
    min_input_high=0.7,
    symbol="74xx:74LS165",
    height_mm=1.2,
)
BUFFER = Kind(  # two Schmitt-trigger buffers whose inputs tolerate 5.5 V without a supply
    "SN74LVC2G17",
    "Package_TO_SOT_SMD:SOT-23-6",
    pins("1 1A <  2 GND 0  3 2A <  4 2Y >  5 VCC +  6 1Y >"),
    volts=(1.65, 5.5),
    min_input_high=0.7,
    symbol="74xGxx:74LVC2G17",
    height_mm=1.45,
)
LIGHT = Kind(  # the pinout differs from the 5050 package: supply and ground, inputs and outputs are exchanged
    "APA102-2020",
    "LED_SMD:LED-APA102-2020",
    pins("1 VDD +  2 CKO >  3 SDO >  4 SDI <  5 CKI <  6 GND 0"),
    volts=(4.5, 5.5),
    min_input_high=0.7,
    symbol="LED:APA102-2020",
    height_mm=0.9,
)
SHIFTER = Kind(
    "74AHCT125",
    "Package_SO:SOIC-14_3.9x8.7mm_P1.27mm",
    pins(
        """1 OE1 <  2 A1 <  3 Y1 ~   4 OE2 <  5 A2 <   6 Y2 ~  7 GND 0
           8 Y3 ~   9 A3 <  10 OE3 <  11 Y4 ~  12 A4 <  13 OE4 <  14 VCC +"""
    ),
    volts=(4.5, 5.5),
    min_input_high=2.0,
    ttl=True,
    symbol="74xx:74LS125",
)
POWER_SWITCH = Kind(
    "P-channel MOSFET",
    "Package_SO:SOIC-8_3.9x4.9mm_P1.27mm",
    pins("1 S +  2 S +  3 S +  4 G -  5 D ^  6 D -  7 D -  8 D -"),
    volts=(0.0, 20.0),
    symbol="Transistor_FET:IRF7404",  # the same pins
)
REVERSE_GUARD = Kind(  # the same transistor the other way round: it opens if the supply is reversed
    "P-channel MOSFET, reversed",
    "Package_SO:SOIC-8_3.9x4.9mm_P1.27mm",
    pins("1 S ^  2 S -  3 S -  4 G -  5 D +  6 D +  7 D +  8 D +"),
    volts=(0.0, 20.0),
    symbol="Transistor_FET:IRF7404",
)
SMALL_SWITCH = Kind(
    "N-channel MOSFET",
    "Package_TO_SOT_SMD:SOT-23",
    pins("1 G <  2 S 0  3 D _"),
    volts=(0.0, 50.0),
    min_input_high=1.5,
    ttl=True,
    symbol="Transistor_FET:BSS138",
)
FUSE = Kind(
    "polyfuse",
    "Fuse:Fuse_Bourns_MF-RG300",
    pins("1 IN +  2 OUT ^"),
    volts=(0.0, 16.0),
    symbol="Device:Fuse",
    hand_fitted=True,
)
SURGE = Kind("surge diode", "Diode_SMD:D_SMB", pins("1 K -  2 A -"), symbol="Device:D", volts=(0.0, 5.0))
KEYPAD_PROTECTION = Kind(
    "surge diode array",
    "Package_TO_SOT_SMD:SOT-23-5",
    pins("1 K1 -  2 A 0  3 K3 -  4 K4 -  5 K5 -"),
    symbol="Power_Protection:SP0504BAHT",
)
BLOCKING_DIODE = Kind(  # a Schottky diode from a rail to the rail behind it
    "Schottky diode", "Diode_SMD:D_SOD-123", pins("1 K ^  2 A +"), volts=(0.0, 40.0), symbol="Diode:1N5819"
)
DIODE = Kind("diode", "Diode_SMD:D_SOD-123", pins("1 K -  2 A -"), through=(("1", "2"),), symbol="Diode:1N4001")

RESISTOR = Kind("resistor", "Resistor_SMD:R_0805_2012Metric", _row(2), through=(("1", "2"),), symbol="Device:R")
SMALL_RESISTOR = Kind(
    "resistor", "Resistor_SMD:R_0402_1005Metric", _row(2), through=(("1", "2"),), symbol="Device:R", height_mm=0.4
)
CAPACITOR = _capacitor("capacitor", "Capacitor_SMD:C_0805_2012Metric", "Device:C")
SMALL_CAPACITOR = _capacitor("capacitor", "Capacitor_SMD:C_0402_1005Metric", "Device:C", height_mm=0.6)
RESERVOIR = _capacitor("electrolytic", "Capacitor_THT:CP_Radial_D10.0mm_P5.00mm", "Device:C_Polarized", by_hand=True)

_STUB_MM = 1.2  # a pin inserted from below, soldered and cut off above
CABLE_8 = Kind(  # polarised; on the lower side of a row board, so that only its soldered pins are above
    "Molex PicoBlade 8",
    "Connector_Molex:Molex_PicoBlade_53047-0810_1x08_P1.25mm_Vertical",
    _row(8),
    hand_fitted=True,
    height_mm=_STUB_MM,
)
POWER_2 = Kind(  # another family than CABLE_8, so that 5 V cannot reach a signal
    "JST XH 2",
    "Connector_JST:JST_XH_B2B-XH-A_1x02_P2.50mm_Vertical",
    _row(2),
    hand_fitted=True,
    height_mm=_STUB_MM,
)
TEST_PAD = Kind("test point", "TestPoint:TestPoint_Pad_D1.0mm", _row(1), is_bare=True)
PI_HEADER = Kind(  # on the lower side, onto the header of the Pi
    "socket 2 x 20",
    "Connector_PinSocket_2.54mm:PinSocket_2x20_P2.54mm_Vertical",
    _row(40),
    hand_fitted=True,
)
DC_JACK = Kind(
    "DC jack 5.5 / 2.1 mm",
    "Connector_BarrelJack:BarrelJack_Horizontal",
    pins("1 + -  2 - -  3 SWITCH -"),
    hand_fitted=True,
)
CABLE_4 = Kind("JST XH 4", "Connector_JST:JST_XH_B4B-XH-A_1x04_P2.50mm_Vertical", _row(4), hand_fitted=True)
CABLE_2 = Kind(  # another family than POWER_2
    "JST PH 2", "Connector_JST:JST_PH_B2B-PH-K_1x02_P2.00mm_Vertical", _row(2), hand_fitted=True
)
EEPROM = Kind(
    "CAT24C32",
    "Package_SO:SOIC-8_3.9x4.9mm_P1.27mm",
    pins("1 A0 <  2 A1 <  3 A2 <  4 GND 0  5 SDA -  6 SCL <  7 WP <  8 VCC +"),
    volts=(1.7, 5.5),
    min_input_high=0.7,
)


def header(pins: int) -> Kind:
    """A pin header of one row with a pitch of 2.54 mm."""
    return Kind(
        f"pin header 1 x {pins}",
        f"Connector_PinHeader_2.54mm:PinHeader_1x{pins:02}_P2.54mm_Vertical",
        _row(pins),
        hand_fitted=True,
    )
