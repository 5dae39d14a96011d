"""The sensor chain on modelled shift registers: what it reads, and how it names a fault."""

from __future__ import annotations

import pytest
from gpiozero import OutputDevice, SPISoftwareFallback

from board_drivers.header import Header
from board_drivers.pins import SENSOR_LATCH, header_pins
from board_drivers.ports import DriverError
from board_drivers.sensor_chain import RATE_HZ, SensorChain, is_valid_reading
from tests.board_drivers.bench_pi import BenchPi
from tests.board_drivers.chips import NO_MAGNET, SensorStrips, Wire

STRIPS = 10
BREAKS = pytest.mark.parametrize("strip", range(1, STRIPS + 1))
"""Counted from 1, as in the error texts."""


def strips_on(pi: BenchPi, count: int = STRIPS) -> SensorStrips:
    sclk, latch, miso = (pi.gpio[header_pins().bcm(use)] for use in ("spi_sclk", SENSOR_LATCH, "spi_miso"))
    return SensorStrips(count, sclk, latch, miso)


def chain_on(header: Header, strips: int = STRIPS) -> SensorChain:
    return SensorChain(header.output(SENSOR_LATCH, active_high=False), header.spi(0, RATE_HZ), strips)


@pytest.fixture
def strips(pi: BenchPi) -> SensorStrips:
    return strips_on(pi)


@pytest.fixture
def chain(header: Header, strips: SensorStrips) -> SensorChain:
    return chain_on(header)


def fault_of(chain: SensorChain) -> DriverError:
    with pytest.raises(DriverError) as caught:
        chain.scan()
    assert caught.value.fix.endswith(".")
    return caught.value


# What it reads


def test_register_is_loaded_by_the_latch_and_shifts_its_first_input_out_first() -> None:
    clock, latch, data = Wire(), Wire(pull=True), Wire()
    strips = SensorStrips(1, clock, latch, data)
    strips.registers[0].inputs = 0b1010_0000
    assert not data.is_high
    latch.drive(False)
    latch.drive(True)
    strips.registers[0].inputs = 0
    bits = []
    for _ in range(4):
        bits.append(int(data.is_high))
        clock.drive(True)
        clock.drive(False)
    assert bits == [1, 0, 1, 0]


def test_every_hole_is_read_as_its_own_sensor(strips: SensorStrips, chain: SensorChain) -> None:
    for strip in range(STRIPS):
        for place in range(5):
            sensor = 8 * strip + 3 + place
            strips.place_peg(sensor)
            assert chain.scan() == {sensor}
            strips.lift_peg(sensor)


def test_all_switches_are_sampled_at_once(pi: BenchPi, strips: SensorStrips, chain: SensorChain) -> None:
    """A peg that moves while the bits are shifted in is read where it was at the latch."""
    last = 8 * STRIPS - 1
    strips.place_peg(last)

    def move_peg(_: bool) -> None:
        strips.registers[-1].inputs = NO_MAGNET
        strips.registers[0].inputs = NO_MAGNET & ~0x10

    pi.gpio[header_pins().bcm("spi_sclk")].listen(move_peg)
    assert chain.scan() == {last}
    assert chain.scan() == {3}


def test_chain_is_clocked_at_1_mhz_in_mode_0(pi: BenchPi, chain: SensorChain) -> None:
    assert (pi.spi[0].rate_hz, pi.spi[0].mode) == (500_000, 0)


def test_spare_input_is_no_peg(strips: SensorStrips, chain: SensorChain) -> None:
    before = chain.scan()
    strips.place_peg(2)
    assert chain.scan() is before


@pytest.mark.parametrize("count", [0, 1, 25, 101])
def test_strips_are_counted(pi: BenchPi, header: Header, count: int) -> None:
    if count:
        strips_on(pi, count)
    assert chain_on(header).count_strips() == count


# What is broken


@BREAKS
@pytest.mark.parametrize("level", [0, 1])
def test_cut_ribbon_names_the_strip_behind_it(strips: SensorStrips, chain: SensorChain, strip: int, level: int) -> None:
    strips.floats[strip - 1] = level
    named = fault_of(chain).device
    assert named == ("Sensor chain silent" if strip == 1 else f"Chain fault at strip {strip}")


