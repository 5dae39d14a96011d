"""What the clock model knows of the chips and of the Pi. Each number has its source beside it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import astuple

from hardware.row.line import SUPPLY_V, Thresholds

ROW_SUPPLIES_V = (3.0, SUPPLY_V)
"""The lowest supply of the rows, behind the diode D6 of the hub, and the highest, without any loss in it."""
REGISTER_INPUTS = (
    Thresholds(0.7, 1.5, 0.3, 1.0, 0.2, supply_v=2.0),
    Thresholds(1.7, 3.15, 0.9, 2.2, 0.4, supply_v=4.5),
)
"""SN74HCS165; from memory."""
BUFFER_INPUTS = (
    Thresholds(1.3, 2.2, 0.6, 1.5, 0.4, supply_v=3.0),
    Thresholds(1.9, 3.1, 1.0, 2.0, 0.6, supply_v=4.5),
)
"""74LVC2G17, from -40 to 85 degrees. Source: table 11 of NXP's 74LVC3G17, revision 6, the same gate three times; from
memory, that of Texas Instruments is within it."""


def at_supply(inputs: tuple[Thresholds, Thresholds], supply_v: float) -> Thresholds:
    """The thresholds at a supply between those of two columns of a data sheet."""
    one, other = inputs
    share = (supply_v - one.supply_v) / (other.supply_v - one.supply_v)
    return Thresholds(*(low + share * (high - low) for low, high in zip(astuple(one), astuple(other), strict=True)))


BUFFER_INPUT = at_supply(BUFFER_INPUTS, SUPPLY_V)
"""The buffer of the hub, which has the supply of the Pi."""
GATE_INPUT = Thresholds(0.8, 2.0, 0.8, 2.0, 0.0)
"""74AHCT125: TTL levels without hysteresis."""
HIGHEST_INPUT_V = 5.5
"""The highest input voltage of 74LVC2G17 and 74AHCT125, whatever their supply."""

LEAST_DELAY_NS = 4.0
MOST_DELAY_NS = 60.0
"""Delay of a register from clock to output: the least is an estimate, as the data sheet has none."""
SETUP_NS = 20.0
"""The longest setup time of a register; its longest hold time is 0."""
PULSE_NS = 25.0
"""The shortest clock pulse, high or low, that a register needs; an estimate, above the 12 ns of a 74HC165 at 3.3 V."""
BUFFER_NS = 10.0
"""Delay of a buffer."""
BUFFER_SKEW_NS = 1.0
"""The most by which a buffer delays one edge longer than the other; an estimate."""
BUFFER_OHM = (8.0, 25.0)
BUFFER_EDGE_NS = (1.0, 3.0)
"""The driver of a buffer."""
INPUT_PF = (2.0, 7.0)
"""The capacitance of a register or buffer input with its pad; data sheets have a maximum of 5 pF and no minimum."""
GATE_PF = (3.0, 10.0)
"""That of an input of the 74AHCT125."""


class PiDriver(Struct, frozen=True):
    """The clock output of a Pi: its resistance, its edge from 0 to 3.3 V, and the track to its header."""

    ohm: tuple[float, float]
    edge_ns: tuple[float, float]
    track_mm: tuple[float, float]
    line_ohm: tuple[float, float] = (50.0, 70.0)


PIS: Mapping[str, PiDriver] = {
    "Pi Zero 2 W": PiDriver((20.0, 60.0), (1.0, 4.0), (20.0, 50.0)),
    "Pi 3": PiDriver((20.0, 60.0), (1.0, 4.0), (30.0, 70.0)),
    "Pi 4": PiDriver((10.0, 35.0), (1.0, 4.0), (30.0, 70.0)),
    "Pi 5": PiDriver((15.0, 45.0), (0.6, 2.0), (20.0, 50.0)),
}
"""Estimates. By default the pads of Zero 2 W and 3 are set to 8 mA, of the 4 to 16 mA, all without a limited slew rate;
measured edges are shorter than 2 ns. The makers publish neither resistance nor edge."""
