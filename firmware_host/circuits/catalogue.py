"""The kinds of parts on the boards: pins with their roles, supply range, and KiCad footprint.

Pin numbers are those of the symbols in KiCad's library, which a test compares; the light has none there. They are
always compared with the pads of the footprint.
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


HALL = Kind(  # continuous, unipolar; its output may be at 40 V whatever its supply is, so it clamps no row line
    "DRV5023AJ",
    "Package_TO_SOT_SMD:SOT-23",
    pins("1 VCC +  2 OUT _  3 GND 0"),
    volts=(2.7, 38.0),
    symbol="Sensor_Magnetic:DRV5033AJxDBZ",  # the omnipolar switch of the same family
    height_mm=1.12,
)
LIGHT = Kind(  # inputs and outputs are beside each other: a row of lights needs no crossing
    "SK9822-EC20",
    "cribboard:LED_SK9822-EC20_2.0x2.0mm",
    pins("1 SDO >  2 GND 0  3 SDI <  4 CKI <  5 VDD +  6 CKO >"),
    volts=(4.5, 5.5),
    min_input_high=0.7,
    height_mm=0.9,
)
CONTROLLER = Kind(  # inputs and outputs as this board uses them
    "ATmega328P",
    "Package_QFP:TQFP-32_7x7mm_P0.8mm",
    pins(
        """1 PD3 >   2 PD4 <   3 GND 0   4 VCC +   5 GND 0   6 VCC +   7 XTAL1 -  8 XTAL2 -
           9 PD5 >  10 PD6 >  11 PD7 -  12 PB0 -  13 PB1 -  14 PB2 >  15 PB3 >  16 PB4 -
          17 PB5 >  18 AVCC + 19 ADC6 - 20 AREF - 21 GND 0  22 ADC7 - 23 PC0 -  24 PC1 -
          25 PC2 -  26 PC3 -  27 PC4 -  28 PC5 -  29 RESET < 30 PD0 < 31 PD1 >  32 PD2 >"""
    ),
    volts=(4.5, 5.5),
    min_input_high=0.6,
    symbol="MCU_Microchip_ATmega:ATmega328P-A",
    height_mm=1.2,
)
USB_BRIDGE = Kind(
    "CH340N",
    "Package_SO:SOIC-8_3.9x4.9mm_P1.27mm",
    pins("1 UD+ -  2 UD- -  3 GND 0  4 RTS >  5 VCC +  6 TXD >  7 RXD <  8 V3 -"),
    volts=(4.0, 5.5),
    min_input_high=0.4,
    symbol="Interface_USB:CH340N",
    height_mm=1.75,
)
COLUMN_REGISTER = Kind(
    "74HC595",
    "Package_SO:SOIC-16_3.9x9.9mm_P1.27mm",
    pins(
        """15 Q0 ~  1 Q1 ~  2 Q2 ~  3 Q3 ~  4 Q4 ~  5 Q5 ~  6 Q6 ~  7 Q7 ~  8 GND 0
           9 Q7S >  10 MR <  11 SHCP <  12 STCP <  13 OE <  14 DS <  16 VCC +"""
    ),
    volts=(2.0, 6.0),
    min_input_high=0.7,
    symbol="74xx:74HC595",
    height_mm=1.75,
)
ROW_REGISTER = Kind(
    "74HC165",
    "Package_SO:SOIC-16_3.9x9.9mm_P1.27mm",
    pins(
        """1 PL <   2 CP <   3 D4 <   4 D5 <   5 D6 <   6 D7 <   7 Q7N >  8 GND 0
           9 Q7 >  10 DS <  11 D0 <  12 D1 <  13 D2 <  14 D3 <  15 CE <  16 VCC +"""
    ),
    volts=(2.0, 6.0),
    min_input_high=0.7,
    symbol="74xx:74HC165",
    height_mm=1.75,
)
COLUMN_SWITCH = Kind(
    "AO3401A",
    "Package_TO_SOT_SMD:SOT-23",
    pins("1 G -  2 S +  3 D ^"),
    symbol="Transistor_FET:AO3401A",
    height_mm=1.12,
)
USB_SOCKET = Kind(
    "USB-C receptacle",
    "Connector_USB:USB_C_Receptacle_HRO_TYPE-C-31-M-12",
    pins(
        """A1 GND -  A4 VBUS -  A5 CC1 -  A6 D+ -  A7 D- -  A8 SBU1 -  A9 VBUS -  A12 GND -
           B1 GND -  B4 VBUS -  B5 CC2 -  B6 D+ -  B7 D- -  B8 SBU2 -  B9 VBUS -  B12 GND -  S1 SHIELD -"""
    ),
    symbol="Connector:USB_C_Receptacle_USB2.0_16P",
    height_mm=3.3,
)
USB_PROTECTION = Kind(
    "surge diode pair",
    "Package_TO_SOT_SMD:SOT-23",
    pins("1 A1 -  2 A2 -  3 COM 0"),
    symbol="Device:D_TVS_Dual_AAC",
    height_mm=1.12,
)
FUSE = Kind(
    "polyfuse 1812",
    "Fuse:Fuse_1812_4532Metric",
    pins("1 IN -  2 OUT ^"),
    volts=(0.0, 16.0),
    symbol="Device:Polyfuse",
    height_mm=1.4,
)
CRYSTAL = Kind(
    "crystal 16 MHz",
    "Crystal:Crystal_SMD_3225-4Pin_3.2x2.5mm",
    pins("1 X1 -  2 CASE 0  3 X2 -  4 CASE 0"),
    symbol="Device:Crystal_GND24",
    height_mm=0.8,
)
SENSE = Kind(  # the supply of the hall switches is behind it
    "resistor to a rail",
    "Resistor_SMD:R_0805_2012Metric",
    pins("1 IN -  2 OUT ^"),
    symbol="Device:R",
    height_mm=0.6,
)
DAMPER = Kind(
    "resistor",
    "Resistor_SMD:R_0805_2012Metric",
    pins("1 1 -  2 2 -"),
    through=(("1", "2"),),
    symbol="Device:R",
    height_mm=0.6,
)
CRYSTAL_CAPACITOR = Kind(
    "capacitor",
    "Capacitor_SMD:C_0603_1608Metric",
    pins("1 1 -  2 2 -"),
    symbol="Device:C",
    height_mm=0.95,
)
BULK = Kind(
    "capacitor",
    "Capacitor_SMD:C_0805_2012Metric",
    pins("1 1 -  2 2 -"),
    symbol="Device:C",
    height_mm=1.45,
)
PROGRAMMING = Kind(  # six bare pads for a programmer's spring contacts
    "programming pads",
    "Connector_PinHeader_2.54mm:PinHeader_2x03_P2.54mm_Vertical",
    pins("1 MISO -  2 VCC -  3 SCK -  4 MOSI -  5 RESET -  6 GND -"),
    is_bare=True,
)
SURGE = Kind(
    "surge diode",
    "Diode_SMD:D_SMB",
    pins("1 K -  2 A -"),
    symbol="Device:D",
    volts=(0.0, 5.0),
    height_mm=2.44,  # DO-214AA is 2.13 to 2.44 mm high (data sheet of SMBJ5.0 to 188CA, General Semiconductor)
)
KEYPAD_PROTECTION = Kind(
    "surge diode array",
    "Package_TO_SOT_SMD:SOT-363_SC-70-6",
    pins("1 K1 -  2 A 0  3 K3 -  4 K4 -  5 K5 -  6 K6 -"),
    symbol="Power_Protection:SP0505BAJT",
    height_mm=1.1,
)
SMALL_RESISTOR = Kind(
    "resistor", "Resistor_SMD:R_0402_1005Metric", _row(2), through=(("1", "2"),), symbol="Device:R", height_mm=0.4
)
SMALL_CAPACITOR = Kind(
    "capacitor",
    "Capacitor_SMD:C_0402_1005Metric",
    _row(2),
    symbol="Device:C",
    height_mm=0.6,
)
CABLE_4 = Kind(
    "JST XH 4",
    "Connector_JST:JST_XH_B4B-XH-A_1x04_P2.50mm_Vertical",
    _row(4),
    hand_fitted=True,
    left_empty=True,  # the display is on the Pi or on the page; one here is a choice
)


def header(pins: int) -> Kind:
    """A pin header of one row with a pitch of 2.54 mm."""
    return Kind(
        f"pin header 1 x {pins}",
        f"Connector_PinHeader_2.54mm:PinHeader_1x{pins:02}_P2.54mm_Vertical",
        _row(pins),
        hand_fitted=True,
    )