@BREAKS
def test_lost_clock_names_the_first_strip_it_does_not_reach(
    strips: SensorStrips, chain: SensorChain, strip: int
) -> None:
    strips.unclocked = strip - 1
    assert fault_of(chain).device == ("Sensor chain silent" if strip == 1 else f"Chain fault at strip {strip}")


@BREAKS
def test_lost_latch_names_the_first_strip_it_does_not_reach(
    strips: SensorStrips, chain: SensorChain, strip: int
) -> None:
    strips.unlatched = strip - 1
    assert fault_of(chain).device == ("Sensor chain silent" if strip == 1 else f"Chain fault at strip {strip}")


@BREAKS
@pytest.mark.parametrize("clocks", [1, 2, 3, 7])
def test_bit_slip_names_the_strip_where_it_begins(
    strips: SensorStrips, chain: SensorChain, strip: int, clocks: int
) -> None:
    strips.missed_clocks[strip - 1] = clocks
    assert fault_of(chain).device == f"Chain fault at strip {strip}"


@pytest.mark.parametrize("level", [False, True])
def test_data_line_stuck_at_one_level_is_named(strips: SensorStrips, chain: SensorChain, level: bool) -> None:
    strips.stuck = level
    fault = fault_of(chain)
    assert (fault.device, fault.got) == ("Sensor chain silent", f"nothing but {level:d}")
    assert "MISO" in fault.fix


def test_chain_without_power_is_silent(header: Header) -> None:
    assert fault_of(chain_on(header)).device == "Sensor chain silent"


def test_shorter_chain_is_reported_with_both_counts(pi: BenchPi, header: Header) -> None:
    strips_on(pi, 12)
    fault = fault_of(chain_on(header, 25))
    assert (fault.device, fault.expected, fault.got) == ("Chain fault at strip 13", "25 strips", "the end after 12")
    assert "from strip 12 to 13" in fault.fix


def test_longer_chain_is_reported_with_both_counts(pi: BenchPi, header: Header) -> None:
    strips_on(pi, 51)
    fault = fault_of(chain_on(header, 25))
    assert (fault.device, fault.expected, fault.got) == ("Chain too long", "25 strips", "51")


def test_chain_is_read_again_after_a_repair(strips: SensorStrips, chain: SensorChain) -> None:
    strips.place_peg(3)
    before = chain.scan()
    strips.floats[7] = 1
    fault_of(chain)
    strips.floats.clear()
    assert chain.scan() is before


def test_disturbance_of_one_reading_is_no_fault(pi: BenchPi, strips: SensorStrips, chain: SensorChain) -> None:
    strips.missed_clocks[7] = 1

    def pass_on(is_high: bool) -> None:
        if not is_high:
            strips.missed_clocks.clear()

    pi.gpio[header_pins().bcm("spi_sclk")].listen(pass_on)
    strips.place_peg(3)
    assert chain.scan() == {3}


def test_open_input_at_the_end_of_the_chain_is_a_fault(strips: SensorStrips, chain: SensorChain) -> None:
    strips.floats[STRIPS] = 1
    for read in (chain.scan, chain.count_strips):
        with pytest.raises(DriverError, match=f"Chain fault at strip {STRIPS + 1}"):
            read()


# Why software SPI is never used


def test_software_spi_loses_the_first_bit_and_the_signature_shows_it(pi: BenchPi) -> None:
    """gpiozero raises the clock and then reads; the register has shifted at that same edge."""
    from gpiozero.pins.lgpio import LGPIOFactory

    strips_on(pi, 2).place_peg(3)
    pi.refused["/dev/spidev0.0"] = 2
    factory = LGPIOFactory(0)
    with pytest.warns(SPISoftwareFallback):
        spi = factory.spi(port=0, device=0)
    latch = OutputDevice(header_pins().bcm(SENSOR_LATCH), active_high=False, pin_factory=factory)
    latch.on()
    latch.off()
    read = spi.transfer([0] * 3)
    spi.close()
    factory.close()
    true_bits = "101011111011111100000000"
    assert "".join(f"{byte:08b}" for byte in read) == true_bits[1:] + "0"
    assert not is_valid_reading(read)
