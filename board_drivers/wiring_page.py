"""Generates `hardware/WIRING.md` from the pins: python -m board_drivers.wiring_page > hardware/WIRING.md"""

from __future__ import annotations

from collections.abc import Iterator

from board_drivers.pins import HeaderPin, HeaderPins, header_pins

FOREWORD = """# Wiring

Generated from [`pins.toml`](pins.toml) by `make wiring-page`; do not edit this page. The table shows the header at
the upper right of the Pi: odd pins on the inside, even pins at the edge. It is the same on Zero 2 W, 3B+, 4B and 5.
"""

BOOT = """## In `/boot/firmware/config.txt`

```
dtparam=spi=on
dtparam=i2c_arm=on,i2c_arm_baudrate=400000
dtoverlay=gpio-shutdown,gpio_pin={power_button},active_low=1,gpio_pull=up,debounce=1000
gpio={lights_enable}=op,dl
dtoverlay=max98357a,no-sdmode
```
"""


def wiring_page(header: HeaderPins) -> str:
    """The page as Markdown."""
    return "\n".join([FOREWORD, *_header_table(header), "", *_notes(header), "", *_plugs(header), "", _boot(header)])


def _header_table(header: HeaderPins) -> Iterator[str]:
    yield "| use | GPIO | pin | pin | GPIO | use |"
    yield "| ---: | ---: | ---: | :--- | :--- | :--- |"
    for left, right in zip(header.pins[::2], header.pins[1::2], strict=True):
        yield f"| {_use(left)} | {_gpio(left)} | {left.physical} | {right.physical} | {_gpio(right)} | {_use(right)} |"


def _notes(header: HeaderPins) -> Iterator[str]:
    yield "## Pin by pin"
    yield ""
    yield "| pin | GPIO | use | pull at boot | note |"
    yield "| ---: | ---: | :--- | :--- | :--- |"
    for pin in header.pins:
        if pin.note:
            yield f"| {pin.physical} | {_gpio(pin)} | {_use(pin)} | {pin.boot_pull} | {pin.note} |"


def _plugs(header: HeaderPins) -> Iterator[str]:
    yield "## Connectors"
    yield ""
    yield from (f"- {plug.name}: pins {plug.first} to {plug.last}." for plug in header.plugs)


def _boot(header: HeaderPins) -> str:
    return BOOT.format(power_button=header.bcm("power_button"), lights_enable=header.bcm("lights_enable"))


def _use(pin: HeaderPin) -> str:
    return pin.use.replace("_", " ")


def _gpio(pin: HeaderPin) -> str:
    return "" if pin.bcm is None else str(pin.bcm)


if __name__ == "__main__":
    print(wiring_page(header_pins()), end="")
