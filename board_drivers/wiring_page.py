"""Generates `hardware/WIRING.md` from the pins: python -m board_drivers.wiring_page > hardware/WIRING.md"""

from __future__ import annotations

from collections.abc import Iterator

from board_drivers.desk_wires import desk_wires
from board_drivers.pins import HeaderPin, HeaderPins, header_pins

FOREWORD = """# Wiring

Generated from [`pins.toml`](pins.toml) by `make wiring-page`; do not edit this page. The table shows the header at
the upper right of the Pi: odd pins on the inside, even pins at the edge. It is the same on Zero 2 W, 3B+, 4B and 5.

A board with its own controller needs none of these pins: it is on USB, and a keypad (J2) and a display (J3)
may be at it. A Pi needs those of keypad, display and sound.
"""

CHAIN = """## An older design: a chain of strips

Boards without a controller have a shift register for every five holes, all in one chain, and a chain of lights. No
plan of today is built so; the program still drives both at these pins, with `scanner = "none"` and `lights = "pins"`.
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


DESK = """## Keypad and display

For the kit `desk` sixteen wires lead from the header to a keypad, a display, a piezo and a button that shuts the Pi
down. The piezo and the button may be left out, and the keypad if it is at J2 of a circuit board. Unplug the Pi before
you change a wire, and compare each number with the picture: 5 V on pin 2 or 4 destroys the display and the Pi.

![Sixteen wires between the header, a display, a keypad, a piezo and a button](generated/desk-wiring.svg)
"""

DESK_NOTES = """The diodes let FN be held together with another key: without them two keys of one column connect two
outputs of the Pi. The resistors limit the current if a wire is put on the wrong pin.
"""


def wiring_page(header: HeaderPins) -> str:
    """The page as Markdown."""
    parts = (_header_table(header), _notes(header), _desk(header), _boot(header), _chain(header))
    return "\n".join([FOREWORD, *(line for part in parts for line in (*part, ""))]).rstrip() + "\n"


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


def _desk(header: HeaderPins) -> Iterator[str]:
    yield DESK
    yield "| part | terminal | in the wire | pin | GPIO |"
    yield "| :--- | :--- | :--- | ---: | ---: |"
    for wire in desk_wires(header):
        gpio = _gpio(wire.pin) or _use(wire.pin)
        yield f"| {wire.part} | {wire.terminal} | {wire.in_series} | {wire.pin.physical} | {gpio} |"
    yield ""
    yield DESK_NOTES.rstrip()


def _boot(header: HeaderPins) -> Iterator[str]:
    text = BOOT.format(power_button=header.bcm("power_button"), lights_enable=header.bcm("lights_enable"))
    yield text.rstrip()


def _chain(header: HeaderPins) -> Iterator[str]:
    yield CHAIN
    yield "| pin | GPIO | use | pull at boot | note |"
    yield "| ---: | ---: | :--- | :--- | :--- |"
    for pin in header.pins:
        if pin.chain_note:
            yield f"| {pin.physical} | {_gpio(pin)} | {_use(pin)} | {pin.boot_pull} | {pin.chain_note} |"


def _use(pin: HeaderPin) -> str:
    return pin.use.replace("_", " ")


def _gpio(pin: HeaderPin) -> str:
    return "" if pin.bcm is None else str(pin.bcm)


if __name__ == "__main__":
    print(wiring_page(header_pins()), end="")
