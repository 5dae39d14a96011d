"""One strip on a breadboard: the list of its wires, from the pins and the data sheets' numbers of the legs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from board_drivers.pins import HeaderPins
from firmware_host.drafting.bill import Item, total_usd

# Legs of the cases with legs: Nexperia 74HC165, 74AHCT125.
REGISTER_LEGS = "/PL CP D4 D5 D6 D7 /Q7 GND Q7 DS D0 D1 D2 D3 /CE VCC"
BUFFER_LEGS = "/1OE 1A 1Y /2OE 2A 2Y GND 3Y 3A /3OE 4Y 4A /4OE VCC"
REGISTER, BUFFER = (
    {name: leg for leg, name in enumerate(legs.split(), start=1)} for legs in (REGISTER_LEGS, BUFFER_LEGS)
)
Wire = tuple[str, str]


def demo_page(header: HeaderPins, items: Sequence[Item]) -> str:
    """`hardware/generated/demo.md`."""
    return "\n".join(_lines(header, items)) + "\n"


def wires(header: HeaderPins) -> Iterator[Wire]:
    """From where to where; every leg of both chips once."""
    latch, clock, into, out, gate = (
        _pin(header, use) for use in ("sensor_latch", "spi_sclk", "spi_miso", "spi_mosi", "spi_ce1")
    )
    ground = f"ground, pin {_first(header, 'ground')}"
    logic, lights = f"3.3 V, pin {_first(header, '3v3')}", f"5 V, pin {_first(header, '5v')}"
    yield logic, _legs("74HC165", REGISTER, "VCC", "D7")
    yield ground, _legs("74HC165", REGISTER, "GND", "D6", "DS", "/CE")
    yield latch, _legs("74HC165", REGISTER, "/PL")
    yield f"{clock}, through 47 ohm", _legs("74HC165", REGISTER, "CP")
    yield into, _legs("74HC165", REGISTER, "Q7")
    yield logic, f"10 k, {_legs('74HC165', REGISTER, 'D5')}"
    for hole, leg in enumerate(("D4", "D3", "D2", "D1", "D0"), start=1):
        yield f"output of switch h{hole}, and 10 k to 3.3 V", _legs("74HC165", REGISTER, leg)
    yield "nothing", _legs("74HC165", REGISTER, "/Q7")
    yield f"{logic}, and {ground}", "supply and ground of the five switches"
    yield lights, _legs("74AHCT125", BUFFER, "VCC", "/3OE", "/4OE")
    yield ground, _legs("74AHCT125", BUFFER, "GND", "3A", "4A")
    yield f"{gate}, and 10 k to 3.3 V", _legs("74AHCT125", BUFFER, "/1OE", "/2OE")
    yield clock, _legs("74AHCT125", BUFFER, "1A")
    yield out, _legs("74AHCT125", BUFFER, "2A")
    yield _legs("74AHCT125", BUFFER, "1Y"), "clock in of the first light, and 10 k to ground"
    yield _legs("74AHCT125", BUFFER, "2Y"), "data in of the first light, and 10 k to ground"
    yield "nothing", _legs("74AHCT125", BUFFER, "3Y", "4Y")
    yield (
        f"{lights}, and {ground}",
        "supply and ground of the five lights; each light's outputs to the next one's inputs",
    )


def _lines(header: HeaderPins, items: Sequence[Item]) -> Iterator[str]:
    yield "# One strip on a breadboard"
    yield ""
    yield "Made by `cribboard draw` from `pins.toml` and `parts.toml`; change those. The legs of the switches differ"
    yield "from case to case: look them up for the part in your hand. 100 nF beside each chip."
    yield ""
    yield "| how many | what | about, USD |"
    yield "| ---: | :--- | ---: |"
    for item in items:
        yield f"| {item.quantity} | {item.name} | {item.usd:.2f} |"
    yield f"| | together, besides a Pi, a breadboard and wires | {total_usd(items):.2f} |"
    yield ""
    yield "| from | to |"
    yield "| :--- | :--- |"
    yield from (f"| {one} | {other} |" for one, other in wires(header))


def _pin(header: HeaderPins, use: str) -> str:
    (pin,) = (pin for pin in header.pins if pin.use == use)
    return f"GPIO{pin.bcm}, pin {pin.physical}"


def _first(header: HeaderPins, use: str) -> int:
    return min(pin.physical for pin in header.pins if pin.use == use)


def _legs(chip: str, legs: Mapping[str, int], *names: str) -> str:
    return f"{chip} {', '.join(f'{name} ({legs[name]})' for name in names)}"
